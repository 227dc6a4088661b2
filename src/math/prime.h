// SPDX-License-Identifier: MIT
// The field of integers modulo p = 2^61 - 1, a Mersenne prime;
// math/real_prime.h says what it is for.
#ifndef LW_MATH_PRIME_H
#define LW_MATH_PRIME_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

#define LW_PRIME_MODULUS UINT64_C(0x1fffffffffffffff)

enum
{
  // denominators that are kept apart; those of later divisions are multiplied
  LW_PRIME_FACTORS = 96
};

// N / (T^turns d_0^exponent[0] d_1^exponent[1] .. D), where T is the product of 1 + t^2
// over all angles, d_j the numerator of what was divided by in division j, and D the
// product of all other denominators.
typedef struct lwPrime
{
  uint64_t value;   // 0 .. p - 1
  uint64_t slope;   // derivative along one direction
  double num, den;  // degrees of N and D, at most
  double turns;     // of an angle: the number of angles that it is made of, or 0 for one
  int factors;      // exponents from here on are 0
  short exponent[LW_PRIME_FACTORS];
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

// The derivative as an element, for rates of degree 1:
// by the quotient rule it has the denominators once more.
lwPrime lw_prime_slope(lwPrime a);

// The degree of the polynomial that is nonzero if a is not b and nothing was divided by 0: the
// numerator of a - b times all denominators. (T is never 0: -1 is not a square modulo p.)
double lw_prime_degree(lwPrime a, lwPrime b);

// The factors d_j are those of one computation by the thread that calls.
//   lw_prime_start     begins with none; T is the product of so many angles
//   lw_prime_keep      those of now stay apart: constants of the robot have them, or every kernel
//                      divides by them again
//   lw_prime_restart   all others are forgotten, before a kernel runs
//   lw_prime_settle    makes them part of D in what a kernel has found, for use after a restart
void lw_prime_start(int angles);
void lw_prime_keep(void);
void lw_prime_restart(void);
void lw_prime_settle(lwPrime* values, size_t count);

#endif
