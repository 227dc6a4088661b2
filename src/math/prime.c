// SPDX-License-Identifier: MIT
#include "math/prime.h"

#include <math.h>

#define P LW_PRIME_MODULUS

// Degrees of the denominators; see prime.h.
typedef struct Factors
{
  double turn;  // of T: 2 for every angle
  int count, kept;
  double degree[LW_PRIME_FACTORS];
  uint64_t value[LW_PRIME_FACTORS];
  double others;  // of all divisors that are not a factor of the result
} Factors;

static _Thread_local Factors factors = {.turn = 2};

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

static int prime_is_zero(lwPrime a)
{
  return a.value == 0 && a.slope == 0 && a.num == 0;
}

static int factors_of_both(const lwPrime* a, const lwPrime* b)
{
  return a->factors > b->factors ? a->factors : b->factors;
}

// Degree of a's numerator over the denominator of sum, of which other_den is not a's.
static double raised(const lwPrime* a, const lwPrime* sum, double other_den)
{
  double degree = a->num + (sum->turns - a->turns) * factors.turn + other_den;
  for (int j = 0; j < sum->factors; ++j)
    degree += (sum->exponent[j] - a->exponent[j]) * factors.degree[j];
  return degree;
}

// The common denominator has the larger exponent of each factor.
lwPrime lw_prime_add(lwPrime a, lwPrime b)
{
  if (prime_is_zero(a)) return b;
  if (prime_is_zero(b)) return a;
  lwPrime sum = {.value   = mod_add(a.value, b.value),
                 .slope   = mod_add(a.slope, b.slope),
                 .den     = a.den + b.den,
                 .turns   = fmax(a.turns, b.turns),
                 .factors = factors_of_both(&a, &b)};
  for (int j = 0; j < sum.factors; ++j)
    sum.exponent[j] = a.exponent[j] > b.exponent[j] ? a.exponent[j] : b.exponent[j];
  sum.num = fmax(raised(&a, &sum, b.den), raised(&b, &sum, a.den));
  return sum;
}

lwPrime lw_prime_multiply(lwPrime a, lwPrime b)
{
  if (prime_is_zero(a) || prime_is_zero(b)) return (lwPrime){0};
  lwPrime product = {.value = mod_multiply(a.value, b.value),
                     .slope =
                         mod_add(mod_multiply(a.value, b.slope), mod_multiply(a.slope, b.value)),
                     .num     = a.num + b.num,
                     .den     = a.den + b.den,
                     .turns   = a.turns + b.turns,
                     .factors = factors_of_both(&a, &b)};
  for (int j = 0; j < product.factors; ++j)
    product.exponent[j] = (short)(a.exponent[j] + b.exponent[j]);
  return product;
}

// The kept factor that the polynomial a is, or -1. Another polynomial that has its value at this
// point would be overlooked with the probability of a false identity.
static int kept_factor(const lwPrime* a)
{
  if (a->den > 0 || a->turns != 0) return -1;
  for (int j = 0; j < a->factors; ++j)
    if (a->exponent[j]) return -1;
  for (int j = 0; j < factors.kept; ++j)
    if (factors.value[j] == a->value && factors.degree[j] >= a->num) return j;
  return -1;
}

// The numerator of a becomes a new factor, if it is none that was kept; the denominators of a are
// then in the numerator, with negative exponents.
lwPrime lw_prime_invert(lwPrime a)
{
  int known       = kept_factor(&a);
  uint64_t over   = mod_invert(a.value);
  lwPrime inverse = {.value   = over,
                     .slope   = mod_negate(mod_multiply(a.slope, mod_multiply(over, over))),
                     .num     = a.den,
                     .turns   = -a.turns,
                     .factors = a.factors};
  for (int j = 0; j < a.factors; ++j) inverse.exponent[j] = (short)-a.exponent[j];
  if (known >= 0)
  {
    inverse.exponent[known] = 1;
    inverse.factors         = known + 1 > a.factors ? known + 1 : a.factors;
    return inverse;
  }
  if (factors.count == LW_PRIME_FACTORS)
  {
    inverse.den = a.num;
    return inverse;
  }
  factors.degree[factors.count]   = a.num;
  factors.value[factors.count]    = a.value;
  inverse.exponent[factors.count] = 1;
  inverse.factors                 = ++factors.count;
  return inverse;
}

// An angle made of k others has t = N / D, where N^2 + D^2 divides T^k: (a - b)^2 + (1 + a b)^2 =
// (1 + a^2)(1 + b^2).
static double angles_in(lwPrime angle)
{
  return fmax(1, angle.turns);
}

void lw_prime_turn(lwPrime angle, lwPrime* sine, lwPrime* cosine)
{
  uint64_t t = angle.value, square = mod_multiply(t, t);
  uint64_t over = mod_invert(mod_add(1, square));
  uint64_t c    = mod_multiply(mod_add(1, mod_negate(square)), over);
  uint64_t s    = mod_multiply(mod_add(t, t), over);
  double turns  = angles_in(angle);
  *cosine       = (lwPrime){.value = c, .num = turns * factors.turn, .turns = turns};
  *sine         = *cosine;
  sine->value   = s;
  cosine->slope = mod_negate(mod_multiply(s, angle.slope));
  sine->slope   = mod_multiply(c, angle.slope);
}

lwPrime lw_prime_angle_difference(lwPrime a, lwPrime b)
{
  uint64_t up   = mod_add(a.value, mod_negate(b.value));
  uint64_t down = mod_add(1, mod_multiply(a.value, b.value));
  factors.others += angles_in(a) + angles_in(b);
  return (lwPrime){.value = mod_multiply(up, mod_invert(down)),
                   .slope = mod_add(a.slope, mod_negate(b.slope)),
                   .num   = 1,
                   .turns = angles_in(a) + angles_in(b)};
}

// With dt/dt of an angle (1 + t^2)/2 times its rate, N grows by 2 degrees, T' is a multiple of T,
// and d_j' has 2 degrees more than d_j.
lwPrime lw_prime_slope(lwPrime a)
{
  lwPrime slope = a;
  slope.value   = a.slope;
  slope.slope   = 0;
  slope.num     = a.num + 2 + a.den;
  slope.den     = 2 * a.den;
  for (int j = 0; j < a.factors; ++j)
  {
    if (!a.exponent[j]) continue;
    slope.num += factors.degree[j];
    ++slope.exponent[j];
  }
  return slope;
}

// Everything that was divided by counts at least once, even if it has cancelled: had it been 0, the
// value would mean nothing. From the factor `first` on.
static void settle_factors(lwPrime* a, int first)
{
  a->num += factors.others;
  a->den += factors.others;
  for (int j = first; j < factors.count; ++j)
  {
    int exponent = a->exponent[j] > 1 ? a->exponent[j] : 1;
    a->num += (exponent - a->exponent[j]) * factors.degree[j];
    a->den += exponent * factors.degree[j];
    a->exponent[j] = 0;
  }
  if (a->factors > first) a->factors = first;
}

void lw_prime_settle(lwPrime* values, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (!prime_is_zero(values[i])) settle_factors(&values[i], factors.kept);
}

double lw_prime_degree(lwPrime a, lwPrime b)
{
  lwPrime difference = lw_prime_add(a, lw_prime_negate(b));
  settle_factors(&difference, 0);
  return difference.num + fmax(0, -difference.turns) * factors.turn + difference.den;
}

// --- one computation

void lw_prime_start(int angles)
{
  factors = (Factors){.turn = 2.0 * (angles > 0 ? angles : 1)};
}

void lw_prime_keep(void)
{
  factors.kept = factors.count;
}

void lw_prime_restart(void)
{
  factors.count  = factors.kept;
  factors.others = 0;
}
