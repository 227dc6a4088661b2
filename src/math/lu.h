// SPDX-License-Identifier: MIT
// Linear equations with a general matrix: factors by Gaussian elimination with row pivoting.
#ifndef LW_MATH_LU_H
#define LW_MATH_LU_H

#include <stdbool.h>

// Replaces a (n x n, row by row) by its factors: L below the diagonal, its own being 1, and U.
// pivots (n): which row was swapped with each. False if a column has no pivot, or one that is not
// finite; a is then of no use.
bool lw_lu_factor(double* a, int n, int* pivots);

// Replaces b (n) by the solution x of A x = b.
void lw_lu_solve(const double* factors, int n, const int* pivots, double* b);

#endif
