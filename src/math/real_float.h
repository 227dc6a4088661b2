// SPDX-License-Identifier: MIT
// REAL as a floating-point number or a vector of them. Included by real.h only.
#if defined(LW_SCALAR_f32)
typedef float SCALAR;
#else
typedef double SCALAR;
#endif
typedef SCALAR CONST;

#if LW_LANE_BYTES
typedef SCALAR REAL __attribute__((vector_size(LW_LANE_BYTES)));
enum
{
  LANES = LW_LANE_BYTES / sizeof(SCALAR)
};
#if defined(LW_MIXED)
#define LW_OWN_CONSTANTS
#define LW_SCALAR_NAME f64_mixed
#elif defined(LW_SCALAR_f32)
#define LW_SCALAR_NAME f32_lanes
#else
#define LW_SCALAR_NAME f64_lanes
#endif
#else
typedef SCALAR REAL;
enum
{
  LANES = 1
};
#if defined(LW_SCALAR_f32)
#define LW_SCALAR_NAME f32
#else
#define LW_SCALAR_NAME f64
#endif
#endif

INLINE REAL constant(CONST x)
{
#if LW_LANE_BYTES
  return x - (REAL){0};  // x in every lane; x - 0 is x even for -0
#else
  return x;
#endif
}

#include "math/real_operators.h"

INLINE REAL r_sqrt(REAL a)
{
#if LW_LANE_BYTES
  for (int lane = 0; lane < LANES; ++lane) a[lane] = (SCALAR)__builtin_sqrt(a[lane]);
  return a;
#else
  return (SCALAR)__builtin_sqrt(a);
#endif
}

#include "math/fused.h"

INLINE REAL mul_add(REAL a, REAL b, REAL c)
{
  return FUSED(a, b, c);
}

INLINE REAL mul_sub(REAL a, REAL b, REAL c)
{
  return FUSED(a, b, -c);
}

INLINE REAL sub_mul(REAL c, REAL a, REAL b)
{
  return FUSED_NEG(a, b, c);
}

// The angle a - b
INLINE REAL angle_sub(REAL a, REAL b)
{
  return r_sub(a, b);
}
