// SPDX-License-Identifier: MIT
// Between two neighbouring roots of its derivative a polynomial is monotone, so it has at most one
// root there, which bisection cannot miss. The roots of the derivative are found in the same way.
#include "math/roots.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/units.h"
#include "math/elementary.h"

double lw_polynomial(const double* c, int degree, double x)
{
  double sum = c[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

// The sum of the sizes of all terms at x.
static double size_at(const double* c, int degree, double x)
{
  double sum = 0, power = 1;
  for (int k = 0; k <= degree; ++k, power *= fabs(x)) sum += fabs(c[k]) * power;
  return sum;
}

// What rounding can do to the value at x.
static double noise(const double* c, int degree, double x)
{
  return 4 * (degree + 1) * DBL_EPSILON * size_at(c, degree, x);
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

static int root_add(double* roots, int count, double root)
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
    if (zero_a && k == 0) count = root_add(roots, count, a);
    if (count == degree) break;  // a and b are within rounding of the only root
    if (zero_b)
      count = root_add(roots, count, b);
    else if (!zero_a && (at_a > 0) != (at_b > 0))
      count = root_add(roots, count, bisect(c, degree, a, b));
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

int lw_quartic_roots(const double c[5], double near, double* roots)
{
  int degree = 4;
  double derivative[4], touched[3];
  while (degree > 0 && c[degree] == 0) --degree;
  if (degree == 0) return 0;
  double bound = 0;  // of all roots (Cauchy)
  for (int k = 0; k < degree; ++k) bound = fmax(bound, fabs(c[k] / c[degree]));
  bound     = fmin(1 + bound, 1e150);
  int count = lw_real_roots(c, degree, -bound, bound, roots);
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * c[k];
  int turns = lw_real_roots(derivative, degree - 1, -bound, bound, touched);
  for (int k = 0; k < turns; ++k)
    if (fabs(lw_polynomial(c, degree, touched[k])) <= near * size_at(c, degree, touched[k]))
      roots[count++] = touched[k];
  return count;
}

static double trigonometric(const double f[5], double x)
{
  return f[0] + f[1] * lw_cos(x) + f[2] * lw_sin(x) + f[3] * lw_cos(2 * x) + f[4] * lw_sin(2 * x);
}

// With t = tan((x - turn) / 2) the sum becomes a quartic over (1 + t^2)^2. Half a turn off `turn`,
// where t is infinite, the sum is the leading coefficient, so this is put where the sum is large.
int lw_trigonometric_roots(const double f[5], double near, double* angles)
{
  double turn = 0, most = 0;
  for (int k = 0; k < 16; ++k)
  {
    double size = fabs(trigonometric(f, k * LW_PI / 8));
    if (size > most) most = size, turn = k * LW_PI / 8 - LW_PI;
  }
  if (most == 0) return 0;
  double c1 = lw_cos(turn), s1 = lw_sin(turn), c2 = lw_cos(2 * turn), s2 = lw_sin(2 * turn);
  double a1 = f[1] * c1 + f[2] * s1, b1 = f[2] * c1 - f[1] * s1;
  double a2 = f[3] * c2 + f[4] * s2, b2 = f[4] * c2 - f[3] * s2;
  const double c[5] = {f[0] + a1 + a2, 2 * b1 + 4 * b2, 2 * f[0] - 6 * a2, 2 * b1 - 4 * b2,
                       f[0] - a1 + a2};
  int count         = lw_quartic_roots(c, near, angles);
  for (int k = 0; k < count; ++k)
  {
    double x  = turn + 2 * lw_atan2(angles[k], 1);
    angles[k] = x - 2 * LW_PI * ceil((x - LW_PI) / (2 * LW_PI));
  }
  return count;
}
