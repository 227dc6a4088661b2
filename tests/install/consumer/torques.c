// SPDX-License-Identifier: MIT
// A program outside linkwork: torques of a planar two-link arm by the core library and by the
// closed form
//   tau1 = M11 qdd1 + M12 qdd2 - h sin q2 (2 qd1 qd2 + qd2^2)
//          + g ((m1 c1 + m2 l) cos q1 + m2 c2 cos(q1 + q2))
//   tau2 = M12 qdd1 + M22 qdd2 + h sin q2 qd1^2 + g m2 c2 cos(q1 + q2),   h = m2 l c2.
#include <math.h>
#include <stdio.h>

#include <linkwork/core.h>

static const double l = 0.8, m1 = 2.0, m2 = 1.5, c1 = 0.3, c2 = 0.4, I1 = 0.12, I2 = 0.05, g = 9.81;

// A joint about z and its link: mass m, centre of mass at c along x,
// inertia I about any axis through it.
static lwJointDef joint(const char* name, double m, double c, double I)
{
  lwJointDef joint = lw_joint_def();
  joint.name       = name;
  joint.link.mass  = m;

  joint.link.com[0] = c;
  for (int k = 0; k < 3; ++k) joint.link.inertia[k] = I;
  return joint;
}

static lwModel* two_link_arm(void)
{
  lwJointDef joints[2] = {joint("shoulder", m1, c1, I1), joint("elbow", m2, c2, I2)};
  joints[1].parent     = 0;
  joints[1].a          = l;

  lwRobotDef robot = lw_robot_def();
  robot.name       = "two-link arm";
  robot.count      = 2;
  robot.joints     = joints;
  robot.gravity[1] = -g;
  robot.gravity[2] = 0;

  lwModel* model = NULL;
  return lw_model_create(&robot, NULL, NULL, &model) == LW_OK ? model : NULL;
}

static void closed_form(const double q[2], const double qd[2], const double qdd[2], double tau[2])
{
  double h   = m2 * l * c2;
  double M22 = I2 + m2 * c2 * c2;
  double M12 = M22 + h * cos(q[1]);
  double M11 = I1 + m1 * c1 * c1 + m2 * l * l + M22 + 2 * h * cos(q[1]);
  double g2  = g * m2 * c2 * cos(q[0] + q[1]);

  tau[0] = M11 * qdd[0] + M12 * qdd[1] - h * sin(q[1]) * (2 * qd[0] * qd[1] + qd[1] * qd[1]) +
           g * (m1 * c1 + m2 * l) * cos(q[0]) + g2;
  tau[1] = M12 * qdd[0] + M22 * qdd[1] + h * sin(q[1]) * qd[0] * qd[0] + g2;
}

int main(void)
{
  const double q[2] = {0.3, -1.1}, qd[2] = {0.7, -0.4}, qdd[2] = {-1.2, 2.5};

  lwModel* model  = two_link_arm();
  lwWorkspace* ws = NULL;
  if (!model || lw_workspace_create(model, NULL, NULL, &ws) != LW_OK)
  {
    fprintf(stderr, "torques: no model\n");
    return 1;
  }
  double tau[2], expected[2];
  lw_inverse_dynamics(model, ws, q, qd, qdd, tau);
  closed_form(q, qd, qdd, expected);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);

  printf("linkwork %s: tau = %.15g, %.15g N m\n", lw_version(), tau[0], tau[1]);
  for (int i = 0; i < 2; ++i)
    if (!(fabs(tau[i] - expected[i]) <= 1e-13 * fmax(1, fabs(expected[i]))))  // some 40 roundings
    {
      fprintf(stderr, "torques: tau%d is %.17g, the closed form gives %.17g\n", i + 1, tau[i],
              expected[i]);
      return 1;
    }
  return 0;
}
