// SPDX-License-Identifier: MIT
// The widest vector of the instruction set for the kernel's scalar, with its sine and cosine.
#ifndef LW_MATH_WIDE_H
#define LW_MATH_WIDE_H

#include "math/sincos.h"

#if defined(LW_SCALAR_f32)
typedef Floats Wide;
typedef Ints WideMask;
typedef int32_t WideIndex;
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
typedef int64_t WideIndex;
enum
{
  WIDE = WIDE64
};
#define SIN_COS      sin_cos_64
#define NEAR_SIN_COS near_sin_cos_64
#define BEYOND       beyond_64
#define ANY          any_64
#endif

// A loop over a vector's entries with a condition, which GCC makes one masked instruction unless it
// has taken the loop apart before.
#if defined(__GNUC__) && !defined(__clang__)
#define MASKED_LOOP _Pragma("GCC unroll 1")
#else
#define MASKED_LOOP
#endif

// a0 b0 a1 b1 .. of the first half of two vectors, and of the second.
#define SHUFFLE_WIDE __builtin_shufflevector
#if LW_WIDE_BYTES == 64 && defined(LW_SCALAR_f32)
#define ZIP_LOW(a, b) SHUFFLE_WIDE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
  SHUFFLE_WIDE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LW_WIDE_BYTES == 64 || (LW_WIDE_BYTES == 32 && defined(LW_SCALAR_f32))
#define ZIP_LOW(a, b)  SHUFFLE_WIDE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) SHUFFLE_WIDE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif LW_WIDE_BYTES == 32 || defined(LW_SCALAR_f32)
#define ZIP_LOW(a, b)  SHUFFLE_WIDE(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) SHUFFLE_WIDE(a, b, 2, 6, 3, 7)
#else
#define ZIP_LOW(a, b)  SHUFFLE_WIDE(a, b, 0, 2)
#define ZIP_HIGH(a, b) SHUFFLE_WIDE(a, b, 1, 3)
#endif

#endif
