// SPDX-License-Identifier: MIT
// Inverse kinematics of robots with loops: every step goes along the positions that close them.
//
//   A P       rows of the Jacobian, P = 1 - J^+ J with the rows J of the loops
//   step      within the rows of A P, so that J step = 0
//   next      now + step, closed: the joints that no limit holds move by little
#include <string.h>

#include "trajectory/ik/ik.h"

static const int ROUNDS = 4;  // of closing and limits

void lw_ik_keep_rows_closed(lwIk* ik)
{
  if (!ik->loops) return;
  lw_loops_tangent(ik->loops, ik->now, ik->held);
  for (int k = 0; k < 6; ++k)
    lw_loops_keep_tangent(ik->loops, ik->A + (size_t)k * (size_t)ik->task.n);
}

// The joints at or beyond a limit, into ik->held, brought back to it; false if none was beyond.
static bool hold_at_limits(lwIk* ik, double* q)
{
  bool beyond = false;
  for (int i = 0; i < ik->task.n; ++i)
  {
    int at      = lw_model_velocity(ik->task.model, i).other;
    bool out    = at >= 0 && (q[at] < ik->lower[at] || q[at] > ik->upper[at]);
    ik->held[i] = at >= 0 && !(q[at] > ik->lower[at] && q[at] < ik->upper[at]);
    beyond      = beyond || out;
  }
  lw_ik_keep_limits(ik, q);
  return beyond;
}

bool lw_ik_close_step(lwIk* ik, double* q)
{
  bool closed = !ik->loops;
  for (int round = 0; round < ROUNDS && ik->loops; ++round)
  {
    bool beyond = hold_at_limits(ik, q);
    if (closed && !beyond) return true;
    closed = lw_loops_close_near(ik->loops, ik->held, q);
    if (!closed) return false;
  }
  return closed && (!ik->loops || !hold_at_limits(ik, q));
}

bool lw_ik_close_start(lwIk* ik, double* q)
{
  if (!ik->loops) return true;
  size_t size = (size_t)ik->nq * sizeof *q;
  memcpy(ik->next, q, size);
  if (lw_loops_close(ik->loops, ik->next, NULL) == LW_OK && !hold_at_limits(ik, ik->next))
  {
    memcpy(q, ik->next, size);
    return true;
  }
  return lw_ik_close_step(ik, q);
}

void lw_ik_passive_from_file(const lwIk* ik, double* q)
{
  const lwModel* model = ik->task.model;
  if (!ik->loops) return;
  lw_model_start(model, ik->step);
  for (int i = 0; i < ik->nq; ++i)
    for (int v = 0; v < ik->task.n; ++v)
      if (!lw_model_is_driven(model, v) &&
          lw_model_velocity(model, v).joint == lw_model_position(model, i).joint)
        q[i] = ik->step[i];
}
