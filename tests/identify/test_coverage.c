// SPDX-License-Identifier: MIT
// Whether standard errors are right: nominal 95 % intervals, 1.96 standard errors on both sides,
// must contain the true value in 95 % of cases. Simulated robots with friction that stick and slip,
// encoders with noise of 0.01 deg, torques or currents with noise of 0.5, 1 and 2 % of the largest.
// Every case has its own noise; the cutoff is chosen anew. The robots found must exist, too.
//
// test_identify_coverage takes the number of runs of each robot and kind of log as its argument and
// prints the table of docs/identification.md; without one it runs one of each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_log.h"
#include "linkwork/linear.h"
#include "support/testing.h"

enum
{
  MOTIONS = 4,  // of each robot
  STEP    = 5   // 200 Hz
};

typedef enum Kind
{
  INERTIAL,
  FRICTION,
  ROTOR,
  CONSTANT,
  KINDS
} Kind;

static const char* const KIND_NAMES[KINDS] = {"inertial", "friction", "rotors", "torque constants"};

static int runs = 1;

typedef struct Count
{
  long inside, all;
} Count;

// The kind of a parameter: by the first term of its name, "forearm.xx + ..", "elbow.viscous".
static Kind kind_of(const char* name)
{
  size_t first    = strcspn(name, " ");
  const char* dot = name + first;
  while (dot > name && *dot != '.') --dot;
  size_t length = (size_t)(name + first - dot);
  if (length == 5 && !strncmp(dot, ".gain", 5)) return CONSTANT;
  if (length == 6 && !strncmp(dot, ".rotor", 6)) return ROTOR;
  return length >= 7 ? FRICTION : INERTIAL;
}

// The robot with a load off the axis of its flange, so that every joint carries a load that others
// carry, too, without limits of effort, and with motors where it has none.
static lwModel* loaded_robot(const char* name)
{
  static const double at[3] = {0.15, 0.1, 0.2}, inertia[6] = {0.02, 0.02, 0.02, 0, 0, 0};
  lwModel *plain                      = arm_log_robot(name), *model;
  lwRobotDef robot                    = *lw_model_robot(plain);
  lwJointDef joints[ARM_LOG_MOST + 1] = {{0}};
  assert_true(robot.count <= ARM_LOG_MOST + 1);
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  lw_link_def_add(&joints[lw_model_joint(plain, lw_model_dof(plain) - 1)].link, 4, at, inertia);
  for (int k = 0; k < lw_model_dof(plain); ++k)
  {
    int i                   = lw_model_joint(plain, k);
    joints[i].limits.effort = INFINITY;
    if (joints[i].motor.given) continue;
    joints[i].motor = (lwMotor){.given           = true,
                                .resistance      = 1,
                                .torque_constant = 0.1,
                                .gear            = 100,
                                .rotor_inertia   = i < 4 ? 6e-5 : 2e-5,
                                .efficiency      = 1,
                                .voltage         = INFINITY,
                                .current         = INFINITY};
  }
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lw_model_destroy(plain);
  return model;
}

// True ratios of torque constants to those of the file; their mean is 1.
static double true_ratio(int n, int i)
{
  double angle = 2 * acos(-1) * i / n;
  return 1 + 0.1 * sin(angle) + 0.04 * cos(2 * angle);
}

static void torques_to_currents(const lwModel* model, ArmLog* log)
{
  for (long k = 0; k < log->count * log->n; ++k)
  {
    int i                = (int)(k % log->n);
    const lwMotor* motor = &lw_model_joint_def(model, i)->motor;
    log->tau[k] /= motor->gear * motor->torque_constant * true_ratio(log->n, i);
  }
}

static lwIdentified* fit(const lwModel* model, const ArmLog* log, bool current)
{
  lwIdentifyDef def   = lw_identify_def();
  lwLogDef data       = arm_log_def(log);
  lwIdentified* found = NULL;
  lwDiag* diag        = lw_diag_create();
  if (current) data.current = data.tau, data.tau = NULL;
  def.viscous = def.coulomb = def.rotors = true;
  def.current                            = current;
  lwStatus status                        = lw_identify(model, &data, &def, diag, &found);
  if (status != LW_OK)
    fail_msg("%s", lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "refused");
  lw_diag_destroy(diag);
  return found;
}

static void count_intervals(const lwIdentified* found, int n, Count counts[KINDS])
{
  int gain = 0;
  for (int k = 0; k < lw_identified_count(found); ++k)
  {
    lwEstimate one = lw_identified_estimate(found, k);
    Kind kind      = kind_of(one.name);
    double truth   = kind == CONSTANT ? true_ratio(n, gain++) - 1 : one.file;
    counts[kind].inside += fabs(one.value - truth) <= 1.96 * one.error;
    ++counts[kind].all;
  }
}

static void measure_robot(const char* name, bool current, Count counts[KINDS])
{
  static const double torque[] = {0.005, 0.01, 0.02};
  lwModel* model               = loaded_robot(name);
  for (int motion = 0; motion < MOTIONS && motion < runs; ++motion)
  {
    ArmLog whole = arm_log_simulate(model, (uint64_t)motion + 1, 20);
    for (int run = motion; run < runs; run += MOTIONS)
    {
      ArmNoise noise = {0.01, torque[run % 3]};
      ArmLog log     = arm_log_measure(&whole, STEP, noise, 1000 * (uint64_t)run + current);
      if (current) torques_to_currents(model, &log);
      lwIdentified* found = fit(model, &log, current);
      count_intervals(found, log.n, counts);
      arm_log_check_robot(found);
      lw_identified_destroy(found);
      arm_log_free(&log);
    }
    arm_log_free(&whole);
  }
  lw_model_destroy(model);
}

static void print_counts(const char* who, bool current, const Count counts[KINDS])
{
  printf("%-10s %-8s", who, current ? "currents" : "torques");
  for (int kind = 0; kind < KINDS; ++kind)
    if (counts[kind].all > 0)
      printf("  %s %.1f %% of %ld", KIND_NAMES[kind],
             100 * (double)counts[kind].inside / (double)counts[kind].all, counts[kind].all);
  printf("\n");
  fflush(stdout);
}

// From 92 to 98 % in many runs. In few, within four standard deviations of the binomial
// distribution of a third as many cases, because the errors of one run are correlated.
static void check_coverage(const Count* count)
{
  double part = (double)count->inside / (double)count->all;
  double few  = 4 * sqrt(0.95 * 0.05 * 3 / (double)count->all);
  assert_at_least(part, runs < 100 ? 0.95 - few : 0.92);
  assert_at_most(part, runs < 100 ? 0.95 + few : 0.98);
}

static void measure_coverage(bool current)
{
  static const char* const names[] = {"puma560", "data/ur10", "panda"};
  Count counts[KINDS]              = {{0}};
  for (int r = 0; r < 3; ++r)
  {
    Count own[KINDS] = {{0}};
    measure_robot(names[r], current, own);
    print_counts(names[r], current, own);
    for (int kind = 0; kind < KINDS; ++kind)
    {
      counts[kind].inside += own[kind].inside;
      counts[kind].all += own[kind].all;
    }
  }
  print_counts("all", current, counts);
  for (int kind = 0; kind < KINDS; ++kind)
    if (kind != CONSTANT || current) check_coverage(&counts[kind]);
}

static void intervals_of_torque_logs(void** unused)
{
  (void)unused;
  measure_coverage(false);
}

static void intervals_of_current_logs(void** unused)
{
  (void)unused;
  measure_coverage(true);
}

int main(int count, char** arguments)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_of_torque_logs),
                                     cmocka_unit_test(intervals_of_current_logs)};
  if (count > 1) runs = atoi(arguments[1]);
  if (!lw_lapack_available()) return 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
