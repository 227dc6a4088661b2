// SPDX-License-Identifier: MIT
// Simulated arms: golden trajectories, every kind of drive, controllers, loads, events.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/arms.h"
#include "support/check.h"
#include "support/golden.h"
#include "support/testing.h"

enum
{
  MAX_TIMES = 64
};

static void compare(const char* what, const double* got, const double* expected, int n,
                    double bound)
{
  for (int i = 0; i < n; ++i)
    near_to(what, got[i], expected[i], bound * fmax(1, fabs(expected[i])));
}

// --- golden data

static void follow(const char* name, const char* method)
{
  static double t[MAX_TIMES], q[MAX_TIMES * MAX_DOF], qd[MAX_TIMES * MAX_DOF];
  double amplitude[MAX_DOF], omega[MAX_DOF], q0[MAX_DOF], qd0[MAX_DOF];
  lwJointDrive drives[MAX_DOF] = {{0}};
  lwLaw* laws[MAX_DOF];
  Json* file   = json_read_golden(name);
  Robot* robot = golden_robot(file);
  int n = lw_model_dof(robot->model), count = json_get(file, "t")->count;
  json_numbers(file, "tau_amp", (size_t)n, amplitude);
  json_numbers(file, "tau_omega", (size_t)n, omega);
  json_numbers(file, "q0", (size_t)n, q0);
  json_numbers(file, "qd0", (size_t)n, qd0);
  json_numbers(file, "t", (size_t)count, t);
  json_numbers(file, "q", (size_t)(count * n), q);
  json_numbers(file, "qd", (size_t)(count * n), qd);
  for (int k = 0; k < n; ++k)
  {
    char text[100];
    snprintf(text, sizeof text, "%.17g*sin(%.17g*t)", amplitude[k], omega[k]);
    laws[k]   = law_of(text);
    drives[k] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = laws[k]};
  }
  lwArmDef def  = arm_with(robot->model, method, 1e-12);
  def.q         = q0;
  def.qd        = qd0;
  def.drives    = drives;
  lwArmRun* run = run_of(&def);
  for (int i = 0; i < count; ++i)
  {
    lwArmSample at = go_to(run, t[i]);
    compare(name, at.q, q + (size_t)i * (size_t)n, n, 1e-8);
    compare(name, at.qd, qd + (size_t)i * (size_t)n, n, 1e-8);
  }
  lwAudit audit = lw_arm_run_audit(run);
  assert_less(audit.worst_S, 1e-9 * audit.peak_kinetic);
  for (int k = 0; k < n; ++k) lw_law_destroy(laws[k]);
  lw_arm_run_destroy(run);
  robot_free(robot);
  json_free(file);
}

static void golden_trajectories(void** unused)
{
  (void)unused;
  static const char* const names[] = {"traj_2r", "traj_puma_like_6r", "traj_rprr"};
  for (int i = 0; i < 3; ++i)
  {
    follow(names[i], "dop853");
    follow(names[i], "dormand-prince");
  }
}

// swartz1982: constant voltages, motors without gears, viscous friction, kutta3. The reference is
// the same recursion in 100 digits.
static void golden_motors(void** unused)
{
  (void)unused;
  double K[2], R[2], b[2], V[2], q0[2], qd0[2], steps[8], q[16], qd[16];
  lwJointDrive drives[2] = {{0}};
  lwLaw* laws[2];
  Json* file   = json_read_golden("rk3_motor");
  Robot* robot = golden_robot(file);
  int count    = json_get(file, "steps")->count;
  json_numbers(file, "Kt", 2, K);
  json_numbers(file, "R", 2, R);
  json_numbers(file, "b", 2, b);
  json_numbers(file, "V", 2, V);
  json_numbers(file, "q0", 2, q0);
  json_numbers(file, "qd0", 2, qd0);
  json_numbers(file, "steps", (size_t)count, steps);
  json_numbers(file, "q", 2 * (size_t)count, q);
  json_numbers(file, "qd", 2 * (size_t)count, qd);
  for (int k = 0; k < 2; ++k)
  {
    char text[40];
    snprintf(text, sizeof text, "%.17g", V[k]);
    laws[k]           = law_of(text);
    drives[k]         = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = laws[k], .voltage = true};
    lwJointDef* joint = &robot->joints[lw_model_joint(robot->model, k)];
    joint->friction.viscous = b[k];
    joint->motor            = (lwMotor){.given           = true,
                                        .resistance      = R[k],
                                        .torque_constant = K[k],
                                        .gear            = 1,
                                        .efficiency      = 1,
                                        .voltage         = INFINITY,
                                        .current         = INFINITY};
  }
  robot_rebuild(robot);
  lwArmDef def  = arm_with(robot->model, "kutta3", json_number(file, "h"));
  def.q         = q0;
  def.qd        = qd0;
  def.drives    = drives;
  lwArmRun* run = run_of(&def);
  for (int i = 0; i < count; ++i)
  {
    lwArmSample at = go_to(run, steps[i] * def.integrator.step);
    compare("q", at.q, q + 2 * i, 2, 1e-12);
    compare("qd", at.qd, qd + 2 * i, 2, 1e-12);
    compare("v", at.voltage, V, 2, 1e-15);
  }
  for (int k = 0; k < 2; ++k) lw_law_destroy(laws[k]);
  lw_arm_run_destroy(run);
  robot_free(robot);
  json_free(file);
}

// --- drives

// An arm of four joints with motors and friction; the second motor has inductance,
// the third a lossy gear.
static Robot* motored_arm(uint64_t seed)
{
  RobotStyle style = {.dof = 4, .placement = -1, .prismatic = 0.2};
  Robot* robot     = random_robot(seed, &style);
  for (int k = 0; k < 4; ++k)
  {
    lwJointDef* joint = &robot->joints[lw_model_joint(robot->model, k)];
    joint->friction   = (lwFriction){0.3, k == 1 ? 0.5 : 0};
    joint->motor      = (lwMotor){.given           = true,
                                  .resistance      = 1,
                                  .torque_constant = 0.1,
                                  .gear            = 50,
                                  .rotor_inertia   = 1e-4,
                                  .inductance      = k == 1 ? 0.01 : 0,
                                  .efficiency      = k == 2 ? 0.8 : 1,
                                  .voltage         = 24,
                                  .current         = INFINITY};
  }
  robot_rebuild(robot);
  return robot;
}

static void still(void* context, double t, double* q, double* qd, double* qdd)
{
  (void)context;
  for (int k = 0; k < 4; ++k)
  {
    q[k]   = 0.3 * sin(2 * t + k);
    qd[k]  = 0.6 * cos(2 * t + k);
    qdd[k] = -1.2 * sin(2 * t + k);
  }
}

static lwSchedule* schedule_of(lwBetween between)
{
  static const double times[]  = {0, 0.3, 0.35, 0.8},
                      values[] = {5, -4, 3, 6, -2, 5, 4, -8, 1, 2, 3, 4, 7, 1, 0, -1};
  lwScheduleDef def            = {.symbol = "v", .width = 4, .between = between};
  lwSchedule* schedule;
  assert_int_equal(lw_schedule_create(&def, 4, times, values, NULL, &schedule), LW_OK);
  return schedule;
}

// Kinetic plus potential energy changes by the reported work, whatever drives the arm.
static void energy_is_accounted_for(void** unused)
{
  (void)unused;
  lwLaw* law           = law_of("5*sin(3*t + k) - 0.2*q*abs(qd)");
  lwLaw* push          = law_of("3*cos(4*t)");
  lwSchedule* held     = schedule_of(LW_BETWEEN_HELD);
  lwSchedule* linear   = schedule_of(LW_BETWEEN_LINEAR);
  const double gains[] = {100, 100, 100, 100}, damping[] = {20, 20, 20, 20};
  const lwJointDrive kinds[] = {
      {0},
      {.signal = LW_SIGNAL_LAW, .law = law},
      {.signal = LW_SIGNAL_LAW, .law = law, .voltage = true},
      {.signal = LW_SIGNAL_SCHEDULE, .schedule = held},
      {.signal = LW_SIGNAL_SCHEDULE, .schedule = linear, .voltage = true},
      {.signal = LW_SIGNAL_SCHEDULE, .schedule = held, .voltage = true},
      {.signal = LW_SIGNAL_CONTROL},
      {.signal = LW_SIGNAL_CONTROL, .voltage = true},
      {.signal = LW_SIGNAL_LAW, .law = law, .converted = true, .dac = {0.02, 8, 10}},
      {.signal = LW_SIGNAL_CONTROL, .voltage = true, .converted = true, .dac = {0.01, 12, 24}},
      {.sprung = true, .spring = {30, 2, 0.2, 1}, .rest_here = true},
      {.signal = LW_SIGNAL_LAW, .law = law, .sprung = true, .spring = {30, 2, 0.2, 1}},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    for (int control = LW_CONTROL_PD_GRAVITY; control <= LW_CONTROL_FEED_FORWARD; ++control)
    {
      if (kinds[i].signal != LW_SIGNAL_CONTROL && control > LW_CONTROL_PD_GRAVITY) continue;
      Robot* robot           = motored_arm(3);
      lwJointDrive drives[4] = {kinds[i], kinds[i], kinds[i], kinds[i]};
      lwLoadDef loads[2]     = {{.component = {[0] = push, [5] = push}, .from = 0.2, .to = 0.7},
                                {.component = {[2] = push}, .in_base = true, .to = INFINITY}};
      for (int k = 0; k < 4; ++k) drives[k].column = k;
      lwArmDef def   = arm_with(robot->model, "dop853", 1e-11);
      def.drives     = drives;
      def.loads      = loads;
      def.load_count = 2;
      def.controller = (lwControllerDef){
          .kind = (lwControl)control, .kp = gains, .kd = damping, .reference = still};
      lwArmRun* run = run_of(&def);
      double peak   = 0;
      for (int s = 1; s <= 20; ++s) peak = fmax(peak, go_to(run, 0.05 * s).kinetic);
      lwAudit audit = lw_arm_run_audit(run);
      if (!(audit.worst_S < 1e-8 * peak))
        fail_msg("drive %zu, control %d: S = %g of %g J", i, control, audit.worst_S, peak);
      assert_greater(fabs(audit.load_work), 1e-6 * peak);
      lw_arm_run_destroy(run);
      robot_free(robot);
    }
  lw_schedule_destroy(held);
  lw_schedule_destroy(linear);
  lw_law_destroy(law);
  lw_law_destroy(push);
}

// A converter holds its sample: a block of 1 kg under a piecewise constant force, whose motion is
// known exactly.
static void converter_holds(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(1, 0, INFINITY);
  lwLaw* law         = law_of("3*sin(7*t)");
  lwDac dac          = {0.1, 5, 4};
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law, .converted = true, .dac = dac};
  static const char* const methods[] = {"kutta3", "dop853", "bdf"};
  lwArmEventDef between              = {.at = 0.55};  // changes nothing, not even the held value
  for (int m = 0; m < 3; ++m)
  {
    lwArmDef def    = arm_with(robot->model, methods[m], m == 0 ? 0.03 : 1e-10);
    def.drives      = &drive;
    def.events      = &between;
    def.event_count = 1;
    lwArmRun* run   = run_of(&def);
    double q = 0, qd = 0;
    for (int i = 0; i < 20; ++i)
    {
      double f = rint(3 * sin(0.7 * i) / 0.25) * 0.25;
      q += 0.1 * qd + 0.005 * f;
      qd += 0.1 * f;
      lwArmSample at = go_to(run, 0.1 * (i + 1));
      near_to("q", at.q[0], q, m == 2 ? 1e-6 : 1e-12);
      near_to("qd", at.qd[0], qd, m == 2 ? 1e-6 : 1e-12);
      near_to("tau", at.tau[0], rint(3 * sin(0.7 * (i + 1)) / 0.25) * 0.25, 0);
    }
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  robot_free(robot);
}

static void two_newton(void* context, double t, const double* q, const double* qd, double* tau)
{
  ++*(long*)context;
  (void)t;
  tau[0] = 2 + 0 * (q[0] + qd[0]);
}

// Torques from a callback, with and without a drive on the same joint.
static void functions_drive(void** unused)
{
  (void)unused;
  Robot* robot       = sliding_block(2, 0, INFINITY);
  lwLaw* law         = law_of("-1");
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law};
  for (int i = 0; i < 2; ++i)
  {
    long calls    = 0;
    lwArmDef def  = arm_with(robot->model, "rk4", 1e-2);
    def.torques   = two_newton;
    def.context   = &calls;
    def.drives    = i == 1 ? &drive : NULL;
    lwArmRun* run = run_of(&def);
    near_to("q", go_to(run, 1).q[0], i == 1 ? 0.25 : 0.5, 1e-12);
    assert_greater(calls, 300);
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  robot_free(robot);
}

// A blocked motor with inductance: i = V/R (1 - exp(-t R/L)).
static void current_rises(void** unused)
{
  (void)unused;
  Robot* robot           = sliding_block(1, 1e9, INFINITY);
  lwLaw* law             = law_of("12");
  lwJointDrive drive     = {.signal = LW_SIGNAL_LAW, .law = law, .voltage = true};
  robot->joints[0].motor = (lwMotor){true, 2, 0.1, 10, 0, 0.05, 1, INFINITY, INFINITY};
  robot_rebuild(robot);
  lwArmDef def  = arm_with(robot->model, "dop853", 1e-12);
  def.drives    = &drive;
  lwArmRun* run = run_of(&def);
  assert_true(lw_arm_run_has_current(run, 0));
  assert_true(lw_arm_run_has_voltage(run, 0));
  lwArmSample at = go_to(run, 0.03);
  near_to("current", at.current[0], 6 * (1 - exp(-1.2)), 1e-10);
  near_to("force", at.tau[0], 6 * (1 - exp(-1.2)), 1e-10);
  near_to("what holds it", at.friction[0], -6 * (1 - exp(-1.2)), 1e-10);
  assert_same(at.q[0], 0);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  robot_free(robot);
}

// --- control

// Computed torque decouples the joints: e'' + kd e' + kp e = 0. With kd = 2 w, kp = w^2, starting
// from e0 at rest, e = e0 (1 + w t) exp(-w t) on any arm.
static void computed_torque_decouples(void** unused)
{
  (void)unused;
  const double kp[] = {25, 25, 25, 25}, kd[] = {10, 10, 10, 10}, e0[] = {0.1, -0.2, 0.3, 0.05};
  lwJointDrive drives[4];
  for (int k = 0; k < 4; ++k) drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  for (uint64_t seed = 1; seed < 5; ++seed)
  {
    double q[4], qd[4], want[12];
    Robot* robot = motored_arm(seed);
    still(NULL, 0, want, qd, want + 8);
    for (int k = 0; k < 4; ++k) q[k] = want[k] - e0[k];
    lwArmDef def   = arm_with(robot->model, "dop853", 1e-11);
    def.q          = q;
    def.qd         = qd;
    def.drives     = drives;
    def.friction   = LW_FRICTION_MODEL_NONE;
    def.controller = (lwControllerDef){
        .kind = LW_CONTROL_COMPUTED_TORQUE, .kp = kp, .kd = kd, .reference = still};
    lwArmRun* run = run_of(&def);
    for (double t = 0.1; t < 2; t += 0.1)
    {
      lwArmSample at = go_to(run, t);
      still(NULL, t, want, want + 4, want + 8);
      for (int k = 0; k < 4; ++k)
        near_to("error", want[k] - at.q[k], e0[k] * (1 + 5 * t) * exp(-5 * t), 1e-8);
    }
    lw_arm_run_destroy(run);
    robot_free(robot);
  }
}

// Started on the reference, feed-forward alone follows it while the arm is stable; with feedback it
// follows for long.
static void feed_forward_follows(void** unused)
{
  (void)unused;
  const double kp[] = {500, 500, 500, 500}, kd[] = {100, 100, 100, 100};
  lwJointDrive drives[4];
  for (int k = 0; k < 4; ++k) drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  double q[4], qd[4], want[12];
  Robot* robot = motored_arm(2);
  still(NULL, 0, q, qd, want);
  lwArmDef def = arm_with(robot->model, "dop853", 1e-11);
  def.q        = q;
  def.qd       = qd;
  def.drives   = drives;
  def.friction = LW_FRICTION_MODEL_NONE;
  def.controller =
      (lwControllerDef){.kind = LW_CONTROL_FEED_FORWARD, .kp = kp, .kd = kd, .reference = still};
  lwArmRun* run  = run_of(&def);
  lwArmSample at = go_to(run, 3);
  still(NULL, 3, want, want + 4, want + 8);
  compare("q", at.q, want, 4, 1e-7);
  compare("qdd", at.qdd, want + 8, 4, 1e-5);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

// PD with gravity compensation holds the initial position by default, and returns to it.
static void gravity_is_compensated(void** unused)
{
  (void)unused;
  const double kp[] = {200, 200, 200, 200}, kd[] = {60, 60, 60, 60}, q[] = {0.1, -0.4, 0.3, 0.2};
  lwJointDrive drives[4];
  for (int k = 0; k < 4; ++k) drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  Robot* robot     = motored_arm(5);
  const double v[] = {1, -1, 1, -1};
  lwArmDef def     = arm_with(robot->model, "dormand-prince", 1e-10);
  def.q            = q;
  def.qd           = v;
  def.drives       = drives;
  def.friction     = LW_FRICTION_MODEL_NONE;
  def.controller   = (lwControllerDef){.kind = LW_CONTROL_PD_GRAVITY, .kp = kp, .kd = kd};
  lwArmRun* run    = run_of(&def);
  compare("q", go_to(run, 60).q, q, 4, 1e-6);
  lw_arm_run_destroy(run);

  robot->joints[lw_model_joint(robot->model, 0)].limits.effort =
      1e-3;  // and does not with a weak drive
  robot_rebuild(robot);
  def.model      = robot->model;
  run            = run_of(&def);
  lwArmSample at = go_to(run, 0.5);
  assert_at_most(fabs(at.tau[0]), 1e-3);
  assert_greater(lw_arm_run_tally(run, LW_NOTE_EFFORT, 0).count, 0);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

// --- loads

// A load acts like the wrench of lw_workspace_set_wrench(), in the hand's axes or rotated to base
// axes.
static void loads_act(void** unused)
{
  (void)unused;
  Robot* robot     = motored_arm(7);
  const double q[] = {0.3, -0.5, 0.7, 0.9}, w[] = {1, -2, 3, 0.4, 0.5, -0.6};
  double turned[6], p[3], R[9], expected[4], zero[4] = {0};
  lwWorkspaceDef how = lw_workspace_def();
  lwWorkspace* ws;
  how.rotors = true;
  assert_int_equal(lw_workspace_create(robot->model, &how, NULL, &ws), LW_OK);
  lw_pose(robot->model, ws, q, p, R);
  for (int i = 0; i < 6; ++i)
  {
    const double* v = w + (i < 3 ? 0 : 3);
    turned[i]       = R[i % 3 * 3] * v[0] + R[i % 3 * 3 + 1] * v[1] + R[i % 3 * 3 + 2] * v[2];
  }
  lw_workspace_set_wrench(ws, w);
  lw_forward_dynamics(robot->model, ws, q, zero, zero, expected);
  for (int base = 0; base < 2; ++base)
  {
    lwLoadDef load = {.in_base = base == 1, .to = INFINITY};
    lwLaw* laws[6];
    for (int i = 0; i < 6; ++i)
    {
      char text[40];
      snprintf(text, sizeof text, "%.17g", base ? turned[i] : w[i]);
      load.component[i] = laws[i] = law_of(text);
    }
    lwArmDef def   = arm_with(robot->model, "dop853", 1e-11);
    def.q          = q;
    def.friction   = LW_FRICTION_MODEL_NONE;
    def.loads      = &load;
    def.load_count = 1;
    lwArmRun* run  = run_of(&def);
    compare("qdd", lw_arm_run_sample(run).qdd, expected, 4, 1e-11);
    lw_arm_run_destroy(run);
    for (int i = 0; i < 6; ++i) lw_law_destroy(laws[i]);
  }
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// 3 N on 2 kg from 1 to 2 s: at rest before, at 1.5 m/s after.
static void loads_have_times(void** unused)
{
  (void)unused;
  Robot* robot   = sliding_block(2, 0, INFINITY);
  lwLaw* law     = law_of("3");
  lwLoadDef load = {.component = {law}, .in_base = true, .from = 1, .to = 2};
  lwArmDef def   = arm_with(robot->model, "dop853", 1e-10);
  def.loads      = &load;
  def.load_count = 1;
  lwArmRun* run  = run_of(&def);
  near_to("before", go_to(run, 0.99).qd[0], 0, 0);
  near_to("while", go_to(run, 1.5).qd[0], 0.75, 1e-12);
  near_to("after", go_to(run, 3).qd[0], 1.5, 1e-12);
  near_to("way", go_to(run, 4).q[0], 0.75 + 2 * 1.5, 1e-12);
  near_to("work", lw_arm_run_audit(run).load_work, 2.25, 1e-12);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  robot_free(robot);
}

// --- events

// grigorov2013: a block is pushed at constant speed; the valve closes at 1 s, and the block makes a
// damped oscillation about that position: x = v/w exp(-d t) sin(w t), with its push as preload.
static void valve_closes(void** unused)
{
  (void)unused;
  Robot* robot        = sliding_block(2, 0, INFINITY);
  lwLaw* law          = law_of("3");  // against the load
  lwLaw* load         = law_of("-3");
  double qd           = 0.5;
  lwJointDrive drive  = {.signal = LW_SIGNAL_LAW, .law = law};
  lwJointDrive valve  = {.sprung       = true,
                         .spring       = {.stiffness = 200, .damping = 4},
                         .rest_here    = true,
                         .preload_here = true};
  bool changes        = true;
  lwArmEventDef close = {.name = "valve", .at = 1, .changes = &changes, .drives = &valve};
  lwLoadDef weight    = {.component = {load}, .in_base = true, .to = INFINITY};
  static const char* const methods[] = {"kutta3", "bogacki-shampine", "dop853"};
  for (int m = 0; m < 3; ++m)
  {
    lwArmDef def    = arm_with(robot->model, methods[m], m == 0 ? 3e-4 : 1e-10);
    def.qd          = &qd;
    def.drives      = &drive;
    def.events      = &close;
    def.event_count = 1;
    def.loads       = &weight;
    def.load_count  = 1;
    lwArmRun* run   = run_of(&def);
    near_to("before", go_to(run, 0.999).q[0], 0.4995, 1e-9);
    near_to("at", go_to(run, 1).q[0], 0.5, 1e-9);
    double w = sqrt(100 - 1), t = 0.7;
    lwArmSample at = go_to(run, 1 + t);
    near_to("after", at.q[0], 0.5 + 0.5 / w * exp(-t) * sin(w * t), 1e-7);
    near_to("S", at.S, 0, 1e-7);
    near_to("time", lw_arm_run_tally(run, LW_NOTE_EVENT, 0).first, 1, 0);
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  lw_law_destroy(load);
  robot_free(robot);
}

// A condition ends the run where its sign changes.
static void condition_ends_the_run(void** unused)
{
  (void)unused;
  Robot* robot      = sliding_block(2, 0, INFINITY);
  lwLaw* when       = law_of("q - 0.25");
  double qd         = 0.5;
  lwArmEventDef end = {.at = NAN, .when = when, .ends = true};
  lwArmDef def      = arm_with(robot->model, "rk4", 1e-2);
  def.qd            = &qd;
  def.events        = &end;
  def.event_count   = 1;
  lwArmRun* run     = run_of(&def);
  assert_int_equal(lw_arm_run_advance(run, 3, NULL), LW_OUTCOME_CONDITION);
  near_to("time", lw_arm_run_time(run), 0.5, 1e-12);
  near_to("q", lw_arm_run_sample(run).q[0], 0.25, 1e-12);
  lw_arm_run_destroy(run);
  lw_law_destroy(when);
  robot_free(robot);
}

// --- wrong definitions

static void wrong_definitions_are_refused(void** unused)
{
  (void)unused;
  Robot* robot  = sliding_block(2, 0, 1);
  lwArmRun* run = NULL;
  double nan = NAN, beyond = 2;
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .voltage = true};
  lwArmDef def       = arm_with(robot->model, "rk4", 1e-2);
  def.q              = &nan;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  def.q = &beyond;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  lw_arm_run_destroy(run);
  def.limits = LW_LIMIT_MODE_HOLD;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  def.q      = NULL;
  def.drives = &drive;  // without a motor
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  drive.voltage = false;  // without a law
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  drive.signal = LW_SIGNAL_SCHEDULE;  // without a schedule
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  bool changes        = true;  // a drive without a law, from an event on
  lwJointDrive later  = {.signal = LW_SIGNAL_LAW};
  lwArmEventDef event = {.at = 0.5, .changes = &changes, .drives = &later};
  def.drives          = NULL;
  def.events          = &event;
  def.event_count     = 1;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  def.event_count       = 0;
  def.integrator.method = "euler";
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_ERROR_METHOD);
  assert_null(run);
  robot_free(robot);
}

static void break_downs_are_explained(void** unused)
{
  (void)unused;
  char why[200];
  Robot* robot       = sliding_block(2, 0, INFINITY);
  lwLaw* pole        = law_of("1/(t - 0.5)^2");
  lwLaw* root        = law_of("sqrt(0.5 - t)");
  lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = pole};
  lwArmDef def       = arm_with(robot->model, "dormand-prince", 1e-9);
  def.drives         = &drive;
  lwArmRun* run      = run_of(&def);
  lwOutcome outcome  = lw_arm_run_advance(run, 1, NULL);
  if (outcome != LW_OUTCOME_STEP_VANISHED) assert_int_equal(outcome, LW_OUTCOME_NOT_FINITE);
  near_to("where", lw_arm_run_time(run), 0.5, 1e-6);
  assert_int_equal(lw_arm_run_why(run, why, sizeof why), 0);
  assert_contains(why, "torque is huge");
  lw_arm_run_destroy(run);

  drive.law = root;
  run       = run_of(&def);
  outcome   = lw_arm_run_advance(run, 1, NULL);
  if (outcome != LW_OUTCOME_STEP_VANISHED) assert_int_equal(outcome, LW_OUTCOME_NOT_FINITE);
  assert_finite(lw_arm_run_sample(run).q[0]);
  assert_less(lw_arm_run_time(run), 0.6);
  lw_arm_run_destroy(run);
  lw_law_destroy(pole);
  lw_law_destroy(root);
  robot_free(robot);
}

// The state has room for the currents of all motors: on an arm whose motors all have inductance,
// with joints held by friction, currents start at zero and rise as i = V/R (1 - exp(-t R/L)).
static void all_motors_have_currents(void** unused)
{
  (void)unused;
  enum
  {
    COUNT = 9
  };
  RobotStyle style = {.dof = COUNT, .placement = -1};
  Robot* robot     = random_robot(7, &style);
  lwLaw* law       = law_of("12");
  lwJointDrive drives[COUNT];
  for (int k = 0; k < COUNT; ++k)
  {
    lwJointDef* joint       = &robot->joints[lw_model_joint(robot->model, k)];
    joint->limits           = (lwLimits){-10 - k, 20 + k, 30 + k, 40 + k, 50 + k, 60 + k};
    joint->friction.coulomb = 1e9;
    joint->motor            = (lwMotor){true, 2, 0.1, 10, 0, 1e-3 * (1 + k), 1, INFINITY, INFINITY};
    drives[k]               = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = law, .voltage = true};
  }
  robot_rebuild(robot);
  lwArmDef def  = arm_with(robot->model, "dop853", 1e-12);
  def.drives    = drives;
  lwArmRun* run = run_of(&def);
  for (int k = 0; k < COUNT; ++k) near_to("current", go_to(run, 0).current[k], 0, 0);
  lwArmSample at = go_to(run, 1e-3);
  for (int k = 0; k < COUNT; ++k)
    near_to("current", at.current[k], 6 * (1 - exp(-2.0 / (1 + k))), 1e-9);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  robot_free(robot);
}

static void flag_stops_the_run(void** unused)
{
  (void)unused;
  const volatile sig_atomic_t stop = 1;
  Robot* robot                     = sliding_block(2, 0, INFINITY);
  lwArmDef def                     = arm_with(robot->model, "rk4", 1e-2);
  lwArmRun* run                    = run_of(&def);
  assert_int_equal(lw_arm_run_advance(run, 1, &stop), LW_OUTCOME_STOPPED);
  assert_less(lw_arm_run_time(run), 0.1);
  lw_arm_run_destroy(run);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_trajectories),       cmocka_unit_test(golden_motors),
      cmocka_unit_test(energy_is_accounted_for),   cmocka_unit_test(converter_holds),
      cmocka_unit_test(functions_drive),           cmocka_unit_test(current_rises),
      cmocka_unit_test(computed_torque_decouples), cmocka_unit_test(feed_forward_follows),
      cmocka_unit_test(gravity_is_compensated),    cmocka_unit_test(loads_act),
      cmocka_unit_test(loads_have_times),          cmocka_unit_test(valve_closes),
      cmocka_unit_test(condition_ends_the_run),    cmocka_unit_test(wrong_definitions_are_refused),
      cmocka_unit_test(break_downs_are_explained), cmocka_unit_test(flag_stops_the_run),
      cmocka_unit_test(all_motors_have_currents),
  };
  return cmocka_run_group_tests_name("arms over time", tests, NULL, NULL);
}
