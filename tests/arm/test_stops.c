// SPDX-License-Identifier: MIT
// End stops: random arms that hit them again and again, and what must hold at every record of every run.
//
//   stops [COUNT [SEED]]    so many random runs from a seed on; the usual number without
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/arms.h"
#include "support/testing.h"

#ifdef __SANITIZE_ADDRESS__
static long run_count = 100;
#else
static long run_count = 1000;
#endif
static uint64_t first_seed = 1;

// --- random arms

// What a random run needs besides the robot.
typedef struct Trial
{
  uint64_t seed;
  Robot* robot;
  int n;
  const char* method;
  double q[MAX_DOF], qd[MAX_DOF];
  lwJointDrive drives[MAX_DOF];
  lwLaw* laws[MAX_DOF];
  lwArmDef def;
  lwArmRun* run;
} Trial;

static bool one_in(lwRandom* random, int count)
{
  return lw_random_bits(random) % (uint64_t)count == 0;
}

// Limits around 0, near or far; seldom the two are one.
static void choose_limits(lwRandom* random, lwLimits* limits)
{
  double room   = lw_random_between(random, 0.05, 1.5);
  limits->lower = -lw_random_between(random, 0, room);
  limits->upper = one_in(random, 40) ? limits->lower : lw_random_between(random, 0.01, room + 0.02);
}

static Robot* choose_robot(lwRandom* random, uint64_t seed)
{
  RobotStyle style = {.dof       = 1 + (int)(lw_random_bits(random) % 6),
                      .prismatic = lw_random_between(random, 0, 1),
                      .branch    = one_in(random, 2) ? 0.4 : 0,
                      .special   = one_in(random, 2) ? 0.3 : 0,
                      .placement = -1};
  bool friction    = one_in(random, 2);
  Robot* robot     = random_robot(seed, &style);
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwJointDef* joint = &robot->joints[i];
    if (joint->type == LW_JOINT_FIXED) continue;
    choose_limits(random, &joint->limits);
    joint->friction = (lwFriction){0};
    if (friction && !one_in(random, 3)) joint->friction.coulomb = lw_random_between(random, 0, 3);
    if (friction && !one_in(random, 3)) joint->friction.viscous = lw_random_between(random, 0, 1);
  }
  if (one_in(random, 3))
    for (int i = 0; i < 3; ++i) robot->def.gravity[i] = 0;
  robot_rebuild(robot);
  if (one_in(random, 8)) robot_couple(robot, seed);
  return robot;
}

// A constant torque, one that swings, or none; and now and then a spring.
static void choose_drive(Trial* trial, lwRandom* random, int k)
{
  char text[80];
  double tau = lw_random_between(random, -30, 30), w = lw_random_between(random, 1, 20);
  uint64_t kind = lw_random_bits(random) % 4;
  if (kind < 2)
  {
    snprintf(text, sizeof text, kind == 0 ? "%g" : "%g*sin(%g*t)", tau, w);
    trial->laws[k]   = law_of(text);
    trial->drives[k] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = trial->laws[k]};
  }
  if (!one_in(random, 5)) return;
  trial->drives[k].sprung = true;
  trial->drives[k].spring = (lwSpring){.stiffness = 50, .rest = 0.3, .damping = one_in(random, 2)};
}

// Somewhere within the limits, often at one of them.
static void choose_state(Trial* trial, lwRandom* random, int k)
{
  const lwLimits* limits = &trial->robot->joints[lw_model_joint(trial->robot->model, k)].limits;
  uint64_t where         = lw_random_bits(random) % 6;
  trial->q[k]            = where == 0   ? limits->lower
                           : where == 1 ? limits->upper
                                        : lw_random_between(random, limits->lower, limits->upper);
  trial->qd[k]           = one_in(random, 3) ? 0 : lw_random_between(random, -3, 3);
}

static Trial* trial_create(uint64_t seed)
{
  Trial* trial    = calloc(1, sizeof *trial);
  lwRandom random = {seed * 7919};
  assert_non_null(trial);
  trial->seed   = seed;
  trial->method = lw_integrator_method((int)(seed % (uint64_t)lw_integrator_method_count()))->name;
  trial->robot  = choose_robot(&random, seed);
  trial->n      = lw_model_dof(trial->robot->model);
  for (int k = 0; k < trial->n; ++k)
  {
    choose_state(trial, &random, k);
    choose_drive(trial, &random, k);
  }
  bool fixed        = !lw_integrator_method_find(trial->method)->adaptive;
  trial->def        = arm_with(trial->robot->model, trial->method, fixed ? 1e-3 : 1e-7);
  trial->def.limits = LW_LIMIT_MODE_HOLD;
  trial->def.q      = trial->q;
  trial->def.qd     = trial->qd;
  trial->def.drives = trial->drives;
  trial->run        = run_of(&trial->def);
  return trial;
}

static void trial_free(Trial* trial)
{
  lw_arm_run_destroy(trial->run);
  for (int k = 0; k < trial->n; ++k) lw_law_destroy(trial->laws[k]);
  robot_free(trial->robot);
  free(trial);
}

// --- what must hold

static const double BEYOND = 1e-11;  // rad or m, or of the limit: ten times the tolerance of events

static void fails(const Trial* trial, double t, const char* what, double value, double bound)
{
  fail_msg("seed %llu, %d joints, %s, t = %g: %s is %.3g, more than %.3g",
           (unsigned long long)trial->seed, trial->n, trial->method, t, what, value, bound);
}

static void check_positions(const Trial* trial, const lwArmSample* at)
{
  const lwModel* model = trial->robot->model;
  for (int k = 0; k < trial->n; ++k)
  {
    const lwLimits* limits = &trial->robot->joints[lw_model_joint(model, k)].limits;
    double bound           = BEYOND * fmax(1, fmax(fabs(limits->lower), fabs(limits->upper)));
    double beyond          = fmax(limits->lower - at->q[k], at->q[k] - limits->upper);
    if (!(beyond <= bound)) fails(trial, at->t, "distance beyond a stop", beyond, bound);
  }
}

// Energy that was there or passed through, to measure errors by.
static double energy_scale(const lwArmAudit* audit)
{
  return 1 + audit->peak_kinetic + fabs(audit->drive_work) + fabs(audit->friction_work) +
         fabs(audit->stop_work);
}

// Energy not accounted for, of that scale. The error is that of the integrator: tolerance 1e-7 in every step of a motion that
// impacts break into hundreds of pieces, or fixed steps of 1 ms.
static const double MAX_S = 2e-3;

// Stops take energy and never give it. A joint that is put back to its stop from within the tolerance is moved by 1e-12, against
// torques of up to some hundred N m.
static const double MAX_GAIN = 1e-9;

static void check_record(const Trial* trial, double t, double* stop_work)
{
  lwOutcome outcome = lw_arm_run_advance(trial->run, t, NULL);
  if (outcome != LW_OUTCOME_ARRIVED || lw_arm_run_time(trial->run) != t)
    fails(trial, lw_arm_run_time(trial->run), "outcome", (double)outcome, 0);
  lwArmSample at   = lw_arm_run_sample(trial->run);
  lwArmAudit audit = lw_arm_run_audit(trial->run);
  double scale = energy_scale(&audit), gain = audit.stop_work - *stop_work;
  check_positions(trial, &at);
  if (!(fabs(at.S) <= MAX_S * scale)) fails(trial, t, "S", fabs(at.S), MAX_S * scale);
  if (!(gain <= MAX_GAIN * scale)) fails(trial, t, "energy from stops", gain, MAX_GAIN * scale);
  *stop_work = audit.stop_work;
}

// Records that fall on no step, no multiple of one and no event.
static void random_arms_stay_within(void** unused)
{
  (void)unused;
  long hits      = 0;
  double worst_S = 0;
  for (long i = 0; i < run_count; ++i)
  {
    Trial* trial     = trial_create(first_seed + (uint64_t)i);
    double stop_work = 0;
    for (int record = 1; record <= 90; ++record) check_record(trial, 0.0223 * record, &stop_work);
    lwArmAudit audit = lw_arm_run_audit(trial->run);
    hits += audit.counts[LW_NOTE_LOWER] + audit.counts[LW_NOTE_UPPER];
    worst_S = fmax(worst_S, audit.worst_S / energy_scale(&audit));
    trial_free(trial);
  }
  print_message("%ld random runs, %ld impacts, S at most %.2g of the energy\n", run_count, hits,
                worst_S);
  assert_true(hits > 5 * run_count);  // else nothing was tested
}

int main(int argc, char** argv)
{
  if (argc > 1) run_count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_arms_stay_within)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
