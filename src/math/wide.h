// SPDX-License-Identifier: MIT
// The widest vector of the instruction set for the kernel's scalar, with its sine and cosine.
#ifndef LW_MATH_WIDE_H
#define LW_MATH_WIDE_H

#include "math/sincos.h"

#if defined(LW_SCALAR_f32)
typedef Floats Wide;
typedef Ints WideMask;
enum
{
  WIDE = WIDE32
};
#define SIN_COS      sin_cos_32
#define NEAR_SIN_COS near_sin_cos_32
#define BEYOND       beyond_32
#define ANY          any_32
#else
typedef Doubles Wide;
typedef Longs WideMask;
enum
{
  WIDE = WIDE64
};
#define SIN_COS      sin_cos_64
#define NEAR_SIN_COS near_sin_cos_64
#define BEYOND       beyond_64
#define ANY          any_64
#endif

#endif
