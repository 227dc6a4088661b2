// SPDX-License-Identifier: MIT
// REAL as an element of the field of integers modulo p = 2^61 - 1, with a derivative.
// Included by real.h only.
//
// In a field, + - * / are exact, so two formulas that agree at random points are the same rational
// function, except with probability at most degree / p for each point (Schwartz 1980, Zippel
// 1979). Every REAL therefore carries
// - value: the element itself
// - slope: its derivative along one direction, by the rules of dual numbers, for
//   identities that contain d/dt
// - a bound of its degree, by the rules of fractions (math/prime.h). Sines and cosines have one
//   denominator T, the product of 1 + t_i^2 over all angles, and every division adds a factor; sums
//   share what their denominators have in common.
// An angle is given by the tangent of its half, t: cos = (1 - t^2)/(1 + t^2), sin = 2t/(1 + t^2).
// The slope of an angle is that of the angle itself, not of t.
#include <stdbool.h>
#include <stdint.h>

#include "math/prime.h"

#define LW_SCALAR_NAME prime
#define LW_OWN_CONSTANTS  // a robot of field elements

typedef double SCALAR;
typedef double CONST;
typedef lwPrime REAL;

enum
{
  LANES = 1
};

// A literal of the kernels: a whole number, or half of one.
INLINE REAL constant(CONST x)
{
  return lw_prime_halves((int64_t)(2 * x));
}

INLINE REAL r_add(REAL a, REAL b)
{
  return lw_prime_add(a, b);
}

INLINE REAL r_sub(REAL a, REAL b)
{
  return lw_prime_add(a, lw_prime_negate(b));
}

INLINE REAL r_mul(REAL a, REAL b)
{
  return lw_prime_multiply(a, b);
}

INLINE REAL r_div(REAL a, REAL b)
{
  return lw_prime_multiply(a, lw_prime_invert(b));
}

INLINE REAL r_neg(REAL a)
{
  return lw_prime_negate(a);
}

// cos and sin of an angle
INLINE void r_sincos(REAL angle, REAL* sine, REAL* cosine)
{
  lw_prime_turn(angle, sine, cosine);
}

// The angle a - b
INLINE REAL angle_sub(REAL a, REAL b)
{
  return lw_prime_angle_difference(a, b);
}
