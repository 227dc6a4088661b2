// SPDX-License-Identifier: MIT
// Polynomials through integer values: found exactly, from where they hold on, and as people write
// them.
#include "report/polynomial.h"

#include <string.h>

#include "support/testing.h"

static void expect_text(const lwPolynomial* polynomial, const char* expected)
{
  char text[LW_POLYNOMIAL_TEXT];
  lw_polynomial_text(polynomial, text, sizeof text);
  assert_string_equal(text, expected);
}

static void fits_are_exact(void** unused)
{
  (void)unused;
  long value[12];
  for (long n = 2; n < 14; ++n) value[n - 2] = (23 * n * n + 15 * n - 50) / 2;
  lwPolynomial polynomial = lw_polynomial_fit(2, 12, value);
  assert_int_equal(polynomial.degree, 2);
  assert_int_equal(polynomial.from, 2);
  expect_text(&polynomial, "23/2 n^2 + 15/2 n - 25");
  for (long n = 2; n < 14; ++n)
  {
    assert_true(lw_polynomial_meets(&polynomial, (int)n, value[n - 2]));
    assert_false(lw_polynomial_meets(&polynomial, (int)n, value[n - 2] + 1));
  }
  for (long n = 2; n < 14; ++n) value[n - 2] = n * n * n * n * n - 3 * n * n * n + n;
  polynomial = lw_polynomial_fit(2, 12, value);
  expect_text(&polynomial, "n^5 - 3n^3 + n");
  for (long n = 2; n < 14; ++n) value[n - 2] = -n * (n - 1) * (n - 2) / 6;
  polynomial = lw_polynomial_fit(2, 12, value);
  expect_text(&polynomial, "-1/6 n^3 + 1/2 n^2 - 1/3 n");
}

// The first values may be others; three beyond those that determine it must agree.
static void fits_begin_where_they_hold(void** unused)
{
  (void)unused;
  long value[]            = {9, 9, 7, 10, 13, 16, 19};
  lwPolynomial polynomial = lw_polynomial_fit(1, 7, value);
  assert_int_equal(polynomial.from, 3);
  expect_text(&polynomial, "3n - 2");
  assert_int_equal(lw_polynomial_fit(1, 6, value).degree, -1);  // two checks are too few
  value[6]   = 20;
  polynomial = lw_polynomial_fit(1, 7, value);
  assert_int_equal(polynomial.degree, -1);
  expect_text(&polynomial, "none");
  assert_false(lw_polynomial_meets(&polynomial, 1, 0));
}

static void printed_coefficients(void** unused)
{
  (void)unused;
  lwPolynomial polynomial = lw_polynomial_from((double[]){-25, 7.5, 11.5, 1.0 / 6});
  assert_int_equal(polynomial.degree, 3);
  expect_text(&polynomial, "1/6 n^3 + 23/2 n^2 + 15/2 n - 25");
  polynomial = lw_polynomial_from((double[]){1, 0, -1, 0});
  assert_int_equal(polynomial.degree, 2);
  expect_text(&polynomial, "-n^2 + 1");
  polynomial = lw_polynomial_from((double[]){0.5, 0, 0, 0});
  expect_text(&polynomial, "1/2");
  polynomial = lw_polynomial_from((double[]){0, 0, 0, 0});
  expect_text(&polynomial, "0");
  assert_true(lw_polynomial_meets(&polynomial, 4, 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits_are_exact),
      cmocka_unit_test(fits_begin_where_they_hold),
      cmocka_unit_test(printed_coefficients),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
