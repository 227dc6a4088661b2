// SPDX-License-Identifier: MIT
// Differences between answers: their units, and derivatives by extrapolated differences.
#include "compare/gap.h"

#include <float.h>

#include "support/testing.h"

// x^power at the six points around 0 that the derivative takes, shifted by a.
static double derivative_of_power(int power, double a, double h)
{
  double values[6];
  for (int k = 0; k < 3; ++k)
  {
    values[2 * k]     = pow(a + h / (1 << k), power);
    values[2 * k + 1] = pow(a - h / (1 << k), power);
  }
  return lw_gap_derivative(values, h);
}

// The errors of h^2 and h^4 vanish, so polynomials up to the sixth power have exact derivatives.
static void derivatives_of_polynomials_are_exact(void** unused)
{
  (void)unused;
  for (int power = 0; power <= 6; ++power)
    for (int i = -3; i <= 3; ++i)
    {
      double a = 0.4 * i, exact = power ? power * pow(a, power - 1) : 0;
      assert_near(derivative_of_power(power, a, 0.5), exact, 1e-13);
    }
  assert_greater(fabs(derivative_of_power(7, 0, 0.5)), 1e-6);  // (h^6 has a factor of 1/64)
}

// The error of sin at 0 falls by 2^6 for half the step.
static void derivatives_have_order_six(void** unused)
{
  (void)unused;
  double error[2];
  for (int j = 0; j < 2; ++j)
  {
    double h = 1.0 / (1 << j), values[6];
    for (int k = 0; k < 6; ++k) values[k] = sin((k % 2 ? -h : h) / (1 << (k / 2)));
    error[j] = fabs(lw_gap_derivative(values, h) - 1);
  }
  assert_near(log2(error[0] / error[1]), 6, 0.1);
}

static void units_are_of_rounding(void** unused)
{
  (void)unused;
  assert_same(lw_gap_units((lwGap){0, 0}, DBL_EPSILON), 0);  // equal, whatever they are
  assert_same(lw_gap_units((lwGap){3 * DBL_EPSILON, 1}, DBL_EPSILON), 3);
  assert_same(lw_gap_units((lwGap){6 * DBL_EPSILON, 2}, DBL_EPSILON), 3);
  assert_infinite(lw_gap_units((lwGap){1, 0}, DBL_EPSILON));
  assert_infinite(lw_gap_units((lwGap){INFINITY, INFINITY}, DBL_EPSILON));
  assert_same(lw_gap_larger(-2, 1), 1);
  assert_same(lw_gap_larger(1, -2), 1);
  assert_infinite(lw_gap_larger(NAN, NAN));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_polynomials_are_exact),
      cmocka_unit_test(derivatives_have_order_six),
      cmocka_unit_test(units_are_of_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
