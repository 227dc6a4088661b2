// SPDX-License-Identifier: MIT
// A floating arm without gravity and without torques on its base: momentum and energy are
// conserved, and quaternions keep length 1.
#include <string.h>

#include "linkwork/arm.h"
#include "support/robots.h"
#include "support/testing.h"

enum
{
  NQ  = 10,
  DOF = 9
};

static lwJointDef* add_link(Robot* robot, lwJointType type, int parent, double length)
{
  lwJointDef* joint = robot_add(robot, type, parent);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  joint->link.mass  = 5;
  memcpy(joint->link.inertia, (const double[]){0.05, 0.2, 0.22, 0.01, -0.02, 0.005},
         sizeof joint->link.inertia);
  joint->link.com[0] = length / 2;
  joint->xyz[0]      = parent == LW_BASE ? 0 : length;
  return joint;
}

// A satellite of 60 kg with an arm of three joints.
static Robot* satellite(void)
{
  Robot* robot     = robot_start();
  lwJointDef* base = add_link(robot, LW_JOINT_FLOATING, LW_BASE, 0.1);
  base->link.mass  = 60;
  memcpy(base->link.inertia, (const double[]){8, 6, 9, 0.3, 0.1, -0.2}, sizeof base->link.inertia);
  memcpy(add_link(robot, LW_JOINT_REVOLUTE, 0, 0.5)->axis, (const double[]){0, 0, 1},
         3 * sizeof(double));
  memcpy(add_link(robot, LW_JOINT_REVOLUTE, 1, 0.4)->axis, (const double[]){0, 1, 0},
         3 * sizeof(double));
  memcpy(add_link(robot, LW_JOINT_REVOLUTE, 2, 0.4)->axis, (const double[]){0, 1, 0},
         3 * sizeof(double));
  memset(robot->def.gravity, 0, sizeof robot->def.gravity);
  robot_build(robot);
  return robot;
}

// Linear momentum, and angular momentum about the origin of the base frame, in base axes. The first
// rows of M qd are both, but about the origin and in the axes of the floating link.
static void momentum_of(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                        double momentum[6])
{
  double M[DOF * DOF], p[6] = {0}, pose[12];
  lw_inertia_matrix(model, ws, q, M);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < DOF; ++k) p[i] += M[i * DOF + k] * qd[k];
  lw_pose(model, ws, q, pose, pose + 3);
  const double* R = pose + 3;
  for (int i = 0; i < 6; ++i)
  {
    const double *row = R + 3 * (i % 3), *part = p + i / 3 * 3;
    momentum[i] = row[0] * part[0] + row[1] * part[1] + row[2] * part[2];
  }
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    momentum[3 + i] += q[j] * momentum[k] - q[k] * momentum[j];
  }
}

static double length_of(const double* values, int count)
{
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * values[i];
  return sqrt(sum);
}

// Largest relative errors of energy and momentum over a run.
static double worst_drift(const char* method, double rtol, double duration, double* shortest)
{
  Robot* robot   = satellite();
  double q[NQ]   = {0.3, -0.2, 0.1, 0.5, -0.5, 0.5, 0.5, 0.4, -0.6, 0.9};
  double qd[DOF] = {0.05, -0.02, 0.03, 0.08, -0.1, 0.06, 0.2, -0.3, 0.25}, first[6], worst = 0;
  lwArmDef def            = lw_arm_def();
  def.model               = robot->model;
  def.q                   = q;
  def.qd                  = qd;
  def.integrator.method   = method;
  def.integrator.relative = rtol;
  def.integrator.absolute = rtol;
  lwArmRun* run;
  lwWorkspace* ws;
  lwFrame frame = {.joint = 0};
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
  assert_int_equal(lw_workspace_set_frame(ws, robot->model, &frame, NULL), LW_OK);
  momentum_of(robot->model, ws, q, qd, first);
  double energy = lw_arm_run_sample(run).kinetic;
  *shortest     = 1;
  for (int k = 1; k <= 100; ++k)
  {
    assert_int_equal(lw_arm_run_advance(run, duration * k / 100, NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    double momentum[6], error[6];
    momentum_of(robot->model, ws, sample.q, sample.qd, momentum);
    for (int i = 0; i < 6; ++i) error[i] = momentum[i] - first[i];
    worst     = fmax(worst, length_of(error, 3) / length_of(first, 3));
    worst     = fmax(worst, length_of(error + 3, 3) / length_of(first + 3, 3));
    worst     = fmax(worst, fabs(sample.kinetic - energy) / energy);
    *shortest = fmin(*shortest, length_of(sample.q + 3, 4));
    assert_near(length_of(sample.q + 3, 4), 1, 4e-16);
  }
  lw_workspace_destroy(ws);
  lw_arm_run_destroy(run);
  robot_free(robot);
  return worst;
}

// 1e-12 over 1,000 s; rounding in some 1e5 steps takes about a third of it.
static void momentum_and_energy_are_kept(void** unused)
{
  (void)unused;
  double shortest, seconds = 1000;
  double drift = worst_drift("dop853", 3e-15, seconds, &shortest);
  print_message("%g s: momentum and energy conserved to %.2g\n", seconds, drift);
  assert_at_most(drift, 1e-12);
}

// Every integrator handles quaternions, each within its tolerance.
static void every_integrator_turns(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"rk4", "dormand-prince", "dop853", "bdf"};
  for (int i = 0; i < 4; ++i)
  {
    double shortest, drift = worst_drift(methods[i], 1e-9, 5, &shortest);
    assert_at_most(drift, 1e-5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_and_energy_are_kept),
      cmocka_unit_test(every_integrator_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
