// SPDX-License-Identifier: MIT
// Four doubles by value, and 3-vectors as four of which the last is 0: with AVX the three
// components take one instruction, where one state at a time is all there is. Otherwise they are
// two pairs; GCC would keep a vector of four in memory. For code that is compiled for each
// instruction set.
#ifndef LW_MATH_VEC4_H
#define LW_MATH_VEC4_H

#include <string.h>

#include "math/fused.h"
#include "math/real.h"

typedef struct
{
#if defined(__AVX__)
  double v __attribute__((vector_size(32)));
#else
  double low __attribute__((vector_size(16)));
  double high __attribute__((vector_size(16)));
#endif
} Four;

// At any address.
INLINE Four four_load(const double* at)
{
  Four x;
  memcpy(&x, at, sizeof x);
  return x;
}

INLINE void four_store(double* at, Four x)
{
  memcpy(at, &x, sizeof x);
}

#if defined(__AVX__)

#define FOUR_SHUFFLE __builtin_shufflevector

INLINE Four four_of(double x, double y, double z)
{
  return (Four){{x, y, z, 0}};
}

INLINE Four four_all(double k)
{
  return (Four){{k, k, k, k}};
}

INLINE double four_entry(Four a, int k)
{
  return a.v[k];
}

INLINE Four four_add(Four a, Four b)
{
  return (Four){a.v + b.v};
}

INLINE Four four_sub(Four a, Four b)
{
  return (Four){a.v - b.v};
}

// Entry by entry.
INLINE Four four_mul(Four a, Four b)
{
  return (Four){a.v * b.v};
}

// a b + c, entry by entry
INLINE Four four_mul_add(Four a, Four b, Four c)
{
  return (Four){FOUR_FUSED(a.v, b.v, c.v)};
}

// c - a b
INLINE Four four_sub_mul(Four c, Four a, Four b)
{
  return (Four){FOUR_FUSED_NEG(a.v, b.v, c.v)};
}

// Entry k everywhere.
#define FOUR_SPREAD(a, k) ((Four){FOUR_SHUFFLE((a).v, (a).v, k, k, k, k)})

// a x b
INLINE Four four_cross(Four a, Four b)
{
  Four back = {FOUR_SHUFFLE(a.v, a.v, 1, 2, 0, 3) * b.v};
  Four c    = {FOUR_FUSED(a.v, FOUR_SHUFFLE(b.v, b.v, 1, 2, 0, 3), -back.v)};
  return (Four){FOUR_SHUFFLE(c.v, c.v, 1, 2, 0, 3)};
}

// The sum of all entries.
INLINE double four_sum(Four a)
{
  Four b = {a.v + FOUR_SHUFFLE(a.v, a.v, 2, 3, 0, 1)};
  return b.v[0] + b.v[1];
}

#else

INLINE Four four_of(double x, double y, double z)
{
  return (Four){{x, y}, {z, 0}};
}

INLINE Four four_all(double k)
{
  return (Four){{k, k}, {k, k}};
}

INLINE double four_entry(Four a, int k)
{
  return k < 2 ? a.low[k] : a.high[k - 2];
}

INLINE Four four_add(Four a, Four b)
{
  return (Four){a.low + b.low, a.high + b.high};
}

INLINE Four four_sub(Four a, Four b)
{
  return (Four){a.low - b.low, a.high - b.high};
}

INLINE Four four_mul(Four a, Four b)
{
  return (Four){a.low * b.low, a.high * b.high};
}

INLINE Four four_mul_add(Four a, Four b, Four c)
{
  return (Four){a.low * b.low + c.low, a.high * b.high + c.high};
}

INLINE Four four_sub_mul(Four c, Four a, Four b)
{
  return (Four){c.low - a.low * b.low, c.high - a.high * b.high};
}

#define FOUR_SPREAD(a, k) four_all(four_entry(a, k))

INLINE Four four_cross(Four a, Four b)
{
  double ax = a.low[0], ay = a.low[1], az = a.high[0];
  double bx = b.low[0], by = b.low[1], bz = b.high[0];
  return four_of(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
}

INLINE double four_sum(Four a)
{
  Four b = {a.low + a.high, a.high};
  return b.low[0] + b.low[1];
}

#endif

INLINE Four four_scale(double k, Four a)
{
  return four_mul(four_all(k), a);
}

// k a + c
INLINE Four four_scale_add(double k, Four a, Four c)
{
  return four_mul_add(four_all(k), a, c);
}

// a x b + c
INLINE Four four_cross_add(Four a, Four b, Four c)
{
  return four_add(four_cross(a, b), c);
}

INLINE double four_dot(Four a, Four b)
{
  return four_sum(four_mul(a, b));
}

// Three columns, or three rows.
typedef struct
{
  Four x, y, z;
} Four3;

// x k[0] + y k[1] + z k[2]
INLINE Four four_combine(const Four3* A, const double k[3])
{
  return four_scale_add(k[0], A->x, four_scale_add(k[1], A->y, four_scale(k[2], A->z)));
}

// x k.0 + y k.1 + z k.2, with the entries of a vector
INLINE Four four_apply(const Four3* A, Four k)
{
  Four rest = four_mul_add(FOUR_SPREAD(k, 1), A->y, four_mul(FOUR_SPREAD(k, 2), A->z));
  return four_mul_add(FOUR_SPREAD(k, 0), A->x, rest);
}

// Of the first three entries of each; the last ones are 0.
INLINE Four3 four_transpose(Four3 A)
{
#if defined(__AVX__)
  Four none = {{0}};
  Four even = {FOUR_SHUFFLE(A.x.v, A.y.v, 0, 4, 2, 6)};
  Four odd  = {FOUR_SHUFFLE(A.x.v, A.y.v, 1, 5, 3, 7)};
  Four last = {FOUR_SHUFFLE(A.z.v, none.v, 0, 4, 2, 6)};
  Four next = {FOUR_SHUFFLE(A.z.v, none.v, 1, 5, 3, 7)};
  return (Four3){{FOUR_SHUFFLE(even.v, last.v, 0, 1, 4, 5)},
                 {FOUR_SHUFFLE(odd.v, next.v, 0, 1, 4, 5)},
                 {FOUR_SHUFFLE(even.v, last.v, 2, 3, 6, 7)}};
#else
  return (Four3){four_of(A.x.low[0], A.y.low[0], A.z.low[0]),
                 four_of(A.x.low[1], A.y.low[1], A.z.low[1]),
                 four_of(A.x.high[0], A.y.high[0], A.z.high[0])};
#endif
}

#endif
