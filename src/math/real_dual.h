// SPDX-License-Identifier: MIT
// REAL as a dual number: a value with derivatives along several directions.
// Included by real.h only.
#include <stdbool.h>

#include "math/dual.h"
#include "math/elementary.h"

#define LW_SCALAR_NAME dual
#define LW_OWN_CONSTANTS  // a robot whose numbers have derivatives, too

typedef double SCALAR;
typedef double CONST;
typedef lwDual REAL;

enum
{
  LANES = 1
};

INLINE REAL constant(CONST x)
{
  return (REAL){.value = x};
}

INLINE REAL r_add(REAL a, REAL b)
{
  a.value += b.value;
  for (int k = 0; k < LW_SLOPE_PAIRS; ++k) a.slope[k] += b.slope[k];
  return a;
}

INLINE REAL r_sub(REAL a, REAL b)
{
  a.value -= b.value;
  for (int k = 0; k < LW_SLOPE_PAIRS; ++k) a.slope[k] -= b.slope[k];
  return a;
}

INLINE REAL r_mul(REAL a, REAL b)
{
  return lw_dual_chain(a.value * b.value, b.value, a, a.value, b);
}

INLINE REAL r_div(REAL a, REAL b)
{
  double over = 1 / b.value, ratio = a.value / b.value;
  return lw_dual_chain(ratio, over, a, -ratio * over, b);
}

INLINE REAL r_neg(REAL a)
{
  return lw_dual_scale(-a.value, -1, a);
}

INLINE void r_sincos(REAL angle, REAL* sine, REAL* cosine)
{
  double s = lw_sin(angle.value), c = lw_cos(angle.value);
  *sine   = lw_dual_scale(s, c, angle);
  *cosine = lw_dual_scale(c, -s, angle);
}

INLINE REAL angle_sub(REAL a, REAL b)
{
  return r_sub(a, b);
}
