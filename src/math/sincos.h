// SPDX-License-Identifier: MIT
// Sine and cosine of a vector of angles, the same bits in every lane position and for every vector
// width.
//
//   k = round(2 x / pi), r = x - k pi/2 in |r| <= pi/4,
//   then polynomials in r^2 and the quadrant k mod 4.
//
// pi/2 is subtracted in parts so short that k times a part is exact (Cody & Waite 1980), and r is
// kept as r + tail: below NEAR_RANGE in two parts of 47 bits (18 in float) and a rest, beyond it in
// parts of 33 bits for |k| < 2^20. Larger angles, infinities and NaN go to math/elementary.c lane by
// lane. The path depends only on the angle itself. The polynomials are minimax, found by Remez'
// exchange; their errors are 2^-57 and 2^-59 in double, 2^-27 and 2^-30 in float. Error: below 0.8
// ulp in double and in float (tests/math/test_sincos.c measures it).
#ifndef LW_MATH_SINCOS_H
#define LW_MATH_SINCOS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/elementary.h"
#include "math/fused.h"

#ifndef INLINE
#define INLINE static inline __attribute__((always_inline, unused))
#endif

enum
{
  WIDE64 = LW_WIDE_BYTES / sizeof(double),
  WIDE32 = LW_WIDE_BYTES / sizeof(float)
};

typedef double Doubles __attribute__((vector_size(LW_WIDE_BYTES)));
typedef int64_t Longs __attribute__((vector_size(LW_WIDE_BYTES)));
typedef float Floats __attribute__((vector_size(LW_WIDE_BYTES)));
typedef int32_t Ints __attribute__((vector_size(LW_WIDE_BYTES)));

#define NEAR_RANGE 64.0      // rad, ten turns: |k| < 2^6
#define FAST_RANGE 823549.0  // 2^19 pi/2
#define ROUNDER    0x1.8p52  // adding it leaves the rounded integer in the low bits

INLINE Doubles d_all(double x)
{
  return x - (Doubles){0};
}

INLINE Floats f_all(float x)
{
  return x - (Floats){0};
}

INLINE Doubles d_fused(Doubles a, Doubles b, Doubles c)
{
  return WIDE_FUSED_64(a, b, c);
}

INLINE Floats f_fused(Floats a, Floats b, Floats c)
{
  return WIDE_FUSED_32(a, b, c);
}

// Where mask is all ones, a; where it is 0, b.
INLINE Doubles d_choose(Longs mask, Doubles a, Doubles b)
{
  return (Doubles)(((Longs)a & mask) | ((Longs)b & ~mask));
}

INLINE Floats f_choose(Ints mask, Floats a, Floats b)
{
  return (Floats)(((Ints)a & mask) | ((Ints)b & ~mask));
}

// a - b exactly, as the rounded difference and its error (Knuth's two-sum).
INLINE Doubles two_diff(Doubles a, Doubles b, Doubles* error)
{
  Doubles difference = a - b;
  Doubles b_part     = a - difference;
  *error             = (a - (difference + b_part)) + (b_part - b);
  return difference;
}

// x - k pi/2 as r + *tail, and k mod 4 in the low bits of *quadrant, for |x| < NEAR_RANGE.
//
// y is exact: x and k times the first part are multiples of 2^-53, and their difference is below 1.
// r + (y - r - k second) is exact, too: if |y| is below |k second| < 2^-41, both are multiples of
// 2^-94 and r has all bits; otherwise it is Dekker's fast sum.
INLINE Doubles reduce_near(Doubles x, Doubles* tail, Longs* quadrant)
{
  const Doubles second = d_all(0x1.8469898cc5180p-48);
  Doubles rounded      = d_fused(x, d_all(0x1.45f306dc9c883p-1), d_all(ROUNDER));
  Doubles k            = rounded - ROUNDER;
  Doubles y            = WIDE_FUSED_NEG_64(k, d_all(0x1.921fb54442d00p+0), x);
  Doubles r            = WIDE_FUSED_NEG_64(k, second, y);
  Doubles left         = WIDE_FUSED_NEG_64(k, second, y - r);
  *tail                = WIDE_FUSED_NEG_64(k, d_all(-0x1.fc8f8cbb5bf6cp-97), left);
  *quadrant            = (Longs)rounded;
  return r;
}

// As reduce_near(), for |x| < FAST_RANGE.
INLINE Doubles reduce(Doubles x, Doubles* tail, Longs* quadrant)
{
  Doubles rounded = d_fused(x, d_all(0x1.45f306dc9c883p-1), d_all(ROUNDER));
  Doubles k       = rounded - ROUNDER;
  *quadrant       = (Longs)rounded;
#if defined(LW_FUSES)
  const Doubles second = d_all(0x1.1a62633145c07p-54);
  Doubles y   = WIDE_FUSED_NEG_64(k, d_all(0x1.921fb54442d18p+0), x);  // exact: 53 bits are left
  Doubles p   = k * second, error;
  Doubles r   = two_diff(y, p, &error);
  Doubles low = WIDE_FUSED_NEG_64(k, second, p) + error;  // what k second and y - p left over
  *tail       = WIDE_FUSED_NEG_64(k, d_all(-0x1.f1976b7ed8fbcp-110), low);
#else
  Doubles e1, e2;
  Doubles y    = x - k * 0x1.921fb544p+0;
  y            = two_diff(y, k * 0x1.0b4611a6p-34, &e1);
  y            = two_diff(y, k * 0x1.3198a2ep-69, &e2);
  Doubles rest = e1 + (e2 - k * 0x1.b839a252049c1p-104);
  Doubles r    = y + rest;
  *tail        = (y - r) + rest;
#endif
  return r;
}

// sin(r + tail) = r + (r^3 S(z) + tail cos r), z = r^2, head: 1 - z/2. Terms are summed in pairs,
// so that fewer operations wait for each other than in Horner's scheme; the largest one comes last.
INLINE Doubles sine_near_zero(Doubles r, Doubles tail, Doubles z, Doubles zz, Doubles head)
{
  Doubles low  = d_fused(z, d_all(-0x1.a01a019caed78p-13), d_all(0x1.111111110fe60p-7));
  Doubles high = d_fused(z, d_all(-0x1.ae5eb82fe16d9p-26), d_all(0x1.71de35edb42bbp-19));
  high         = d_fused(zz, d_all(0x1.5da8754e15294p-33), high);
  Doubles S    = d_fused(z, d_fused(zz, high, low), d_all(-0x1.555555555554ep-3));
  return r + d_fused(z * r, S, tail * head);
}

// cos(r + tail) = 1 - z/2 + (z^2 C(z) - r tail), z = r^2; carries the rounding of head = 1 - z/2
INLINE Doubles cosine_near_zero(Doubles r, Doubles tail, Doubles z, Doubles zz, Doubles head)
{
  Doubles low  = d_fused(z, d_all(-0x1.6c16c16c162bcp-10), d_all(0x1.5555555555553p-5));
  Doubles mid  = d_fused(z, d_all(-0x1.27e4f9433949bp-22), d_all(0x1.a01a019e640b1p-16));
  Doubles high = d_fused(z, d_all(-0x1.901ae5a700b39p-37), d_all(0x1.1eeabf54d1112p-29));
  Doubles C    = d_fused(zz, d_fused(zz, high, mid), low);
  Doubles left = WIDE_FUSED_NEG_64(d_all(0.5), z, 1.0 - head);
  return head + (left + d_fused(zz, C, -(r * tail)));
}

// Sine and cosine of k pi/2 + r + tail; quadrant has k mod 4 in
// its low bits. Odd quadrants swap them.
INLINE void sin_cos_of_64(Doubles r, Doubles tail, Longs quadrant, Doubles* sine, Doubles* cosine)
{
  Doubles z = r * r, zz = z * z;
  Doubles head = WIDE_FUSED_NEG_64(d_all(0.5), z, d_all(1.0));
  Longs s      = (Longs)sine_near_zero(r, tail, z, zz, head);
  Longs c      = (Longs)cosine_near_zero(r, tail, z, zz, head);
  Longs odd = -(quadrant & 1), turned = quadrant << 62;
  Longs swap = (s ^ c) & odd;
  *sine      = (Doubles)(s ^ swap ^ (turned & INT64_MIN));
  *cosine    = (Doubles)(c ^ swap ^ ((turned + (INT64_C(1) << 62)) & INT64_MIN));
}

// All ones where an angle is not within limit, or not a number.
INLINE Longs beyond_64(Doubles x, double limit)
{
  return ~((Doubles)((Longs)x & INT64_MAX) < limit);
}

// For angles within NEAR_RANGE; returns all ones in lanes beyond it, whose results mean nothing.
INLINE Longs near_sin_cos_64(Doubles x, Doubles* sine, Doubles* cosine)
{
  Doubles tail;
  Longs quadrant;
  Doubles r = reduce_near(x, &tail, &quadrant);
  sin_cos_of_64(r, tail, quadrant, sine, cosine);
  return beyond_64(x, NEAR_RANGE);
}

INLINE bool any_64(Longs mask)
{
  int64_t any = 0;
  for (int i = 0; i < WIDE64; ++i) any |= mask[i];
  return __builtin_expect(any != 0, 0);
}

// Lanes beyond NEAR_RANGE; the others keep what they have.
static __attribute__((noinline, unused)) void far_lanes_64(Doubles x, Doubles* sine,
                                                           Doubles* cosine)
{
  Doubles tail, s, c;
  Longs quadrant, far = beyond_64(x, NEAR_RANGE);
  Doubles r = reduce(x, &tail, &quadrant);
  sin_cos_of_64(r, tail, quadrant, &s, &c);
  *sine   = d_choose(far, s, *sine);
  *cosine = d_choose(far, c, *cosine);
  for (int i = 0; i < WIDE64; ++i)
  {
    if (fabs(x[i]) < FAST_RANGE) continue;
    double huge_s, huge_c;
    lw_huge_sin_cos(x[i], &huge_s, &huge_c);
    (*sine)[i]   = huge_s;
    (*cosine)[i] = huge_c;
  }
}

INLINE void sin_cos_64(Doubles x, Doubles* sine, Doubles* cosine)
{
  if (any_64(near_sin_cos_64(x, sine, cosine)))
  {
    Doubles far_s = *sine, far_c = *cosine;  // so that the others stay in registers
    far_lanes_64(x, &far_s, &far_c);
    *sine   = far_s;
    *cosine = far_c;
  }
}

// As reduce_near(), in parts of 18 bits. k is rounded from a float
// product, so r is up to pi/4 + 2^-18.
INLINE Floats reduce_near_32(Floats x, Floats* tail, Ints* quadrant)
{
  const Floats second = f_all(0x1.aa22p-19f);
  Floats rounded      = f_fused(x, f_all(0x1.45f306p-1f), f_all(0x1.8p23f));
  Floats k            = rounded - 0x1.8p23f;
  Floats y            = WIDE_FUSED_NEG_32(k, f_all(0x1.921f8p+0f), x);
  Floats r            = WIDE_FUSED_NEG_32(k, second, y);
  Floats left         = WIDE_FUSED_NEG_32(k, second, y - r);
  *tail               = WIDE_FUSED_NEG_32(k, f_all(0x1.68c234p-39f), left);
  *quadrant           = (Ints)rounded;
  return r;
}

#if defined(LW_FUSES)

// As reduce(), in parts of 24 bits: k is rounded from a float product, so r is up to pi/4 + 0.03.
INLINE Floats reduce_32(Floats x, Floats* tail, Ints* quadrant)
{
  const Floats second = f_all(-0x1.777a5c0000000p-25f);
  Floats rounded      = f_fused(x, f_all(0x1.45f3060000000p-1f), f_all(0x1.8p23f));
  Floats k            = rounded - 0x1.8p23f;
  *quadrant           = (Ints)rounded;
  Floats y            = WIDE_FUSED_NEG_32(k, f_all(0x1.921fb60000000p+0f), x);
  Floats p            = k * second;
  Floats r            = y - p;
  Floats p_part       = y - r;
  Floats error        = (y - (r + p_part)) + (p_part - p);
  Floats low          = WIDE_FUSED_NEG_32(k, second, p) + error;
  low                 = WIDE_FUSED_NEG_32(k, f_all(-0x1.ee59da0000000p-50f), low);
  *tail               = low;
  return r;
}

#else

// Half the lanes of a float vector, reduced in double and then split into two floats.
INLINE void reduce_half(Floats x, int from, Floats* r, Floats* tail, Ints* quadrant)
{
  Doubles wide = {0};
  for (int i = 0; i < WIDE64; ++i) wide[i] = (double)x[from + i];
  Doubles rounded = d_fused(wide, d_all(0x1.45f306dc9c883p-1), d_all(ROUNDER));
  Doubles k = rounded - ROUNDER;
  Doubles y = (wide - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34;
  y = y - k * 0x1.3198a2ep-69;
  for (int i = 0; i < WIDE64; ++i)
  {
    float head = (float)y[i];
    (*r)[from + i] = head;
    (*tail)[from + i] = (float)(y[i] - (double)head);
    (*quadrant)[from + i] = (int32_t)((Longs)rounded)[i];
  }
}

INLINE Floats reduce_32(Floats x, Floats* tail, Ints* quadrant)
{
  Floats r = {0};
  reduce_half(x, 0, &r, tail, quadrant);
  reduce_half(x, WIDE64, &r, tail, quadrant);
  return r;
}

#endif

// As sin_cos_of_64().
INLINE void sin_cos_of_32(Floats r, Floats tail, Ints quadrant, Floats* sine, Floats* cosine)
{
  Floats z    = r * r;
  Floats S    = f_fused(z, f_all(-0x1.996d66p-13f), f_all(0x1.1107d2p-7f));
  S           = f_fused(z, S, f_all(-0x1.555548p-3f));
  Floats C    = f_fused(z, f_all(0x1.9ac158p-16f), f_all(-0x1.6c0f58p-10f));
  C           = f_fused(z, C, f_all(0x1.55555p-5f));
  Floats half = 0.5f * z;
  Floats head = 1.0f - half;
  Ints s      = (Ints)(r + f_fused(z * r, S, tail * head));
  Ints c      = (Ints)(head + (((1.0f - head) - half) + f_fused(z * z, C, -(r * tail))));
  Ints swap   = (s ^ c) & -(quadrant & 1);
  *sine       = (Floats)(s ^ swap ^ ((quadrant & 2) << 30));
  *cosine     = (Floats)(c ^ swap ^ (((quadrant + 1) & 2) << 30));
}

INLINE Ints beyond_32(Floats x, float limit)
{
  return ~((Floats)((Ints)x & INT32_MAX) < limit);
}

INLINE Ints near_sin_cos_32(Floats x, Floats* sine, Floats* cosine)
{
  Floats tail;
  Ints quadrant;
  Floats r = reduce_near_32(x, &tail, &quadrant);
  sin_cos_of_32(r, tail, quadrant, sine, cosine);
  return beyond_32(x, (float)NEAR_RANGE);
}

INLINE bool any_32(Ints mask)
{
  int32_t any = 0;
  for (int i = 0; i < WIDE32; ++i) any |= mask[i];
  return __builtin_expect(any != 0, 0);
}

static __attribute__((noinline, unused)) void far_lanes_32(Floats x, Floats* sine, Floats* cosine)
{
  Floats tail   = {0}, s, c;
  Ints quadrant = {0}, far = beyond_32(x, (float)NEAR_RANGE);
  Floats r = reduce_32(x, &tail, &quadrant);
  sin_cos_of_32(r, tail, quadrant, &s, &c);
  *sine   = f_choose(far, s, *sine);
  *cosine = f_choose(far, c, *cosine);
  for (int i = 0; i < WIDE32; ++i)
  {
    if (fabsf(x[i]) < (float)FAST_RANGE) continue;
    double huge_s, huge_c;
    lw_huge_sin_cos((double)x[i], &huge_s, &huge_c);
    (*sine)[i]   = (float)huge_s;
    (*cosine)[i] = (float)huge_c;
  }
}

INLINE void sin_cos_32(Floats x, Floats* sine, Floats* cosine)
{
  if (any_32(near_sin_cos_32(x, sine, cosine)))
  {
    Floats far_s = *sine, far_c = *cosine;  // so that the others stay in registers
    far_lanes_32(x, &far_s, &far_c);
    *sine   = far_s;
    *cosine = far_c;
  }
}

#endif
