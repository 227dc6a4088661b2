// SPDX-License-Identifier: MIT
// The straight line of mata2002, 5.2: the PUMA's hand goes from (0.50, 0, 0.05) m to (0.62, 0.30,
// 0.11) m at 0.1 m/s, with the orientation (Z, Y, Z) = (0, 90, 180) deg. The paper says 5 s; at
// this speed the 0.3286 m take 3.286 s.
//
//   inverse kinematics   all q of the first pose, in closed form; one within the limits is taken
//   line                 J qd = v, J qdd = a - Jdot qd
//   inverse dynamics     tau = M qdd + C qd + g
//
// The paper does not give the masses of its PUMA; those of robots/puma560.yaml are used.
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"
#include "linkwork/trajectory.h"

#define N 6  // joints

static const double PI = 3.14159265358979323846;

// The first solution within the limits; false: there is none.
static int first_positions(const lwModel* arm, lwWorkspace* ws, double q[N])
{
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget start      = lw_target_pose();
  const double rpy[3] = {0, -0.5 * PI, PI};  // Ry(90 deg) Rz(180 deg)
  lwIk* ik;
  if (lw_ik_create(arm, ws, NULL, NULL, &ik) != LW_OK) return 0;
  start.position[0] = 0.50, start.position[2] = 0.05;
  lw_rotation_rpy(rpy, start.rotation);
  int count = 0, found = 0;
  lw_ik_all(ik, &start, NULL, NULL, solutions, &count);
  for (int k = 0; k < count && !found; ++k)
    for (int i = 0; i < N && solutions[k].inside; ++i) q[i] = solutions[k].q[i], found = 1;
  printf("%d solutions\n", count);
  lw_ik_destroy(ik);
  return found;
}

int main(int argc, char** argv)
{
  lwModel* arm             = NULL;
  lwWorkspace* ws          = NULL;
  lwTrajectory* trajectory = NULL;
  lwLineDef line           = lw_line_def();
  double q[N], qd[N], qdd[N], tau[N];
  const char* path = argc > 1 ? argv[1] : "robots/puma560.yaml";
  if (lw_robot_read_file(path, NULL, NULL, &arm) != LW_OK || lw_model_dof(arm) != N) return 3;
  if (lw_workspace_create(arm, NULL, NULL, &ws) != LW_OK || !first_positions(arm, ws, q)) return 3;

  line.q           = q;
  line.speed       = 0.1;
  line.position[0] = 0.62, line.position[1] = 0.30, line.position[2] = 0.11;
  if (lw_trajectory_create_line(arm, ws, &line, NULL, &trajectory) != LW_OK) return 1;
  double duration = lw_trajectory_duration(trajectory);
  printf("%.4f s\n  t, s   torques, N m\n", duration);
  for (int k = 0; k <= 10; ++k)
  {
    lw_trajectory_at(trajectory, duration * k / 10, q, qd, qdd);
    lw_inverse_dynamics(arm, ws, q, qd, qdd, tau);
    printf("%6.3f", duration * k / 10);
    for (int i = 0; i < N; ++i) printf(" %9.4f", tau[i]);
    printf("\n");
  }
  lw_trajectory_destroy(trajectory);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
}
