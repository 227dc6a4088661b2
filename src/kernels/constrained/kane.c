// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: Kane's generalized speeds, the null space of the rows.
//
// Kane & Levinson, "Dynamics: Theory and Applications", 1985; nia2005 (8). With qd = N v and
// qdd = N vd + e, forces of rows drop out: N^T M N vd = N^T (tau - h - M e). N by the plan of the
// model (speeds/null_space.c), whose pivots determine forces afterwards.
#include "kernels/constrained/held_equations.h"
#include "kernels/speeds/null_space.h"

extern const lwNullSpace FN(null_space);

// J and c with the row numbers of the model; rows that were left out are zero.
INLINE lwSpeedRows numbered_rows(const Held* held, const Matrices* all, void** work)
{
  size_t n = (size_t)held->n, count = (size_t)held->constraints->all;
  lwSpeedRows rows = {.J      = held_take(work, count * n, sizeof(REAL)),
                      .across = n,
                      .along  = 1,
                      .bias   = held_take(work, count, sizeof(REAL)),
                      .pivots = held_take(work, count, sizeof(REAL))};
  for (size_t k = 0; k < count * n; ++k) rows.J[k] = zero();
  for (size_t k = 0; k < count; ++k) rows.bias[k] = zero();
  for (int r = 0; r < held->rows; ++r)
  {
    size_t to = (size_t)held->constraints->row[r].row;
    for (size_t i = 0; i < n; ++i) rows.J[to * n + i] = all->J[(size_t)r * n + i];
    rows.bias[to] = all->c[r];
  }
  return rows;
}

INLINE lwSpeedSystem speed_system(const Held* held, const Matrices* all, void** work)
{
  size_t n = (size_t)held->n, count = (size_t)held->constraints->plan->count;
  size_t width = lw_speed_width((int)count);
  return (lwSpeedSystem){.dof    = held->n,
                         .count  = (int)count,
                         .width  = width,
                         .parent = held->model->parent,
                         .M      = all->M,
                         .N      = held_take(work, n * width, sizeof(REAL)),
                         .P      = held_take(work, n * width, sizeof(REAL)),
                         .K      = held_take(work, n * n, sizeof(REAL)),
                         .right  = all->right,
                         .speed  = held_take(work, width, sizeof(REAL))};
}

// rest (n) = M qdd - (tau - h)
INLINE void unbalanced_rest(const Held* held, const Matrices* all, const REAL* qdd, REAL* rest)
{
  size_t n = (size_t)held->n;
  for (size_t i = 0; i < n; ++i)
    rest[i] = r_sub(row_product(n, all->M + i * n, qdd), all->right[i]);
}

lwFormulation FN(kane_rows);
lwNullMotion FN(null_motion);

void FN(kane_rows)(const lwModel* model, const lwConstraints* constraints, void* work,
                   const lwState* state, void* qdd, void* force)
{
  const lwNullSpace* kernel = &FN(null_space);
  const lwSpeedPlan* plan   = constraints->plan;
  Held held                 = held_equations(model, constraints, state, &work);
  Matrices all              = held_matrices(&held, &work);
  lwSpeedRows rows          = numbered_rows(&held, &all, &work);
  lwSpeedSystem speeds      = speed_system(&held, &all, &work);
  REAL* rest                = held_take(&work, (size_t)held.n, sizeof(REAL));
  REAL* f                   = held_take(&work, (size_t)constraints->all, sizeof(REAL));
  kernel->eliminate(plan, &rows);
  kernel->expand(plan, &rows, &speeds);
  kernel->project(&speeds);
  kernel->accelerate(&speeds, qdd);
  unbalanced_rest(&held, &all, qdd, rest);
  for (int r = 0; r < constraints->all; ++r) f[r] = zero();
  kernel->forces(plan, &rows, rest, f);
  for (int r = 0; r < held.rows; ++r) ((REAL*)force)[r] = f[constraints->row[r].row];
}

void FN(null_motion)(const lwModel* model, const lwConstraints* constraints, void* work,
                     const lwState* state, void* N)
{
  const lwNullSpace* kernel = &FN(null_space);
  Held held                 = held_equations(model, constraints, state, &work);
  Matrices all              = held_matrices(&held, &work);
  lwSpeedRows rows          = numbered_rows(&held, &all, &work);
  lwSpeedSystem speeds      = speed_system(&held, &all, &work);
  speeds.N                  = N;
  kernel->eliminate(constraints->plan, &rows);
  kernel->expand(constraints->plan, &rows, &speeds);
}
