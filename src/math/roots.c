// SPDX-License-Identifier: MIT
// Between two neighbouring roots of its derivative a polynomial is monotone, so it has at most one root there, which
// bisection cannot miss. The roots of the derivative are found in the same way.
#include "math/roots.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

double lw_polynomial(const double* c, int degree, double x)
{
  double sum = c[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

// What rounding can do to the value at x.
static double noise(const double* c, int degree, double x)
{
  double sum = 0, power = 1;
  for (int k = 0; k <= degree; ++k, power *= fabs(x)) sum += fabs(c[k]) * power;
  return 4 * (degree + 1) * DBL_EPSILON * sum;
}

// The root between a and b, where the values have different signs.
static double bisect(const double* c, int degree, double a, double b)
{
  bool rising = lw_polynomial(c, degree, b) > 0;
  for (int k = 0; k < 2000; ++k)
  {
    double middle = 0.5 * (a + b);
    if (middle <= fmin(a, b) || middle >= fmax(a, b)) break;
    if ((lw_polynomial(c, degree, middle) > 0) == rising)
      b = middle;
    else
      a = middle;
  }
  double at_a = fabs(lw_polynomial(c, degree, a)), at_b = fabs(lw_polynomial(c, degree, b));
  return at_a < at_b ? a : b;
}

static int add(double* roots, int count, double root)
{
  if (count > 0 && root <= roots[count - 1]) return count;
  roots[count] = root;
  return count + 1;
}

// The roots, given the ends of the intervals in which the polynomial is monotone.
static int search(const double* c, int degree, const double* ends, int intervals, double* roots)
{
  int count = 0;
  for (int k = 0; k < intervals && count < degree; ++k)
  {
    double a = ends[k], b = ends[k + 1];
    double at_a = lw_polynomial(c, degree, a), at_b = lw_polynomial(c, degree, b);
    bool zero_a = fabs(at_a) <= noise(c, degree, a), zero_b = fabs(at_b) <= noise(c, degree, b);
    if (zero_a && k == 0) count = add(roots, count, a);
    if (zero_b)
      count = add(roots, count, b);
    else if (!zero_a && (at_a > 0) != (at_b > 0))
      count = add(roots, count, bisect(c, degree, a, b));
  }
  return count;
}

int lw_real_roots(const double* c, int degree, double low, double high, double* roots)
{
  while (degree > 0 && c[degree] == 0) --degree;
  if (degree <= 0 || !(low <= high)) return 0;
  double derivative[LW_MAX_DEGREE + 1], ends[LW_MAX_DEGREE + 2];
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * c[k];
  ends[0]         = low;
  int count       = lw_real_roots(derivative, degree - 1, low, high, ends + 1);
  ends[count + 1] = high;
  return search(c, degree, ends, count + 1, roots);
}
