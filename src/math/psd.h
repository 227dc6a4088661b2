// SPDX-License-Identifier: MIT
// Symmetric positive semidefinite equations: the shortest solution of A x = b,
// whatever the rank of A.
//
// Uses L D L^T in the order of the rows if no pivot loses more than six digits of its diagonal
// entry, so that the rank is obvious. Otherwise Cholesky's method with the largest diagonal entry
// as the next pivot, A = L L^T of n x rank entries; then A^+ = L (L^T L)^-2 L^T.
#ifndef LW_MATH_PSD_H
#define LW_MATH_PSD_H

#include <stdbool.h>

#include "base/arena.h"

// The part of its diagonal entry that a pivot must keep for L D L^T in the order of the rows.
#define LW_PSD_PLAIN 1e-6

typedef struct lwPsd
{
  int n, rank;
  bool plain;    // by L D L^T: L and, on the diagonal, 1/D are in K
  double* A;     // (n, n) and one more; first the lower triangle, then L, rows in order of pivot
  double* K;     // (n, n) Cholesky factor of L^T L, where rank < n
  int* pivot;    // (n) which row of the matrix stands where
  double* work;  // (2 n)
} lwPsd;

// Memory for matrices of n x n.
bool lw_psd_take(lwPsd* psd, lwArena* arena, int n);

// Factors psd->A. Pivots below `least` times the first one are taken for 0.
void lw_psd_factor(lwPsd* psd, double least);

// Factors psd->A by Cholesky's method at once, where its rank is known to be in doubt.
void lw_psd_factor_by_rank(lwPsd* psd, double least);

// b (n) becomes the shortest x that minimises |A x - b|.
void lw_psd_solve(const lwPsd* psd, double* b);

#endif
