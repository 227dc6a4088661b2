// SPDX-License-Identifier: MIT
#include "linkwork/motion.h"
#include "model/transform.h"
void lw_rotation_rpy(const double rpy[3], double rotation[9])
{
  static const double none[3] = {0};
  lwTransform frame           = lw_origin(none, rpy);
  for (int k = 0; k < 9; ++k) rotation[k] = frame.R[k / 3][k % 3];
}
