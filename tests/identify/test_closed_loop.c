// SPDX-License-Identifier: MIT
// A robot with friction follows a trajectory with noisy encoders and torque sensors. Identification
// from the log must recover its parameters: every base parameter within 4 standard errors, which
// one of 16,000 exceeds by chance, and the torques of another trajectory within 0.6 %.
//
// test_identify_closed_loop takes the number of seeds as its argument;
// without one it runs three seeds of each robot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/identify.h"
#include "linkwork/linear.h"
#include "linkwork/linkwork.h"
#include "support/testing.h"

enum
{
  SAMPLES   = 10000,  // 20 s at 500 Hz
  HARMONICS = 5,
  MOST      = 7  // joints
};

static const double STEP = 0.002, BASE_HERTZ = 0.1;
static int seeds = CASES(3, 1);

static double gauss(lwRandom* random)
{
  double u = lw_random_between(random, 1e-300, 1), v = lw_random_between(random, 0, 1);
  return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

// A Fourier series for each joint within 80 % of its range and speed.
typedef struct Motion
{
  double middle[MOST], a[MOST][HARMONICS], b[MOST][HARMONICS];
} Motion;

static void motion_at(const Motion* motion, int n, double t, double* q, double* qd, double* qdd)
{
  for (int i = 0; i < n; ++i)
  {
    q[i]  = motion->middle[i];
    qd[i] = qdd[i] = 0;
    for (int h = 0; h < HARMONICS; ++h)
    {
      double w = 2 * acos(-1) * BASE_HERTZ * (h + 1), a = motion->a[i][h], b = motion->b[i][h];
      q[i] += a * sin(w * t) + b * cos(w * t);
      qd[i] += w * (a * cos(w * t) - b * sin(w * t));
      qdd[i] -= w * w * (a * sin(w * t) + b * cos(w * t));
    }
  }
}

static Motion random_motion(const lwModel* model, lwRandom* random)
{
  Motion motion;
  int n = lw_model_dof(model);
  for (int i = 0; i < n; ++i)
  {
    const lwLimits* limits = &lw_model_joint_def(model, i)->limits;
    double range = 0, speed = 0;
    motion.middle[i] = (limits->lower + limits->upper) / 2;
    for (int h = 0; h < HARMONICS; ++h)
    {
      motion.a[i][h] = lw_random_between(random, -1, 1);
      motion.b[i][h] = lw_random_between(random, -1, 1);
      double size    = hypot(motion.a[i][h], motion.b[i][h]);
      range += size;
      speed += 2 * acos(-1) * BASE_HERTZ * (h + 1) * size;
    }
    double scale =
        0.8 * fmin((limits->upper - limits->lower) / 2 / range, limits->velocity / speed);
    for (int h = 0; h < HARMONICS; ++h) motion.a[i][h] *= scale, motion.b[i][h] *= scale;
  }
  return motion;
}

// Drive torques, including rotors and friction.
static void drive_torques(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                          const double* qdd, double* tau)
{
  lw_inverse_dynamics(model, ws, q, qd, qdd, tau);
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(model, i);
    tau[i] += lw_friction_torque(&joint->friction, qd[i]) + lw_joint_rotor(joint) * qdd[i];
  }
}

typedef struct Recording
{
  double t[SAMPLES], q[SAMPLES * MOST], tau[SAMPLES * MOST];
} Recording;

static void record(const lwModel* model, lwWorkspace* ws, const lwExcitation* motion,
                   lwRandom* random, Recording* recording)
{
  int n                = lw_model_dof(model);
  double largest[MOST] = {0}, qd[MOST], qdd[MOST];
  for (int k = 0; k < SAMPLES; ++k)
  {
    double *q = recording->q + k * n, *tau = recording->tau + k * n;
    recording->t[k] = k * STEP;
    lw_excitation_at(motion, k * STEP, q, qd, qdd);
    drive_torques(model, ws, q, qd, qdd, tau);
    for (int i = 0; i < n; ++i) largest[i] = fmax(largest[i], fabs(tau[i]));
  }
  for (int k = 0; k < SAMPLES * n; ++k)
  {
    recording->q[k] += gauss(random) * 0.01 * acos(-1) / 180;
    recording->tau[k] += gauss(random) * 0.01 * largest[k % n];
  }
}

// Compares the torques of the true and the identified robot on another trajectory: the largest
// difference at a joint, relative to its largest torque.
static double compare_torques(const lwModel* truth, const lwRobotDef* found, lwRandom* random)
{
  int n = lw_model_dof(truth);
  lwModel* model;
  lwWorkspace *ws, *own;
  double size[MOST] = {0}, gap[MOST] = {0}, worst = 0;
  Motion motion = random_motion(truth, random);
  assert_int_equal(lw_model_create(found, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &own), LW_OK);
  assert_int_equal(lw_workspace_create(truth, NULL, NULL, &ws), LW_OK);
  for (int k = 0; k < 500; ++k)
  {
    double q[MOST], qd[MOST], qdd[MOST], tau[MOST], ours[MOST];
    motion_at(&motion, n, 0.02 * k, q, qd, qdd);
    drive_torques(truth, ws, q, qd, qdd, tau);
    drive_torques(model, own, q, qd, qdd, ours);
    for (int i = 0; i < n; ++i)
    {
      size[i] += tau[i] * tau[i];
      gap[i] += (tau[i] - ours[i]) * (tau[i] - ours[i]);
    }
  }
  for (int i = 0; i < n; ++i) worst = fmax(worst, sqrt(gap[i] / size[i]));
  lw_workspace_destroy(ws);
  lw_workspace_destroy(own);
  lw_model_destroy(model);
  return worst;
}

// The robot as an inaccurate file might describe it: masses and inertias off by up to 30 %, rotors
// by 50 %, no friction.
static lwModel* wrong_model(const lwModel* truth, lwRandom* random)
{
  lwRobotDef robot   = *lw_model_robot(truth);
  lwJointDef* joints = malloc((size_t)robot.count * sizeof *joints);
  lwModel* model;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  for (int i = 0; i < robot.count; ++i)
  {
    double factor = lw_random_between(random, 0.7, 1.3);
    joints[i].link.mass *= factor;
    for (int k = 0; k < 6; ++k) joints[i].link.inertia[k] *= factor;
    joints[i].friction = (lwFriction){0};
    joints[i].motor.rotor_inertia /= 2;
  }
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  free(joints);
  return model;
}

// Fits the log. Starting from the true model, the reported file values are the true base
// parameters.
static lwIdentified* fit_log(const lwModel* model, const Recording* log, const lwIdentifyDef* def)
{
  lwIdentified* found = NULL;
  lwDiag* diag        = lw_diag_create();
  lwLogDef data       = {.count = SAMPLES, .t = log->t, .q = log->q, .tau = log->tau};
  lwStatus status     = lw_identify(model, &data, def, diag, &found);
  if (status != LW_OK && lw_diag_size(diag) > 0) fail_msg("%s", lw_diag_message(diag, 0)->text);
  assert_int_equal(status, LW_OK);
  lw_diag_destroy(diag);
  return found;
}

static void close_loop(const char* name, bool rotors, uint64_t seed)
{
  char path[512];
  lwModel* model;
  lwWorkspace* ws;
  lwExcitation* motion;
  lwExciteDef exciting = lw_excite_def();
  lwIdentifyDef def    = lw_identify_def();
  lwRandom random      = {seed};
  lwDiag* diag         = lw_diag_create();
  Recording* log       = malloc(sizeof *log);
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  exciting.seed  = seed;
  exciting.tries = seeds > 3 ? 100 : 25;
  assert_int_equal(lw_excite(model, &exciting, diag, &motion), LW_OK);
  record(model, ws, motion, &random, log);
  def.viscous = def.coulomb = true;
  def.rotors                = rotors;
  lwModel* wrong            = wrong_model(model, &random);
  lwIdentified* found       = fit_log(wrong, log, &def);
  lwIdentified* known       = fit_log(model, log, &def);
  assert_int_equal(lw_identified_count(found), lw_identified_count(known));
  double worst = 0, square = 0;
  int count = lw_identified_count(found);
  for (int i = 0; i < count; ++i)
  {
    lwEstimate one = lw_identified_estimate(found, i);
    double truth   = lw_identified_estimate(known, i).file;
    double off     = fabs(one.value - truth) / one.error;
    worst          = fmax(worst, off);
    square += off * off / count;
    if (off > 4) printf("  %s: %g +- %g, truth %g\n", one.name, one.value, one.error, truth);
  }
  double torques = compare_torques(model, lw_identified_robot(found), &random);
  lwFit fit      = lw_identified_fit(found);
  printf(
      "%s, seed %d: %d parameters, worst %.2f standard errors, rms %.2f; another motion %.2f %%; "
      "condition %.0f, cutoff %.2f Hz, cost %.4f\n",
      name, (int)seed, count, worst, sqrt(square), 100 * torques, fit.condition, fit.cutoff,
      fit.cost);
  assert_at_most(worst, 4);
  assert_at_most(torques, 0.006);
  lw_identified_destroy(found);
  lw_identified_destroy(known);
  lw_model_destroy(wrong);
  lw_excitation_destroy(motion);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  lw_diag_destroy(diag);
  free(log);
}

// The PUMA with 6 kg off the axis of its flange, so that every joint carries a load that other
// joints carry, too: only this makes the ratios of the torque constants identifiable from currents.
static lwModel* loaded_puma(void)
{
  static const double at[3] = {0.15, 0.1, 0.2}, inertia[6] = {0.02, 0.02, 0.02, 0, 0, 0};
  lwModel *plain, *model;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &plain), LW_OK);
  lwRobotDef robot     = *lw_model_robot(plain);
  lwJointDef joints[6] = {{0}};
  memcpy(joints, robot.joints, sizeof joints);
  lw_link_def_add(&joints[5].link, 6, at, inertia);
  for (int i = 0; i < 6; ++i) joints[i].limits.effort = INFINITY;
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lw_model_destroy(plain);
  return model;
}

// Identification from currents instead of torques, with torque constants off by up to 12 % and mean
// ratio 1: recovers the constants, each within 3 standard errors and all within 1 %.
static void currents(void** state)
{
  (void)state;
  static const double ratio[6] = {1.1, 0.92, 1.05, 0.88, 1.02, 1.03};
  lwModel* model               = loaded_puma();
  lwWorkspace* ws;
  lwExcitation* motion;
  lwExciteDef exciting = lw_excite_def();
  lwIdentifyDef def    = lw_identify_def();
  lwRandom random      = {5};
  Recording* log       = malloc(sizeof *log);
  lwIdentified* found  = NULL;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  exciting.tries = 25;
  assert_int_equal(lw_excite(model, &exciting, NULL, &motion), LW_OK);
  record(model, ws, motion, &random, log);
  for (int k = 0; k < SAMPLES * 6; ++k)
  {
    const lwMotor* motor = &lw_model_joint_def(model, k % 6)->motor;
    log->tau[k] /= motor->gear * motor->torque_constant * ratio[k % 6];
  }
  lwLogDef data = {.count = SAMPLES, .t = log->t, .q = log->q, .current = log->tau};
  def.current = def.viscous = def.coulomb = def.rotors = true;
  assert_int_equal(lw_identify(model, &data, &def, NULL, &found), LW_OK);
  const lwRobotDef* robot = lw_identified_robot(found);
  for (int i = 0; i < 6; ++i)
  {
    double constant = lw_model_joint_def(model, i)->motor.torque_constant;
    double got      = robot->joints[lw_model_joint(model, i)].motor.torque_constant / constant;
    if (!(fabs(got - ratio[i]) <= 0.01))
      fail_msg("joint %d: torque constant %.4f of the file's, %.4f expected", i + 1, got, ratio[i]);
  }
  int gains = 0;
  for (int k = 0; k < lw_identified_count(found); ++k)
  {
    lwEstimate one = lw_identified_estimate(found, k);
    if (!strstr(one.name, ".gain")) continue;
    assert_near(one.value, ratio[gains] - 1, 3 * one.error);
    ++gains;
  }
  assert_int_equal(gains, 5);  // the last follows from the others
  lw_identified_destroy(found);
  lw_excitation_destroy(motion);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  free(log);
}

static void puma(void** state)
{
  (void)state;
  for (int seed = 1; seed <= seeds; ++seed) close_loop("puma560", true, (uint64_t)seed);
}

static void panda(void** state)
{
  (void)state;
  for (int seed = 1; seed <= seeds; ++seed) close_loop("panda", false, (uint64_t)seed);
}

int main(int count, char** arguments)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(puma), cmocka_unit_test(panda),
                                     cmocka_unit_test(currents)};
  if (count > 1) seeds = atoi(arguments[1]);
  if (!lw_lapack_available()) return 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
