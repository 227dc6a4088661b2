// SPDX-License-Identifier: MIT
// The null space of the rows of one state, by the plan of its model; null_space.h says what for.
#include "math/real.h"

#include "kernels/speeds/null_space.h"
#include "math/dense_ldl.h"

// Entry (row, column) of J.
INLINE REAL* row_entry(const lwSpeedRows* rows, int row, int column)
{
  return &rows->J[(size_t)row * rows->across + (size_t)column * rows->along];
}

// The pivot's row by its pivot, so that it says -qd of its column.
INLINE void scale_pivot_row(const lwSpeedPivot* pivot, const int* columns, lwSpeedRows* rows,
                            REAL over)
{
  for (int j = 0; j < pivot->columns; ++j)
  {
    REAL* entry = row_entry(rows, pivot->row, columns[j]);
    *entry      = r_mul(*entry, over);
  }
  rows->bias[pivot->row] = r_mul(rows->bias[pivot->row], over);
}

static void eliminate_rows(const lwSpeedPlan* plan, lwSpeedRows* rows)
{
  for (int p = 0; p < plan->pivots; ++p)
  {
    const lwSpeedPivot* pivot = &plan->pivot[p];
    const int *columns = plan->list + pivot->first_column, *others = plan->list + pivot->first_row;
    rows->pivots[p] = *row_entry(rows, pivot->row, pivot->column);
    scale_pivot_row(pivot, columns, rows, r_div(constant(1), rows->pivots[p]));
    for (int k = 0; k < pivot->rows; ++k)
    {
      REAL factor = *row_entry(rows, others[k], pivot->column);  // and stays there
      for (int j = 0; j < pivot->columns; ++j)
      {
        REAL* entry = row_entry(rows, others[k], columns[j]);
        *entry      = sub_mul(*entry, factor, *row_entry(rows, pivot->row, columns[j]));
      }
      rows->bias[others[k]] = sub_mul(rows->bias[others[k]], factor, rows->bias[pivot->row]);
    }
  }
}

static void expand_speeds(const lwSpeedPlan* plan, const lwSpeedRows* rows, lwSpeedSystem* system)
{
  size_t width = system->width;
  for (size_t i = 0; i < (size_t)system->dof * width; ++i) system->N[i] = zero();
  for (int j = 0; j < plan->count; ++j)
    system->N[(size_t)plan->independent[j] * width + (size_t)j] = constant(1);
  for (int p = 0; p < plan->pivots; ++p)
  {
    const lwSpeedPivot* pivot = &plan->pivot[p];
    REAL* N                   = system->N + (size_t)pivot->column * width;
    for (int j = 0; j < plan->count; ++j)
      N[j] = r_neg(*row_entry(rows, pivot->row, plan->independent[j]));
    N[plan->count] = r_neg(rows->bias[pivot->row]);
  }
}

// target += k row
INLINE void add_speed_row(REAL* restrict target, REAL k, const REAL* restrict row, size_t width)
{
  for (size_t j = 0; j < width; ++j) target[j] = mul_add(k, row[j], target[j]);
}

static void project_inertia(lwSpeedSystem* system)
{
  size_t dof = (size_t)system->dof, width = system->width, count = (size_t)system->count;
  for (size_t i = 0; i < dof * width; ++i) system->P[i] = zero();
  for (size_t i = 0; i < count * count; ++i) system->K[i] = zero();
  for (int i = 0; i < system->dof; ++i)
    for (int k = i; k >= 0; k = system->parent[k])
    {
      REAL m = system->M[(size_t)i * dof + (size_t)k];
      add_speed_row(system->P + (size_t)i * width, m, system->N + (size_t)k * width, width);
      if (k != i)
        add_speed_row(system->P + (size_t)k * width, m, system->N + (size_t)i * width, width);
    }
  for (size_t i = 0; i < dof; ++i)
    for (size_t a = 0; a < count; ++a)
      add_speed_row(system->K + a * count, system->N[i * width + a], system->P + i * width, count);
}

static void accelerate_speeds(lwSpeedSystem* system, REAL* x)
{
  size_t dof = (size_t)system->dof, width = system->width, count = (size_t)system->count;
  for (size_t j = 0; j < count; ++j) system->speed[j] = zero();
  for (size_t i = 0; i < dof; ++i)
    add_speed_row(system->speed, r_sub(system->right[i], system->P[i * width + count]),
                  system->N + i * width, count);
  dense_ldl_factor(count, system->K);
  dense_ldl_solve(count, system->K, system->speed);
  for (size_t i = 0; i < dof; ++i)
  {
    x[i] = system->N[i * width + count];
    for (size_t j = 0; j < count; ++j)
      x[i] = mul_add(system->N[i * width + j], system->speed[j], x[i]);
  }
}

// The transposes of the steps of eliminate_rows(), backwards.
static void row_forces(const lwSpeedPlan* plan, const lwSpeedRows* rows, const REAL* rest, REAL* f)
{
  for (int p = 0; p < plan->pivots; ++p) f[plan->pivot[p].row] = rest[plan->pivot[p].column];
  for (int p = plan->pivots - 1; p >= 0; --p)
  {
    const lwSpeedPivot* pivot = &plan->pivot[p];
    const int* others         = plan->list + pivot->first_row;
    REAL sum                  = f[pivot->row];
    for (int k = 0; k < pivot->rows; ++k)
      sum = sub_mul(sum, *row_entry(rows, others[k], pivot->column), f[others[k]]);
    f[pivot->row] = r_div(sum, rows->pivots[p]);
  }
}

extern const lwNullSpace FN(null_space);
const lwNullSpace FN(null_space) = {eliminate_rows, expand_speeds, project_inertia,
                                    accelerate_speeds, row_forces};
