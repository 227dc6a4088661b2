// SPDX-License-Identifier: MIT
#include "arm_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/arm.h"
#include "linkwork/linkwork.h"
#include "linkwork/write.h"
#include "testing.h"

static const double POLE = 20;  // 1/s, of the controller

static double normal_number(lwRandom* random)
{
  double u = lw_random_between(random, 1e-300, 1), v = lw_random_between(random, 0, 1);
  return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

lwModel* arm_log_robot(const char* name)
{
  char path[512];
  lwModel* model  = NULL;
  const char* own = strncmp(name, "data/", 5) ? NULL : name + 5;
  snprintf(path, sizeof path, "%s/%s.yaml", own ? LW_TEST_DATA : LW_ROBOTS, own ? own : name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  assert_true(lw_model_dof(model) <= ARM_LOG_MOST);
  return model;
}

static ArmLog take_log(int n, long count)
{
  ArmLog log = {.n = n, .count = count};
  log.t      = malloc((size_t)(count * (2 * n + 1)) * sizeof(double));
  assert_non_null(log.t);
  log.q   = log.t + count;
  log.tau = log.q + count * n;
  return log;
}

void arm_log_free(ArmLog* log)
{
  free(log->t);
}

static void follow_motion(void* context, double t, double* q, double* qd, double* qdd)
{
  lw_excitation_at(context, t, q, qd, qdd);
}

static lwArmRun* start_run(const lwModel* model, lwExcitation* motion)
{
  double q[ARM_LOG_MOST], qd[ARM_LOG_MOST], qdd[ARM_LOG_MOST];
  double kp[ARM_LOG_MOST], kd[ARM_LOG_MOST];
  lwJointDrive drives[ARM_LOG_MOST];
  lwArmDef arm = lw_arm_def();
  lwArmRun* run;
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    drives[i] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
    kp[i]     = POLE * POLE;
    kd[i]     = 2 * POLE;
  }
  lw_excitation_at(motion, 0, q, qd, qdd);
  arm.model                = model;
  arm.integrator.method    = "dormand-prince";
  arm.q                    = q;
  arm.qd                   = qd;
  arm.drives               = drives;
  arm.controller.kind      = LW_CONTROL_COMPUTED_TORQUE;
  arm.controller.kp        = kp;
  arm.controller.kd        = kd;
  arm.controller.reference = follow_motion;
  arm.controller.context   = motion;
  assert_int_equal(lw_arm_run_create(&arm, NULL, &run), LW_OK);
  return run;
}

ArmLog arm_log_simulate(const lwModel* model, uint64_t seed, double duration)
{
  int n                = lw_model_dof(model);
  ArmLog log           = take_log(n, (long)(duration * ARM_LOG_HERTZ));
  lwExciteDef exciting = lw_excite_def();
  lwExcitation* motion;
  exciting.seed     = seed;
  exciting.tries    = 25;
  exciting.duration = duration;
  assert_int_equal(lw_excite(model, &exciting, NULL, &motion), LW_OK);
  lwArmRun* run = start_run(model, motion);
  for (long k = 0; k < log.count; ++k)
  {
    log.t[k] = (double)k / ARM_LOG_HERTZ;
    assert_int_equal(lw_arm_run_advance(run, log.t[k], NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    for (int i = 0; i < n; ++i)
    {
      log.q[k * n + i]   = sample.q[i];
      log.tau[k * n + i] = sample.tau[i];
      log.largest[i]     = fmax(log.largest[i], fabs(sample.tau[i]));
    }
  }
  lw_arm_run_destroy(run);
  lw_excitation_destroy(motion);
  return log;
}

ArmLog arm_log_measure(const ArmLog* from, int step, ArmNoise noise, uint64_t seed)
{
  int n           = from->n;
  ArmLog log      = take_log(n, (from->count - 1) / step + 1);
  lwRandom random = {seed};
  for (long k = 0; k < from->count; ++k)
    for (int i = -1; i < n; ++i)
    {
      // noise belongs to the moment, so that every other sample of a log is a part of that log
      double position = i < 0 ? 0 : normal_number(&random) * noise.encoder * acos(-1) / 180;
      double torque   = i < 0 ? 0 : normal_number(&random) * noise.torque * from->largest[i];
      if (k % step) continue;
      long to = k / step * n + i, at = k * n + i;
      if (i < 0) log.t[k / step] = from->t[k];
      if (i >= 0) log.q[to] = from->q[at] + position;
      if (i >= 0) log.tau[to] = from->tau[at] + torque;
    }
  for (int i = 0; i < n; ++i) log.largest[i] = from->largest[i];
  return log;
}

lwLogDef arm_log_def(const ArmLog* log)
{
  return (lwLogDef){.count = log->count, .t = log->t, .q = log->q, .tau = log->tau};
}

// --- the robot found

// Eigenvalues of a symmetric 4 x 4 matrix by Jacobi rotations, into P's diagonal.
static void eigenvalues(double P[4][4])
{
  for (int turn = 0; turn < 60; ++turn)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
      {
        double angle = 0.5 * atan2(2 * P[a][b], P[b][b] - P[a][a]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 4; ++k)
        {
          double x = P[k][a], y = P[k][b];
          P[k][a] = c * x - s * y, P[k][b] = s * x + c * y;
        }
        for (int k = 0; k < 4; ++k)
        {
          double x = P[a][k], y = P[b][k];
          P[a][k] = c * x - s * y, P[b][k] = s * x + c * y;
        }
      }
}

// The smallest eigenvalue of a link's pseudo-inertia, of the largest.
static double link_margin(const lwLinkDef* link)
{
  const double *c = link->com, *I = link->inertia, m = link->mass;
  double half = (I[0] + I[1] + I[2]) / 2, least = INFINITY, most = 0;
  double S[3][3] = {
      {half - I[0], -I[3], -I[4]}, {-I[3], half - I[1], -I[5]}, {-I[4], -I[5], half - I[2]}};
  double P[4][4] = {{0}};
  for (int i = 0; i < 3; ++i)
  {
    for (int j = 0; j < 3; ++j) P[i][j] = S[i][j] + m * c[i] * c[j];
    P[i][3] = P[3][i] = m * c[i];
  }
  P[3][3] = m;
  eigenvalues(P);
  for (int k = 0; k < 4; ++k) least = fmin(least, P[k][k]), most = fmax(most, P[k][k]);
  return least / most;
}

double arm_log_check_robot(const lwIdentified* found)
{
  lwText* text   = NULL;
  lwModel* model = NULL;
  lwWorkspace* ws;
  double least = INFINITY, q[ARM_LOG_MOST] = {0.3, -0.2, 0.5, 0.1, 0.4, -0.6, 0.2};
  double M[ARM_LOG_MOST * ARM_LOG_MOST];
  lwDiag* diag = lw_diag_create();
  assert_int_equal(lw_robot_text(lw_identified_robot(found), LW_ROBOT_FORMAT_YAML, diag, &text),
                   LW_OK);
  assert_int_equal(
      lw_robot_read_text("found", lw_text_bytes(text), lw_text_length(text), NULL, diag, &model),
      LW_OK);
  const lwRobotDef* robot = lw_model_robot(model);
  for (int i = 0; i < robot->count; ++i)
    if (robot->joints[i].link.mass > 0) least = fmin(least, link_margin(&robot->joints[i].link));
  int n = lw_model_dof(model);
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_inertia_matrix(model, ws, q, M);
  for (int i = 0; i < n; ++i)  // Cholesky: every pivot is positive
    for (int j = i; j < n; ++j)
    {
      double sum = M[i * n + j];
      for (int k = 0; k < i; ++k) sum -= M[k * n + i] * M[k * n + j];
      if (i == j) assert_greater(sum, 0);
      M[i * n + j] = j == i ? sqrt(sum) : sum / M[i * n + i];
    }
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  lw_text_destroy(text);
  lw_diag_destroy(diag);
  assert_at_least(least, 1e-6);
  return least;
}
