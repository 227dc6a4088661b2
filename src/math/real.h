// SPDX-License-Identifier: MIT
// The scalar that kernels are written over, and its primitives.
//
// A kernel is compiled once per variant (cmake/variants.cmake). The variant decides what REAL is:
//   LW_SCALAR_f64, LW_SCALAR_f32 with LW_LANE_BYTES 0   a double, a float
//   the same with LW_LANE_BYTES 16, 32 or 64            a vector of them, one state per lane
//   LW_SCALAR_count                                     a value that tallies what is done with it
//   LW_SCALAR_prime                                     an integer modulo 2^61 - 1
//   LW_SCALAR_quad                                      a 113-bit IEEE number
//   LW_SCALAR_symbol                                    a node of a graph of expressions
//   LW_SCALAR_dual                                      a value with derivatives
// With LW_OWN_CONSTANTS the robot's numbers are REAL as well: field elements, or one robot in every
// lane (LW_MIXED, for lanes of double only); see kernels/joints.h. LW_FLOATING marks plain
// floating-point numbers and vectors of them.
//
// Primitives: r_add r_sub r_mul r_div r_neg r_sqrt, constant(x), zero(), and the fused forms
//   mul_add(a, b, c) = a b + c     mul_sub(a, b, c) = a b - c     sub_mul(c, a, b) = c - a b
// which are one instruction, rounded once, where the instruction set has it, and two otherwise.
// Nothing else is ever fused (-ffp-contract=off), so a lane and a plain scalar of
// the same instruction set give the same bits. CONST is the type of model
// constants, SCALAR the type of one lane.
#ifndef LW_MATH_REAL_H
#define LW_MATH_REAL_H

#define LW_PASTE_(name, scalar, isa) lw_##name##_##scalar##_##isa
#define LW_PASTE(name, scalar, isa)  LW_PASTE_(name, scalar, isa)
#define FN(name)                     LW_PASTE(name, LW_SCALAR_NAME, LW_ISA)

// Vectors pass through these functions by value, so they must be inlined;
// the counting scalar need not be fast.
#if defined(LW_SCALAR_count)
#define INLINE static inline __attribute__((unused))
#include "math/real_count.h"
#elif defined(LW_SCALAR_prime)
#define INLINE static inline __attribute__((unused))
#include "math/real_prime.h"
#elif defined(LW_SCALAR_quad)
#define INLINE static inline __attribute__((unused))
#include "math/real_quad.h"
#elif defined(LW_SCALAR_symbol)
#define INLINE static inline __attribute__((unused))
#include "math/real_symbol.h"
#elif defined(LW_SCALAR_dual)
#define INLINE static inline __attribute__((unused))
#include "math/real_dual.h"
#else
#define LW_FLOATING
#define INLINE static inline __attribute__((always_inline, unused))
#include "math/real_float.h"
#endif

#if !defined(LW_FLOATING)
// Two operations: only floating-point numbers have a fused instruction.
INLINE REAL mul_add(REAL a, REAL b, REAL c)
{
  return r_add(r_mul(a, b), c);
}

INLINE REAL mul_sub(REAL a, REAL b, REAL c)
{
  return r_sub(r_mul(a, b), c);
}

INLINE REAL sub_mul(REAL c, REAL a, REAL b)
{
  return r_sub(c, r_mul(a, b));
}
#endif

// A pass over all joints that GCC compiles as a function of its own, so that the rest of
// a kernel takes no registers from it. clang gains nothing from that, and spills to a
// stack that is not aligned to vectors.
#if defined(__clang__)
#define APART INLINE
#else
#define APART static __attribute__((noinline))
#endif

INLINE REAL zero(void)
{
  return constant(0);
}

// -a b, in one instruction where there is one
INLINE REAL neg_mul(REAL a, REAL b)
{
#if defined(LW_FLOATING) && defined(LW_FUSES)
  return sub_mul(zero(), a, b);
#else
  return r_neg(r_mul(a, b));
#endif
}

#endif
