// SPDX-License-Identifier: MIT
#include "math/psd.h"

#include <math.h>
#include <stddef.h>

#include "base/arrays.h"
#include "math/symmetric.h"

bool lw_psd_take(lwPsd* psd, lwArena* arena, int n)
{
  size_t size = (size_t)n;
  psd->n      = n;
  psd->rank   = 0;
  psd->A      = lw_arena_take(arena, size * size + 1, sizeof(double));
  psd->K      = lw_arena_take(arena, size * size, sizeof(double));
  psd->pivot  = lw_arena_take(arena, size, sizeof(int));
  psd->work   = lw_arena_take(arena, 2 * size, sizeof(double));
  return !lw_arena_failed(arena);
}

static void swap(double* a, double* b)
{
  double c = *a;
  *a       = *b;
  *b       = c;
}

// Rows and columns k and p > k of a lower triangle.
static void swap_pivots(lwPsd* psd, int k, int p)
{
  size_t n  = (size_t)psd->n;
  double* A = psd->A;
  for (int j = 0; j < k; ++j) swap(&A[(size_t)k * n + (size_t)j], &A[(size_t)p * n + (size_t)j]);
  for (int i = k + 1; i < p; ++i)
    swap(&A[(size_t)i * n + (size_t)k], &A[(size_t)p * n + (size_t)i]);
  for (int i = p + 1; i < psd->n; ++i)
    swap(&A[(size_t)i * n + (size_t)k], &A[(size_t)i * n + (size_t)p]);
  swap(&A[(size_t)k * n + (size_t)k], &A[(size_t)p * n + (size_t)p]);
  int row       = psd->pivot[k];
  psd->pivot[k] = psd->pivot[p];
  psd->pivot[p] = row;
}

// The largest diagonal entry from k on.
static int largest_pivot(const lwPsd* psd, int k)
{
  size_t n = (size_t)psd->n + 1;
  int best = k;
  for (int i = k + 1; i < psd->n; ++i)
    if (psd->A[(size_t)i * n] > psd->A[(size_t)best * n]) best = i;
  return best;
}

// K K^T = L^T L
static void factor_gram(lwPsd* psd)
{
  size_t n = (size_t)psd->n, rank = (size_t)psd->rank;
  for (size_t i = 0; i < rank; ++i)
    for (size_t j = 0; j <= i; ++j)
    {
      double* entry = &psd->K[i * n + j];
      *entry        = 0;
      for (size_t r = i; r < n; ++r) *entry += psd->A[r * n + i] * psd->A[r * n + j];
    }
  lw_cholesky(psd->rank, psd->n, psd->K, 0);
}

// L D L^T into K; false, with A as it was, where a pivot is lost in the difference.
static bool factor_plain(lwPsd* psd)
{
  size_t n           = (size_t)psd->n;
  double* restrict U = psd->work;  // a row of L D
  for (size_t i = 0; i < n; ++i)
  {
    const double* row    = psd->A + i * n;
    double* restrict own = psd->K + i * n;
    double D             = row[i];
    for (size_t j = 0; j < i; ++j)
    {
      const double* other = psd->K + j * n;
      double sum          = row[j];
      for (size_t k = 0; k < j; ++k) sum -= U[k] * other[k];
      U[j]   = sum;
      own[j] = sum * other[j];
      D -= sum * own[j];
    }
    if (!(D > LW_PSD_PLAIN * row[i])) return false;
    own[i] = 1 / D;
  }
  psd->rank = psd->n;
  return true;
}

static void plain_solve(const lwPsd* psd, double* b)
{
  size_t n = (size_t)psd->n;
  for (size_t i = 1; i < n; ++i)
    for (size_t k = 0; k < i; ++k) b[i] -= psd->K[i * n + k] * b[k];
  for (size_t i = 0; i < n; ++i) b[i] *= psd->K[i * n + i];
  for (size_t i = n; i-- > 1;)
    for (size_t k = 0; k < i; ++k) b[k] -= psd->K[i * n + k] * b[i];
}

void lw_psd_factor(lwPsd* psd, double least)
{
  psd->plain = factor_plain(psd);
  if (!psd->plain) lw_psd_factor_by_rank(psd, least);
}

void lw_psd_factor_by_rank(lwPsd* psd, double least)
{
  size_t n     = (size_t)psd->n;
  double* A    = psd->A;
  double first = 0;
  psd->plain   = false;
  for (int i = 0; i < psd->n; ++i) psd->pivot[i] = i;
  for (psd->rank = 0; psd->rank < psd->n; ++psd->rank)
  {
    int best = largest_pivot(psd, psd->rank);
    size_t k = (size_t)psd->rank;
    if (best != psd->rank) swap_pivots(psd, psd->rank, best);
    double D = A[k * n + k];
    if (k == 0) first = D;
    if (!(D > least * first) || !(D > 0)) break;
    double root = sqrt(D), over = 1 / root;
    A[k * n + k] = root;
    for (size_t i = k + 1; i < n; ++i) A[i * n + k] *= over;
    for (size_t i = k + 1; i < n; ++i)
      for (size_t j = k + 1; j <= i; ++j) A[i * n + j] -= A[i * n + k] * A[j * n + k];
  }
  if (psd->rank < psd->n) factor_gram(psd);
}

void lw_psd_solve(const lwPsd* psd, double* b)
{
  if (psd->plain)
  {
    plain_solve(psd, b);
    return;
  }
  size_t n = (size_t)psd->n, rank = (size_t)psd->rank;
  double *x = psd->work, *z = psd->work + n;
  for (size_t i = 0; i < n; ++i) x[i] = b[psd->pivot[i]];
  if (rank == n)
    lw_cholesky_solve(psd->n, psd->n, psd->A, x);
  else
  {
    for (size_t k = 0; k < rank; ++k)
    {
      z[k] = 0;
      for (size_t i = k; i < n; ++i) z[k] += psd->A[i * n + k] * x[i];
    }
    lw_cholesky_solve(psd->rank, psd->n, psd->K, z);
    lw_cholesky_solve(psd->rank, psd->n, psd->K, z);
    for (size_t i = 0; i < n; ++i)
    {
      x[i] = 0;
      for (size_t k = 0; k <= i && k < rank; ++k) x[i] += psd->A[i * n + k] * z[k];
    }
  }
  for (size_t i = 0; i < n; ++i) b[psd->pivot[i]] = x[i];
}
