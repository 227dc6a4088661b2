// SPDX-License-Identifier: MIT
// Robots with closed loops over time.
//
// Rates are those at the projection y' of the state y: the nearest position at which the loops are
// closed, and the nearest velocity that keeps them closed. y' is also what is recorded, so loops
// never open by more than rounding. y itself drifts off the closed positions by the integrator's
// error; a part of its rates pulls it back. That part is zero on closed positions: it changes
// neither motion nor energy, and the balance S holds as for other arms.
#include <string.h>

#include "arm/arm_internal.h"
#include "loop/loop_workspace.h"

static const double PULL = 5;  // 1/s, slow for an integrator and fast for a drift

void lw_arm_project(const lwArmRun* run, double* y)
{
  if (run->loops) lw_loops_project_free(run->loops, run->still, y, y + run->nq);
}

const double* lw_arm_closed(lwArmRun* run, const double* y)
{
  if (!run->loops) return y;
  memcpy(run->closed, y, (size_t)run->size * sizeof *y);
  lw_arm_project(run, run->closed);
  return run->closed;
}

void lw_arm_pull(const lwArmRun* run, const double* y, double* rates)
{
  for (int i = 0; run->loops && i < run->nq + run->n; ++i)
    rates[i] -= PULL * (y[i] - run->closed[i]);
}

void lw_arm_loops_control(lwArmRun* run, const double* q, const double* qd, double* qdd)
{
  lw_loops_acceleration(run->loops, q, qd, qdd);
  lw_loops_inverse(run->loops, &(lwStates){.q = q, .qd = qd, .qdd = qdd}, run->control, NULL);
}

int lw_arm_first_freedom(const lwArmRun* run, int i)
{
  int joint = lw_model_position(run->model, i).joint, k = 0;
  while (k < run->n - 1 && lw_model_joint(run->model, k) != joint) ++k;
  return k;
}

// Puts those of `from` (nq) where joints of q (nq) are not driven.
static void take_passive(const lwArmRun* run, const double* from, double* q)
{
  for (int i = 0; i < run->nq; ++i)
    if (!lw_model_is_driven(run->model, lw_arm_first_freedom(run, i))) q[i] = from[i];
}

void lw_arm_close_reference(lwArmRun* run, const double* y)
{
  if (!run->loops) return;
  take_passive(run, y, run->want_q);
  lw_loops_close(run->loops, run->want_q, NULL);
  lw_loops_velocity(run->loops, run->want_q, run->want_qd);
  for (int k = 0; k < run->n; ++k)
    if (!lw_model_is_driven(run->model, k)) run->kp[k] = run->kd[k] = 0;
}

// --- the beginning

lwStatus lw_arm_loops_create(lwArmRun* run, lwDiag* diag)
{
  if (lw_model_loop_count(run->model) == 0) return LW_OK;
  lwWorkspaceDef ws = run->def.ws;
  ws.rotors         = run->def.rotors;
  ws.forward        = "auto";
  run->closed       = lw_arena_take(&run->arena, (size_t)run->size, sizeof *run->closed);
  lwStatus status   = lw_loops_create(run->model, &ws, diag, &run->loops);
  if (status != LW_OK) return status;
  if (!run->closed) return LW_ERROR_MEMORY;
  double gap[2], *q = lw_arm_q(run), *qd = lw_arm_qd(run);
  bool closed = lw_loops_check(run->loops, q, NULL, NULL, NULL) == LW_OK;
  if (!closed)  // driven joints stay, the others are near the file's configuration
  {
    lw_model_start(run->model, run->closed);
    take_passive(run, run->closed, q);
    closed = lw_loops_close(run->loops, q, gap) == LW_OK;
  }
  if (!closed)
    return lw_refuse(diag, LW_ERROR_OPEN, NULL,
                     "the loops cannot be closed at the start: a gap of %.3g m and %.3g rad",
                     gap[0], gap[1]);
  if (lw_loops_check(run->loops, q, qd, NULL, NULL) != LW_OK) lw_loops_velocity(run->loops, q, qd);
  lw_loops_project(run->loops, q, qd);
  memcpy(run->start_q, q, (size_t)run->nq * sizeof *q);
  return LW_OK;
}
