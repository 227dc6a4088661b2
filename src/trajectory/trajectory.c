// SPDX-License-Identifier: MIT
// Trajectories: what all kinds share.
#include "trajectory/trajectory_internal.h"

#include <stdlib.h>

lwTrajectory* lw_trajectory_new(const lwModel* model, int dof)
{
  lwTrajectory* trajectory = calloc(1, sizeof *trajectory);
  if (!trajectory) return NULL;
  bool taken       = lw_turns_take(&trajectory->turns, &trajectory->arena, model, dof);
  size_t nq        = (size_t)trajectory->turns.nq;
  trajectory->dof  = dof;
  trajectory->ends = lw_arena_take(&trajectory->arena, 2 * nq + 1, sizeof(double));
  if (taken && trajectory->ends) return trajectory;
  lw_trajectory_destroy(trajectory);
  return NULL;
}

void lw_trajectory_destroy(lwTrajectory* trajectory)
{
  if (!trajectory) return;
  lw_loops_destroy(trajectory->loops);
  lw_arena_free(&trajectory->arena);
  free(trajectory);
}

double lw_trajectory_duration(const lwTrajectory* trajectory)
{
  return trajectory->duration;
}

// Standing at the beginning or at the end.
static void stand(const lwTrajectory* trajectory, const double* where, double* q, double* qd,
                  double* qdd)
{
  for (int i = 0; q && i < trajectory->turns.nq; ++i) q[i] = where[i];
  for (int i = 0; i < trajectory->dof; ++i)
  {
    if (qd) qd[i] = 0;
    if (qdd) qdd[i] = 0;
  }
}

static void trajectory_sample(const lwTrajectory* trajectory, double t, double* q, double* qd,
                              double* qdd)
{
  for (int i = 0; i < trajectory->dof; ++i)
  {
    int at = trajectory->turns.position[i];
    double value[3];
    if (at < 0) continue;
    lw_segments_at(&trajectory->joints[i], t, value);
    if (q) q[at] = value[0];
    if (qd) qd[i] = value[1];
    if (qdd) qdd[i] = value[2];
  }
  for (int k = 0; k < trajectory->turns.count; ++k)
  {
    const lwTurn* turn             = &trajectory->turns.turn[k];
    double value[LW_TURN_WIDTH][3] = {{0}};
    for (int i = turn->floats ? 0 : 3; i < LW_TURN_WIDTH; ++i)
      lw_segments_at(&trajectory->joints[turn->v - 3 + i], t, value[i]);
    lw_turn_at(turn, value, q, qd, qdd);
  }
}

void lw_trajectory_at(const lwTrajectory* trajectory, double t, double* q, double* qd, double* qdd)
{
  const double* start = trajectory->ends;
  const double* goal  = trajectory->ends + trajectory->turns.nq;
  if (!(t >= 0)) return stand(trajectory, start, q, qd, qdd);
  if (t > trajectory->duration) return stand(trajectory, goal, q, qd, qdd);
  if (trajectory->samples) return lw_samples_at(trajectory->samples, t, q, qd, qdd);
  if (trajectory->line)
    lw_line_at(trajectory->line, t, q, qd, qdd);
  else
    trajectory_sample(trajectory, t, q, qd, qdd);
  const double* exact = t == 0 ? start : t == trajectory->duration ? goal : NULL;
  for (int i = 0; q && exact && i < trajectory->turns.nq; ++i) q[i] = exact[i];
}
