// SPDX-License-Identifier: MIT
// How torques change with the mass and the length of a link: exactly, and by differences of two
// robots.
//
//   d tau / d p  against  (tau(p + h) - tau(p - h)) / (2 h)
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

static const double q[2] = {0.3, -0.5}, qd[2] = {1, 2}, qdd[2] = {0.1, 0.2};

// Torques of two rods, the second of mass m, hung at length a of the first.
static int torques(double m, double a, double tau[2], lwModel** kept)
{
  lwJointDef joints[2] = {lw_joint_def(), lw_joint_def()};
  lwRobotDef robot     = lw_robot_def();
  lwModel* arm         = NULL;
  lwWorkspace* ws      = NULL;
  robot.name = "two rods", robot.count = 2, robot.joints = joints;
  robot.gravity[1] = -9.81, robot.gravity[2] = 0;
  joints[0].name = "shoulder", joints[1].name = "elbow";
  joints[1].parent = 0, joints[1].a = a;
  for (int i = 0; i < 2; ++i)
  {
    joints[i].link.mass       = i ? m : 3;
    joints[i].link.com[0]     = 0.5;
    joints[i].link.inertia[1] = joints[i].link.inertia[2] = 0.25;
  }
  if (lw_model_create(&robot, NULL, NULL, &arm) != LW_OK ||
      lw_workspace_create(arm, NULL, NULL, &ws) != LW_OK)
    return 0;
  lw_inverse_dynamics(arm, ws, q, qd, qdd, tau);
  lw_workspace_destroy(ws);
  if (kept)
    *kept = arm;
  else
    lw_model_destroy(arm);
  return 1;
}

int main(void)
{
  const lwParameter which[2] = {{LW_PARAMETER_MASS, 1, 0}, {LW_PARAMETER_LENGTH, 1, 0}};
  const double h = 1e-6, m = 2, a = 1, along[2][2] = {{1, 0}, {0, 1}};
  double tau[2], slopes[2][2], more[2], less[2], worst = 0;
  lwModel* arm        = NULL;
  lwDifferentiator* d = NULL;
  if (!torques(m, a, tau, &arm) || lw_differentiator_create(arm, NULL, which, 2, NULL, &d) != LW_OK)
    return 3;
  lwTangent directions[2] = {{.parameters = along[0]}, {.parameters = along[1]}};
  lw_differentiate(d, LW_QUESTION_INVERSE, &(lwStates){.q = q, .qd = qd, .qdd = qdd}, directions, 2,
                   tau, slopes[0]);
  for (int p = 0; p < 2; ++p)
  {
    if (!torques(m + (p ? 0 : h), a + (p ? h : 0), more, NULL)) return 3;
    if (!torques(m - (p ? 0 : h), a - (p ? h : 0), less, NULL)) return 3;
    for (int i = 0; i < 2; ++i)
    {
      double difference = (more[i] - less[i]) / (2 * h);
      printf("d tau%d / d %-4s %12.8f, by differences %12.8f\n", i + 1,
             lw_parameter_name(arm, which[p]), slopes[p][i], difference);
      worst = fmax(worst, fabs(slopes[p][i] - difference));
    }
  }
  lw_differentiator_destroy(d);
  lw_model_destroy(arm);
  return worst < 1e-7 ? 0 : 1;
}
