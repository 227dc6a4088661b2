// SPDX-License-Identifier: MIT
// Simulates a pendulum with dry friction, without any file.
//
//   (m l^2 + I) qdd = -m g l sin(q) - coulomb sign(qd)
//
// The swings get smaller, until friction holds it: not hanging straight down, but anywhere within
// |sin(q)| <= coulomb / (m g l).
#include <stdio.h>

#include "linkwork/scenario.h"

static lwModel* make_pendulum(void)
{
  lwModel* model;
  lwJointDef joint       = lw_joint_def();
  lwRobotDef robot       = lw_robot_def();
  joint.name             = "pivot";
  joint.link.mass        = 1;     // kg
  joint.link.com[0]      = 0.5;   // m
  joint.link.inertia[2]  = 0.02;  // kg m^2
  joint.friction.coulomb = 0.4;   // N m
  robot.name             = "pendulum";
  robot.gravity[0]       = 9.81;  // along x: it hangs straight down at q = 0
  robot.gravity[2]       = 0;
  robot.count            = 1;
  robot.joints           = &joint;
  return lw_model_create(&robot, NULL, NULL, &model) == LW_OK ? model : NULL;
}

int main(void)
{
  lwArmRun* run  = NULL;
  lwModel* model = make_pendulum();
  double q0      = 1.5;  // rad
  lwArmDef def   = lw_arm_def();
  def.model      = model;
  def.q          = &q0;

  def.integrator.method   = "dop853";
  def.integrator.relative = 1e-10;
  if (!model || lw_arm_run_create(&def, NULL, &run) != LW_OK) return 1;

  printf("     t          q         qd     energy          S\n");
  for (int i = 0; i <= 16; ++i)
  {
    if (lw_arm_run_advance(run, 0.5 * i, NULL) != LW_OUTCOME_ARRIVED) return 1;
    lwArmSample at = lw_arm_run_sample(run);
    printf("%6.2f %10.6f %10.6f %10.6f %10.1e\n", at.t, at.q[0], at.qd[0],
           at.kinetic + at.potential, at.S);
  }
  lwTally rest  = lw_arm_run_tally(run, LW_NOTE_STICK, 0);
  lwAudit audit = lw_arm_run_audit(run);
  printf("at rest from t = %.6f s on; friction took %.6f J; %ld steps\n", rest.first,
         -audit.friction_work, audit.steps.steps);
  lw_arm_run_destroy(run);
  lw_model_destroy(model);
  return 0;
}
