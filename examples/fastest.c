// SPDX-License-Identifier: MIT
// The fastest motion of the PUMA along a path through three positions: within the voltage and
// current of its motors, the speed of its joints and 80 % of all that its drives can give.
#include <stdio.h>

#include "linkwork/linkwork.h"

#define N 6  // joints

int main(int argc, char** argv)
{
  const double q[3 * N] = {0, 0, 0, 0, 0, 0, 0.8, -0.6, 0.5, 0, 0.4, 0, 1.5, -0.2, 0.9, 0, 0, 0};
  const double s[3]     = {0, 1, 2};
  double at[N], tau[N];
  lwModel* arm             = NULL;
  lwTrajectory* path       = NULL;
  lwRetime* retime         = NULL;
  lwWaypointsDef waypoints = lw_waypoints_def();
  lwRetimeDef def          = lw_retime_def();
  lwRetimeEnds rest        = {0};
  lwRetimeResult result;
  waypoints.count = 3, waypoints.q = q, waypoints.t = s;
  def.reserve = 0.2;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/puma560.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_trajectory_create_cubic(arm, &waypoints, NULL, &path) != LW_OK ||
      lw_retime_create(arm, &def, NULL, &retime) != LW_OK ||
      lw_retime(retime, path, &rest, &result) != LW_OK)
    return 3;
  printf("%.4f s; no motion on this grid is faster than %.4f s\n", result.time, result.bound);
  for (int k = 0; k <= 10; ++k)
  {
    lwRetimePoint point = {.q = at, .tau = tau};
    lw_retime_at(retime, result.time * k / 10, &point);
    printf("%6.3f s  waist %7.4f rad %8.3f N m  held back by %s", result.time * k / 10, at[0],
           tau[0], lw_limit_word(point.limit.kind));
    printf(point.limit.index < 0 ? "\n" : " of joint %d\n", point.limit.index + 1);
  }
  lw_retime_destroy(retime);
  lw_trajectory_destroy(path);
  lw_model_destroy(arm);
  return result.excess < 1e-6 ? 0 : 1;
}
