// SPDX-License-Identifier: MIT
// Singular values of a matrix of up to six rows, and least squares with it.
#ifndef LW_MATH_SVD_H
#define LW_MATH_SVD_H

enum
{
  LW_SVD_ROWS = 6
};

// A = V B: V is orthogonal, the rows of B are orthogonal to each other.
// Their lengths are the singular values.
typedef struct lwSvd
{
  int rows, columns;
  double V[LW_SVD_ROWS][LW_SVD_ROWS];
  double square[LW_SVD_ROWS];  // squared length of each row of B, not sorted
  double* B;                   // (rows, columns), of the caller
} lwSvd;

// Decomposes the matrix that stands in svd->B; rows, columns and B are set.
// One-sided Jacobi rotations (Hestenes 1958).
void lw_svd(lwSvd* svd);

// x that minimises |A x - b|^2 + damping |x|^2, into x (columns). With damping 0, the shortest of
// those that minimise; singular values below `least` are taken for 0.
void lw_svd_solve(const lwSvd* svd, const double* b, double damping, double least, double* x);

// The smallest and the largest of the singular values that a matrix of this size can have,
// that is min(rows, columns).
double lw_svd_smallest(const lwSvd* svd);
double lw_svd_largest(const lwSvd* svd);

#endif
