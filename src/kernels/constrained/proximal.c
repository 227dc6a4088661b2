// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: proximal steps, for rows that may be redundant.
//
// The method of multipliers (Hestenes 1969, Powell 1969), for rows of robots Carpentier, Budhiraja &
// Mansard, "Proximal and sparse resolution of constrained dynamic equations", 2021. A step is
//   (M + s J^T J) qdd = tau - h + J^T (f - s c)        f := f - s (J qdd + c)
// whose matrix is regular whatever J is. The solution is a fixed point, and each step leaves about
// 1/(1 + s l) of what is missing, l the eigenvalues of J M^-1 J^T that are not 0. From f = 0 the
// forces are those with the least sum of squares. s is 1e5 tr M / |J|^2.
#include "kernels/constrained/held_equations.h"

static const CONST STIFF = 100000;

INLINE REAL stiffness(const Held* held, const Matrices* all)
{
  size_t n = (size_t)held->n, m = (size_t)held->rows;
  REAL trace = zero(), square = row_product(m * n, all->J, all->J);
  for (size_t i = 0; i < n; ++i) trace = r_add(trace, all->M[i * (n + 1)]);
  return r_div(r_mul(constant(STIFF), trace), square);
}

lwFormulation FN(proximal);

void FN(proximal)(const lwModel* model, const lwConstraints* rows, void* work, const lwState* state,
                  void* qdd, void* force)
{
  Held held    = held_equations(model, rows, state, &work);
  Matrices all = held_matrices(&held, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows;
  REAL *x = qdd, *f = force, s = stiffness(&held, &all);
  for (size_t r = 0; r < m; ++r)
    for (size_t i = 0; i < n; ++i)
    {
      REAL k = r_mul(s, all.J[r * n + i]);
      for (size_t j = 0; j <= i; ++j)
        all.M[i * n + j] = mul_add(k, all.J[r * n + j], all.M[i * n + j]);
    }
  dense_ldl_factor(n, all.M);
  for (int step = 0; step < state->refine; ++step)
  {
    for (size_t i = 0; i < n; ++i) x[i] = all.right[i];
    for (size_t r = 0; r < m; ++r)
    {
      REAL pull = sub_mul(f[r], s, all.c[r]);
      for (size_t i = 0; i < n; ++i) x[i] = mul_add(pull, all.J[r * n + i], x[i]);
    }
    dense_ldl_solve(n, all.M, x);
    for (size_t r = 0; r < m; ++r)
      f[r] = sub_mul(f[r], s, r_add(all.c[r], row_product(n, all.J + r * n, x)));
  }
}
