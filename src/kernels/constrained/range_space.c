// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: forces of the rows first.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 8: M = L^T D L in the order of the
// tree has no fill-in (tables 6.3-6.5). With Y = L^-T J^T and z = L^-T (tau - h),
//   Y^T D^-1 Y f = -c - Y^T D^-1 z        qdd = L^-1 D^-1 (z + Y f)
#include "kernels/constrained/held_equations.h"
#include "math/tree_ldl.h"

// x = L^-T x
INLINE void half_solve(const lwModel* model, const REAL* M, REAL* x)
{
  size_t n = (size_t)model->n;
  for (int k = model->n - 1; k > 0; --k)
    for (int i = model->parent[k]; i >= 0; i = model->parent[i])
      x[i] = sub_mul(x[i], M[(size_t)k * n + (size_t)i], x[k]);
}

// x = L^-1 D^-1 x
INLINE void other_half(const lwModel* model, const REAL* M, REAL* x)
{
  size_t n = (size_t)model->n;
  for (int k = 0; k < model->n; ++k)
  {
    const REAL* row = &M[(size_t)k * n];
    x[k]            = r_mul(x[k], row[k]);
    for (int i = model->parent[k]; i >= 0; i = model->parent[i]) x[k] = sub_mul(x[k], row[i], x[i]);
  }
}

lwFormulation FN(range_space);

void FN(range_space)(const lwModel* model, const lwConstraints* rows, void* work,
                     const lwState* state, void* qdd, void* force)
{
  Held held    = held_equations(model, rows, state, &work);
  Matrices all = held_matrices(&held, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows;
  REAL *A = held_take(&work, m * m, sizeof(REAL)), *over = held_take(&work, n, sizeof(REAL));
  REAL *Y = all.J, *z = qdd, *f = force;
  tree_ldl_factor(held.n, model->parent, all.M);
  for (size_t i = 0; i < n; ++i) z[i] = all.right[i];
  half_solve(model, all.M, z);
  for (size_t r = 0; r < m; ++r) half_solve(model, all.M, Y + r * n);
  for (size_t a = 0; a < m; ++a)
  {
    for (size_t i = 0; i < n; ++i) over[i] = r_mul(Y[a * n + i], all.M[i * (n + 1)]);
    for (size_t b = 0; b <= a; ++b) A[a * m + b] = row_product(n, over, Y + b * n);
    f[a] = r_neg(r_add(all.c[a], row_product(n, over, z)));
  }
  dense_ldl_factor(m, A);
  dense_ldl_solve(m, A, f);
  for (size_t r = 0; r < m; ++r)
    for (size_t i = 0; i < n; ++i) z[i] = mul_add(Y[r * n + i], f[r], z[i]);
  other_half(model, all.M, z);
}
