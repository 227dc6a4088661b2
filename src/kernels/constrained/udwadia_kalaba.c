// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: the fundamental equation.
//
// Udwadia & Kalaba, "A new perspective on constrained motion", Proc. R. Soc. Lond. A 439, 1992. With
// a = M^-1 (tau - h), the accelerations without rows, and J qdd = b, b = -c,
//   qdd = a + M^-1/2 (J M^-1/2)^+ (b - J a)
// Where rows are independent, M^-1/2 (J M^-1/2)^+ = M^-1 J^T (J M^-1 J^T)^-1: no root is taken. M^-1
// is made as a whole, as the equation has it.
#include "kernels/constrained/held_equations.h"

// M becomes its inverse, by columns of X (n).
INLINE void invert_inertia(size_t n, REAL* M, REAL* inverse)
{
  dense_ldl_factor(n, M);
  for (size_t j = 0; j < n; ++j)
  {
    for (size_t i = 0; i < n; ++i) inverse[j * n + i] = constant(i == j);
    dense_ldl_solve(n, M, inverse + j * n);
  }
}

lwFormulation FN(udwadia_kalaba);

void FN(udwadia_kalaba)(const lwModel* model, const lwConstraints* rows, void* work,
                        const lwState* state, void* qdd, void* force)
{
  Held held    = held_equations(model, rows, state, &work);
  Matrices all = held_matrices(&held, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows;
  REAL *W = held_take(&work, n * n, sizeof(REAL)), *X = held_take(&work, m * n, sizeof(REAL));
  REAL *A = held_take(&work, m * m, sizeof(REAL)), *a = qdd, *f = force;
  invert_inertia(n, all.M, W);
  for (size_t i = 0; i < n; ++i) a[i] = row_product(n, W + i * n, all.right);
  for (size_t r = 0; r < m; ++r)
  {
    for (size_t i = 0; i < n; ++i) X[r * n + i] = row_product(n, W + i * n, all.J + r * n);
    for (size_t s = 0; s <= r; ++s) A[r * m + s] = row_product(n, X + r * n, all.J + s * n);
    f[r] = r_neg(r_add(all.c[r], row_product(n, all.J + r * n, a)));
  }
  dense_ldl_factor(m, A);
  dense_ldl_solve(m, A, f);
  for (size_t r = 0; r < m; ++r)
    for (size_t i = 0; i < n; ++i) a[i] = mul_add(X[r * n + i], f[r], a[i]);
}
