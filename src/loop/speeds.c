// SPDX-License-Identifier: MIT
// Generalized speeds of a robot with loops in one state, qd = N v and qdd = N vd + e.
//
// v are entries of qd that the plan of the model chose for few operations. Where one of its pivots
// has become small, Gauss's elimination with the largest pivots chooses others. People know speeds
// u of driven joints, u = B v: N B^-1 is N in these speeds, and e - N B^-1 e_u their e.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "loop/loop_workspace.h"
#include "math/lu.h"

static const double LEAST_PIVOT = 1e-2;  // of its size where the plan was made
static const double MOST_GROWN  = 30;    // times the largest entry of N there
static const double LEAST_NAMED = 1e-9;  // of the largest pivot of B

void lw_loops_set_count(lwLoops* loops, int count)
{
  loops->speeds.count = count;
  loops->speeds.width = (size_t)count / 4 * 4 + 4;
}

// --- the plan of the model

// Sum of row r times column j of N, compared with the size of its terms.
static bool row_holds(const lwLoops* loops, int r, int j)
{
  double sum = 0, size = 0;
  for (int i = 0; i < loops->dof; ++i)
  {
    double part = loops->left.J[(size_t)r * loops->left.across + (size_t)i * loops->left.along] *
                  loops->speeds.N[(size_t)i * loops->speeds.width + (size_t)j];
    sum += part;
    size += fabs(part);
  }
  return fabs(sum) <= 1e-9 * (1e-3 + size);
}

bool lw_loops_plan_serves(const lwLoops* loops)
{
  const lwSpeedPlan* plan = &loops->set->speeds;
  for (int p = 0; p < plan->pivots; ++p)
    if (!(fabs(loops->left.pivots[p]) >= LEAST_PIVOT * plan->pivot[p].size)) return false;
  for (int i = 0; i < loops->dof; ++i)
    for (int j = 0; j < plan->count; ++j)
      if (!(fabs(loops->speeds.N[(size_t)i * loops->speeds.width + (size_t)j]) <=
            MOST_GROWN * plan->largest))
        return false;
  for (int r = 0; r < loops->rows; ++r)
    for (int j = 0; j < plan->count && loops->set->redundant[r]; ++j)
      if (!row_holds(loops, r, j)) return false;
  return true;
}

static bool null_space_by_plan(lwLoops* loops)
{
  const lwNullSpace* kernel = loops->isa->null_space;
  const lwSpeedPlan* plan   = &loops->set->speeds;
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  loops->left.J      = loops->table;
  loops->left.across = dof;
  loops->left.along  = 1;
  memcpy(loops->left.J, loops->J, rows * dof * sizeof *loops->J);
  memcpy(loops->left.bias, loops->bias, rows * sizeof *loops->bias);
  lw_loops_set_count(loops, plan->count);
  kernel->eliminate(plan, &loops->left);
  kernel->expand(plan, &loops->left, &loops->speeds);
  memcpy(loops->chosen, plan->independent, (size_t)plan->count * sizeof *loops->chosen);
  return lw_loops_plan_serves(loops);
}

// --- another choice

static void null_space_by_pivots(lwLoops* loops)
{
  lwSpeedSystem* speeds = &loops->speeds;
  size_t dof = (size_t)loops->dof, width = dof + 1;
  int count = 0;
  lw_loops_eliminate(loops, loops->bias, true);
  for (int i = 0; i < loops->dof; ++i)
    if (loops->pivot_of[i] < 0) loops->chosen[count++] = i;
  lw_loops_set_count(loops, count);
  memset(speeds->N, 0, dof * speeds->width * sizeof *speeds->N);
  for (size_t i = 0; i < dof; ++i)
  {
    double* N = speeds->N + i * speeds->width;
    for (int j = 0; j < count && loops->pivot_of[i] < 0; ++j) N[j] = loops->chosen[j] == (int)i;
    if (loops->pivot_of[i] < 0) continue;
    const double* row = loops->table + (size_t)loops->pivot_of[i] * width;
    for (int j = 0; j < count; ++j) N[j] = -row[loops->chosen[j]];
    N[count] = -row[dof];
  }
}

void lw_loops_null_space(lwLoops* loops)
{
  loops->planned = null_space_by_plan(loops);
  if (!loops->planned) null_space_by_pivots(loops);
}

// --- speeds that people name

static lwStatus refuse_speeds(const lwLoops* loops, lwDiag* diag)
{
  char list[200] = "";
  size_t used    = 0;
  for (int j = 0; j < loops->speeds.count && used < sizeof list; ++j)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", j > 0 ? ", " : "",
                             lw_model_velocity(loops->model, loops->chosen[j]).name);
  return lw_refuse(diag, LW_ERROR_NUMERICAL, NULL,
                   "the position is singular: the speeds of the driven joints do not determine the "
                   "motion there, those of %s would",
                   list);
}

// The factors of B^T, B being the rows of N that have names.
bool lw_loops_factor_named(lwLoops* loops)
{
  size_t count = (size_t)loops->speeds.count, width = loops->speeds.width;
  double largest = 0, least = INFINITY;
  for (size_t a = 0; a < count; ++a)
    for (size_t j = 0; j < count; ++j)
      loops->B[j * count + a] = loops->speeds.N[(size_t)loops->set->speeds.named[a] * width + j];
  if (!lw_lu_factor(loops->B, (int)count, loops->B_pivots)) return false;
  for (size_t j = 0; j < count; ++j)
  {
    largest = fmax(largest, fabs(loops->B[j * (count + 1)]));
    least   = fmin(least, fabs(loops->B[j * (count + 1)]));
  }
  return count == 0 || least >= LEAST_NAMED * largest;
}

lwStatus lw_loops_named_speeds(lwLoops* loops, lwDiag* diag)
{
  const lwSpeedPlan* plan = &loops->set->speeds;
  lwSpeedSystem* speeds   = &loops->speeds;
  lw_loops_null_space(loops);
  size_t width = speeds->width;
  if (loops->planned && plan->same) return LW_OK;
  if (speeds->count != plan->count || !lw_loops_factor_named(loops))
    return refuse_speeds(loops, diag);
  for (int i = 0; i < loops->dof; ++i)
    lw_lu_solve(loops->B, speeds->count, loops->B_pivots, speeds->N + (size_t)i * width);
  for (int a = 0; a < speeds->count; ++a)  // those of named entries themselves are known
    loops->rest[a] = speeds->N[(size_t)plan->named[a] * width + (size_t)speeds->count];
  for (int i = 0; i < loops->dof; ++i)
  {
    double* N = speeds->N + (size_t)i * width;
    for (int a = 0; a < speeds->count; ++a) N[speeds->count] -= N[a] * loops->rest[a];
  }
  return LW_OK;
}
