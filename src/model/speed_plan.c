// SPDX-License-Identifier: MIT
// Which speeds describe the motions of a robot with loops, and in which order its rows are solved.
//
// Gauss and Jordan's elimination of J qd = 0, tried where the file closes the loops. The next pivot
// is one whose column few other rows have (so it fills in little), joints that are not
// driven first, and of these the largest; it has at least a tenth of the largest entry of its row,
// so that the order serves other positions too. src/kernels/speeds eliminates by the same list.
#include <math.h>
#include <string.h>

#include "model/loops.h"

static const double LEAST_SHARE = 0.1;  // of the largest entry of the row that a pivot has

// What is under way.
typedef struct SpeedPlanner
{
  const lwModel* model;
  int rows, dof;
  double* W;     // (rows, dof) J, eliminated so far
  bool* has;     // (rows, dof) entries that are not zero everywhere
  bool* done;    // (rows) has a pivot, or is redundant
  bool* pivots;  // (dof) is one
  bool* kept;    // (dof) must not be one
  lwSpeedPivot* pivot;
  int* list;
  int listed;
  double* N;       // (dof, count) in the order of candidates
  double* work;    // (dof, count)
  int* candidate;  // (dof)
  bool* rejected;  // (dof)
} SpeedPlanner;

static bool* plan_has(const SpeedPlanner* planner, int row, int column)
{
  return &planner->has[(size_t)row * (size_t)planner->dof + (size_t)column];
}

static double plan_value(const SpeedPlanner* planner, int row, int column)
{
  return planner->W[(size_t)row * (size_t)planner->dof + (size_t)column];
}

// Entry i of qd moves the rows of a loop; those of one ball or floating joint do so together.
static void mark_entry(const SpeedPlanner* planner, const lwLoopPair* pair, int i)
{
  const lwModel* model = planner->model;
  for (int k = 0; k < model->dof; ++k)
  {
    bool same = model->velocities[k].joint == model->velocities[i].joint;
    for (int r = 0; r < pair->rows && same; ++r) *plan_has(planner, pair->first_row + r, k) = true;
  }
}

static void mark_rows(const SpeedPlanner* planner)
{
  const lwLoopSet* set = planner->model->loops;
  for (int k = 0; k < set->count; ++k)
  {
    const lwLoopPair* pair = &set->pairs[k];
    for (int side = 0; side < 2 && pair->type == LW_LOOP_GEAR; ++side)
      if (pair->velocity[side] >= 0) mark_entry(planner, pair, pair->velocity[side]);
    for (int s = 0; s < pair->step_count; ++s)
    {
      int leader = planner->model->leader[pair->steps[s].body];
      if (leader >= 0) mark_entry(planner, pair, leader);
    }
  }
}

// --- pivots

// Whether entry (row, column) should be the next pivot rather than the best one so far, which other
// `crowd` rows have. *crowd becomes its own number.
static bool is_better(const SpeedPlanner* planner, int row, int column, int* crowd,
                      const lwSpeedPivot* best)
{
  const bool* driven = planner->model->loops->driven;
  int others         = 0;
  for (int r = 0; r < planner->rows; ++r)
    others += r != row && !(planner->done[r] && planner->model->loops->redundant[r]) &&
              *plan_has(planner, r, column);
  bool better = best->row < 0 || others < *crowd;
  if (!better && others == *crowd)
  {
    bool follows = !driven[column] && driven[best->column];
    bool as_free = driven[column] == driven[best->column];
    double size  = fabs(plan_value(planner, best->row, best->column));
    better       = follows || (as_free && fabs(plan_value(planner, row, column)) > size);
  }
  if (better) *crowd = others;
  return better;
}

static lwSpeedPivot next_pivot(const SpeedPlanner* planner)
{
  lwSpeedPivot best = {.row = -1};
  int crowd         = 0;
  for (int r = 0; r < planner->rows; ++r)
  {
    double largest = 0;
    for (int i = 0; i < planner->dof && !planner->done[r]; ++i)
      if (!planner->pivots[i] && !planner->kept[i])
        largest = fmax(largest, fabs(plan_value(planner, r, i)));
    for (int i = 0; i < planner->dof && largest > 0; ++i)
    {
      bool can = !planner->pivots[i] && !planner->kept[i] &&
                 fabs(plan_value(planner, r, i)) >= LEAST_SHARE * largest;
      if (!can || !is_better(planner, r, i, &crowd, &best)) continue;
      best.row    = r;
      best.column = i;
    }
  }
  return best;
}

// Takes the pivot's column out of another row.
static void eliminate_row(const SpeedPlanner* planner, const lwSpeedPivot* pivot, int row)
{
  double factor =
      plan_value(planner, row, pivot->column) / plan_value(planner, pivot->row, pivot->column);
  for (int i = 0; i < planner->dof; ++i)
  {
    if (!*plan_has(planner, pivot->row, i)) continue;
    planner->W[(size_t)row * (size_t)planner->dof + (size_t)i] -=
        factor * plan_value(planner, pivot->row, i);
    *plan_has(planner, row, i) = true;
  }
  planner->W[(size_t)row * (size_t)planner->dof + (size_t)pivot->column] = 0;
  *plan_has(planner, row, pivot->column)                                 = false;
}

static bool take_pivot(SpeedPlanner* planner, lwSpeedPivot* pivot)
{
  const bool* redundant = planner->model->loops->redundant;
  *pivot                = next_pivot(planner);
  if (pivot->row < 0) return false;
  pivot->size                    = fabs(plan_value(planner, pivot->row, pivot->column));
  planner->done[pivot->row]      = true;
  planner->pivots[pivot->column] = true;
  pivot->first_column            = planner->listed;
  for (int i = 0; i < planner->dof; ++i)
    if (i != pivot->column && *plan_has(planner, pivot->row, i))
      planner->list[planner->listed++] = i;
  pivot->columns   = planner->listed - pivot->first_column;
  pivot->first_row = planner->listed;
  for (int r = 0; r < planner->rows; ++r)
  {
    if (r == pivot->row || redundant[r] || !*plan_has(planner, r, pivot->column)) continue;
    planner->list[planner->listed++] = r;
    eliminate_row(planner, pivot, r);
  }
  pivot->rows = planner->listed - pivot->first_row;
  return true;
}

// --- speeds that people name

// Rows of N in the order in which entries of qd are offered: driven ones first.
static void offer_speeds(SpeedPlanner* planner, lwSpeedPlan* plan)
{
  int next = 0, count = plan->count;
  for (int driven = 1; driven >= 0; --driven)
    for (int i = 0; i < planner->dof; ++i)
      if (planner->model->loops->driven[i] == driven) planner->candidate[next++] = i;
  for (int k = 0; k < planner->dof; ++k)
    for (int j = 0; j < count; ++j)
    {
      int i = planner->candidate[k], from = -1;
      for (int p = 0; p < plan->pivots; ++p)
        if (plan->pivot[p].column == i) from = p;
      double own = plan->independent[j] == i;
      if (from >= 0)
        own = -plan_value(planner, plan->pivot[from].row, plan->independent[j]) /
              plan_value(planner, plan->pivot[from].row, i);
      planner->N[(size_t)k * (size_t)count + (size_t)j] = own;
      plan->largest                                     = fmax(plan->largest, fabs(own));
    }
}

static void name_speeds(SpeedPlanner* planner, lwSpeedPlan* plan, int* named)
{
  int next = 0;
  offer_speeds(planner, plan);
  lw_loop_rank(planner->dof, plan->count, planner->N, planner->work, planner->rejected);
  for (int k = 0; k < planner->dof && next < plan->count; ++k)
    if (!planner->rejected[k]) named[next++] = planner->candidate[k];
  plan->named = named;
  plan->same  = true;
  for (int k = 0; k < plan->count; ++k) plan->same = plan->same && named[k] == plan->independent[k];
}

static bool take_planner(SpeedPlanner* planner, lwArena* arena, const double* J)
{
  size_t rows = (size_t)planner->rows, dof = (size_t)planner->dof;
  planner->W         = lw_arena_take(arena, rows * dof, sizeof *planner->W);
  planner->has       = lw_arena_take(arena, rows * dof, sizeof *planner->has);
  planner->done      = lw_arena_take(arena, rows, sizeof *planner->done);
  planner->pivots    = lw_arena_take(arena, dof, sizeof *planner->pivots);
  planner->kept      = lw_arena_take(arena, dof, sizeof *planner->kept);
  planner->N         = lw_arena_take(arena, dof * dof, sizeof *planner->N);
  planner->work      = lw_arena_take(arena, dof * dof, sizeof *planner->work);
  planner->candidate = lw_arena_take(arena, dof, sizeof *planner->candidate);
  planner->rejected  = lw_arena_take(arena, dof, sizeof *planner->rejected);
  if (!planner->W || !planner->has || !planner->done || !planner->pivots || !planner->kept ||
      !planner->N || !planner->work || !planner->candidate || !planner->rejected)
    return false;
  memcpy(planner->W, J, rows * dof * sizeof *J);
  memcpy(planner->done, planner->model->loops->redundant, rows * sizeof *planner->done);
  return true;
}

static void plan_speeds(SpeedPlanner* planner, const lwSpeedPlan* chosen, lwSpeedPlan* plan,
                        int* independent, int* named)
{
  int next = 0;
  mark_rows(planner);
  for (int k = 0; chosen && k < chosen->count; ++k) planner->kept[chosen->named[k]] = true;
  plan->pivot = planner->pivot;
  plan->list  = planner->list;
  while (plan->pivots < planner->model->loops->rank &&
         take_pivot(planner, &planner->pivot[plan->pivots]))
    ++plan->pivots;
  for (int i = 0; i < planner->dof; ++i)
    if (!planner->pivots[i]) independent[next++] = i;
  plan->count       = next;
  plan->independent = independent;
  name_speeds(planner, plan, named);
  if (chosen) plan->independent = chosen->named;
}

bool lw_speed_plan_build(lwModel* model, const double* J, const lwSpeedPlan* chosen,
                         lwSpeedPlan* plan)
{
  size_t rows = (size_t)model->loops->rows, dof = (size_t)model->dof;
  lwArena temporary    = {0};
  SpeedPlanner planner = {.model = model, .rows = (int)rows, .dof = (int)dof};
  *plan                = (lwSpeedPlan){0};
  planner.pivot        = lw_arena_take(&model->arena, rows, sizeof *planner.pivot);
  planner.list         = lw_arena_take(&model->arena, rows * (rows + dof), sizeof *planner.list);
  int* independent     = lw_arena_take(&model->arena, dof, sizeof *independent);
  int* named           = lw_arena_take(&model->arena, dof, sizeof *named);
  bool enough          = take_planner(&planner, &temporary, J) && planner.pivot && planner.list &&
                independent && named;
  if (enough) plan_speeds(&planner, chosen, plan, independent, named);
  lw_arena_free(&temporary);
  return enough;
}
