// SPDX-License-Identifier: MIT
#include "report/polynomial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Forward differences at the first of count values: D^0, D^1, ..
static void take_differences(int count, const long* value, int64_t difference[])
{
  int64_t row[LW_POLYNOMIAL_DEGREE + 1];
  for (int k = 0; k < count; ++k) row[k] = value[k];
  for (int j = 0; j < count; ++j)
  {
    difference[j] = row[0];
    for (int k = 0; k + j + 1 < count; ++k) row[k] = row[k + 1] - row[k];
  }
}

// Newton's form, f(n) = sum over j of D^j (n - from)(n - from - 1)..(n - from - j + 1)
// / j!, multiplied out.
static lwPolynomial expand_newton(int from, int degree, const int64_t difference[])
{
  lwPolynomial polynomial                   = {.degree = degree, .from = from};
  int64_t product[LW_POLYNOMIAL_DEGREE + 2] = {1};  // of the factors, coefficients of n^0, n^1, ..
  int64_t factorial                         = 1;
  for (int j = 0; j <= degree; ++j)
  {
    int64_t factor = difference[j] * (LW_POLYNOMIAL_DENOMINATOR / factorial);
    for (int k = 0; k <= j; ++k) polynomial.numerator[k] += factor * product[k];
    for (int k = j + 1; k > 0; --k) product[k] = product[k - 1] - (from + j) * product[k];
    product[0] *= -(from + j);
    factorial *= j + 1;
  }
  return polynomial;
}

static bool meets_all(const lwPolynomial* polynomial, int first, int count, const long* value)
{
  for (int k = polynomial->from - first; k < count; ++k)
    if (!lw_polynomial_meets(polynomial, first + k, value[k])) return false;
  return true;
}

lwPolynomial lw_polynomial_fit(int first, int count, const long* value)
{
  for (int start = 0; start < count; ++start)
  {
    for (int degree = 0; degree <= LW_POLYNOMIAL_DEGREE; ++degree)
    {
      if (count - start < degree + 1 + LW_POLYNOMIAL_CHECKS) break;
      int64_t difference[LW_POLYNOMIAL_DEGREE + 1];
      take_differences(degree + 1, value + start, difference);
      lwPolynomial polynomial = expand_newton(first + start, degree, difference);
      if (meets_all(&polynomial, first, count, value)) return polynomial;
    }
  }
  return (lwPolynomial){.degree = -1};
}

lwPolynomial lw_polynomial_from(const double coefficient[4])
{
  lwPolynomial polynomial = {0};
  for (int k = 0; k < 4; ++k)
  {
    polynomial.numerator[k] = llround(coefficient[k] * LW_POLYNOMIAL_DENOMINATOR);
    if (polynomial.numerator[k] != 0) polynomial.degree = k;
  }
  return polynomial;
}

bool lw_polynomial_meets(const lwPolynomial* polynomial, int n, long value)
{
  if (polynomial->degree < 0) return false;
  int64_t sum = 0;
  for (int k = polynomial->degree; k >= 0; --k) sum = sum * n + polynomial->numerator[k];
  return sum == (int64_t)value * LW_POLYNOMIAL_DENOMINATOR;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b != 0)
  {
    int64_t rest = a % b;
    a            = b;
    b            = rest;
  }
  return a;
}

// |numerator / denominator| n^power: "91n", "23/2 n^2", "n", "25"
static void term_text(int64_t numerator, int power, char* buffer, size_t size)
{
  int64_t size_of_it  = numerator < 0 ? -numerator : numerator;
  int64_t divisor     = common_divisor(size_of_it, LW_POLYNOMIAL_DENOMINATOR);
  int64_t denominator = LW_POLYNOMIAL_DENOMINATOR / divisor;
  int length          = 0;
  size_of_it /= divisor;
  if (denominator > 1)
    length = snprintf(buffer, size, "%" PRId64 "/%" PRId64 "%s", size_of_it, denominator,
                      power > 0 ? " " : "");
  else if (size_of_it > 1 || power == 0)
    length = snprintf(buffer, size, "%" PRId64, size_of_it);
  if (power == 1) snprintf(buffer + length, size - (size_t)length, "n");
  if (power > 1) snprintf(buffer + length, size - (size_t)length, "n^%d", power);
}

void lw_polynomial_text(const lwPolynomial* polynomial, char* buffer, size_t size)
{
  char term[64];
  buffer[0] = 0;
  for (int k = polynomial->degree; k >= 0; --k)
  {
    int64_t numerator = polynomial->numerator[k];
    if (numerator == 0) continue;
    const char* sign = buffer[0] ? (numerator < 0 ? " - " : " + ") : numerator < 0 ? "-" : "";
    term_text(numerator, k, term, sizeof term);
    strncat(buffer, sign, size - strlen(buffer) - 1);
    strncat(buffer, term, size - strlen(buffer) - 1);
  }
  if (!buffer[0]) snprintf(buffer, size, polynomial->degree < 0 ? "none" : "0");
}
