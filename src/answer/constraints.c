// SPDX-License-Identifier: MIT
#include "answer/constraints.h"

#include <string.h>

#include "answer/variants.h"
#include "answer/workspace.h"
#include "base/memory.h"
#include "linkwork/loop.h"

enum
{
  STEPS = 12  // of proximal iterations
};

struct lwFormulations
{
  const lwModel* model;
  const lwFormulationTable* table;
  bool rotors;
  lwConstraints independent, every;
  double* force;
  void* work;
  lwArena arena;
};

static lwStatus refuse_rows(const lwModel* model, lwDiag* diag)
{
  if (!model->loops)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "'%.60s' has no loops", model->robot.name);
  if (model->coupled || lw_model_native(model)->n != model->dof)
    return lw_refuse(diag, LW_ERROR_METHOD, "make them gears in `loops`",
                     "formulations of closed loops take no mimic and screw joints, and '%.60s' has "
                     "some",
                     model->robot.name);
  return LW_OK;
}

lwStatus lw_constraints_rational(const lwModel* model, lwDiag* diag)
{
  for (int k = 0; model->loops && k < model->loops->count; ++k)
    if (model->loops->pairs[k].radius > 0)
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "proofs are about rational functions: they take no wheels and discs, whose "
                       "heading needs a root, and '%.60s' has '%.60s'",
                       model->robot.name, model->robot.loops[k].name);
  return LW_OK;
}

// Frames of an end: of a gear both are the base, and are not looked at.
static lwView view_of_end(const lwModel* model, const lwLoopPair* pair, const lwFrame* frame)
{
  lwFrame at = *frame;
  bool base  = at.joint < 0 || pair->type == LW_LOOP_GEAR;
  if (base) at.joint = LW_BASE;
  return lw_view_of(lw_model_native(model), &at);
}

static lwHeldRow held_row(const lwLoopSet* set, int r)
{
  const lwLoopRow* row   = &set->row[r];
  const lwLoopPair* pair = &set->pairs[row->loop];
  lwHeldRow held         = {.row = r, .loop = row->loop, .turns = row->turns, .first = -1};
  held.second            = -1;
  memcpy(held.direction, row->direction, sizeof held.direction);
  if (pair->type == LW_LOOP_GEAR)
  {
    held.first        = pair->velocity[0];
    held.second       = pair->velocity[1];
    held.turns        = false;
    held.direction[0] = pair->ratio;
  }
  held.radius  = pair->radius;
  held.across  = pair->radius > 0 && r > pair->first_row;
  held.carried = pair->type == LW_LOOP_SKATE || pair->radius > 0;
  if (held.carried) memcpy(held.direction, pair->axis, sizeof held.direction);
  for (int k = 0; k < 3 && pair->type == LW_LOOP_CONTACT; ++k)
    held.direction[k] = k == r - pair->first_row;
  return held;
}

static bool is_pivot_row(const lwSpeedPlan* plan, int r)
{
  for (int p = 0; p < plan->pivots; ++p)
    if (plan->pivot[p].row == r) return true;
  return false;
}

lwStatus lw_constraints_build(const lwModel* model, bool all, lwArena* arena,
                              lwConstraints* constraints, lwDiag* diag)
{
  lwStatus status = refuse_rows(model, diag);
  if (status != LW_OK) return status;
  const lwLoopSet* set = model->loops;
  lwView* ends         = lw_arena_take(arena, 2 * (size_t)set->count, sizeof *ends);
  lwHeldRow* rows      = lw_arena_take(arena, (size_t)set->rows, sizeof *rows);
  if (!ends || !rows) return LW_ERROR_MEMORY;
  *constraints = (lwConstraints){.row = rows, .ends = ends, .all = set->rows, .plan = &set->speeds};
  for (int k = 0; k < set->count; ++k)
  {
    const lwLoopDef* loop     = &model->robot.loops[k];
    static const lwFrame base = {.joint = LW_BASE};
    bool rolls                = set->pairs[k].type > LW_LOOP_GEAR;
    ends[2 * k]               = view_of_end(model, &set->pairs[k], rolls ? &base : &loop->first);
    ends[2 * k + 1]           = view_of_end(model, &set->pairs[k], &loop->second);
  }
  for (int r = 0; r < set->rows; ++r)
    if (all || is_pivot_row(&set->speeds, r)) rows[constraints->rows++] = held_row(set, r);
  return LW_OK;
}

lwStatus lw_formulations_create(const lwModel* model, bool rotors, lwDiag* diag,
                                lwFormulations** formulations)
{
  lwFormulations* made = lw_memory_zeros(1, sizeof *made);
  const lwIsa* isa     = lw_isa_choose();
  *formulations        = NULL;
  if (!made) return LW_ERROR_MEMORY;
  lwStatus status = isa ? LW_OK : lw_isa_refuse(diag);
  made->model     = model;
  made->rotors    = rotors;
  made->table     = isa ? isa->formulations : NULL;
  if (status == LW_OK)
    status = lw_constraints_build(model, false, &made->arena, &made->independent, diag);
  if (status == LW_OK) status = lw_constraints_build(model, true, &made->arena, &made->every, diag);
  if (status == LW_OK)
  {
    size_t numbers = lw_formulation_numbers(model->dof, &made->every);
    made->work     = lw_arena_take(&made->arena, numbers, sizeof(double));
    made->force    = lw_arena_take(&made->arena, (size_t)made->every.rows, sizeof(double));
    if (!made->work || !made->force) status = LW_ERROR_MEMORY;
  }
  if (status == LW_OK)
    *formulations = made;
  else
    lw_formulations_destroy(made);
  return status;
}

void lw_formulations_destroy(lwFormulations* formulations)
{
  if (!formulations) return;
  lw_arena_free(&formulations->arena);
  lw_memory_give(formulations);
}

void lw_formulations_forward(lwFormulations* formulations, int i, const lwStates* state,
                             double* qdd, double* forces)
{
  bool steps                = lw_formulation_takes_redundant(i);
  const lwConstraints* rows = steps ? &formulations->every : &formulations->independent;
  double* f                 = formulations->force;
  lwState given             = {.q      = state->q,
                               .qd     = state->qd,
                               .tau    = state->tau,
                               .rotors = formulations->rotors,
                               .refine = STEPS};
  memset(f, 0, (size_t)rows->rows * sizeof *f);
  formulations->table->run[i](lw_model_native(formulations->model), rows, formulations->work,
                              &given, qdd, f);
  if (!forces) return;
  memset(forces, 0, (size_t)rows->all * sizeof *forces);
  for (int r = 0; r < rows->rows; ++r) forces[rows->row[r].row] = f[r];
}
