// SPDX-License-Identifier: MIT
// LAPACK, where the library is built with it: matrices column by column, as Fortran has them.
#ifndef LW_LINEAR_LAPACK_H
#define LW_LINEAR_LAPACK_H

#include "linkwork/base.h"

// LW_OK, or LW_ERROR_INPUT and in diag (or NULL) that `what` needs LAPACK and this build has none.
lwStatus lw_lapack_needed(const char* what, lwDiag* diag);

// Eigenvalues re, im (n) and right eigenvectors V (n, n) of a (n, n), which is overwritten, as
// dgeev stores them: column j real, or columns j and j + 1 real and imaginary part of a pair.
// LW_ERROR_MEMORY; LW_ERROR_INPUT: it did not converge.
lwStatus lw_lapack_eigen(int n, double* a, double* re, double* im, double* V);

// Ratio of the largest singular value of a (n, n), which is overwritten, to the smallest; infinite
// if that is 0.
lwStatus lw_lapack_condition(int n, double* a, double* condition);

// Q R of a (m, n), m >= n, in place: R in the upper triangle. b (m, columns) becomes Q^T b.
lwStatus lw_lapack_qr(int m, int n, double* a, int columns, double* b);

#endif
