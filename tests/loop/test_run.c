// SPDX-License-Identifier: MIT
// Simulated robots with loops: loops stay closed, energy balances, controllers follow. The
// documentation promises this for a minute; compile with -DSECONDS=60 to run it.
#include <stdio.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "support/testing.h"

#ifndef SECONDS
#define SECONDS 2
#endif

static lwModel* read_file(const char* name)
{
  char path[300];
  lwModel* model = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  return model;
}

// The largest gap in a loop, and the energy balance relative to the largest kinetic energy.
static void run_free(const char* name, const char* method, double tolerance, double seconds,
                     double balance)
{
  lwModel* model = read_file(name);
  lwArmDef def   = lw_arm_def();
  lwArmRun* run;
  lwLoops* loops;
  def.model               = model;
  def.integrator.method   = method;
  def.integrator.relative = tolerance;
  def.integrator.absolute = tolerance;
  def.integrator.step     = 1e-3;
  double q[64], qd[64];
  lw_model_start(model, q);
  for (int i = 0; i < lw_model_dof(model); ++i) qd[i] = 0.3;  // of the driven joints
  def.q  = q;
  def.qd = qd;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  double worst = 0;
  for (int k = 1; k <= 20 * seconds; ++k)
  {
    double gap[2];
    assert_int_equal(lw_arm_run_advance(run, 0.05 * k, NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    lw_loops_gap(loops, sample.q, gap);
    worst = fmax(worst, fmax(gap[0], gap[1]));
    assert_int_equal(lw_loops_check(loops, sample.q, sample.qd, sample.qdd, NULL), LW_OK);
  }
  lwAudit audit = lw_arm_run_audit(run);
  print_message("%s by %s: gap %.2g, energy %.2g\n", name, method, worst,
                audit.worst_S / audit.peak_kinetic);
  assert_at_most(worst, 1e-10);
  assert_greater(audit.peak_kinetic, 0);
  assert_at_most(audit.worst_S, balance * audit.peak_kinetic);
  lw_loops_destroy(loops);
  lw_arm_run_destroy(run);
  lw_model_destroy(model);
}

// Bounds on the energy balance: a hundred times the tolerance of the integrator, or the error of
// order 4 with steps of 1 ms.
static void loops_stay_closed(void** state)
{
  (void)state;
  run_free("four_bar", "dop853", 1e-10, SECONDS, 1e-8);
  run_free("four_bar", "rk4", 0, SECONDS, 1e-5);
  run_free("excavator", "dop853", 1e-10, 0.4, 1e-8);
  run_free("palletizer", "dormand-prince", 1e-9, 0.4, 1e-6);
}

// Ball and floating joints in loops. The robots fall freely, but not into a singular position.
static void spatial_loops_stay_closed(void** state)
{
  (void)state;
  run_free("delta", "dop853", 1e-9, 0.15, 1e-7);
  run_free("stewart", "dop853", 1e-9, 0.15, 1e-7);
}

static void follow_circle(void* context, double t, double* q, double* qd, double* qdd)
{
  (void)context;
  memset(q, 0, 3 * sizeof *q);
  memset(qd, 0, 3 * sizeof *qd);
  memset(qdd, 0, 3 * sizeof *qdd);
  q[0] = 1 + t, qd[0] = 1;
  q[1] = -0.3, q[2] = 1.4;
}

// Computed torque on the driven joint, with the simulated model: the error goes to zero.
static void controller_follows(void** state)
{
  (void)state;
  lwModel* model = read_file("four_bar");
  lwArmDef def   = lw_arm_def();
  lwArmRun* run;
  double q[3] = {1, -0.2958428214707585, 1.3915598027018874}, qd[3] = {1, 0, 0};
  double kp[3] = {400, 400, 400}, kd[3] = {40, 40, 40};
  lwJointDrive drives[3] = {{.signal = LW_SIGNAL_CONTROL}};
  def.model              = model;
  def.q                  = q;
  def.qd                 = qd;
  def.drives             = drives;
  def.controller         = (lwControllerDef){
              .kind = LW_CONTROL_COMPUTED_TORQUE, .kp = kp, .kd = kd, .reference = follow_circle};
  def.integrator.method   = "dop853";
  def.integrator.relative = def.integrator.absolute = 1e-10;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  assert_int_equal(lw_arm_run_advance(run, 1.5, NULL), LW_OUTCOME_ARRIVED);
  lwArmSample sample = lw_arm_run_sample(run);
  assert_near(sample.q[0], 2.5, 1e-8);
  assert_near(sample.qd[0], 1, 1e-7);
  assert_same(sample.tau[1], 0);
  assert_same(sample.tau[2], 0);
  lw_arm_run_destroy(run);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_stay_closed),
      cmocka_unit_test(spatial_loops_stay_closed),
      cmocka_unit_test(controller_follows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
