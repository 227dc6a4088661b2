// SPDX-License-Identifier: MIT
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#define LAGRANGE      lagrange_double
#include "lagrange_text.h"

size_t lagrange_bytes(int n)
{
  lwSnakeKernel most = {.per_link = AUGMENTED_PER_LINK + 8 * sizeof(REAL) + 3 * sizeof(Turn),
                        .per_pair = AUGMENTED_PER_PAIR};
  return lw_snake_kernel_bytes(&most, n);
}

void lagrange_accelerations(const Lagrange* lagrange, const double* q, const double* qd,
                            const double* torque, double* qdd)
{
  (lagrange->precision == LW_PRECISION_SINGLE ? lagrange_single : lagrange_double)(lagrange, q, qd,
                                                                                   torque, qdd);
}
