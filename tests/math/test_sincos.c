// SPDX-License-Identifier: MIT
// Sine and cosine against long double and against a table of hard cases (tests/data/sincos.txt).
//
// Bound: 0.8 ulp, for doubles and for floats. An ulp is the spacing of doubles (floats) at the
// exact value, which a long double of 64 bits or more gives to 2^-11 ulp.
#include "math/sincos.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/testing.h"

enum
{
  SKIPPED = 77  // CTest's SKIP_RETURN_CODE
};

static const double BOUND_64 = 0.8, BOUND_32 = 0.8;  // ulp

static const double half_pi = 1.57079632679489661923;

// --- largest error

typedef struct
{
  double error, x;  // ulp, and where
} Worst;

static void note(Worst* worst, long double got, long double exact, int digits, double x)
{
  int exponent;
  frexpl(exact, &exponent);
  int least  = digits == DBL_MANT_DIG ? DBL_MIN_EXP : FLT_MIN_EXP;
  int last   = (exponent < least ? least : exponent) - digits;
  double ulp = (double)fabsl(ldexpl(got - exact, -last));
  if (!(ulp <= worst->error)) *worst = (Worst){ulp, x};
}

static void report(const char* what, Worst worst, double bound)
{
  print_message("  %s: %.4f ulp at %a\n", what, worst.error, worst.x);
  assert_at_most(worst.error, bound);
}

// One angle in one lane, other angles in the rest.
static void one_64(double x, int lane, double* sine, double* cosine)
{
  Doubles angles = {0}, s, c;
  for (int i = 0; i < WIDE64; ++i) angles[i] = i == lane ? x : 0.1 + i;
  sin_cos_64(angles, &s, &c);
  *sine   = s[lane];
  *cosine = c[lane];
}

static void one_32(float x, int lane, float* sine, float* cosine)
{
  Floats angles = {0}, s, c;
  for (int i = 0; i < WIDE32; ++i) angles[i] = i == lane ? x : 0.1f + (float)i;
  sin_cos_32(angles, &s, &c);
  *sine   = s[lane];
  *cosine = c[lane];
}

static void try_64(double x, Worst* worst)
{
  double sine, cosine;
  one_64(x, 0, &sine, &cosine);
  note(worst, sine, sinl(x), DBL_MANT_DIG, x);
  note(worst, cosine, cosl(x), DBL_MANT_DIG, x);
}

static void try_32(float x, Worst* worst)
{
  float sine, cosine;
  one_32(x, 0, &sine, &cosine);
  note(worst, sine, sin((double)x), FLT_MANT_DIG, (double)x);
  note(worst, cosine, cos((double)x), FLT_MANT_DIG, (double)x);
}

// --- doubles

#if LDBL_MANT_DIG >= 64
#define NEEDS_LONG_DOUBLE
#else
#define NEEDS_LONG_DOUBLE skip()
#endif

static void uniform(void** unused)
{
  (void)unused;
  NEEDS_LONG_DOUBLE;
  static const double ranges[] = {0.8, 4, 30, 1000, FAST_RANGE};
  lwRandom random              = {11};
  for (int k = 0; k < 5; ++k)
  {
    char name[40];
    Worst worst = {0};
    for (int i = 0; i < 300000; ++i)
      try_64(lw_random_between(&random, -ranges[k], ranges[k]), &worst);
    snprintf(name, sizeof name, "double, |x| < %g", ranges[k]);
    report(name, worst, BOUND_64);
  }
}

static void all_magnitudes(void** unused)
{
  (void)unused;
  NEEDS_LONG_DOUBLE;
  lwRandom random = {12};
  Worst worst     = {0};
  for (int i = 0; i < 300000; ++i)  // 2^-1074 to 2^19.6
    try_64(lw_random_between(&random, 1, 1.5) * exp2(lw_random_between(&random, -1074, 19)),
           &worst);
  report("double, all magnitudes", worst, BOUND_64);
}

static void near_multiples(void** unused)
{
  (void)unused;
  NEEDS_LONG_DOUBLE;
  Worst worst = {0};
  for (int k = -(1 << 19); k <= 1 << 19; k += k > -2000 && k < 2000 ? 1 : 7)
  {
    double x = k * half_pi;
    for (int step = 0; step < 3; ++step, x = nextafter(x, 0)) try_64(x, &worst);
    x = nextafter(k * half_pi, k * 2.0);
    try_64(x, &worst);
  }
  report("double, next to multiples of pi/2", worst, BOUND_64);
}

static void beyond_the_fast_range(void** unused)
{
  (void)unused;
  NEEDS_LONG_DOUBLE;
  lwRandom random = {13};
  Worst worst     = {0};
  for (int i = 0; i < 100000; ++i)
    try_64(lw_random_between(&random, 1, 2) * exp2((double)(19 + i % 1000)), &worst);
  for (int side = -1; side <= 1; side += 2)
  {
    double x = side * FAST_RANGE;
    for (int i = 0; i < 50; ++i) x = nextafter(x, 0);
    for (int i = 0; i < 100; ++i, x = nextafter(x, side * INFINITY)) try_64(x, &worst);
  }
  report("double, huge and at the edge", worst, BOUND_64);
}

static void hard_cases(void** unused)
{
  (void)unused;
  char line[200], sine[80], cosine[80];
  Worst worst = {0};
  double x;
  int count  = 0;
  FILE* file = fopen(LW_TEST_DATA "/sincos.txt", "r");
  if (!file) fail_msg("tests/data/sincos.txt is missing");
  while (fgets(line, sizeof line, file))
  {
    double s, c;
    if (sscanf(line, "%la %79s %79s", &x, sine, cosine) != 3) continue;
    one_64(x, WIDE64 - 1, &s, &c);
    note(&worst, s, strtold(sine, NULL), DBL_MANT_DIG, x);
    note(&worst, c, strtold(cosine, NULL), DBL_MANT_DIG, x);
    ++count;
  }
  fclose(file);
  assert_greater(count, 200);
  report("double, table of hard cases", worst, BOUND_64);
}

// --- floats

static void floats(void** unused)
{
  (void)unused;
  Worst worst    = {0};
  uint32_t bits  = 1;
  const float* x = (const float*)(const void*)&bits;
  for (; bits < 0x7f800000u; bits += 1021)  // two million of both signs, up to the largest
  {
    try_32(*x, &worst);
    try_32(-*x, &worst);
  }
  report("float, all magnitudes", worst, BOUND_32);
  worst = (Worst){0};
  for (int k = -(1 << 19); k <= 1 << 19; k += 3)
  {
    float near = (float)(k * half_pi);
    try_32(near, &worst);
    try_32(nextafterf(near, 0), &worst);
  }
  report("float, next to multiples of pi/2", worst, BOUND_32);
}

// --- special values and lanes

static void special_values(void** unused)
{
  (void)unused;
  static const double none[] = {INFINITY, -INFINITY, NAN};
  double sine, cosine;
  float sine32, cosine32;
  for (int i = 0; i < 3; ++i)
  {
    one_64(none[i], 0, &sine, &cosine);
    assert_nan(sine);
    assert_nan(cosine);
    one_32((float)none[i], 0, &sine32, &cosine32);
    assert_nan(sine32);
    assert_nan(cosine32);
  }
  one_64(0, 0, &sine, &cosine);
  assert_same(sine, 0);
  assert_same(cosine, 1);
  one_64(DBL_TRUE_MIN, 0, &sine, &cosine);
  assert_same(sine, DBL_TRUE_MIN);
  assert_same(cosine, 1);
  one_32(FLT_TRUE_MIN, 0, &sine32, &cosine32);
  assert_same(sine32, FLT_TRUE_MIN);
  assert_same(cosine32, 1);
}

// The same bits in every lane, also next to an angle that needs the slow path.
static void place_does_not_matter(void** unused)
{
  (void)unused;
  lwRandom random = {14};
  for (int i = 0; i < 10000; ++i)
  {
    double x = lw_random_between(&random, -100, 100), s[2], c[2];
    float y  = (float)x, s32[2], c32[2];
    one_64(x, 0, &s[0], &c[0]);
    one_32(y, 0, &s32[0], &c32[0]);
    Doubles beside = d_all(i % 2 ? 1e9 : INFINITY), sine, cosine;
    beside[1]      = x;
    sin_cos_64(beside, &sine, &cosine);
    assert_same(sine[1], s[0]);
    assert_same(cosine[1], c[0]);
    for (int lane = 1; lane < WIDE64; ++lane)
    {
      one_64(x, lane, &s[1], &c[1]);
      assert_same(s[0], s[1]);
      assert_same(c[0], c[1]);
    }
    for (int lane = 1; lane < WIDE32; ++lane)
    {
      one_32(y, lane, &s32[1], &c32[1]);
      assert_same(s32[0], s32[1]);
      assert_same(c32[0], c32[1]);
    }
  }
}

int main(void)
{
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq"))
    return SKIPPED;
#elif defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return SKIPPED;
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform),        cmocka_unit_test(all_magnitudes),
      cmocka_unit_test(near_multiples), cmocka_unit_test(beyond_the_fast_range),
      cmocka_unit_test(hard_cases),     cmocka_unit_test(floats),
      cmocka_unit_test(special_values), cmocka_unit_test(place_does_not_matter),
  };
  return cmocka_run_group_tests_name("sine and cosine", tests, NULL, NULL);
}
