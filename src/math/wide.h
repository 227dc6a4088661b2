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

// For plain scalars, whose vectors have at most 32 bytes. ZIP_LOW, ZIP_HIGH: a0 b0 a1 b1 .. of the
// first half of two vectors, and of the second. JOIN_HALVES: a vector of two halves.
// HalfDoubles: the doubles that half a vector is converted from.
typedef SCALAR HalfWide __attribute__((vector_size(LW_WIDE_BYTES / 2)));
typedef double HalfDoubles __attribute__((vector_size(WIDE / 2 * sizeof(double))));
#define SHUFFLE_WIDE __builtin_shufflevector
#if LW_WIDE_BYTES == 32 && defined(LW_SCALAR_f32)
#define ZIP_LOW(a, b)     SHUFFLE_WIDE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b)    SHUFFLE_WIDE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define JOIN_HALVES(a, b) SHUFFLE_WIDE(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#elif LW_WIDE_BYTES == 32 || defined(LW_SCALAR_f32)
#define ZIP_LOW(a, b)     SHUFFLE_WIDE(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b)    SHUFFLE_WIDE(a, b, 2, 6, 3, 7)
#define JOIN_HALVES(a, b) SHUFFLE_WIDE(a, b, 0, 1, 2, 3)
#else
#define ZIP_LOW(a, b)     SHUFFLE_WIDE(a, b, 0, 2)
#define ZIP_HIGH(a, b)    SHUFFLE_WIDE(a, b, 1, 3)
#define JOIN_HALVES(a, b) SHUFFLE_WIDE(a, b, 0, 1)
#endif

#endif
