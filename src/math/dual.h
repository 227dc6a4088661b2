// SPDX-License-Identifier: MIT
// Dual numbers: a value and its derivatives along LW_SLOPES directions, computed side by side.
#ifndef LW_MATH_DUAL_H
#define LW_MATH_DUAL_H

#include <math.h>

enum
{
  LW_SLOPES      = 8,  // directions at once
  LW_SLOPE_PAIRS = LW_SLOPES / 2
};

typedef double lwSlopePair __attribute__((vector_size(16)));

typedef struct lwDual
{
  double value;
  lwSlopePair slope[LW_SLOPE_PAIRS];
} lwDual;

static inline double lw_dual_slope(const lwDual* a, int k)
{
  return a->slope[k / 2][k % 2];
}

static inline void lw_dual_set_slope(lwDual* a, int k, double slope)
{
  a->slope[k / 2][k % 2] = slope;
}

// f(a, b) with df = fa da + fb db
static inline lwDual lw_dual_chain(double f, double fa, lwDual a, double fb, lwDual b)
{
  lwDual c = {.value = f};
  for (int k = 0; k < LW_SLOPE_PAIRS; ++k) c.slope[k] = fa * a.slope[k] + fb * b.slope[k];
  return c;
}

static inline lwDual lw_dual_scale(double f, double fa, lwDual a)
{
  lwDual c = {.value = f};
  for (int k = 0; k < LW_SLOPE_PAIRS; ++k) c.slope[k] = fa * a.slope[k];
  return c;
}

#endif
