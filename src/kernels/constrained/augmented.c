// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: the augmented system, both equations at once.
//
//   [ 0  J  ] [ -f  ]   [ -c      ]
//   [ J^T M ] [ qdd ] = [ tau - h ]        nia2005 (27)
//
// L^T D L from the last entry: the pivots of M are positive, those of the Schur complement -J M^-1
// J^T negative, so none is zero while rows are independent.
#include "kernels/constrained/held_equations.h"

lwFormulation FN(augmented);

void FN(augmented)(const lwModel* model, const lwConstraints* rows, void* work,
                   const lwState* state, void* qdd, void* force)
{
  Held held    = held_equations(model, rows, state, &work);
  Matrices all = held_matrices(&held, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows, size = n + m;
  REAL* A = held_take(&work, size * size, sizeof(REAL));
  REAL* x = held_take(&work, size, sizeof(REAL));
  for (size_t k = 0; k < size * size; ++k) A[k] = zero();
  for (size_t i = 0; i < n; ++i)
  {
    for (size_t r = 0; r < m; ++r) A[(m + i) * size + r] = all.J[r * n + i];
    for (size_t j = 0; j < n; ++j) A[(m + i) * size + m + j] = all.M[i * n + j];
    x[m + i] = all.right[i];
  }
  for (size_t r = 0; r < m; ++r) x[r] = r_neg(all.c[r]);
  dense_ldl_factor(size, A);
  dense_ldl_solve(size, A, x);
  for (size_t r = 0; r < m; ++r) ((REAL*)force)[r] = r_neg(x[r]);
  for (size_t i = 0; i < n; ++i) ((REAL*)qdd)[i] = x[m + i];
}
