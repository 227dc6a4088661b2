// SPDX-License-Identifier: MIT
#include "math/bounded.h"

#include <math.h>

static const double DEPENDENT = 1e-11;  // of a diagonal entry: what is left of it is rounding
static const double ROUNDING  = 1e-12;  // of the terms of a sum
static const double CONTRARY  = 1e-9;   // of the terms of a sum: more than rounding leaves
static const double YIELD     = 1e-11;  // of a diagonal entry, added to it

size_t lw_bounded_memory(int n)
{
  return (size_t)n * (size_t)n + 2 * (size_t)n;
}

static double entry_of(const lwBounded* problem, int i, int j)
{
  return problem->W[(size_t)i * (size_t)problem->n + (size_t)j];
}

// Entry (i, j) of a Cholesky factor whose rows of dependent constraints are 0.
static double factor_entry(const lwBounded* problem, const double* L, int i, int j, double yield)
{
  size_t n         = (size_t)problem->n;
  const double *Li = L + (size_t)i * n, *Lj = L + (size_t)j * n;
  double sum = entry_of(problem, i, j);
  for (int k = 0; k < j; ++k) sum -= Li[k] * Lj[k];
  if (i == j && yield > 0) return sqrt(fmax(sum, 0) + yield * entry_of(problem, i, i));
  if (i == j) return sum > DEPENDENT * entry_of(problem, i, i) ? sqrt(sum) : 0;
  return Lj[j] > 0 ? sum / Lj[j] : 0;
}

static void solve_equal(lwBounded* problem, double yield)
{
  int n     = problem->n;
  double *L = problem->memory, *y = L + (size_t)n * (size_t)n, *x = problem->x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
    {
      bool bound = problem->side[i] != LW_BOUND_NONE || problem->side[j] != LW_BOUND_NONE;
      L[(size_t)i * (size_t)n + (size_t)j] = bound ? 0 : factor_entry(problem, L, i, j, yield);
    }
  for (int i = 0; i < n; ++i)
    x[i] = problem->side[i] == LW_BOUND_LOW    ? problem->low[i]
           : problem->side[i] == LW_BOUND_HIGH ? problem->high[i]
                                               : 0;
  for (int i = 0; i < n; ++i)
  {
    const double* row = L + (size_t)i * (size_t)n;
    double sum        = -problem->c[i];
    for (int j = 0; j < n; ++j)
      if (problem->side[j] != LW_BOUND_NONE) sum -= entry_of(problem, i, j) * x[j];
    for (int j = 0; j < i; ++j) sum -= row[j] * y[j];
    y[i] = row[i] > 0 ? sum / row[i] : 0;
  }
  for (int i = n - 1; i >= 0; --i)
  {
    double over = L[(size_t)i * (size_t)n + (size_t)i], sum = y[i];
    if (problem->side[i] != LW_BOUND_NONE || over == 0) continue;
    for (int j = i + 1; j < n; ++j)
      sum -= L[(size_t)j * (size_t)n + (size_t)i] * x[j] * (problem->side[j] == LW_BOUND_NONE);
    x[i] = sum / over;
  }
}

void lw_bounded_equal(lwBounded* problem)
{
  solve_equal(problem, 0);
}

// Acceleration i, and the sum of the sizes of its terms.
static double acceleration_of(const lwBounded* problem, int i, double yield, double* size)
{
  double a = problem->c[i];
  *size    = fabs(a);
  for (int j = 0; j < problem->n; ++j)
  {
    double term = entry_of(problem, i, j) * problem->x[j];
    a += term;
    *size += fabs(term);
  }
  return a + yield * entry_of(problem, i, i) * problem->x[i];
}

// Whether a row between its bounds does not hold, since it depends on others and contradicts them.
static bool is_contradicted(const lwBounded* problem)
{
  for (int i = 0; i < problem->n; ++i)
  {
    double size, a = acceleration_of(problem, i, 0, &size);
    if (problem->side[i] == LW_BOUND_NONE && fabs(a) > CONTRARY * size) return true;
  }
  return false;
}

// The side on which force i has to be; its own if it is right.
static lwBound next_side(const lwBounded* problem, int i, double yield)
{
  double x = problem->x[i], low = problem->low[i], high = problem->high[i];
  double size, a = acceleration_of(problem, i, yield, &size), most = 0;
  for (int j = 0; j < problem->n; ++j) most = fmax(most, fabs(problem->x[j]));
  double small = ROUNDING * size, slack = ROUNDING * most;
  if (problem->side[i] == LW_BOUND_LOW) return a < -small ? LW_BOUND_NONE : LW_BOUND_LOW;
  if (problem->side[i] == LW_BOUND_HIGH) return a > small ? LW_BOUND_NONE : LW_BOUND_HIGH;
  if (x < low - problem->slack * fabs(low) - slack) return LW_BOUND_LOW;
  if (x > high + problem->slack * fabs(high) + slack) return LW_BOUND_HIGH;
  return LW_BOUND_NONE;
}

// Murty's principal pivoting: the first that is wrong changes its side.
static bool find_sides(lwBounded* problem, double yield)
{
  long most = 100 + 50L * problem->n;  // Murty's bound is 2^n, needed is about n
  for (long turn = 0; turn < most; ++turn)
  {
    solve_equal(problem, yield);
    int wrong = 0;
    while (wrong < problem->n && next_side(problem, wrong, yield) == problem->side[wrong]) ++wrong;
    if (wrong == problem->n) return true;
    problem->side[wrong] = next_side(problem, wrong, yield);
  }
  return false;
}

bool lw_bounded_solve(lwBounded* problem)
{
  if (find_sides(problem, 0) && !is_contradicted(problem)) return true;
  bool found = find_sides(problem, YIELD);
  solve_equal(problem, 0);
  return found;
}
