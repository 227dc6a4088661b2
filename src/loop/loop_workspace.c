// SPDX-License-Identifier: MIT
// Creates the temporaries of loops, and checks whether a state is closed.
#include "loop/loop_workspace.h"

#include <math.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/diag.h"
#include "base/memory.h"

static const double LOOSE = 1e-6;  // m, rad, or of the size of velocities and accelerations

typedef struct LoopArray
{
  double** array;
  size_t count;
} LoopArray;

static bool take_all(lwArena* arena, size_t count, const LoopArray* arrays)
{
  bool enough = true;
  for (size_t k = 0; k < count; ++k)
  {
    *arrays[k].array = lw_arena_take(arena, arrays[k].count, sizeof(double));
    enough           = enough && *arrays[k].array;
  }
  return enough;
}

// Numbers of the largest answer of the tree; at least those of two square matrices.
static size_t largest_answer(const lwLoops* loops)
{
  size_t most = 2 * (size_t)loops->dof * (size_t)loops->dof;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    size_t size = lw_question_outputs(loops->model, (lwQuestion)k);
    if (lw_workspace_answers(loops->ws, (lwQuestion)k) && size > most) most = size;
  }
  return most;
}

static bool take_system(lwLoops* loops)
{
  const lwModel* model = loops->model;
  lwLoopSystem* system = &loops->system;
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof, n = (size_t)model->n;
  size_t width       = rows / 4 * 4 + 4;
  *system            = (lwLoopSystem){.rows   = loops->rows,
                                      .dof    = loops->dof,
                                      .width  = (int)width,
                                      .parent = loops->set->parent,
                                      .M      = loops->M};
  LoopArray arrays[] = {{&system->Y, dof * width + 4},
                        {&system->bias, rows + 4},
                        {&system->A, rows * width},
                        {&system->factors, rows * width},
                        {&system->force, width},
                        {&system->turns, 2 * n},
                        {&system->q, n}};
  system->bodies     = lw_arena_take(&loops->arena, n, loops->isa->loop_equations->body_size);
  return take_all(&loops->arena, sizeof arrays / sizeof *arrays, arrays) && system->bodies;
}

static bool take_speeds(lwLoops* loops)
{
  lwArena* arena        = &loops->arena;
  lwSpeedSystem* speeds = &loops->speeds;
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof, width = dof / 4 * 4 + 4;
  *speeds = (lwSpeedSystem){.dof = loops->dof, .parent = loops->set->parent, .M = loops->M};
  LoopArray arrays[] = {{&loops->kept, dof * (size_t)loops->system.width},
                        {&loops->left.bias, rows},
                        {&loops->left.pivots, rows},
                        {&speeds->N, dof * width},
                        {&speeds->P, dof * width},
                        {&speeds->K, dof * dof},
                        {&speeds->right, dof},
                        {&speeds->speed, width},
                        {&loops->B, dof * dof},
                        {&loops->full, largest_answer(loops)},
                        {&loops->more, largest_answer(loops)}};
  bool slopes        = lw_workspace_answers(loops->ws, LW_QUESTION_INVERSE_DERIVATIVES) ||
                lw_workspace_answers(loops->ws, LW_QUESTION_CORIOLIS_MATRIX);
  loops->links = lw_arena_take(arena, (size_t)loops->model->n, lw_loops_link_size());
  loops->slopes =
      lw_arena_take(arena, slopes ? lw_loops_slopes_size(loops) : 0, sizeof *loops->slopes);
  loops->B_pivots = lw_arena_take(arena, dof, sizeof *loops->B_pivots);
  loops->chosen   = lw_arena_take(arena, dof, sizeof *loops->chosen);
  return take_all(arena, sizeof arrays / sizeof *arrays, arrays) && loops->B_pivots &&
         loops->chosen && loops->links && loops->slopes;
}

static bool take_arrays(lwLoops* loops)
{
  const lwModel* model = loops->model;
  lwArena* arena       = &loops->arena;
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  LoopArray arrays[] = {{&loops->J, rows * dof},
                        {&loops->bias, rows},
                        {&loops->force, rows},
                        {&loops->M, dof * dof},
                        {&loops->rest, dof},
                        {&loops->other, dof},
                        {&loops->V, dof * dof},
                        {&loops->table, rows * (dof + 1)},
                        {&loops->trial, (size_t)model->nq},
                        {&loops->step, dof},
                        {&loops->along, dof},
                        {&loops->R, 9 * (size_t)model->ball_count}};
  bool enough        = lw_loop_closer_take(model, arena, &loops->closer) &&
                lw_psd_take(&loops->cut, arena, loops->rows) &&
                lw_psd_take(&loops->drive, arena, loops->dof) &&
                take_all(arena, sizeof arrays / sizeof *arrays, arrays) && take_system(loops) &&
                take_speeds(loops);
  loops->pivot_of = lw_arena_take(arena, dof, sizeof *loops->pivot_of);
  loops->taken    = lw_arena_take(arena, rows, sizeof *loops->taken);
  loops->none     = lw_arena_take(arena, dof, sizeof *loops->none);
  loops->is_speed = lw_arena_take(arena, dof, sizeof *loops->is_speed);
  for (int a = 0; loops->is_speed && a < loops->set->speeds.count; ++a)
    loops->is_speed[loops->set->speeds.named[a]] = true;
  return enough && loops->pivot_of && loops->taken && loops->none && loops->is_speed;
}

// Methods, or numbers, other than the defaults are meant.
static bool asks_for_methods(const lwWorkspaceDef* def)
{
  lwWorkspaceDef usual = lw_workspace_def();
  return strcmp(def->inertia, usual.inertia) != 0 || strcmp(def->inverse, usual.inverse) != 0 ||
         def->precision != usual.precision;
}

// Multiplications of forward dynamics in the null space of the rows and by their Schur complement;
// redundant rows take a factorisation by rank there.
static void choose_way(lwLoops* loops)
{
  const lwSpeedPlan* plan = &loops->set->speeds;
  double rows = loops->rows, dof = loops->dof, m = plan->count, steps = 0, pairs = 0;
  int driven = 0;
  for (int p = 0; p < plan->pivots; ++p)
    steps += (plan->pivot[p].columns + 1) * (plan->pivot[p].rows + 1);
  for (int i = 0; i < loops->dof; ++i)
    for (int k = i; k >= 0; k = loops->set->parent[k]) ++pairs;
  bool redundant      = loops->set->rank < loops->rows;
  double by_rows      = pairs * (rows + 1) + dof * rows * rows / 2 + rows * rows * rows / 6;
  double in_space     = steps + 2 * pairs * (m + 1) + dof * m * m + m * m * m / 6;
  loops->by_speeds    = in_space < by_rows || redundant;
  loops->driven_named = true;
  for (int i = 0; i < loops->dof; ++i) driven += loops->set->driven[i];
  for (int a = 0; a < plan->count; ++a)
    loops->driven_named = loops->driven_named && loops->set->driven[plan->named[a]];
  loops->driven_named = loops->driven_named && driven == plan->count;
}

lwStatus lw_loops_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                         lwLoops** loops)
{
  *loops = NULL;
  if (!model->loops)
  {
    LW_REFUSE(diag, NULL, "'%.60s' has no loops", model->robot.name);
    return LW_ERROR_INPUT;
  }
  lwWorkspaceDef tree = def ? *def : lw_workspace_def();
  bool by_methods     = asks_for_methods(&tree);
  tree.open_tree      = true;
  tree.questions      = lw_loops_needs(tree.questions);
  lwLoops* made       = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->model      = model;
  made->set        = model->loops;
  made->rotors     = tree.rotors;
  made->by_methods = by_methods;
  made->rows       = model->loops->rows;
  made->dof        = model->dof;
  made->isa        = lw_isa_choose();
  lwStatus status  = lw_workspace_create(model, &tree, diag, &made->ws);
  if (status == LW_OK && !take_arrays(made)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) choose_way(made);
  if (status == LW_OK && lw_workspace_answers(made->ws, LW_QUESTION_REACTIONS))
    status = lw_loops_open_cuts(made, &tree, diag);
  if (status == LW_OK)
    *loops = made;
  else
    lw_loops_destroy(made);
  return status;
}

void lw_loops_destroy(lwLoops* loops)
{
  if (!loops) return;
  lw_workspace_destroy(loops->ws);
  lw_workspace_destroy(loops->reactions);
  lw_arena_free(&loops->arena);
  lw_memory_give(loops);
}

lwWorkspace* lw_loops_workspace(lwLoops* loops)
{
  return loops->ws;
}

void lw_loops_at(lwLoops* loops, const double* q)
{
  lw_loop_place(loops->model, &loops->closer.motion, q);
  lw_loop_jacobian(loops->model, &loops->closer.motion, loops->J);
}

void lw_loops_gap(lwLoops* loops, const double* q, double gap[2])
{
  lw_loop_place(loops->model, &loops->closer.motion, q);
  lw_loop_errors(loops->model, &loops->closer.motion, q, loops->closer.error);
  lw_loop_gap(loops->model, loops->closer.error, gap);
}

// J v + more (rows, or NULL), compared with how large the sums could be:
// the worst row, or -1 if all are small.
static int opening_row(const lwLoops* loops, const double* v, const double* more, double* by)
{
  int worst     = -1;
  double excess = 1;
  for (int r = 0; r < loops->rows; ++r)
  {
    double sum = more ? more[r] : 0, size = 1 + fabs(sum);
    for (int i = 0; i < loops->dof; ++i)
    {
      double part = loops->J[(size_t)r * (size_t)loops->dof + (size_t)i] * v[i];
      sum += part;
      size += fabs(part);
    }
    if (fabs(sum) <= excess * LOOSE * size) continue;
    excess = fabs(sum) / (LOOSE * size);
    worst  = r;
    *by    = sum;
  }
  return worst;
}

// Says which row opens, if one does.
static lwStatus refuse_opening(const lwLoops* loops, lwDiag* diag, int row, double by,
                               const char* what, int derivative)
{
  static const char* const units[2][2] = {{"m/s", "rad/s"}, {"m/s^2", "rad/s^2"}};
  if (row < 0) return LW_OK;
  const lwLoopRow* info = &loops->set->row[row];
  LW_REFUSE(diag, "lw_loops_close() and the like find what the driven joints determine",
            "the %s %s '%.60s' along its row '%s' by %.3g %s", what,
            row < loops->set->shut ? "open loop" : "slip at",
            loops->model->robot.loops[info->loop].name, info->name, by,
            units[derivative][info->turns]);
  return LW_ERROR_OPEN;
}

lwStatus lw_loops_check(lwLoops* loops, const double* q, const double* qd, const double* qdd,
                        lwDiag* diag)
{
  double gap[2], by = 0;
  lw_loops_gap(loops, q, gap);
  if (!(gap[0] <= LOOSE && gap[1] <= LOOSE))
  {
    LW_REFUSE(diag, "lw_loops_close() finds the joints that follow from the driven ones",
              "the loops are not closed: a gap of %.3g m and %.3g rad", gap[0], gap[1]);
    return LW_ERROR_OPEN;
  }
  if (!qd && !qdd) return LW_OK;
  lw_loops_at(loops, q);
  int row         = qd ? opening_row(loops, qd, NULL, &by) : -1;
  lwStatus status = refuse_opening(loops, diag, row, by, "velocities", 0);
  if (status != LW_OK || !qdd) return status;
  memset(loops->rest, 0, (size_t)loops->dof * sizeof *loops->rest);
  lw_loop_bias(loops->model, &loops->closer.motion, qd ? qd : loops->rest, loops->bias);
  return refuse_opening(loops, diag, opening_row(loops, qdd, loops->bias, &by), by, "accelerations",
                        1);
}
