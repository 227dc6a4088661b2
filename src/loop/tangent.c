// SPDX-License-Identifier: MIT
// Moving along the positions that close the loops: what a search for a position needs.
#include <math.h>
#include <string.h>

#include "loop/loop_workspace.h"

void lw_loops_tangent(lwLoops* loops, const double* q, const bool* held)
{
  lw_loops_at(loops, q);
  lw_loops_hold_columns(loops, held);
  lw_loops_gram(loops, loops->set->shut);
}

void lw_loops_keep_tangent(lwLoops* loops, double* x)
{
  size_t dof = (size_t)loops->dof;
  for (int pass = 0; pass < 2; ++pass)  // twice for rounding
  {
    for (int r = 0; r < loops->set->shut; ++r)
    {
      loops->force[r] = 0;
      for (size_t i = 0; i < dof; ++i) loops->force[r] += loops->J[(size_t)r * dof + i] * x[i];
    }
    lw_psd_solve(&loops->cut, loops->force);
    for (int r = 0; r < loops->set->shut; ++r)
      for (size_t i = 0; i < dof; ++i) x[i] -= loops->J[(size_t)r * dof + i] * loops->force[r];
  }
}

void lw_loops_bend(lwLoops* loops, const double* q, const double* v, double* bend)
{
  size_t dof = (size_t)loops->dof;
  lw_loops_tangent(loops, q, NULL);
  lw_loop_bias(loops->model, &loops->closer.motion, v, loops->bias);
  lw_psd_solve(&loops->cut, loops->bias);
  memset(bend, 0, dof * sizeof *bend);
  for (int r = 0; r < loops->set->shut; ++r)
    for (size_t i = 0; i < dof; ++i) bend[i] -= loops->J[(size_t)r * dof + i] * loops->bias[r];
}

bool lw_loops_close_near(lwLoops* loops, const bool* held, double* q)
{
  loops->closer.held = held;
  return lw_loop_solve(&loops->closer, q);
}
