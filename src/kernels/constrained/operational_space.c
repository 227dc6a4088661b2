// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: articulated bodies, and the operational space inertia of the
// rows, extended to all of them.
//
// Wensing, Featherstone & Orin, "A reduced-order recursive algorithm for the computation of the
// operational-space inertia matrix", 2012: the wrench of a row is propagated along the articulated
// bodies from both of its links to the base, E := E - U (S.E)/D, and with e = S.E
//   (J M^-1 J^T)_rs = sum over freedoms on the way of both of e_r e_s/D
// Accelerations without rows come first: J M^-1 J^T f = -(J qdd + c), then those with them.
#include "kernels/constrained/articulated.h"

// e (n) of row r along the tree: zeros where it does not pass.
INLINE void propagate_row(const Held* held, const Recursion* to, int r, Wrench* E, REAL* e)
{
  int ends[2] = {row_carrier(held, r, 0), row_carrier(held, r, 1)};
  bool gears  = held->constraints->row[r].first >= 0;
  for (int i = 0; i < held->n; ++i)
  {
    E[i] = (Wrench){v3_zero(), v3_zero()};
    e[i] = zero();
  }
  if (ends[1] != LW_BASE) E[ends[1]] = held->W[r];
  if (ends[0] != LW_BASE) E[ends[0]] = wrench_times_add(constant(-1), held->W[r], E[ends[0]]);
  for (int i = held->n - 1; i >= 0; --i)
  {
    int p = held->model->parent[i];
    if (!gears && !carries(held->model, i, ends[0]) && !carries(held->model, i, ends[1])) continue;
    e[i] = r_add(power(held->S[i], E[i]), gear_entry(held, r, i));
    if (p != LW_BASE)
      E[p] = wrench_sum(E[p], wrench_times_add(r_neg(r_mul(e[i], to->over_D[i])), to->U[i], E[i]));
  }
}

lwFormulation FN(operational_space);

void FN(operational_space)(const lwModel* model, const lwConstraints* rows, void* work,
                           const lwState* state, void* qdd, void* force)
{
  Held held = held_equations(model, rows, state, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows;
  Recursion to = recursion_begin(&held, &work);
  Wrench* E    = held_take(&work, n, sizeof(Wrench));
  REAL *e = held_take(&work, m * n, sizeof(REAL)), *L = held_take(&work, m * m, sizeof(REAL));
  REAL *more = held_take(&work, n, sizeof(REAL)), *over = held_take(&work, n, sizeof(REAL));
  REAL* f = force;
  for (int i = held.n - 1; i >= 0; --i) eliminate_freedom(&held, &to, i);
  accelerate_freedoms(&held, &to, NULL, qdd);
  for (size_t i = 0; i < n; ++i) more[i] = zero();
  for (size_t r = 0; r < m; ++r)
  {
    propagate_row(&held, &to, (int)r, E, e + r * n);
    for (size_t i = 0; i < n; ++i) over[i] = r_mul(e[r * n + i], to.over_D[i]);
    for (size_t s = 0; s <= r; ++s) L[r * m + s] = row_product(n, over, e + s * n);
    f[r] = r_neg(row_rate(&held, (int)r, to.a));
    for (int i = 0; i < held.n; ++i)
      f[r] = sub_mul(f[r], gear_entry(&held, (int)r, i), ((const REAL*)qdd)[i]);
  }
  dense_ldl_factor(m, L);
  dense_ldl_solve(m, L, f);
  for (size_t r = 0; r < m; ++r)
    for (size_t i = 0; i < n; ++i) more[i] = mul_add(e[r * n + i], f[r], more[i]);
  accelerate_freedoms(&held, &to, more, qdd);
}
