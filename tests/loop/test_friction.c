// SPDX-License-Identifier: MIT
// Coulomb friction and end stops of joints in closed loops, over time: what sticks, what slips, and
// the energy that is left.
#include <stdio.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "support/testing.h"

enum
{
  MOST = 64
};

// A shipped robot whose joints all have Coulomb friction.
static lwModel* with_friction(const char* name, double coulomb, double viscous)
{
  char path[300];
  lwModel *plain = NULL, *model = NULL;
  lwJointDef joints[MOST];
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &plain), LW_OK);
  lwRobotDef robot = *lw_model_robot(plain);
  assert_in_range(robot.count, 1, MOST);
  for (int i = 0; i < robot.count; ++i)
  {
    joints[i]                  = robot.joints[i];
    joints[i].friction.coulomb = lw_joint_size(joints[i].type).dof == 1 ? coulomb : 0;
    joints[i].friction.viscous = lw_joint_size(joints[i].type).dof == 1 ? viscous : 0;
  }
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lw_model_destroy(plain);
  return model;
}

static lwArmDef definition(const lwModel* model)
{
  lwArmDef def            = lw_arm_def();
  def.model               = model;
  def.friction            = LW_FRICTION_MODEL_FULL;
  def.integrator.method   = "dop853";
  def.integrator.relative = def.integrator.absolute = 1e-10;
  return def;
}

static void push_crank(void* context, double t, const double* q, const double* qd, double* tau)
{
  (void)t, (void)q, (void)qd;
  tau[0] = *(const double*)context;
}

// Whether the four-bar moves from rest at A = 1 when the crank is driven.
static bool moves_at(const lwModel* model, double torque)
{
  double q[3] = {1, -0.2958428214707585, 1.3915598027018874};
  lwArmRun* run;
  lwArmDef def = definition(model);
  def.q        = q;
  def.torques  = push_crank;
  def.context  = &torque;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  lwArmSample sample = lw_arm_run_sample(run);
  bool moves         = sample.qdd[0] != 0;
  for (int i = 0; i < 3; ++i) assert_int_equal(sample.qdd[i] != 0, moves);
  lw_arm_run_destroy(run);
  return moves;
}

// One freedom: it sticks as long as |N^T (tau - g)| <= sum of coulomb |N|, however friction is
// shared between the three joints.
static void three_joints_stick_together(void** state)
{
  const double coulomb = 0.7;
  lwModel* model       = with_friction("four_bar", coulomb, 0);
  lwLoops* loops;
  double q[3] = {1, -0.2958428214707585, 1.3915598027018874}, qd[3] = {1, 0, 0}, gravity, hold = 0;
  (void)state;
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  assert_int_equal(lw_loops_close(loops, q, NULL), LW_OK);
  assert_int_equal(lw_loops_velocity(loops, q, qd), LW_OK);
  assert_int_equal(lw_loops_answer(loops, LW_QUESTION_GRAVITY, &(lwStates){.q = q}, &gravity, NULL),
                   LW_OK);
  for (int i = 0; i < 3; ++i) hold += coulomb * fabs(qd[i]);
  for (int sign = -1; sign <= 1; sign += 2)
  {
    assert_false(moves_at(model, gravity + 0.999999 * sign * hold));
    assert_true(moves_at(model, gravity + 1.000001 * sign * hold));
  }
  assert_false(moves_at(model, gravity));
  lw_loops_destroy(loops);
  lw_model_destroy(model);
}

// Falls, slips and comes to rest; joints turn back while others move on. While it moves, friction is -coulomb sign(qd) in every joint.
static void run_down(const char* name, double coulomb, double speed, double seconds, bool rests)
{
  lwModel* model = with_friction(name, coulomb, coulomb / 2);
  lwArmDef def   = definition(model);
  lwArmRun* run;
  lwLoops* loops;
  double q[MOST], qd[MOST] = {0};
  int n = lw_model_dof(model);
  lw_model_start(model, q);
  for (int i = 0; i < n; ++i) qd[i] = lw_model_is_driven(model, i) ? speed : 0;
  def.q  = q;
  def.qd = qd;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  double last = 0;
  for (int k = 1; k <= 40; ++k)
  {
    assert_int_equal(lw_arm_run_advance(run, seconds * k / 40, NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    assert_int_equal(lw_loops_check(loops, sample.q, sample.qd, sample.qdd, NULL), LW_OK);
    last = 0;
    for (int i = 0; i < n; ++i)
    {
      last                  = fmax(last, fabs(sample.qd[i]));
      const lwFriction* own = &lw_model_joint_def(model, i)->friction;
      double dry            = sample.friction[i] + own->viscous * sample.qd[i];
      if (fabs(sample.qd[i]) > 1e-6)
        assert_near(dry, sample.qd[i] > 0 ? -own->coulomb : own->coulomb, 1e-9);
      assert_at_most(fabs(dry), own->coulomb * (1 + 1e-6) + 1e-9);
    }
  }
  if (rests) assert_same(last, 0);
  lwAudit audit = lw_arm_run_audit(run);
  print_message("%s: S %.2g of %.2g J, %ld events, friction %.3g J\n", name, audit.worst_S,
                audit.peak_kinetic, (long)audit.events, audit.friction_work);
  assert_true(audit.trusted);
  assert_less(audit.friction_work, 0);
  assert_at_most(audit.worst_S, 1e-7 * audit.peak_kinetic);
  lw_loops_destroy(loops);
  lw_arm_run_destroy(run);
  lw_model_destroy(model);
}

static void mechanisms_run_down(void** state)
{
  (void)state;
  run_down("four_bar", 0.1, 9, 8, true);
  run_down("palletizer", 30, 0.5, 0.6, false);
  run_down("delta", 0.05, 1, 0.2, false);
}

// An end stop of the crank: the mechanism hits it and stays there.
static void stops_hold_loops(void** state)
{
  (void)state;
  lwModel *plain = with_friction("four_bar", 0, 0.4), *model = NULL;
  lwRobotDef robot = *lw_model_robot(plain);
  lwJointDef joints[MOST];
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  joints[0].limits.lower = 0.9;
  joints[0].limits.upper = 3;
  robot.joints           = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lwArmDef def = definition(model);
  lwArmRun* run;
  double q[3] = {1, -0.2958428214707585, 1.3915598027018874};
  def.q       = q;
  def.limits  = LW_LIMIT_MODE_HOLD;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  for (int k = 1; k <= 20; ++k)
  {
    assert_int_equal(lw_arm_run_advance(run, 0.3 * k, NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    assert_at_least(sample.q[0], 0.9 - 1e-9);
    assert_at_most(sample.q[0], 3 + 1e-9);
  }
  lwArmSample sample = lw_arm_run_sample(run);
  for (int i = 0; i < 3; ++i) assert_near(sample.qd[i], 0, 1e-6);
  lwAudit audit = lw_arm_run_audit(run);
  print_message("stop: S %.2g of %.2g J, stop work %.3g J\n", audit.worst_S, audit.peak_kinetic,
                audit.stop_work);
  assert_true(audit.trusted);
  assert_less(audit.stop_work, 0);
  assert_at_most(audit.worst_S, 1e-7 * audit.peak_kinetic);
  lw_arm_run_destroy(run);
  lw_model_destroy(model);
  lw_model_destroy(plain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_joints_stick_together),
      cmocka_unit_test(mechanisms_run_down),
      cmocka_unit_test(stops_hold_loops),
  };
  return cmocka_run_group_tests_name("loop/friction", tests, NULL, NULL);
}
