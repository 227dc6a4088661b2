// SPDX-License-Identifier: MIT
#include "math/prime.h"

#include <math.h>

#define P LW_PRIME_MODULUS

static _Thread_local double turn_degree = 2;  // of T: 2 for every angle

void lw_prime_set_angles(int count)
{
  turn_degree = 2.0 * (count > 0 ? count : 1);
}

// --- arithmetic modulo p

static uint64_t mod_add(uint64_t a, uint64_t b)
{
  uint64_t sum = a + b;
  return sum >= P ? sum - P : sum;
}

static uint64_t mod_negate(uint64_t a)
{
  return a ? P - a : 0;
}

// 2^61 = 1 modulo p, so the upper bits of the product are added to the lower ones.
static uint64_t mod_multiply(uint64_t a, uint64_t b)
{
  __extension__ unsigned __int128 product = (unsigned __int128)a * b;
  return mod_add((uint64_t)(product & P), (uint64_t)(product >> 61));
}

// a^(p - 2), which is 1/a (Fermat); 0 for 0
static uint64_t mod_invert(uint64_t a)
{
  uint64_t result = 1;
  for (uint64_t e = P - 2; e; e >>= 1)
  {
    if (e & 1) result = mod_multiply(result, a);
    a = mod_multiply(a, a);
  }
  return result;
}

// --- elements with slope and degree

lwPrime lw_prime_halves(int64_t twice)
{
  uint64_t size  = (uint64_t)(twice < 0 ? -twice : twice);
  uint64_t value = mod_multiply(size, (P + 1) / 2);
  return (lwPrime){.value = twice < 0 ? mod_negate(value) : value};
}

lwPrime lw_prime_random(lwRandom* random)
{
  return (lwPrime){.value = (lw_random_bits(random) >> 3) % P, .num = 1};
}

lwPrime lw_prime_negate(lwPrime a)
{
  a.value = mod_negate(a.value);
  a.slope = mod_negate(a.slope);
  return a;
}

static int is_zero(lwPrime a)
{
  return a.value == 0 && a.slope == 0 && a.num == 0;
}

// Degree of a's numerator over the denominator T^turns times D of both.
static double raised(lwPrime a, double turns, double other_den)
{
  return a.num + (turns - a.turns) * turn_degree + other_den;
}

lwPrime lw_prime_add(lwPrime a, lwPrime b)
{
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  double turns = fmax(a.turns, b.turns);
  return (lwPrime){.value = mod_add(a.value, b.value),
                   .slope = mod_add(a.slope, b.slope),
                   .num   = fmax(raised(a, turns, b.den), raised(b, turns, a.den)),
                   .den   = a.den + b.den,
                   .turns = turns};
}

lwPrime lw_prime_multiply(lwPrime a, lwPrime b)
{
  if (is_zero(a) || is_zero(b)) return (lwPrime){0};
  return (lwPrime){.value = mod_multiply(a.value, b.value),
                   .slope = mod_add(mod_multiply(a.value, b.slope), mod_multiply(a.slope, b.value)),
                   .num   = a.num + b.num,
                   .den   = a.den + b.den,
                   .turns = a.turns + b.turns};
}

lwPrime lw_prime_invert(lwPrime a)
{
  uint64_t over = mod_invert(a.value);
  return (lwPrime){.value = over,
                   .slope = mod_negate(mod_multiply(a.slope, mod_multiply(over, over))),
                   .num   = a.den + a.turns * turn_degree,
                   .den   = a.num};
}

void lw_prime_turn(lwPrime angle, lwPrime* sine, lwPrime* cosine)
{
  uint64_t t = angle.value, square = mod_multiply(t, t);
  uint64_t over = mod_invert(mod_add(1, square));
  uint64_t c    = mod_multiply(mod_add(1, mod_negate(square)), over);
  uint64_t s    = mod_multiply(mod_add(t, t), over);
  double num    = turn_degree * fmax(1, angle.num + angle.den);
  *cosine       = (lwPrime){c, mod_negate(mod_multiply(s, angle.slope)), num, 0, num / turn_degree};
  *sine         = (lwPrime){s, mod_multiply(c, angle.slope), num, 0, num / turn_degree};
}

lwPrime lw_prime_angle_difference(lwPrime a, lwPrime b)
{
  lwPrime up   = lw_prime_add(a, lw_prime_negate(b));
  lwPrime down = lw_prime_add(lw_prime_halves(2), lw_prime_multiply(a, b));
  lwPrime t    = lw_prime_multiply(up, lw_prime_invert(down));
  t.slope      = mod_add(a.slope, mod_negate(b.slope));  // of the angle, not of t
  return t;
}

lwPrime lw_prime_slope(lwPrime a)
{
  return (lwPrime){.value = a.slope,
                   .num   = a.num + a.den + turn_degree + 1,
                   .den   = 2 * a.den,
                   .turns = a.turns + 1};
}

double lw_prime_degree(lwPrime a, lwPrime b)
{
  return lw_prime_add(a, lw_prime_negate(b)).num;
}
