// SPDX-License-Identifier: MIT
// Roots of polynomials built from known roots.
#include "math/roots.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "support/testing.h"

static const double PI = 3.14159265358979323846;

// c = (x - root) c
static void multiply(double* c, int degree, double root)
{
  c[degree + 1] = c[degree];
  for (int k = degree; k > 0; --k) c[k] = c[k - 1] - root * c[k];
  c[0] *= -root;
}

static void roots_are_found(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 2000; ++seed)
  {
    lwRandom random             = {seed};
    int degree                  = 1 + (int)(seed % 5);
    double c[LW_MAX_DEGREE + 1] = {lw_random_between(&random, 0.5, 2)}, given[8], found[8];
    for (int k = 0; k < degree; ++k)
    {
      given[k] = k + lw_random_between(&random, 0.1, 0.9);  // apart from each other
      multiply(c, k, given[k]);
    }
    int count = lw_real_roots(c, degree, -1, degree + 1, found);
    assert_int_equal(count, degree);
    // error of a root: rounding of the coefficients divided by the slope, at worst about 1e4 eps
    // here
    for (int k = 0; k < degree; ++k) assert_closer(found[k], given[k], 1e-10);
    assert_int_equal(lw_real_roots(c, degree, 1, degree, found), degree - 1);  // outside: not found
  }
}

static void double_roots_are_touched(void** unused)
{
  (void)unused;
  double found[LW_QUARTIC_ROOTS];
  const double square[]  = {0.25, -1, 1};          // (x - 1/2)^2
  const double quartic[] = {0.09, 0, -0.6, 0, 1};  // (x^2 - 0.3)^2
  const double none[]    = {1, 0, 1, 0, 0};        // x^2 + 1
  assert_int_equal(lw_real_roots(square, 2, -1, 1, found), 1);
  assert_closer(found[0], 0.5, 1e-7);
  int count = lw_quartic_roots(quartic, 1e-9, found), low = 0, high = 0;
  for (int k = 0; k < count; ++k)
  {
    low += fabs(found[k] + sqrt(0.3)) < 1e-7;
    high += fabs(found[k] - sqrt(0.3)) < 1e-7;
  }
  assert_greater(low, 0);
  assert_greater(high, 0);
  assert_int_equal(low + high, count);
  assert_int_equal(lw_quartic_roots(none, 1e-9, found), 0);
  assert_int_equal(lw_real_roots(none, 4, 1, -1, found), 0);
  const double nothing[5] = {0};
  assert_int_equal(lw_quartic_roots(nothing, 1e-9, found), 0);
  assert_int_equal(lw_trigonometric_roots(nothing, 1e-9, found), 0);
}

static double sum_at(const double f[5], double x)
{
  return f[0] + f[1] * cos(x) + f[2] * sin(x) + f[3] * cos(2 * x) + f[4] * sin(2 * x);
}

// Every sign change on a fine grid has a root, and every root found is a root.
static void trigonometric_roots_are_found(void** unused)
{
  (void)unused;
  int most = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed)
  {
    lwRandom random = {seed};
    double f[5], found[LW_QUARTIC_ROOTS], step = 2 * PI / 997;
    for (int k = 0; k < 5; ++k) f[k] = lw_random_between(&random, -1, 1);
    if (seed % 7 == 0) f[3] = f[4] = 0;
    if (seed % 11 == 0) f[0] = f[1] - f[3];  // a root at half a turn
    int count = lw_trigonometric_roots(f, 0, found), changes = 0;
    for (int k = 0; k < count; ++k)
    {
      assert_at_most(fabs(found[k]), PI + 1e-14);
      assert_less(fabs(sum_at(f, found[k])), 1e-12);
    }
    for (int k = 0; k < 997; ++k)
    {
      double a = -PI + k * step + 1e-9, b = a + step;
      if ((sum_at(f, a) > 0) == (sum_at(f, b) > 0)) continue;
      bool hit = false;
      for (int i = 0; i < count; ++i)
        for (int turn = -1; turn <= 1; ++turn)
          hit = hit || (found[i] + turn * 2 * PI >= a && found[i] + turn * 2 * PI <= b);
      assert_true(hit);
      ++changes;
    }
    assert_at_most(changes, count);
    if (changes > most) most = changes;
  }
  assert_int_equal(most, 4);
}

// Both ends of an interval may be within rounding of the only root: there is room for one.
static void no_more_roots_than_the_degree(void** unused)
{
  (void)unused;
  const double c[] = {-1, 1};
  double found[2]  = {0, 7};
  assert_int_equal(lw_real_roots(c, 1, 1, nextafter(1, 2), found), 1);
  assert_true(found[0] == 1 && found[1] == 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_are_found), cmocka_unit_test(no_more_roots_than_the_degree),
      cmocka_unit_test(double_roots_are_touched), cmocka_unit_test(trigonometric_roots_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
