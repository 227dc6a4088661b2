// SPDX-License-Identifier: MIT
#include "math/lu.h"

#include <math.h>
#include <stddef.h>

// The row from k on with the largest entry in column k.
static int pivot_of(const double* a, int n, int k)
{
  int best = k;
  for (int i = k + 1; i < n; ++i)
    if (fabs(a[(size_t)i * (size_t)n + (size_t)k]) > fabs(a[(size_t)best * (size_t)n + (size_t)k]))
      best = i;
  return best;
}

static void swap_rows(double* restrict a, double* restrict b, int n)
{
  for (int j = 0; j < n; ++j)
  {
    double kept = a[j];
    a[j]        = b[j];
    b[j]        = kept;
  }
}

// row -= times * pivot, from column k + 1 on
static void lu_eliminate(double* restrict row, const double* restrict pivot, int k, int n)
{
  double times = row[k] / pivot[k];
  row[k]       = times;
  for (int j = k + 1; j < n; ++j) row[j] -= times * pivot[j];
}

bool lw_lu_factor(double* a, int n, int* pivots)
{
  for (int k = 0; k < n; ++k)
  {
    int best   = pivot_of(a, n, k);
    double* at = a + (size_t)k * (size_t)n;
    pivots[k]  = best;
    if (best != k) swap_rows(at, a + (size_t)best * (size_t)n, n);
    if (at[k] == 0 || !isfinite(at[k])) return false;
    for (int i = k + 1; i < n; ++i) lu_eliminate(a + (size_t)i * (size_t)n, at, k, n);
  }
  return true;
}

void lw_lu_solve(const double* factors, int n, const int* pivots, double* b)
{
  for (int k = 0; k < n; ++k)  // L z = P b
  {
    double kept  = b[pivots[k]];
    b[pivots[k]] = b[k];
    b[k]         = kept;
  }
  for (int k = 1; k < n; ++k)
    for (int j = 0; j < k; ++j) b[k] -= factors[(size_t)k * (size_t)n + (size_t)j] * b[j];
  for (int k = n - 1; k >= 0; --k)  // U x = z
  {
    for (int j = k + 1; j < n; ++j) b[k] -= factors[(size_t)k * (size_t)n + (size_t)j] * b[j];
    b[k] /= factors[(size_t)k * (size_t)n + (size_t)k];
  }
}
