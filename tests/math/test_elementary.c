// SPDX-License-Identifier: MIT
// Elementary functions against those of 113 bits, at seeded arguments of all sizes and where
// something changes over: errors in ulp, below the bounds that math/elementary.h states. A number on
// the command line makes more of them.
#include "math/elementary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "math/quad_float.h"
#include "support/testing.h"

static int cases = 20000;

#if LINKWORK_QUAD

#if LDBL_MANT_DIG == 113
#define QUAD(name) name##l
#elif LINKWORK_QUADMATH
#define QUAD(name) name##q
#else
#define QUAD(name) name##f128
#endif

typedef lwQuadNumber Quad;
typedef Quad Exact1(Quad x);
typedef Quad Exact2(Quad x, Quad y);
Exact1 QUAD(sin), QUAD(cos), QUAD(tan), QUAD(exp), QUAD(log), QUAD(log10), QUAD(log1p), QUAD(cbrt),
    QUAD(acos), QUAD(erfc);
Exact2 QUAD(pow), QUAD(hypot), QUAD(atan2);

typedef struct
{
  const char* name;
  double bound;  // ulp
  double (*of1)(double x);
  Exact1* exact1;
  double (*of2)(double x, double y);
  Exact2* exact2;
  double low, high;     // range of uniform arguments
  double small, large;  // range of exponents of 2 of the others, of both signs if low < 0
} Function;

static const Function functions[] = {
    {"sin", 0.8, lw_sin, QUAD(sin), 0, 0, -100, 100, -60, 1023},
    {"cos", 0.8, lw_cos, QUAD(cos), 0, 0, -100, 100, -60, 1023},
    {"tan", 2.2, lw_tan, QUAD(tan), 0, 0, -100, 100, -60, 1023},
    {"exp", 0.61, lw_exp, QUAD(exp), 0, 0, -708, 709, -60, 9},
    {"log", 0.51, lw_log, QUAD(log), 0, 0, 0.5, 2, -1060, 1023},
    {"log10", 0.51, lw_log10, QUAD(log10), 0, 0, 0.5, 2, -1060, 1023},
    {"log1p", 0.8, lw_log1p, QUAD(log1p), 0, 0, -0.9, 2, -60, 0},
    {"cbrt", 0.51, lw_cbrt, QUAD(cbrt), 0, 0, -10, 10, -1060, 1023},
    {"acos", 0.52, lw_acos, QUAD(acos), 0, 0, -1, 1, -60, 0},
    {"erfc", 5, lw_erfc, QUAD(erfc), 0, 0, -6, 26, -60, 4},
    {"hypot", 0.51, 0, 0, lw_hypot, QUAD(hypot), -3, 3, -1000, 1000},
    {"atan2", 0.52, 0, 0, lw_atan2, QUAD(atan2), -3, 3, -400, 400},
    {"pow", 0.6, 0, 0, lw_pow, QUAD(pow), 0.001, 100, -100, 7},
};

static double error_of(double got, Quad exact)
{
  double near_value = (double)exact;
  if (!isfinite(near_value) || fabs(near_value) < DBL_MIN) return 0;  // beyond the stated range
  Quad ulp = ldexp(1, ilogb(near_value) - 52), error = ((Quad)got - exact) / ulp;
  return fabs((double)error);
}

static double argument(const Function* f, lwRandom* random, int k)
{
  if (k % 2) return lw_random_between(random, f->low, f->high);
  double x = ldexp(lw_random_between(random, 1, 2),
                   (int)floor(lw_random_between(random, f->small, f->large)));
  return f->low < 0 && k % 4 ? -x : x;
}

static void errors_stay_below_their_bounds(void** unused)
{
  (void)unused;
  lwRandom random = {17};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
  {
    const Function* f = &functions[i];
    double worst = 0, at[2] = {0};
    for (int k = 0; k < cases; ++k)
    {
      double x = argument(f, &random, k), y = argument(f, &random, k + k / 2);
      double error =
          f->of1 ? error_of(f->of1(x), f->exact1(x)) : error_of(f->of2(x, y), f->exact2(x, y));
      if (error <= worst) continue;
      worst = error;
      at[0] = x;
      at[1] = y;
    }
    print_message("  %-6s %.4f ulp at %a, %a\n", f->name, worst, at[0], f->of1 ? 0 : at[1]);
    assert_at_most(worst, f->bound);
  }
}

#else

static void errors_stay_below_their_bounds(void** unused)
{
  (void)unused;
  skip();  // nothing of 113 bits to compare with
}

#endif

// Where a power, a root or a logarithm is a double, it is that double.
static void exact_values(void** unused)
{
  (void)unused;
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10)
  {
    assert_same(lw_pow(10, k), power);
    assert_same(lw_log10(power), k);
  }
  for (int k = -300; k <= 300; ++k)
  {
    assert_same(lw_pow(2, k), ldexp(1, k));
    assert_same(lw_cbrt((double)k * k * k), k);
    assert_same(lw_hypot(3.0 * k, 4.0 * k), fabs(5.0 * k));
  }
  assert_same(lw_pow(-3, 3), -27);
  assert_same(lw_exp(0), 1);
  assert_same(lw_log(1), 0);
  assert_same(lw_acos(1), 0);
  assert_same(lw_acos(-1), 0x1.921fb54442d18p+1);
  assert_same(lw_erfc(0), 1);
  assert_same(lw_erfc(-30), 2);
}

static void same_or_both_nan(double got, double wanted)
{
  if (isnan(wanted))
    assert_nan(got);
  else
    assert_true(got == wanted && signbit(got) == signbit(wanted));
}

// C17, annex F: libm has the same at zeros, infinities, NaN and where a result is too large.
static void special_values(void** unused)
{
  (void)unused;
  static double (*const own[])(double)   = {lw_exp,  lw_log,  lw_log10, lw_log1p, lw_cbrt,
                                            lw_acos, lw_erfc, lw_sin,   lw_cos,   lw_tan};
  static double (*const plain[])(double) = {exp,  log,  log10, log1p, cbrt,
                                            acos, erfc, sin,   cos,   tan};
  static const double at[]               = {0.0,  -0.0, INFINITY, -INFINITY, NAN, 1,        -1,
                                            1000, 3,    -3,       DBL_MAX,   2,   -DBL_MAX, 0.5};
  enum
  {
    COUNT    = sizeof at / sizeof *at,
    INTEGERS = 10
  };
  for (int i = 0; i < INTEGERS; ++i)
    for (int k = 0; k < 5; ++k) same_or_both_nan(own[i](at[k]), plain[i](at[k]));
  for (int i = 0; i < COUNT; ++i)
    for (int k = 0; k < COUNT; ++k)
    {
      double x = at[i], y = at[k], p = pow(x, y), h = hypot(x, y);
      bool simple = p == 0 || !isfinite(p) || fabs(p) == 1;
      if (simple) same_or_both_nan(lw_pow(x, y), p);
      if (!isfinite(h) || x == 0 || y == 0) same_or_both_nan(lw_hypot(x, y), h);
      if (x == 0 || y == 0 || !isfinite(x) || !isfinite(y))
        same_or_both_nan(lw_atan2(x, y), atan2(x, y));
    }
  assert_nan(lw_log(-1));
  assert_nan(lw_acos(1.5));
  assert_same(lw_exp(1000), INFINITY);
  assert_same(lw_exp(-1000), 0);
}

int main(int count, char** arguments)
{
  if (count > 1) cases = atoi(arguments[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_stay_below_their_bounds),
      cmocka_unit_test(exact_values),
      cmocka_unit_test(special_values),
  };
  return cmocka_run_group_tests_name("elementary functions", tests, NULL, NULL);
}
