// SPDX-License-Identifier: MIT
// a b + c rounded once where the instruction set can. GCC has no fused operation on its vector types but the machine's
// own, so this is the one place that names instructions.
//   FUSED(a, b, c)   for REAL, FUSED_NEG its c - a b;       WIDE_FUSED_64, WIDE_FUSED_32   for vectors of LW_WIDE_BYTES
#ifndef LW_MATH_FUSED_H
#define LW_MATH_FUSED_H

#if defined(__AVX512F__)
#define LW_WIDE_BYTES 64
#elif defined(__AVX2__)
#define LW_WIDE_BYTES 32
#else
#define LW_WIDE_BYTES 16
#endif

#if defined(__FMA__)
#include <immintrin.h>
#if LW_WIDE_BYTES == 64
#define WIDE_FUSED_64(a, b, c)     _mm512_fmadd_pd(a, b, c)
#define WIDE_FUSED_32(a, b, c)     _mm512_fmadd_ps(a, b, c)
#define WIDE_FUSED_NEG_64(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define WIDE_FUSED_NEG_32(a, b, c) _mm512_fnmadd_ps(a, b, c)
#else
#define WIDE_FUSED_64(a, b, c)     _mm256_fmadd_pd(a, b, c)
#define WIDE_FUSED_32(a, b, c)     _mm256_fmadd_ps(a, b, c)
#define WIDE_FUSED_NEG_64(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define WIDE_FUSED_NEG_32(a, b, c) _mm256_fnmadd_ps(a, b, c)
#endif
#define PLAIN_FUSED_64(a, b, c) __builtin_fma(a, b, c)
#define PLAIN_FUSED_32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define WIDE_FUSED_64(a, b, c)     ((a) * (b) + (c))
#define WIDE_FUSED_32(a, b, c)     ((a) * (b) + (c))
#define WIDE_FUSED_NEG_64(a, b, c) ((c) - (a) * (b))
#define WIDE_FUSED_NEG_32(a, b, c) ((c) - (a) * (b))
#define PLAIN_FUSED_64(a, b, c)    ((a) * (b) + (c))
#define PLAIN_FUSED_32(a, b, c)    ((a) * (b) + (c))
#endif

#if LW_LANE_BYTES && defined(LW_SCALAR_f32)
#define FUSED     WIDE_FUSED_32
#define FUSED_NEG WIDE_FUSED_NEG_32
#elif LW_LANE_BYTES
#define FUSED     WIDE_FUSED_64
#define FUSED_NEG WIDE_FUSED_NEG_64
#elif defined(LW_SCALAR_f32)
#define FUSED              PLAIN_FUSED_32
#define FUSED_NEG(a, b, c) PLAIN_FUSED_32(-(a), b, c)
#else
#define FUSED              PLAIN_FUSED_64
#define FUSED_NEG(a, b, c) PLAIN_FUSED_64(-(a), b, c)
#endif

#if LW_LANE_BYTES && LW_LANE_BYTES != LW_WIDE_BYTES
#error "lanes are as wide as the vectors of the instruction set they are compiled for"
#endif

#endif
