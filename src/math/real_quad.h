// SPDX-License-Identifier: MIT
// REAL as a 113-bit IEEE number, for reference answers. Included by real.h only.
#include <stdbool.h>

#include "math/quad_float.h"

#define LW_SCALAR_NAME quad
#define LW_OWN_CONSTANTS  // a robot whose numbers were computed in 113 bits, too

typedef double SCALAR;
typedef double CONST;
typedef lwQuadNumber REAL;

enum
{
  LANES = 1
};

INLINE REAL constant(CONST x)
{
  return x;
}

#include "math/real_operators.h"

INLINE void r_sincos(REAL angle, REAL* sine, REAL* cosine)
{
  *sine   = lw_quad_sin(angle);
  *cosine = lw_quad_cos(angle);
}

INLINE REAL angle_sub(REAL a, REAL b)
{
  return a - b;
}
