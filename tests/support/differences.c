// SPDX-License-Identifier: MIT
#include "support/differences.h"

#include "support/testing.h"

void derivative(Curve* curve, const void* context, double h, size_t count, double* out)
{
  static const double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double ahead[12], behind[12];
  assert_at_most(count, 12);
  for (size_t i = 0; i < count; ++i) out[i] = 0;
  for (int k = 1; k <= 4; ++k)
  {
    curve(context, k * h, ahead);
    curve(context, -k * h, behind);
    for (size_t i = 0; i < count; ++i) out[i] += weights[k - 1] * (ahead[i] - behind[i]) / h;
  }
}

double quad_difference(lwQuad a, lwQuad b)
{
  return (a.part[0] - b.part[0]) + (a.part[1] - b.part[1]) + (a.part[2] - b.part[2]);
}
