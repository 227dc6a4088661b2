// SPDX-License-Identifier: MIT
// What lw_retime() works on: definition, memory for a given grid, workspaces.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/variants.h"
#include "base/arrays.h"
#include "base/diag.h"
#include "retime/retime_internal.h"

lwRetimeDef lw_retime_def(void)
{
  return (lwRetimeDef){.grid              = 1000,
                       .refine            = 3,
                       .tool_speed        = INFINITY,
                       .tool_acceleration = INFINITY,
                       .tightenings       = 40,
                       .cookie            = LW_COOKIE};
}

static lwStatus retime_refuse(lwDiag* diag, const char* what)
{
  lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, (lwPlace){0}, NULL, "%s", what);
  return LW_ERROR_INPUT;
}

static bool all_positive(const double* values, int count)
{
  for (int i = 0; values && i < count; ++i)
    if (!(values[i] > 0)) return false;
  return true;
}

static lwStatus check_retime(const lwModel* model, const lwRetimeDef* def, lwDiag* diag)
{
  int n = lw_model_dof(model);
  if (def->cookie != LW_COOKIE) return LW_ERROR_DEF;
  if (n == 0) return retime_refuse(diag, "the robot has no moving joints");
  if (lw_model_nq(model) != n)
    return retime_refuse(diag, "ball and floating joints have no fastest motion along a path");
  if (lw_model_rolling_rows(model) > 0)
    return retime_refuse(diag, "a robot that rolls has no path of joint positions alone");
  if (def->grid < 2 || def->refine < 1)
    return retime_refuse(diag, "the grid needs at least 2 intervals, in 1 part each");
  if (!(def->reserve >= 0 && def->reserve < 1))
    return retime_refuse(diag, "the reserve must be from 0 to below 1");
  bool limits = def->tool_speed > 0 && def->tool_acceleration > 0 &&
                all_positive(def->velocity, n) && all_positive(def->acceleration, n) &&
                all_positive(def->jerk, n);
  for (int k = 0; k < def->reaction_count; ++k)
    limits = limits && def->reactions[k].force > 0 && def->reactions[k].moment > 0;
  if (!limits) return retime_refuse(diag, "limits must be above 0");
  if (def->reaction_count > 0 && lw_model_loop_count(model) > 0)
    return retime_refuse(diag, "reactions of robots with closed loops cannot be limited");
  return LW_OK;
}

static double* take_numbers(lwRetime* r, size_t count)
{
  return lw_arena_take(&r->arena, count + 1, sizeof(double));
}

static const double* copy_numbers(lwRetime* r, const double* from, size_t count)
{
  double* copy = from ? take_numbers(r, count) : NULL;
  if (copy) memcpy(copy, from, count * sizeof *copy);
  return copy;
}

static void take_grid(lwRetime* r)
{
  size_t n = (size_t)r->dof, nodes, limits = 2 * (size_t)(r->rows + r->norms);
  r->most         = r->grid + r->grid / 2 + 64;
  nodes           = (size_t)r->most + 1;
  double** each[] = {&r->s, &r->h, &r->cap_x, &r->tight, &r->K,    &r->R,
                     &r->x, &r->t, &r->u,     &r->k,     &r->extra};
  for (size_t k = 0; k < sizeof each / sizeof *each; ++k) *each[k] = take_numbers(r, nodes);
  r->linear = lw_arena_take(&r->arena, nodes, sizeof *r->linear);
  r->sign   = take_numbers(r, nodes * n);
  r->ends   = take_numbers(r, nodes * 2 * r->stride);
  r->inner  = take_numbers(r, nodes * LW_RETIME_INNER * r->stride);
  r->base   = take_numbers(r, nodes * limits);
  r->lim    = take_numbers(r, nodes * limits);
}

static void take_temporaries(lwRetime* r)
{
  size_t n = (size_t)r->dof, block = LW_RETIME_BLOCK * n;
  size_t count    = r->def.cylinders ? (size_t)lw_cylinders_count(r->def.cylinders) : 0;
  double** each[] = {&r->q, &r->q1, &r->q2};
  for (int k = 0; k < 3; ++k) *each[k] = take_numbers(r, block);
  for (int k = 0; k < 3; ++k) r->state[k] = take_numbers(r, 3 * block);
  r->answers       = take_numbers(r, 3 * block);
  r->jacobian      = take_numbers(r, 6 * n);
  r->arms          = take_numbers(r, count * n);
  r->length        = take_numbers(r, count);
  r->force_scratch = take_numbers(r, 3 * count + n);
  r->closed        = take_numbers(r, n);
  r->zeros         = take_numbers(r, n);
  r->reactions     = take_numbers(r, 18 * (size_t)lw_model_joint_count(r->model));
  r->point         = take_numbers(r, r->stride);
  r->samples       = take_numbers(r, (LW_RETIME_INNER + 2) * (size_t)r->rows);
  r->peaks         = take_numbers(r, 2 * (size_t)r->rows);
  r->point_base    = take_numbers(r, 2 * (size_t)(r->rows + r->norms));
}

static lwStatus make_workspaces(lwRetime* r, lwDiag* diag)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  if (r->def.reaction_count > 0) def.questions |= LW_ASKS(LW_QUESTION_REACTIONS);
  lwStatus made = lw_workspace_create(r->model, &def, diag, &r->ws);
  bool tool     = isfinite(r->def.tool_speed) || isfinite(r->def.tool_acceleration);
  def.questions = LW_ASKS(LW_QUESTION_JACOBIAN) | LW_ASKS(LW_QUESTION_JACOBIAN_RATE);
  if (made == LW_OK && tool) made = lw_workspace_create(r->model, &def, diag, &r->tool);
  if (made == LW_OK && tool && r->def.tool)
    made = lw_workspace_set_frame(r->tool, r->model, r->def.tool, diag);
  if (made == LW_OK && lw_model_loop_count(r->model) > 0)
    made = lw_loops_create(r->model, NULL, diag, &r->loops);
  return made;
}

static int lanes_of(const char* isa)
{
  return !strcmp(isa, "avx512") ? 8 : !strcmp(isa, "avx2") ? 4 : 2;
}

lwStatus lw_retime_create(const lwModel* model, const lwRetimeDef* def, lwDiag* diag,
                          lwRetime** retime)
{
  *retime         = NULL;
  lwStatus status = check_retime(model, def, diag);
  if (status != LW_OK) return status;
  lwRetime* r = calloc(1, sizeof *r);
  if (!r) return LW_ERROR_MEMORY;
  r->model              = model;
  r->def                = *def;
  r->dof                = lw_model_dof(model);
  r->lanes              = lanes_of(lw_isa_choose()->name);
  r->grid               = def->refine * def->grid;
  r->def.velocity       = copy_numbers(r, def->velocity, (size_t)r->dof);
  r->def.acceleration   = copy_numbers(r, def->acceleration, (size_t)r->dof);
  r->def.jerk           = copy_numbers(r, def->jerk, (size_t)r->dof);
  r->def.heat           = copy_numbers(r, def->heat, (size_t)r->dof);
  size_t reactions      = (size_t)def->reaction_count;
  lwReactionLimit* copy = lw_arena_take(&r->arena, reactions + 1, sizeof *copy);
  if (copy && reactions > 0) memcpy(copy, def->reactions, reactions * sizeof *copy);
  r->def.reactions = copy;
  status           = lw_retime_choose_rows(r) ? make_workspaces(r, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    take_grid(r);
    take_temporaries(r);
    if (!lw_smooth_create(r) || lw_arena_failed(&r->arena)) status = LW_ERROR_MEMORY;
  }
  if (status == LW_OK)
    *retime = r;
  else
    lw_retime_destroy(r);
  return status;
}

void lw_retime_destroy(lwRetime* r)
{
  if (!r) return;
  lw_workspace_destroy(r->ws);
  lw_workspace_destroy(r->tool);
  lw_loops_destroy(r->loops);
  lw_arena_free(&r->arena);
  free(r);
}
