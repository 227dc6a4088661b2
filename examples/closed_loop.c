// SPDX-License-Identifier: MIT
// A four-bar: its loop is closed for a given crank, and forward dynamics gives the accelerations
// and the forces in the pin that closes it.
//
//   M(q) qdd + C(q, qd) qd + g(q) = tau + J(q)^T f,   J(q) qd = 0
#include <stdio.h>

#include "linkwork/linkwork.h"

#define N 3  // joints: crank, coupler, rocker

int main(int argc, char** argv)
{
  double q[N], qd[N] = {2, 0, 0}, qdd[N], tau[N] = {0.5, 0, 0}, f[6], gap[2];
  lwModel* bar   = NULL;
  lwLoops* loops = NULL;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/four_bar.yaml", NULL, NULL, &bar) != LW_OK ||
      lw_model_dof(bar) != N || lw_model_loop_rows(bar) > 6 ||
      lw_loops_create(bar, NULL, NULL, &loops) != LW_OK)
    return 3;
  printf("%d joints, %d loop, mobility %d\n", N, lw_model_loop_count(bar), lw_model_mobility(bar));
  lw_model_start(bar, q);
  q[0] = 1;  // rad, the crank; the others follow
  if (lw_loops_close(loops, q, gap) != LW_OK || lw_loops_velocity(loops, q, qd) != LW_OK) return 1;
  lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, f);
  for (int i = 0; i < N; ++i)
    printf("%-8s %9.6f rad %9.6f rad/s %9.4f rad/s^2\n",
           lw_model_joint_name(bar, lw_model_joint(bar, i)), q[i], qd[i], qdd[i]);
  for (int r = 0; r < lw_model_loop_rows(bar); ++r)
    printf("pin, %-8s %10.4f %s\n", lw_model_loop_row(bar, r).name, f[r],
           lw_model_loop_row(bar, r).turns ? "N m" : "N");
  lwStatus closed = lw_loops_check(loops, q, qd, qdd, NULL);
  printf("gap %.1e m; %s\n", gap[0], lw_status_text(closed));
  lw_loops_destroy(loops);
  lw_model_destroy(bar);
  return closed == LW_OK ? 0 : 1;
}
