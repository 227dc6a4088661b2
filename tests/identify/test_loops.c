// SPDX-License-Identifier: MIT
// Exciting motions and identification of robots with loops and of what rolls. The torques of a log
// are those that lw_loops_balance() finds, friction of all joints included; a description with other
// masses must then be led back to the truth: every base parameter, and the torques.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/identify.h"
#include "linkwork/linear.h"
#include "linkwork/linkwork.h"
#include "linkwork/loop.h"
#include "support/testing.h"

enum
{
  MOST    = 32,
  SAMPLES = 2500
};

static const double STEP = 0.004;

typedef struct Truth
{
  lwModel* model;
  lwLoops* loops;
  int n, nq;
} Truth;

// The shipped robot with viscous and Coulomb friction in every joint, and masses times `heavier`.
static lwModel* robot_with(const char* name, double heavier, double friction)
{
  char path[300];
  lwModel *file, *model;
  lwJointDef joints[MOST];
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &file), LW_OK);
  lwRobotDef robot = *lw_model_robot(file);
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  for (int i = 0; i < robot.count; ++i)
  {
    joints[i].link.mass *= i % 2 ? heavier : 1 / heavier;
    joints[i].friction = (lwFriction){.viscous = friction * (1 + 0.1 * i), .coulomb = friction};
  }
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lw_model_destroy(file);
  return model;
}

static Truth open_truth(const char* name)
{
  Truth truth = {.model = robot_with(name, 1, 0.4)};
  assert_int_equal(lw_loops_create(truth.model, NULL, NULL, &truth.loops), LW_OK);
  truth.n  = lw_model_dof(truth.model);
  truth.nq = lw_model_nq(truth.model);
  return truth;
}

static void close_truth(Truth* truth)
{
  lw_loops_destroy(truth->loops);
  lw_model_destroy(truth->model);
}

static lwExcitation* exciting_motion(const lwModel* model)
{
  lwExcitation* motion;
  lwDiag* diag    = lw_diag_create();
  lwExciteDef def = lw_excite_def();
  def.duration    = SAMPLES * STEP;
  def.harmonics   = 5;
  def.tries       = CASES(120, 30);
  lwStatus found  = lw_excite(model, &def, diag, &motion);
  if (found != LW_OK && lw_diag_size(diag) > 0)
    print_message("%s\n", lw_diag_message(diag, 0)->text);
  assert_int_equal(found, LW_OK);
  lw_diag_destroy(diag);
  return motion;
}

// The motion closes the loops and does not slip, its velocities are those of its positions, and all
// joints keep their limits.
static void check_motion(const Truth* truth, const lwExcitation* motion)
{
  lwRandom random = {5};
  double h        = 1e-5;
  for (int k = 0; k < 50; ++k)
  {
    double t = lw_random_between(&random, 2 * h, SAMPLES * STEP - 2 * h), rate[MOST];
    double q[3][MOST], qd[3][MOST], qdd[3][MOST];
    for (int s = 0; s < 3; ++s) lw_excitation_at(motion, t + (s - 1) * h, q[s], qd[s], qdd[s]);
    assert_int_equal(lw_loops_check(truth->loops, q[1], qd[1], qdd[1], NULL), LW_OK);
    lw_model_difference(truth->model, q[0], q[2], rate);
    for (int i = 0; i < truth->n; ++i)
    {
      double limit = lw_model_joint_def(truth->model, i)->limits.velocity;
      assert_near(rate[i] / (2 * h), qd[1][i], 2e-3);
      assert_near((qd[2][i] - qd[0][i]) / (2 * h), qdd[1][i], 2e-2);
      assert_true(fabs(qd[1][i]) <= (isfinite(limit) ? limit : 2));
    }
  }
}

// What drives must supply for the motion, friction of all joints included.
static void drive_torques(const Truth* truth, const double* q, const double* qd, const double* qdd,
                          double* tau)
{
  double load[MOST];
  lw_inverse_dynamics(truth->model, lw_loops_workspace(truth->loops), q, qd, qdd, load);
  for (int i = 0; i < truth->n; ++i)
    load[i] += lw_friction_torque(&lw_model_joint_def(truth->model, i)->friction, qd[i]) +
               lw_joint_rotor(lw_model_joint_def(truth->model, i)) * qdd[i];
  assert_int_equal(lw_loops_balance(truth->loops, q, load, tau, NULL), LW_OK);
}

typedef struct Recording
{
  double t[SAMPLES], q[SAMPLES * MOST], tau[SAMPLES * MOST];
} Recording;

static void record(const Truth* truth, const lwExcitation* motion, Recording* recording)
{
  double qd[MOST], qdd[MOST];
  for (int k = 0; k < SAMPLES; ++k)
  {
    recording->t[k] = k * STEP;
    lw_excitation_at(motion, k * STEP, recording->q + k * truth->nq, qd, qdd);
    drive_torques(truth, recording->q + k * truth->nq, qd, qdd, recording->tau + k * truth->n);
  }
}

// A value of the truth's parameters for each estimate: the first description of both is the same but
// for numbers, and names are by the columns.
static void check_estimates(const lwIdentified* wrong, const lwIdentified* right)
{
  int count = lw_identified_count(right);
  assert_int_equal(lw_identified_count(wrong), count);
  for (int i = 0; i < count; ++i)
  {
    lwEstimate own = lw_identified_estimate(wrong, i), truth = lw_identified_estimate(right, i);
    assert_string_equal(own.name, truth.name);
    double most = 5 * own.error + 1e-3 * fabs(truth.file);
    if (!(fabs(own.value - truth.file) <= most))
      fail_msg("%s is %g, expected %g within %g", own.name, own.value, truth.file, most);
  }
}

static lwIdentified* identify_with(const lwModel* model, const Recording* recording)
{
  lwIdentified* found;
  lwDiag* diag      = lw_diag_create();
  lwIdentifyDef def = lw_identify_def();
  lwLogDef log = {.count = SAMPLES, .t = recording->t, .q = recording->q, .tau = recording->tau};
  def.viscous = def.coulomb = true;
  def.cutoff                = 5;
  lwStatus status           = lw_identify(model, &log, &def, diag, &found);
  if (status != LW_OK && lw_diag_size(diag) > 0)
    print_message("%s: %s\n", lw_model_name(model), lw_diag_message(diag, 0)->text);
  assert_int_equal(status, LW_OK);
  lw_diag_destroy(diag);
  return found;
}

static void check_robot(const char* name)
{
  Truth truth          = open_truth(name);
  lwModel* guess       = robot_with(name, 1.3, 0);
  lwExcitation* motion = exciting_motion(truth.model);
  Recording* recording = calloc(1, sizeof *recording);
  assert_non_null(recording);
  check_motion(&truth, motion);
  record(&truth, motion, recording);
  lwIdentified* right = identify_with(truth.model, recording);
  lwIdentified* found = identify_with(guess, recording);
  check_estimates(found, right);
  for (int a = 0; a < lw_model_mobility(guess); ++a)
  {
    lwJointFit fit = lw_identified_joint(found, lw_model_speed(guess, a));
    if (!(fit.moved && fit.before > 0.005 * fit.torque && fit.residual < 0.01 * fit.torque &&
          fit.possible < 0.05 * fit.torque))
      fail_msg("%s, %s: %g N m or N: %g, %g, %g left", name,
               lw_model_velocity(guess, lw_model_speed(guess, a)).name, fit.torque, fit.before,
               fit.residual, fit.possible);
  }
  lw_identified_destroy(found);
  lw_identified_destroy(right);
  free(recording);
  lw_excitation_destroy(motion);
  lw_model_destroy(guess);
  close_truth(&truth);
}

static void parameters_are_found(void** state)
{
  (void)state;
  if (!lw_lapack_available()) return;
  static const char* const names[] = {"four_bar", "excavator", "mobile_arm", "palletizer"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) check_robot(names[k]);
}

// Joints that follow must be where they close the loops.
static void open_logs_are_refused(void** state)
{
  (void)state;
  if (!lw_lapack_available()) return;
  Truth truth          = open_truth("four_bar");
  lwExcitation* motion = exciting_motion(truth.model);
  Recording* recording = calloc(1, sizeof *recording);
  lwIdentifyDef def    = lw_identify_def();
  lwDiag* diag         = lw_diag_create();
  lwIdentified* found;
  record(&truth, motion, recording);
  for (int k = 0; k < SAMPLES; ++k) recording->q[k * truth.nq + 1] += 0.3;
  lwLogDef log = {.count = SAMPLES, .t = recording->t, .q = recording->q, .tau = recording->tau};
  def.cutoff   = 5;
  assert_int_equal(lw_identify(truth.model, &log, &def, diag, &found), LW_ERROR_INPUT);
  assert_non_null(strstr(lw_diag_message(diag, 0)->text, "does not close the loops"));
  lw_diag_destroy(diag);
  free(recording);
  lw_excitation_destroy(motion);
  close_truth(&truth);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_are_found),
      cmocka_unit_test(open_logs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
