// SPDX-License-Identifier: MIT
// Friction with stiction, end stops and impacts: closed forms, and the conditions that a solution
// must satisfy.
#include <math.h>
#include <stdio.h>

#include "support/arms.h"
#include "support/check.h"
#include "support/testing.h"

static const double PI = 3.14159265358979323846;

// A block on a spring: every half swing takes pi sqrt(m / k) and reduces the amplitude by
// 2 coulomb / stiffness, until the spring can no longer move it: 0.55, -0.35, 0.15, then 0.05 m.
static void block_comes_to_rest(const char* method, double tolerance, double bound)
{
  Robot* robot = sliding_block(2, 2, INFINITY);
  double q0 = 0.55, half = PI * sqrt(2.0 / 20);
  lwJointDrive drive = {.sprung = true, .spring = {.stiffness = 20}};
  lwArmDef def       = arm_with(robot->model, method, tolerance);
  def.q              = &q0;
  def.drives         = &drive;
  lwArmRun* run      = run_of(&def);
  near_to("half a swing", go_to(run, half).q[0], -0.35, bound);
  near_to("a swing", go_to(run, 2 * half).q[0], 0.15, bound);
  lwArmSample end = go_to(run, 10);
  near_to("rest", end.q[0], 0.05, bound);
  assert_same(end.qd[0], 0);
  assert_same(end.qdd[0], 0);
  near_to("friction that holds", end.friction[0], 1, 20 * bound);
  lwTally stick = lw_arm_run_tally(run, LW_NOTE_STICK, 0);
  assert_int_equal(stick.count, 1);
  near_to("time of rest", stick.first, 3 * half, bound);
  near_to("work of friction", lw_arm_run_audit(run).friction_work, -2 * (0.9 + 0.5 + 0.1),
          10 * bound);
  near_to("S", end.S, 0, 10 * bound);
  assert_at_most(lw_arm_run_audit(run).events, 4);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

// Bounds: errors of the integrators over these three seconds; dense output of dopri makes event
// times less exact.
static void blocks_come_to_rest(void** unused)
{
  (void)unused;
  block_comes_to_rest("dop853", 1e-12, 1e-9);
  block_comes_to_rest("dormand-prince", 1e-11, 1e-8);
  block_comes_to_rest("kutta3", 1e-3, 1e-6);
  block_comes_to_rest("rk4", 1e-3, 1e-8);
}

// A force F sin(w t) breaks a block away when F sin(w t) = coulomb; the motion starts smoothly from
// q = 0.
static void block_breaks_away(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(2, 2, INFINITY);
  lwLaw* law         = law_of("10*sin(3*t)");
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law};
  lwArmDef def       = arm_with(robot->model, "dop853", 1e-12);
  def.drives         = &drive;
  lwArmRun* run      = run_of(&def);
  double away        = asin(0.2) / 3;
  lwArmSample before = go_to(run, 0.9 * away);
  assert_same(before.q[0], 0);
  assert_same(before.qd[0], 0);
  near_to("friction", before.friction[0], -10 * sin(2.7 * away), 1e-12);
  go_to(run, 2 * away);
  near_to("time", lw_arm_run_tally(run, LW_NOTE_SLIP, 0).first, away, 1e-9);
  double t = 0.5,
         d = t - away;  // m q = F/w (cos(w t0) d - (sin(w t) - sin(w t0))/w) - coulomb d^2/2
  double q = 10.0 / 3 * (cos(3 * away) * d - (sin(3 * t) - 0.2) / 3) - d * d;
  near_to("q", go_to(run, t).q[0], q / 2, 1e-9);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  robot_free(robot);
}

// A force that changes quickly is not stepped over while the block rests, although the derivatives
// are zero for any step.
static void rest_is_watched(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(2, 2, INFINITY);
  lwLaw* law         = law_of("2.5*sin(50*t)*t*exp(1 - t)");  // exceeds 2 N near t = 0.6 s
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law};
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    lwArmDef def  = arm_with(robot->model, lw_integrator_method(i)->name, 1e-3);
    def.drives    = &drive;
    lwArmRun* run = run_of(&def);
    go_to(run, 10);
    lwTally slip     = lw_arm_run_tally(run, LW_NOTE_SLIP, 0);
    double t         = slip.first;
    const double tau = 2.5 * sin(50 * t) * t * exp(1 - t);
    assert_greater(slip.count, 10);
    near_to("first time", t, 0.527441, 1e-5);
    near_to("torque there", fabs(tau), 2, 1e-6);
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  robot_free(robot);
}

// A block pushed by less than the friction limit does not move at all, with any method.
static void block_rests(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(2, 2, INFINITY);
  lwLaw* law         = law_of("1.999*cos(5*t)");
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law};
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    lwArmDef def  = arm_with(robot->model, lw_integrator_method(i)->name, 1e-3);
    def.drives    = &drive;
    lwArmRun* run = run_of(&def);
    assert_same(go_to(run, 3).q[0], 0);
    assert_int_equal(lw_arm_run_audit(run).events, 0);
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  robot_free(robot);
}

// A force that just reaches the friction limit moves nothing. One that exceeds it briefly by a
// thousandth, 2.001 - (t - 1)^2 N, moves the block by 1.125 a^4, a^2 = 0.001, from t = 1 - a to
// 1 + 2 a: 2 qdd = a^2 - (t - 1)^2.
static void block_hardly_moves(const char* method, double tolerance)
{
  static const char* const laws[] = {"2 - (t - 1)^2", "2.001 - (t - 1)^2"};
  Robot* robot                    = sliding_block(2, 2, INFINITY);
  for (int i = 0; i < 2; ++i)
  {
    lwLaw* law             = law_of(laws[i]);
    lwJointDrive drive     = {.signal = LW_SIGNAL_LAW, .law = law};
    lwArmDef def           = arm_with(robot->model, method, tolerance);
    def.drives             = &drive;
    def.integrator.longest = 0.01;  // longer steps would skip the peak
    lwArmRun* run          = run_of(&def);
    lwArmSample at         = go_to(run, 2);
    near_to("q", at.q[0], i * 1.125e-6, i * 1e-10);
    assert_same(at.qd[0], 0);
    if (i == 1) near_to("time of rest", lw_arm_run_audit(run).notes[2].t, 1 + 2 * sqrt(1e-3), 1e-5);
    lw_arm_run_destroy(run);
    lw_law_destroy(law);
  }
  robot_free(robot);
}

static void blocks_hardly_move(void** unused)
{
  (void)unused;
  block_hardly_moves("dop853", 1e-12);
  block_hardly_moves("dormand-prince", 1e-12);
  block_hardly_moves("kutta3", 1e-3);
}

// --- end stops

// 1 N on 2 kg over 1 m to the stop takes 2 s. The stop absorbs all energy, and the block leaves
// when the force reverses.
static void block_hits_its_stop(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(2, 0, 1);
  lwLaw* law         = law_of("3 - t");
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law};
  lwArmDef def       = arm_with(robot->model, "dop853", 1e-12);
  def.drives         = &drive;
  def.limits         = LW_LIMIT_MODE_HOLD;
  lwArmRun* run      = run_of(&def);
  lwArmSample at     = go_to(run, 2.5);
  lwTally hit        = lw_arm_run_tally(run, LW_NOTE_UPPER, 0);
  double t           = hit.first;  // 2 q = 3 t^2/2 - t^3/6
  near_to("the way to the stop", 0.75 * t * t - t * t * t / 12, 1, 1e-9);
  assert_same(at.q[0], 1);
  assert_same(at.qd[0], 0);
  assert_same(at.kinetic, 0);
  near_to("the stop pushes back", at.friction[0], -0.5, 1e-12);
  near_to("energy left there", lw_arm_run_audit(run).stop_work, -pow(1.5 * t - t * t / 4, 2), 1e-9);
  at = go_to(run, 4);
  near_to("it leaves", lw_arm_run_tally(run, LW_NOTE_LEAVE, 0).first, 3, 1e-9);
  near_to("and goes back", at.q[0], 1 - 1.0 / 12, 1e-9);
  near_to("S", at.S, 0, 1e-9);
  lw_arm_run_destroy(run);

  def.limits = LW_LIMIT_MODE_STOP;
  run        = run_of(&def);
  assert_int_equal(lw_arm_run_advance(run, 4, NULL), LW_OUTCOME_LIMIT);
  near_to("the run ends there", lw_arm_run_time(run), t, 1e-9);
  lw_arm_run_destroy(run);

  def.limits = LW_LIMIT_MODE_NOTE;
  run        = run_of(&def);
  assert_greater(go_to(run, 2.5).q[0], 1);
  assert_int_equal(lw_arm_run_tally(run, LW_NOTE_UPPER, 0).count, 1);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  robot_free(robot);
}

// Random arms, limits around the initial position: an impact acts only on the joint at its stop, so
// the generalised momenta of the others do not change; energy is lost, never gained.
static void impacts_act_at_the_stop(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    RobotStyle style = {.dof = 4, .placement = -1, .prismatic = 0.3, .branch = 0.3};
    Robot* robot     = random_robot(seed, &style);
    lwRandom random  = {seed};
    double q[4], qd[4], M[16], before[4] = {0}, after[4] = {0};
    for (int k = 0; k < 4; ++k)
    {
      lwLimits* limits = &robot->joints[lw_model_joint(robot->model, k)].limits;
      q[k]             = lw_random_between(&random, -1, 1);
      qd[k]            = lw_random_between(&random, -3, 3);
      limits->upper    = k == 2 ? q[k] : 1e3;
      limits->lower    = -1e3;
    }
    qd[2] = fabs(qd[2]) + 1;  // hits its stop at once
    robot_rebuild(robot);
    lwArmDef def       = arm_with(robot->model, "dop853", 1e-9);
    def.limits         = LW_LIMIT_MODE_HOLD;
    def.friction       = LW_FRICTION_MODEL_NONE;
    def.q              = q;
    def.qd             = qd;
    lwArmRun* run      = run_of(&def);
    lwArmSample sample = lw_arm_run_sample(run);
    lwWorkspace* ws;
    assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
    lw_inertia_matrix(robot->model, ws, q, M);
    for (int i = 0; i < 16; ++i)
    {
      before[i / 4] += M[i] * qd[i % 4];
      after[i / 4] += M[i] * sample.qd[i % 4];
    }
    assert_same(sample.qd[2], 0);
    for (int k = 0; k < 4; ++k)
      if (k != 2) near_to("momentum", after[k], before[k], 1e-12 * (1 + fabs(before[k])));
    double kinetic, potential;
    lw_energy(robot->model, ws, q, qd, &kinetic, &potential);
    assert_less(sample.kinetic, kinetic);
    lw_workspace_destroy(ws);
    lw_arm_run_destroy(run);
    robot_free(robot);
  }
}

// --- several joints at rest

// Random arms at rest under random torques: the solution satisfies M qdd = tau + f - g with
// |f| <= coulomb; f opposes the motion with |f| = coulomb at joints that move, and qdd = 0 at the
// others.
static void decisions_are_consistent(void** unused)
{
  (void)unused;
  int held = 0, moving = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    enum
    {
      N = 7
    };
    RobotStyle style = {.dof = N, .placement = -1, .prismatic = 0.3, .branch = 0.3};
    Robot* robot     = random_robot(seed, &style);
    lwRandom random  = {seed + 1000};
    double q[N], qd[N] = {0}, M[N * N], g[N];
    char text[N][40];
    lwJointDrive drives[N] = {{0}};
    lwLaw* laws[N];
    for (int k = 0; k < N; ++k)
    {
      q[k] = lw_random_between(&random, -1, 1);
      robot->joints[lw_model_joint(robot->model, k)].friction.coulomb =
          k == 3 ? 0 : lw_random_between(&random, 1, 40);
      snprintf(text[k], sizeof text[k], "%.17g", lw_random_between(&random, -40, 40));
      laws[k]   = law_of(text[k]);
      drives[k] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = laws[k]};
    }
    robot_rebuild(robot);
    lwArmDef def      = arm_with(robot->model, "dop853", 1e-9);
    def.q             = q;
    def.drives        = drives;
    lwArmRun* run     = run_of(&def);
    lwArmSample at    = lw_arm_run_sample(run);
    const double* qdd = at.qdd;
    lwWorkspace* ws;
    assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
    lw_inertia_matrix(robot->model, ws, q, M);
    lw_bias(robot->model, ws, q, qd, g);
    for (int k = 0; k < N; ++k)
    {
      double c = robot->joints[lw_model_joint(robot->model, k)].friction.coulomb;
      double f = at.friction[k], rest = at.tau[k] + f - g[k],
             size = fabs(at.tau[k]) + fabs(g[k]) + c;
      for (int i = 0; i < N; ++i)
        rest -= M[k * N + i] * qdd[i], size += fabs(M[k * N + i] * qdd[i]);
      near_to("equation of motion", rest, 0, 1e-12 * size);
      assert_at_most(fabs(f), c);
      if (qdd[k] != 0 && c > 0)
        near_to("friction of a joint that moves", f, qdd[k] > 0 ? -c : c, 0);
      held += qdd[k] == 0;
      moving += qdd[k] != 0;
      lw_law_destroy(laws[k]);
    }
    lw_workspace_destroy(ws);
    lw_arm_run_destroy(run);
    robot_free(robot);
  }
  assert_greater(held, 60);
  assert_greater(moving, 120);
}

// An arm with friction in all joints falls, slides and comes to rest, without chatter and with a
// balanced energy account.
static void arm_comes_to_rest(void** unused)
{
  (void)unused;
  RobotStyle style = {.dof = 6, .placement = -1};
  Robot* robot     = random_robot(11, &style);
  for (int k = 0; k < 6; ++k)
    robot->joints[lw_model_joint(robot->model, k)].friction = (lwFriction){2, 3};
  robot_rebuild(robot);
  double qd[6]   = {3, -2, 4, 1, -5, 2};
  lwArmDef def   = arm_with(robot->model, "dormand-prince", 1e-10);
  def.qd         = qd;
  lwArmRun* run  = run_of(&def);
  lwArmSample at = go_to(run, 1);
  for (double t = 2; t <= 30; ++t) at = go_to(run, t);
  lwAudit audit = lw_arm_run_audit(run);
  for (int k = 0; k < 6; ++k) assert_same(at.qd[k], 0);
  assert_greater(audit.events, 6);
  assert_less(audit.events, 500);
  assert_less(audit.friction_work, 0);
  near_to("S", at.S, 0, 1e-7 * audit.peak_kinetic);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

// A block that swings a billion times a second stops so often that the run is aborted; the records
// so far are kept.
static void too_many_events_end_the_run(void** unused)
{
  (void)unused;
  Robot* robot            = sliding_block(2, 1e-3, INFINITY);
  double q0               = 1e-9;
  lwJointDrive drive      = {.sprung = true, .spring = {.stiffness = 1e20}};
  lwArmDef def            = arm_with(robot->model, "dormand-prince", 1e-9);
  def.q                   = &q0;
  def.drives              = &drive;
  def.integrator.absolute = 1e-15;
  lwArmRun* run           = run_of(&def);
  assert_int_equal(lw_arm_run_advance(run, 1, NULL), LW_OUTCOME_CHATTER);
  assert_less(lw_arm_run_time(run), 1e-4);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_come_to_rest),
      cmocka_unit_test(block_breaks_away),
      cmocka_unit_test(block_rests),
      cmocka_unit_test(rest_is_watched),
      cmocka_unit_test(blocks_hardly_move),
      cmocka_unit_test(block_hits_its_stop),
      cmocka_unit_test(impacts_act_at_the_stop),
      cmocka_unit_test(decisions_are_consistent),
      cmocka_unit_test(arm_comes_to_rest),
      cmocka_unit_test(too_many_events_end_the_run),
  };
  return cmocka_run_group_tests_name("friction and end stops", tests, NULL, NULL);
}
