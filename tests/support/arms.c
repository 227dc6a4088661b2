// SPDX-License-Identifier: MIT
#include "support/arms.h"

#include <math.h>

#include "support/testing.h"

Robot* sliding_block(double mass, double coulomb, double stop)
{
  Robot* robot            = robot_start();
  lwJointDef* joint       = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
  joint->placement        = LW_PLACEMENT_ORIGIN_AXIS;
  joint->axis[0]          = 1;
  joint->axis[2]          = 0;
  joint->link.mass        = mass;
  joint->friction.coulomb = coulomb;
  joint->limits.lower     = -stop;
  joint->limits.upper     = stop;
  for (int i = 0; i < 3; ++i) joint->link.inertia[i] = 0.1;
  robot_build(robot);
  return robot;
}

void robot_rebuild(Robot* robot)
{
  lw_model_destroy(robot->model);
  robot_build(robot);
}

lwLaw* law_of(const char* text)
{
  lwLaw* law;
  assert_int_equal(lw_law_create_joint("law", text, NULL, &law), LW_OK);
  return law;
}

lwArmDef arm_with(const lwModel* model, const char* method, double tolerance)
{
  lwArmDef def          = lw_arm_def();
  def.model             = model;
  def.integrator.method = method;
  def.integrator.step = def.integrator.relative = def.integrator.absolute = tolerance;
  return def;
}

lwArmRun* run_of(const lwArmDef* def)
{
  lwArmRun* run;
  assert_int_equal(lw_arm_run_create(def, NULL, &run), LW_OK);
  return run;
}

lwArmSample go_to(lwArmRun* run, double t)
{
  assert_int_equal(lw_arm_run_advance(run, t, NULL), LW_OUTCOME_ARRIVED);
  assert_same(lw_arm_run_time(run), t);
  return lw_arm_run_sample(run);
}

void near_to(const char* what, double got, double expected, double bound)
{
  if (!(fabs(got - expected) <= bound))
    fail_msg("%s is %.15g, expected %.15g, off by %.2g", what, got, expected, got - expected);
}
