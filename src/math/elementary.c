// SPDX-License-Identifier: MIT
// Results are sums of two doubles, hi + lo, rounded at the end: Dekker 1971, A floating-point
// technique for extending the available precision; Knuth's two-sum. Arguments are reduced to small
// ones, of which a few terms of a series are enough:
//   exp    x = k ln 2 + r, |r| <= ln 2 / 2, Taylor
//   log    x = 2^k m, sqrt(1/2) <= m < sqrt(2), ln m = 2 artanh((m - 1) / (m + 1))
//   atan   arctan q = arctan c + arctan((q - c) / (1 + q c)), c = 0, 1/8 .. 1, Taylor
//   sines  those of math/sincos.h; huge angles by Payne & Hanek 1983, with 1,280 bits of 2 / pi
//   erfc   below 1/2 the series of erf with positive terms, Abramowitz & Stegun 7.1.6; beyond it the
//          trapezoidal rule with step 1/2, Chiarella & Reichel 1968, whose error is below 2^-56
#define LW_PORTABLE  // no fused operations, whatever the compiler's flags
#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/sincos.h"

__extension__ typedef unsigned __int128 Wide128;

// --- sums of two doubles

typedef struct
{
  double hi, lo;  // |lo| is at most half a spacing of doubles at hi
} DoublePair;

// a + b exactly
static DoublePair exact_sum(double a, double b)
{
  double error, sum = a + b, b_part = sum - a;
  error = (a - (sum - b_part)) + (b - b_part);
  return (DoublePair){sum, error};
}

// a + b exactly, |a| >= |b| or a = 0
static DoublePair ordered_sum(double a, double b)
{
  double sum = a + b;
  return (DoublePair){sum, b - (sum - a)};
}

// The upper 26 bits of a.
static double upper_half(double a)
{
  double shifted = a * 0x1.0000002p27;
  return shifted - (shifted - a);
}

// a b exactly, if nothing overflows or vanishes: |a|, |b| and |a b| within 2^-450 .. 2^990
static DoublePair exact_product(double a, double b)
{
  double p = a * b, a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
  return (DoublePair){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static DoublePair pair_add(DoublePair a, DoublePair b)
{
  DoublePair s = exact_sum(a.hi, b.hi);
  return ordered_sum(s.hi, s.lo + (a.lo + b.lo));
}

static DoublePair pair_mul(DoublePair a, DoublePair b)
{
  DoublePair p = exact_product(a.hi, b.hi);
  return ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static DoublePair pair_div(DoublePair a, DoublePair b)
{
  double q     = a.hi / b.hi;
  DoublePair p = exact_product(q, b.hi);
  return ordered_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

static DoublePair pair_sqrt(DoublePair a)
{
  double root = sqrt(a.hi);
  if (root == 0) return (DoublePair){0, 0};
  DoublePair p = exact_product(root, root);
  return ordered_sum(root, (((a.hi - p.hi) - p.lo) + a.lo) / (2 * root));
}

static double power_series(const double* c, int count, double x)
{
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

// --- sines

// 64 zeros and the first 1,280 bits of 2 / pi.
static const uint64_t TWO_BY_PI[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d, 0xa9e391615ee61b08};

static uint64_t bits_at(int position)
{
  int word = position / 64, shift = position % 64;
  uint64_t bits = TWO_BY_PI[word] << shift;
  return shift ? bits | TWO_BY_PI[word + 1] >> (64 - shift) : bits;
}

// A fraction of 192 bits, sign apart, as a double of 53 bits and the 64 bits behind it.
static DoublePair fraction_of(const uint64_t f[3])
{
  uint64_t word[4] = {f[0], f[1], f[2], 0};
  int zeros        = 0;
  while (!(word[0] >> 63) && zeros < 128)
  {
    for (int i = 0; i < 3; ++i) word[i] = word[i] << 1 | word[i + 1] >> 63;
    ++zeros;
  }
  double hi = ldexp((double)(word[0] >> 11), -53 - zeros);
  return (DoublePair){hi, ldexp((double)(word[0] << 53 | word[1] >> 11), -117 - zeros)};
}

// x = m 2^e, m of 53 bits: bits of 2 / pi that make multiples of 4 are left out, the next 192 times
// m are x 2 / pi mod 4 with 190 bits behind the point.
void lw_huge_sin_cos(double x, double* sine, double* cosine)
{
  *sine = *cosine = (double)NAN;
  if (!isfinite(x)) return;
  int exponent;
  uint64_t m     = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
  int first      = exponent - 53 - 2 + 64;
  Wide128 low    = (Wide128)m * bits_at(first + 128);
  Wide128 middle = (Wide128)m * bits_at(first + 64) + (uint64_t)(low >> 64);
  uint64_t high  = m * bits_at(first) + (uint64_t)(middle >> 64);
  uint64_t f[3]  = {high << 2 | (uint64_t)middle >> 62, (uint64_t)middle << 2 | (uint64_t)low >> 62,
                    (uint64_t)low << 2};
  int64_t quadrant = (int64_t)(high >> 62);
  bool above       = f[0] >> 63;  // more than half a quadrant: the rest is negative
  if (above)
  {
    ++quadrant;
    for (int i = 0; i < 3; ++i) f[i] = ~f[i];  // short of its negative by 2^-192
  }
  const DoublePair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  DoublePair r             = pair_mul(fraction_of(f), half_pi);
  double sign              = above ? -1 : 1;
  Doubles s, c;
  sin_cos_of_64(d_all(sign * r.hi), d_all(sign * r.lo), quadrant - (Longs){0}, &s, &c);
  *sine   = x < 0 ? -s[0] : s[0];
  *cosine = c[0];
}

double lw_sin(double x)
{
  Doubles s, c;
  sin_cos_64(d_all(x), &s, &c);
  return x == 0 ? x : s[0];
}

double lw_cos(double x)
{
  Doubles s, c;
  sin_cos_64(d_all(x), &s, &c);
  return c[0];
}

double lw_tan(double x)
{
  Doubles s, c;
  sin_cos_64(d_all(x), &s, &c);
  return x == 0 ? x : s[0] / c[0];
}

// --- exponentials and logarithms

// k LN2_HIGH is exact for |k| < 2^11.
static const double LN2_HIGH = 0x1.62e42fefa3800p-1, LN2_LOW = 0x1.ef35793c76730p-45;

// 2^k (1 + r + r^2 / 2 + ..), x = k ln 2 + r
static double exp_of_pair(DoublePair x)
{
  static const double C[] = {0x1.0000000000000p-1,  0x1.5555555555555p-3,  0x1.5555555555555p-5,
                             0x1.1111111111111p-7,  0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-13,
                             0x1.a01a01a01a01ap-16, 0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22,
                             0x1.ae64567f544e4p-26, 0x1.1eed8eff8d898p-29, 0x1.6124613a86d09p-33,
                             0x1.93974a8c07c9dp-37};
  if (x.hi > 710) return (double)INFINITY;
  if (x.hi < -746) return 0;
  double k        = floor(x.hi * 0x1.71547652b82fep+0 + 0.5);
  DoublePair r    = exact_sum(x.hi - k * LN2_HIGH, -k * LN2_LOW);
  r               = exact_sum(r.hi, r.lo + x.lo);
  DoublePair head = exact_sum(1, r.hi);
  double rest     = head.lo + (r.lo + r.hi * r.lo + r.hi * r.hi * power_series(C, 13, r.hi));
  return ldexp(head.hi + rest, (int)k);
}

double lw_exp(double x)
{
  return isnan(x) ? x : exp_of_pair((DoublePair){x, 0});
}

// 0 < x < infinity. s = (m - 1) / (m + 1), ln m = 2 s (1 + z (1/3 + z (1/5 + ..))), z = s^2
static DoublePair log_pair(double x)
{
  static const double C[]       = {1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15,
                                   1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25};
  static const DoublePair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  static const DoublePair fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
  int k;
  double m = frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1)
  {
    m *= 2;
    --k;
  }
  DoublePair s   = pair_div((DoublePair){m - 1, 0}, exact_sum(m, 1));
  DoublePair z   = pair_mul(s, s);
  DoublePair sum = pair_add(fifth, exact_product(z.hi, power_series(C, 10, z.hi)));
  sum            = pair_add(third, pair_mul(z, sum));
  sum            = pair_mul(s, pair_add((DoublePair){1, 0}, pair_mul(z, sum)));
  DoublePair ln2 = exact_sum(k * LN2_HIGH, k * LN2_LOW);
  return pair_add(ln2, (DoublePair){2 * sum.hi, 2 * sum.lo});
}

// Of what is not above 0 or not finite: the logarithm itself.
static bool has_plain_log(double x, double* log)
{
  *log = x == 0 ? -(double)INFINITY : x < 0 ? (double)NAN : x;
  return !(x > 0 && isfinite(x));
}

double lw_log(double x)
{
  double log;
  return has_plain_log(x, &log) ? log : log_pair(x).hi;
}

double lw_log10(double x)
{
  const DoublePair by_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  double log;
  return has_plain_log(x, &log) ? log : pair_mul(log_pair(x), by_ln10).hi;
}

double lw_log1p(double x)
{
  double log;
  DoublePair u = exact_sum(1, x);
  if (fabs(x) < 0x1p-54) return x;
  if (has_plain_log(u.hi, &log)) return log;
  DoublePair head = log_pair(u.hi);
  return head.hi + (head.lo + u.lo / u.hi);
}

// Powers that are no exponential of a logarithm: of 0, infinity and NaN, or with such an exponent.
static double special_power(double x, double y, bool odd)
{
  double size = fabs(x);
  if (isnan(x) || isnan(y)) return x + y;
  if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? (double)INFINITY : 0;
  double value = (size == 0) == (y < 0) ? (double)INFINITY : 0;
  return odd ? copysign(value, x) : value;
}

double lw_pow(double x, double y)
{
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (y == 2) return x * x;
  bool whole = floor(y) == y, odd = whole && fabs(y) < 0x1p53 && fmod(y, 2) != 0;
  if (x == 0 || !isfinite(x) || !isfinite(y)) return special_power(x, y, odd);
  if (x < 0 && !whole) return (double)NAN;
  DoublePair l = log_pair(fabs(x));
  double rough = y * l.hi, value;
  if (rough == 0 || fabs(rough) > 1000)
    value = rough == 0 ? 1 : rough > 0 ? (double)INFINITY : 0;
  else
  {
    DoublePair p = exact_product(y, l.hi);
    value        = exp_of_pair(ordered_sum(p.hi, p.lo + y * l.lo));
  }
  return odd && x < 0 ? -value : value;
}

// --- roots

// x = m 2^3k, 1/8 <= m < 1: Newton's method, its last step with an exact cube
double lw_cbrt(double x)
{
  if (x == 0 || !isfinite(x)) return x;
  int exponent;
  double m  = frexp(fabs(x), &exponent);
  int third = (int)ceil(exponent / 3.0);
  m         = ldexp(m, exponent - 3 * third);
  double t  = 0.4 + 0.6 * m;
  for (int i = 0; i < 5; ++i) t -= (t - m / (t * t)) / 3;
  DoublePair cube = pair_mul(exact_product(t, t), (DoublePair){t, 0});
  t -= ((cube.hi - m) + cube.lo) / (3 * t * t);
  return copysign(ldexp(t, third), x);
}

double lw_hypot(double x, double y)
{
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (isinf(x) || isinf(y)) return (double)INFINITY;
  if (isnan(x) || isnan(y)) return x + y;
  if (b <= a * 0x1p-60) return a + b;
  double scale = a > 0x1p400 ? 0x1p-600 : a < 0x1p-380 ? 0x1p600 : 1;
  a *= scale;
  b *= scale;
  return pair_sqrt(pair_add(exact_product(a, a), exact_product(b, b))).hi / scale;
}

// --- arcs

// arctan(n / d), 0 <= n <= d, d > 0
static DoublePair arc_of_ratio(DoublePair n, DoublePair d)
{
  static const DoublePair ARC[] = {{0, 0},
                                   {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                   {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                   {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                   {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                   {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                   {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                   {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                   {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
  static const double C[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15};
  DoublePair q            = pair_div(n, d);
  int k                   = (int)floor(8 * q.hi + 0.5);
  if (k > 0)
  {
    const DoublePair one = {1, 0}, c = {k / 8.0, 0}, minus_c = {-c.hi, 0};
    q = pair_div(pair_add(q, minus_c), pair_add(one, pair_mul(q, c)));
  }
  double z = q.hi * q.hi;
  q        = ordered_sum(q.hi, q.lo + q.hi * z * power_series(C, 7, z));
  return pair_add(ARC[k], q);
}

// Angle of the direction (x, y) from the x axis, y >= 0; x and y within 2^-450 .. 2^450 of 1
static DoublePair angle_of(DoublePair y, DoublePair x)
{
  static const DoublePair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  static const DoublePair pi      = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  DoublePair across               = x.hi < 0 ? (DoublePair){-x.hi, -x.lo} : x, arc;
  if (y.hi <= across.hi)
  {
    arc = arc_of_ratio(y, across);
    return x.hi < 0 ? pair_add(pi, (DoublePair){-arc.hi, -arc.lo}) : arc;
  }
  arc = arc_of_ratio(across, y);
  if (x.hi >= 0) arc = (DoublePair){-arc.hi, -arc.lo};
  return pair_add(half_pi, arc);
}

double lw_atan2(double y, double x)
{
  if (isnan(x) || isnan(y)) return x + y;
  double up = fabs(y), side = x;
  if (isinf(x) || isinf(y))  // the directions of axes and diagonals are left
  {
    up   = isinf(y) ? 1 : 0;
    side = isinf(x) ? copysign(1, x) : 0;
  }
  if (up == 0) return copysign(signbit(side) ? 0x1.921fb54442d18p+1 : 0, y);
  int larger = ilogb(fmax(up, fabs(side)));
  up         = ldexp(up, -larger);
  side       = ldexp(side, -larger);
  if (side > 0 && up < 0x1p-400) return y / x;
  if (up < 0x1p-400) return copysign(0x1.921fb54442d18p+1, y);
  if (fabs(side) < 0x1p-400) return copysign(0x1.921fb54442d18p+0, y);
  return copysign(angle_of((DoublePair){up, 0}, (DoublePair){side, 0}).hi, y);
}

double lw_acos(double x)
{
  if (!(fabs(x) <= 1)) return (double)NAN;
  if (fabs(x) < 0x1p-60) return 0x1.921fb54442d18p+0;
  DoublePair square = pair_mul(exact_sum(1, -x), exact_sum(1, x));
  return angle_of(pair_sqrt(square), (DoublePair){x, 0}).hi;
}

// --- the error function

// erf x = 2 / sqrt(pi) x exp(-x^2) (1 + 2 x^2 / 3 (1 + 2 x^2 / 5 (1 + ..))), 0 <= x < 1/2
static double error_function(double x)
{
  double sum = 1, square = x * x;
  for (int k = 29; k >= 3; k -= 2) sum = 1 + sum * (2 * square / k);
  return 0x1.20dd750429b6dp+0 * x * lw_exp(-square) * sum;
}

// h x / pi exp(-x^2) (1 / x^2 + 2 sum exp(-k^2 h^2) / (k^2 h^2 + x^2)) - 2 / (exp(2 pi x / h) - 1),
// the last term for x < pi / h; h = 1/2
static double beyond_half(double x)
{
  static const double E[] = {0x1.8ebef9eac820bp-1,  0x1.78b56362cef38p-2,  0x1.afb718e8457f7p-4,
                             0x1.2c155b8213cf4p-6,  0x1.fa0e9586aebc7p-10, 0x1.02cf22526545ap-13,
                             0x1.411fb0da07713p-18, 0x1.e355bbaee85cbp-24, 0x1.b93de1e27ca3bp-30,
                             0x1.e8a37a45fc32ep-37, 0x1.4835bd010a41bp-44, 0x1.0b6c3afdde064p-52};
  double sum = 0, square = x * x;
  for (int k = 12; k >= 1; --k) sum += E[k - 1] / (0.25 * k * k + square);
  DoublePair p = exact_product(x, x);
  double value =
      exp_of_pair((DoublePair){-p.hi, -p.lo}) * (0x1.45f306dc9c883p-3 * x) * (1 / square + 2 * sum);
  return x < 6.28 ? value - 2 / (lw_exp(0x1.921fb54442d18p+3 * x) - 1) : value;
}

double lw_erfc(double x)
{
  double size = fabs(x);
  if (isnan(x)) return x;
  if (size < 0.5) return 1 - copysign(error_function(size), x);
  double tail = size > 27.3 ? 0 : beyond_half(size);
  return x < 0 ? 2 - tail : tail;
}
