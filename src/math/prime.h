// SPDX-License-Identifier: MIT
// The field of integers modulo p = 2^61 - 1, a Mersenne prime; math/real_prime.h says what it is for.
#ifndef LW_MATH_PRIME_H
#define LW_MATH_PRIME_H

#include <stdint.h>

#include "base/random.h"

#define LW_PRIME_MODULUS UINT64_C(0x1fffffffffffffff)

typedef struct lwPrime
{
  uint64_t value;   // 0 .. p - 1
  uint64_t slope;   // derivative along one direction
  double num, den;  // degrees of numerator and denominator, at most
  double turns;     // exponent of T in the denominator
} lwPrime;

lwPrime lw_prime_halves(int64_t twice);     // twice / 2
lwPrime lw_prime_random(lwRandom* random);  // an unknown at a random point
lwPrime lw_prime_negate(lwPrime a);
lwPrime lw_prime_add(lwPrime a, lwPrime b);
lwPrime lw_prime_multiply(lwPrime a, lwPrime b);
lwPrime lw_prime_invert(lwPrime a);  // 0 for 0, which has no inverse: then no identity holds

// The angle whose half has the tangent angle.value and whose derivative is angle.slope.
void lw_prime_turn(lwPrime angle, lwPrime* sine, lwPrime* cosine);

// (a - b) of two such angles, by the addition theorem of the tangent.
lwPrime lw_prime_angle_difference(lwPrime a, lwPrime b);

// The derivative as an element: by the quotient rule its denominator has T once more and D twice.
lwPrime lw_prime_slope(lwPrime a);

// How many angles T is made of; for the thread that calls.
void lw_prime_set_angles(int count);

// The degree of the polynomial that is zero if a = b: numerators over the common denominator.
double lw_prime_degree(lwPrime a, lwPrime b);

#endif
