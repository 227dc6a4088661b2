// SPDX-License-Identifier: MIT
// Motions: what all kinds share.
#include "trajectory/trajectory.h"

#include <stdlib.h>

lwMotion* lw_motion_new(int dof)
{
  lwMotion* motion = calloc(1, sizeof *motion);
  if (!motion) return NULL;
  motion->dof  = dof;
  motion->ends = lw_arena_take(&motion->arena, 2 * (size_t)dof + 1, sizeof(double));
  if (motion->ends) return motion;
  lw_motion_destroy(motion);
  return NULL;
}

void lw_motion_destroy(lwMotion* motion)
{
  if (!motion) return;
  lw_arena_free(&motion->arena);
  free(motion);
}

double lw_motion_duration(const lwMotion* motion)
{
  return motion->duration;
}

// Standing at the beginning or at the end.
static void stand(const lwMotion* motion, const double* where, double* q, double* qd, double* qdd)
{
  for (int i = 0; i < motion->dof; ++i)
  {
    if (q) q[i] = where[i];
    if (qd) qd[i] = 0;
    if (qdd) qdd[i] = 0;
  }
}

static void move(const lwMotion* motion, double t, double* q, double* qd, double* qdd)
{
  for (int i = 0; i < motion->dof; ++i)
  {
    double value[3];
    lw_pieces_at(&motion->joints[i], t, value);
    if (q) q[i] = value[0];
    if (qd) qd[i] = value[1];
    if (qdd) qdd[i] = value[2];
  }
}

void lw_motion_at(const lwMotion* motion, double t, double* q, double* qd, double* qdd)
{
  const double* start = motion->ends;
  const double* goal  = motion->ends + motion->dof;
  if (!(t >= 0)) return stand(motion, start, q, qd, qdd);
  if (t > motion->duration) return stand(motion, goal, q, qd, qdd);
  if (motion->line)
    lw_line_at(motion->line, t, q, qd, qdd);
  else
    move(motion, t, q, qd, qdd);
  const double* exact = t == 0 ? start : t == motion->duration ? goal : NULL;
  for (int i = 0; q && exact && i < motion->dof; ++i) q[i] = exact[i];
}
