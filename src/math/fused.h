// SPDX-License-Identifier: MIT
// a b + c rounded once where the instruction set can and LW_PORTABLE does not forbid it. For its vector types GCC offers fused
// operations only as machine intrinsics, so this is the one place that names instructions.
//   FUSED(a, b, c), FUSED_NEG its c - a b, for REAL; WIDE_FUSED_64, WIDE_FUSED_32 for vectors;
//   FOUR_FUSED, FOUR_FUSED_NEG for four doubles (math/vec4.h);
//   STREAM_STORE(at, x) of a vector of doubles past the caches, STREAM_END() (math/stream.h)
#ifndef LW_MATH_FUSED_H
#define LW_MATH_FUSED_H

// Lanes use the widest vectors of the instruction set. One state uses at most 32 bytes, because few
// robots fill 64: on a Zen 4, vectors of 64 bytes took 1.16 times as long for inverse dynamics of a
// Panda, 1.29 for its inertia matrix, but 0.94 for gravity of 30 joints.
#if defined(__AVX512F__) && LW_LANE_BYTES
#define LW_WIDE_BYTES 64
#elif defined(__AVX2__)
#define LW_WIDE_BYTES 32
#else
#define LW_WIDE_BYTES 16
#endif

// LW_PORTABLE: no fused operations, so that every instruction set gives the bits of `baseline`.
#if defined(__FMA__) && !defined(LW_PORTABLE)
#define LW_FUSES
#endif

// <immintrin.h> says the same, but takes longer to read than most kernels take to compile.
#if defined(LW_FUSES)
#if LW_WIDE_BYTES == 64
#define LW_ROUND_AS_SET        4  // _MM_FROUND_CUR_DIRECTION
#define WIDE_FUSED_64(a, b, c) __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, LW_ROUND_AS_SET)
#define WIDE_FUSED_32(a, b, c) __builtin_ia32_vfmaddps512_mask(a, b, c, -1, LW_ROUND_AS_SET)
#else
#define WIDE_FUSED_64(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)
#define WIDE_FUSED_32(a, b, c) __builtin_ia32_vfmaddps256(a, b, c)
#endif
#if defined(__clang__)  // folds the sign into the instruction; GCC has to be told
#define WIDE_FUSED_NEG_64(a, b, c) WIDE_FUSED_64(-(a), b, c)
#define WIDE_FUSED_NEG_32(a, b, c) WIDE_FUSED_32(-(a), b, c)
#elif LW_WIDE_BYTES == 64
#define WIDE_FUSED_NEG_64(a, b, c) __builtin_ia32_vfnmaddpd512_mask(a, b, c, -1, LW_ROUND_AS_SET)
#define WIDE_FUSED_NEG_32(a, b, c) __builtin_ia32_vfnmaddps512_mask(a, b, c, -1, LW_ROUND_AS_SET)
#else
#define WIDE_FUSED_NEG_64(a, b, c) __builtin_ia32_vfnmaddpd256(a, b, c)
#define WIDE_FUSED_NEG_32(a, b, c) __builtin_ia32_vfnmaddps256(a, b, c)
#endif
#define FOUR_FUSED(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)
#if defined(__clang__)
#define FOUR_FUSED_NEG(a, b, c) FOUR_FUSED(-(a), b, c)
#else
#define FOUR_FUSED_NEG(a, b, c) __builtin_ia32_vfnmaddpd256(a, b, c)
#endif
#define PLAIN_FUSED_64(a, b, c) __builtin_fma(a, b, c)
#define PLAIN_FUSED_32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define WIDE_FUSED_64(a, b, c)     ((a) * (b) + (c))
#define WIDE_FUSED_32(a, b, c)     ((a) * (b) + (c))
#define WIDE_FUSED_NEG_64(a, b, c) ((c) - (a) * (b))
#define FOUR_FUSED(a, b, c)        ((a) * (b) + (c))
#define FOUR_FUSED_NEG(a, b, c)    ((c) - (a) * (b))
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

// at is aligned to the size of x.
typedef double Streamed __attribute__((vector_size(LW_WIDE_BYTES)));
#if defined(__SSE2__) && defined(__clang__)
#define STREAM_STORE(at, x) __builtin_nontemporal_store(x, (Streamed*)(at))
#elif defined(__SSE2__) && LW_WIDE_BYTES == 64
#define STREAM_STORE(at, x) __builtin_ia32_movntpd512(at, x)
#elif defined(__SSE2__) && LW_WIDE_BYTES == 32
#define STREAM_STORE(at, x) __builtin_ia32_movntpd256(at, x)
#elif defined(__SSE2__)
#define STREAM_STORE(at, x) __builtin_ia32_movntpd(at, x)
#else
#define STREAM_STORE(at, x) (void)(*(Streamed*)(at) = (x))
#endif
#if defined(__SSE2__)
#define STREAM_END() __builtin_ia32_sfence()
#else
#define STREAM_END() (void)0
#endif

#if LW_LANE_BYTES && LW_LANE_BYTES != LW_WIDE_BYTES
#error "lanes are as wide as the vectors of the instruction set they are compiled for"
#endif

#endif
