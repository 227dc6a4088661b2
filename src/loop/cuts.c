// SPDX-License-Identifier: MIT
// What joints transmit in a robot with loops: the forces in the cuts act on the links beside the
// wrenches of the environment.
#include <string.h>

#include "loop/loop_workspace.h"
#include "math/rotation.h"
#include "model/rolling.h"

lwStatus lw_loops_open_cuts(lwLoops* loops, const lwWorkspaceDef* def, lwDiag* diag)
{
  lwWorkspaceDef with = *def;
  with.questions      = LW_ASKS(LW_QUESTION_REACTIONS);
  lwStatus status     = lw_workspace_create(loops->model, &with, diag, &loops->reactions);
  return status == LW_OK ? lw_loops_set_wrench_places(loops, 0, NULL, diag) : status;
}

// Both ends of every loop, in base axes. Ends on the base are put on the last link and get zeros.
static void place_cuts(const lwModel* model, lwWrenchPlace* places)
{
  for (int k = 0; k < model->loops->count; ++k)
  {
    const lwLoopDef* loop  = &model->robot.loops[k];
    const lwFrame* ends[2] = {&loop->first, &loop->second};
    for (int side = 0; side < 2; ++side, ++places)
    {
      bool link = loop->type != LW_LOOP_GEAR && ends[side]->joint != LW_BASE;
      *places   = (lwWrenchPlace){.joint = link ? ends[side]->joint : model->robot.count - 1,
                                  .axes  = LW_AXES_BASE};
      if (link) memcpy(places->xyz, ends[side]->xyz, sizeof places->xyz);
    }
  }
}

lwStatus lw_loops_set_wrench_places(lwLoops* loops, int count, const lwWrenchPlace* places,
                                    lwDiag* diag)
{
  const lwModel* model = loops->model;
  int own = count > 0 ? count : 1, all = own + 2 * loops->set->count;
  lwStatus status = lw_workspace_set_wrench_places(loops->ws, model, count, places, diag);
  if (status != LW_OK || !loops->reactions) return status;
  lwWrenchPlace* both = lw_arena_take(&loops->arena, (size_t)all, sizeof *both);
  double* wrenches    = lw_arena_take(&loops->arena, 6 * (size_t)all, sizeof *wrenches);
  if (!both || !wrenches) return LW_ERROR_MEMORY;
  both[0] = (lwWrenchPlace){.joint = model->robot.count - 1};  // the last link
  if (count > 0) memcpy(both, places, (size_t)count * sizeof *both);
  place_cuts(model, both + own);
  loops->places   = own;
  loops->wrenches = wrenches;
  return lw_workspace_set_wrench_places(loops->reactions, model, all, both, diag);
}

// A vector of the canonical base frame in base axes.
static void add_in_base(const lwModel* model, double factor, const double v[3], double* out)
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i] += factor * model->ends64.base_rotation[3 * i + j] * v[j];
}

// Force and moment of a loop at the origin of its frame B, canonical base frame.
static void loop_wrench(const lwLoops* loops, const lwLoopPair* pair, const lwTransform* A,
                        const double* forces, double f[2][3])
{
  memset(f, 0, 6 * sizeof(double));
  if (lw_loop_rolls(pair->type))
  {
    lwRollingPlace touches = lw_rolling_place(pair, A);
    for (int r = 0; r < pair->rows; ++r)
      for (int i = 0; i < 3; ++i) f[0][i] += forces[pair->first_row + r] * touches.g[r][i];
    return lw_cross(touches.arm, f[0], f[1]);
  }
  for (int r = pair->first_row; r < pair->first_row + pair->rows; ++r)
  {
    const lwLoopRow* row = &loops->set->row[r];
    for (int i = 0; i < 3; ++i) f[row->turns][i] += forces[r] * lw_dot(A->R[i], row->direction);
  }
}

// The wrenches of a loop on its two links, (2, 6), each at the origin of its own frame: what acts on
// B, and its opposite on A about another point.
static void cut_wrenches(const lwLoops* loops, int k, const double* forces, double* wrenches)
{
  const lwLoopPair* pair   = &loops->set->pairs[k];
  const lwTransform* frame = loops->closer.motion.frames + 2 * (size_t)k;
  double f[2][3], arm[3], about[3];
  memset(wrenches, 0, 12 * sizeof *wrenches);
  if (pair->type == LW_LOOP_GEAR) return;
  loop_wrench(loops, pair, &frame[0], forces, f);
  for (int i = 0; i < 3; ++i) arm[i] = frame[1].p[i] - frame[0].p[i];
  lw_cross(arm, f[0], about);
  for (int part = 0; part < 2; ++part)
  {
    if (loops->model->robot.loops[k].first.joint != LW_BASE)
      add_in_base(loops->model, -1, f[part], wrenches + 3 * part);
    if (loops->model->robot.loops[k].second.joint != LW_BASE)
      add_in_base(loops->model, 1, f[part], wrenches + 6 + 3 * part);
  }
  if (loops->model->robot.loops[k].first.joint != LW_BASE)
    add_in_base(loops->model, -1, about, wrenches + 3);
}

lwStatus lw_loops_reactions(lwLoops* loops, const lwStates* state, double* out)
{
  size_t own      = 6 * (size_t)loops->places;
  double* tau     = loops->full;
  lwStates pushed = *state;
  lwStatus status = lw_loops_inverse(loops, state, tau, loops->force);
  if (status != LW_OK) return status;
  memset(loops->wrenches, 0, own * sizeof *loops->wrenches);
  if (state->wrench) memcpy(loops->wrenches, state->wrench, own * sizeof *loops->wrenches);
  for (int k = 0; k < loops->set->count; ++k)
    cut_wrenches(loops, k, loops->force, loops->wrenches + own + 12 * (size_t)k);
  pushed.wrench = loops->wrenches;
  lw_answer(loops->model, loops->reactions, LW_QUESTION_REACTIONS, &pushed, out);
  return LW_OK;
}
