// SPDX-License-Identifier: MIT
#include "math/symmetric.h"

#include "math/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const int SWEEPS = 30;  // about 6 are needed

int lw_cholesky(int n, int stride, double* A, double least)
{
  for (int i = 0; i < n; ++i)
  {
    double* row = A + (size_t)i * (size_t)stride;
    for (int j = 0; j <= i; ++j)
    {
      const double* other = A + (size_t)j * (size_t)stride;
      for (int k = 0; k < j; ++k) row[j] -= row[k] * other[k];
      if (j < i) row[j] /= other[j];
    }
    if (!(row[i] > least)) return i;
    row[i] = sqrt(row[i]);
  }
  return n;
}

void lw_cholesky_solve(int n, int stride, const double* L, double* x)
{
  size_t width = (size_t)stride;
  for (size_t i = 0; i < (size_t)n; ++i)
  {
    for (size_t k = 0; k < i; ++k) x[i] -= L[i * width + k] * x[k];
    x[i] /= L[i * width + i];
  }
  for (size_t i = (size_t)n; i-- > 0;)
  {
    for (size_t k = i + 1; k < (size_t)n; ++k) x[i] -= L[k * width + i] * x[k];
    x[i] /= L[i * width + i];
  }
}

int lw_ldl_factor(int n, double* A, double least)
{
  int rank = 0;
  for (int i = 0; i < n; ++i)
  {
    double *row = A + (size_t)i * (size_t)n, whole = row[i];
    for (int j = 0; j < i; ++j)
    {
      const double* other = A + (size_t)j * (size_t)n;
      double D            = other[j];
      for (int k = 0; k < j; ++k) row[j] -= row[k] * A[(size_t)k * (size_t)(n + 1)] * other[k];
      row[j] = D > 0 ? row[j] / D : 0;
      row[i] -= row[j] * row[j] * D;
    }
    if (!(row[i] > least * whole)) row[i] = 0;
    rank += row[i] > 0;
  }
  return rank;
}

void lw_ldl_solve(int n, const double* factors, double* b)
{
  size_t p = (size_t)n;
  for (size_t i = 0; i < p; ++i)
    for (size_t j = 0; j < i; ++j) b[i] -= factors[i * p + j] * b[j];
  for (size_t i = p; i-- > 0;)
  {
    double D = factors[i * p + i];
    b[i]     = D > 0 ? b[i] / D : 0;
    for (size_t j = i + 1; j < p && D > 0; ++j) b[i] -= factors[j * p + i] * b[j];
  }
}

// x and y, whose entries are `step` apart, turned by the angle of cosine c and sine s.
static void turn_pair(int n, int step, double* x, double* y, double c, double s)
{
  for (int k = 0; k < n * step; k += step)
  {
    double a = x[k], b = y[k];
    x[k] = c * a - s * b;
    y[k] = s * a + c * b;
  }
}

// Makes entry (a, b) zero; false if it is, but for rounding.
static bool jacobi_turn(int n, double* A, double* V, int a, int b)
{
  double aa = A[a * n + a], bb = A[b * n + b], ab = A[a * n + b];
  if (fabs(ab) <= DBL_EPSILON / 4 * sqrt(fabs(aa)) * sqrt(fabs(bb))) return false;
  double angle = 0.5 * lw_atan2(2 * ab, bb - aa), c = lw_cos(angle), s = lw_sin(angle);
  turn_pair(n, n, A + a, A + b, c, s);
  turn_pair(n, n, V + a, V + b, c, s);
  turn_pair(n, 1, A + a * n, A + b * n, c, s);
  return true;
}

void lw_jacobi(int n, double* A, double* V)
{
  bool turned = true;
  for (int i = 0; i < n * n; ++i) V[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS && turned; ++sweep)
  {
    turned = false;
    for (int a = 0; a < n; ++a)
      for (int b = a + 1; b < n; ++b) turned = jacobi_turn(n, A, V, a, b) || turned;
  }
}
