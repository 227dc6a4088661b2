// SPDX-License-Identifier: MIT
// Symmetric matrices of double, row by row: the plain factorisations. math/psd.h is for equations
// whose rank is in doubt, math/dense_ldl.h and math/tree_ldl.h are for kernels.
#ifndef LW_MATH_SYMMETRIC_H
#define LW_MATH_SYMMETRIC_H

// A = L L^T in place, of the lower triangle of n rows that are `stride` apart (Cholesky). Returns
// how many pivots are above `least`: n, or the first one that is not, which stays in its place.
int lw_cholesky(int n, int stride, double* A, double least);

// x = (L L^T)^-1 x.
void lw_cholesky_solve(int n, int stride, const double* L, double* x);

// A = L D L^T in place of a positive semidefinite A (n, n): L below the diagonal, D on it. D of a
// row that depends on those before, of whose diagonal entry less than `least` is left, is 0.
// Returns the rank.
int lw_ldl_factor(int n, double* A, double least);

// b becomes a solution of A x = b in which the unknowns of dependent rows are 0.
void lw_ldl_solve(int n, const double* factors, double* b);

// A (n, n) becomes diagonal: its eigenvalues, with eigenvectors in the columns of V (n, n), by
// Jacobi's rotations.
void lw_jacobi(int n, double* A, double* V);

#endif
