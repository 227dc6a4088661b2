// SPDX-License-Identifier: MIT
#include "trajectory/screws.h"

#include <math.h>

#include "math/rotation.h"

void lw_screw_rotation(const lwScrew* screw, double q, double R[9])
{
  double by[3];
  for (int k = 0; k < 3; ++k) by[k] = screw->slides ? 0 : q * screw->axis[k];
  lw_rotation_exp(by, R);
}

void lw_screw_move(const lwScrew* screw, double q, const double x[3], double out[3])
{
  double R[9], arm[3];
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - screw->point[k];
  lw_screw_rotation(screw, q, R);
  if (!screw->slides) lw_rotate(R, arm, arm);
  for (int k = 0; k < 3; ++k)
    out[k] = screw->slides ? x[k] + q * screw->axis[k] : screw->point[k] + arm[k];
}

double lw_angle_about(const double axis[3], const double from[3], const double to[3], double* size)
{
  double across[3];
  lw_cross(from, to, across);
  double sine   = lw_dot(axis, across);
  double cosine = lw_dot(from, to) - lw_dot(axis, from) * lw_dot(axis, to);
  *size         = sqrt(sine * sine + cosine * cosine);
  return atan2(sine, cosine);
}
