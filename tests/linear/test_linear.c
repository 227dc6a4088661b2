// SPDX-License-Identifier: MIT
// Linear models against differences of forward dynamics, motors and springs against hand
// calculations, eigenvalues of known matrices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/linear.h"
#include "support/arms.h"
#include "support/testing.h"

// Accelerations from springs, viscous friction and the torque tau.
typedef struct Truth
{
  const lwModel* model;
  lwWorkspace* ws;
  const lwSpring* springs;
  const double* q0;  // rest positions of the springs
  int n;
} Truth;

static void accelerate(const Truth* truth, const double* x, const double* tau, double* qdd)
{
  double sum[MAX_DOF];
  for (int i = 0; i < truth->n; ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(truth->model, i);
    sum[i]                  = tau[i] - joint->friction.viscous * x[truth->n + i] -
             truth->springs[i].stiffness * (x[i] - truth->q0[i]) -
             truth->springs[i].damping * x[truth->n + i];
  }
  lw_forward_dynamics(truth->model, truth->ws, x, x + truth->n, sum, qdd);
}

// Central differences with steps of 1e-5: truncation errors of 1e-10, times the third derivative,
// and rounding errors of 1e-11.
static void compare_with_differences(const Truth* truth, const lwStates* point, const double* tau,
                                     const double* A, const double* B)
{
  int n = truth->n;
  double x[2 * MAX_DOF], high[MAX_DOF], low[MAX_DOF], u[MAX_DOF], h = 1e-5;
  for (int j = 0; j < 3 * n; ++j)
  {
    memcpy(x, point->q, (size_t)n * sizeof(double));
    memcpy(x + n, point->qd, (size_t)n * sizeof(double));
    memcpy(u, tau, (size_t)n * sizeof(double));
    double* moved = j < 2 * n ? &x[j] : &u[j - 2 * n];
    double middle = *moved;
    *moved        = middle + h;
    accelerate(truth, x, u, high);
    *moved = middle - h;
    accelerate(truth, x, u, low);
    for (int i = 0; i < n; ++i)
    {
      double slope = (high[i] - low[i]) / (2 * h), size = 1 + fabs(high[i]) + fabs(slope);
      double got = j < 2 * n ? A[(n + i) * 2 * n + j] : B[(n + i) * n + j - 2 * n];
      near_to("slope of an acceleration", got, slope, 2e-5 * size);
    }
  }
}

static void random_arm(uint64_t seed)
{
  RobotStyle style = {.dof = 1 + (int)(seed % 6), .prismatic = 0.3, .branch = 0.2, .placement = -1};
  Robot* robot     = random_robot(seed, &style);
  int n            = style.dof;
  double A[4 * 36], B[2 * 36], tau[6];
  lwSpring springs[6] = {{0}};
  lwLinear* linear;
  lwLinearDef def = lw_linear_def();
  for (int i = 0; i < robot->def.count; ++i) robot->joints[i].friction.viscous = 0.3 + i;
  robot_rebuild(robot);
  for (int i = 0; i < n; ++i) springs[i] = (lwSpring){.stiffness = 5 + i, .damping = 0.2};
  def.springs  = springs;
  def.friction = true;
  assert_int_equal(lw_linear_create(robot->model, &def, NULL, &linear), LW_OK);
  assert_int_equal(lw_linear_states(linear), 2 * n);
  States states  = random_states(seed, robot->model, 1);
  lwStates point = state_row(&states, robot->model, 0);
  Truth truth    = {robot->model, NULL, springs, point.q, n};
  assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &truth.ws), LW_OK);
  point.wrench = NULL;
  lw_inverse_dynamics(robot->model, truth.ws, point.q, point.qd, point.qdd, tau);
  for (int i = 0; i < n; ++i)
    tau[i] += (lw_model_joint_def(robot->model, i)->friction.viscous + 0.2) * point.qd[i];
  assert_int_equal(lw_linear_at(linear, &point, A, B), LW_OK);
  compare_with_differences(&truth, &point, tau, A, B);
  for (int i = 0; i < n; ++i) near_to("dq/dt is qd", A[i * 2 * n + n + i], 1, 0);
  lw_workspace_destroy(truth.ws);
  lw_linear_destroy(linear);
  states_free(&states);
  robot_free(robot);
}

static void differences(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 30; ++seed) random_arm(seed);
}

// --- cylinders with closed valves

typedef struct Oil
{
  lwModel* model;
  lwWorkspace* ws;
  lwCylinders* cylinders;
  double rest[MAX_DOF];  // held by the other drives
  int n;
} Oil;

static void accelerate_on_oil(const Oil* oil, const double* x, double* qdd)
{
  double tau[MAX_DOF];
  lw_cylinders_closed_torque(oil->cylinders, x, x + oil->n, tau, NULL);
  for (int i = 0; i < oil->n; ++i) tau[i] += oil->rest[i];
  lw_forward_dynamics(oil->model, oil->ws, x, x + oil->n, tau, qdd);
}

// Derivatives of the accelerations of an arm held by oil, by central differences: 1e-6 of the
// largest.
static void closed_cylinders(void** state)
{
  (void)state;
  static const double q0[] = {0.1, 0.87, -1.4, 0.5, 0.2};
  Oil oil                  = {.n = 5};
  double tau[5], still[5] = {0}, A[100], B[50], x[10], high[5], low[5], h = 1e-5, largest = 0;
  lwLinear* linear;
  lwLinearDef def  = lw_linear_def();
  const char* file = LW_ROBOTS "/hydraulic5.yaml";
  assert_int_equal(lw_robot_read_file(file, NULL, NULL, &oil.model), LW_OK);
  assert_int_equal(lw_workspace_create(oil.model, NULL, NULL, &oil.ws), LW_OK);
  assert_int_equal(lw_cylinders_read_file(file, oil.model, NULL, &oil.cylinders), LW_OK);
  assert_int_equal(lw_cylinders_count(oil.cylinders), 2);
  def.cylinders = oil.cylinders;
  assert_int_equal(lw_linear_create(oil.model, &def, NULL, &linear), LW_OK);
  lwStates point = {.q = q0};
  assert_int_equal(lw_linear_at(linear, &point, A, B), LW_OK);
  lw_inverse_dynamics(oil.model, oil.ws, q0, still, still, tau);
  assert_int_equal(lw_cylinders_close(oil.cylinders, q0, tau, oil.rest, NULL), LW_OK);
  for (int k = 0; k < 100; ++k) largest = fmax(largest, fabs(A[k]));
  for (int j = 0; j < 10; ++j)
  {
    for (int i = 0; i < 10; ++i) x[i] = i < 5 ? q0[i] : 0;
    x[j] += h;
    accelerate_on_oil(&oil, x, high);
    x[j] -= 2 * h;
    accelerate_on_oil(&oil, x, low);
    for (int i = 0; i < 5; ++i)
      near_to("slope on oil", A[(5 + i) * 10 + j], (high[i] - low[i]) / (2 * h), 1e-6 * largest);
  }
  assert_greater(largest, 1e3);  // oil is stiff
  lw_linear_destroy(linear);
  lw_cylinders_destroy(oil.cylinders);
  lw_workspace_destroy(oil.ws);
  lw_model_destroy(oil.model);
}

// A wheel of 3 kg m^2 with a motor: k = gear K = 2.5, R = 2 ohm, L = 0.1 H,
// rotor 25 * 0.04 = 1 kg m^2, viscous 0.5.
static Robot* wheel(double inductance)
{
  Robot* robot           = robot_start();
  lwJointDef* joint      = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  joint->link.mass       = 1;
  joint->link.inertia[0] = joint->link.inertia[1] = joint->link.inertia[2] = 3;
  joint->friction.viscous                                                  = 0.5;
  joint->motor = (lwMotor){.given           = true,
                           .resistance      = 2,
                           .torque_constant = 0.5,
                           .gear            = 5,
                           .rotor_inertia   = 0.04,
                           .inductance      = inductance,
                           .efficiency      = 1,
                           .voltage         = INFINITY,
                           .current         = INFINITY};
  robot_build(robot);
  return robot;
}

static void motors(void** state)
{
  (void)state;
  double A[9], B[3], q = 0;
  lwStates point   = {.q = &q};
  lwLinearDef def  = lw_linear_def();
  lwLinear* linear = NULL;
  def.rotors = def.friction = def.motors = true;
  Robot* robot                           = wheel(0);
  assert_int_equal(lw_linear_create(robot->model, &def, NULL, &linear), LW_OK);
  assert_int_equal(lw_linear_states(linear), 2);
  assert_true(lw_linear_is_voltage(linear, 0));
  assert_int_equal(lw_linear_at(linear, &point, A, B), LW_OK);
  near_to("damping of friction and back-EMF", A[3], -(0.5 + 2.5 * 2.5 / 2) / 4, 1e-15);
  near_to("acceleration per volt", B[1], 2.5 / 2 / 4, 1e-15);
  lw_linear_destroy(linear);
  robot_free(robot);

  robot = wheel(0.1);
  assert_int_equal(lw_linear_create(robot->model, &def, NULL, &linear), LW_OK);
  assert_int_equal(lw_linear_states(linear), 3);
  assert_string_equal(lw_linear_state_name(linear, 2), "i1");
  assert_int_equal(lw_linear_at(linear, &point, A, B), LW_OK);
  const double expected[9] = {0, 1, 0, 0, -0.5 / 4, 2.5 / 4, 0, -2.5 / 0.1, -2 / 0.1};
  for (int k = 0; k < 9; ++k) near_to("A with a current", A[k], expected[k], 1e-14);
  for (int k = 0; k < 3; ++k) near_to("B with a current", B[k], k == 2 ? 10 : 0, 1e-14);
  lw_linear_destroy(linear);
  robot_free(robot);
}

// A damped oscillator, w = 3 rad/s, damping ratio 0.1, and an unstable mode with rate 0.5 1/s.
static void eigenvalues(void** state)
{
  (void)state;
  const double A[9] = {0, 1, 0, -9, -0.6, 0, 0, 0, 0.5};
  lwMode modes[3];
  double shapes[18];
  int count       = 0;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_modes(3, A, diag, modes, shapes, &count);
  if (!lw_lapack_available())
  {
    assert_int_equal(status, LW_ERROR_INPUT);
    assert_contains(lw_diag_message(diag, 0)->text, "LAPACK");
    lw_diag_destroy(diag);
    return;
  }
  lw_diag_destroy(diag);
  assert_int_equal(status, LW_OK);
  assert_int_equal(count, 2);
  near_to("growth", modes[0].re, 0.5, 1e-14);
  near_to("natural frequency", modes[1].frequency, 3, 1e-13);
  near_to("damping ratio", modes[1].damping, 0.1, 1e-14);
  near_to("imaginary part", modes[1].im, 3 * sqrt(0.99), 1e-13);
  assert_int_equal(lw_modes_stability(modes, count), LW_STABILITY_UNSTABLE);
  assert_int_equal(lw_modes_stability(modes + 1, 1), LW_STABILITY_STABLE);
  modes[1].re = 0;
  assert_int_equal(lw_modes_stability(modes + 1, 1), LW_STABILITY_MARGINAL);
  // A v = lambda v
  for (int i = 0; i < 3; ++i)
  {
    const double* v = shapes + 6;
    double re = 0, im = 0;
    for (int j = 0; j < 3; ++j) re += A[3 * i + j] * v[2 * j], im += A[3 * i + j] * v[2 * j + 1];
    near_to("Re A v", re, -0.3 * v[2 * i] - modes[1].im * v[2 * i + 1], 1e-13);
    near_to("Im A v", im, -0.3 * v[2 * i + 1] + modes[1].im * v[2 * i], 1e-13);
  }
}

// Two equal, uncoupled pendulums on a common base: the description of a mode names the one that
// moves.
static void words(void** state)
{
  (void)state;
  char text[200];
  double A[4], B[2], q = 0.1;
  const double shape[4] = {1, 0, 0, 2};
  Robot* robot          = wheel(0);
  lwLinear* linear;
  assert_int_equal(lw_linear_create(robot->model, NULL, NULL, &linear), LW_OK);
  assert_int_equal(lw_linear_at(linear, &(lwStates){.q = &q}, A, B), LW_OK);
  assert_false(lw_linear_is_voltage(linear, 0));
  near_to("acceleration per torque", B[1], 1.0 / 3, 1e-15);
  lw_linear_mode_text(linear, shape, text, sizeof text);
  assert_string_equal(text, lw_model_joint_name(robot->model, 0));
  lw_linear_destroy(linear);
  robot_free(robot);
}

static void refusals(void** state)
{
  (void)state;
  Robot* robot     = robot_start();
  lwLinear* linear = NULL;
  lwSpring spring  = {.stiffness = NAN};
  lwLinearDef def = lw_linear_def(), zero = {0};
  lwDiag* diag          = lw_diag_create();
  lwJointDef* ball      = robot_add(robot, LW_JOINT_BALL, LW_BASE);
  ball->placement       = LW_PLACEMENT_ORIGIN_AXIS;
  ball->link.mass       = 1;
  ball->link.inertia[0] = ball->link.inertia[1] = ball->link.inertia[2] = 1;
  robot_build(robot);
  lwSpring springs[3] = {{.stiffness = 1}};
  def.springs         = springs;
  assert_int_equal(lw_linear_create(robot->model, &def, diag, &linear), LW_ERROR_METHOD);
  assert_contains(lw_diag_message(diag, 0)->text, "have no angle that it could act on");
  assert_null(linear);
  robot_free(robot);
  robot = wheel(0);
  assert_int_equal(lw_linear_create(robot->model, &zero, NULL, &linear), LW_ERROR_DEF);
  def.springs = &spring;
  assert_int_equal(lw_linear_create(robot->model, &def, NULL, &linear), LW_ERROR_INPUT);
  robot_free(robot);
  lw_diag_destroy(diag);
}

// --- ball and floating joints

// Where a motion is after t, to first order.
static void move_on(const lwModel* model, const double* q, const double* qd, double t, double* out)
{
  double step[MAX_DOF];
  for (int i = 0; i < lw_model_dof(model); ++i) step[i] = t * qd[i];
  lw_model_integrate(model, q, step, out);
}

// Column j of A around the motion q, qd with torques tau: how a step e in x = (tangent, qd) grows.
// Rates are central differences in time, 1e-4 s, and in e, 1e-4, each off by its square.
static void grown_step(const lwModel* model, lwWorkspace* ws, const lwStates* point, int j,
                       double* column)
{
  int n    = lw_model_dof(model);
  double h = 1e-4, step[2 * MAX_DOF] = {0};
  memset(column, 0, 2 * (size_t)n * sizeof *column);
  for (int sign = -1; sign <= 1; sign += 2)
  {
    double q[MAX_DOF], qd[MAX_DOF], qdd[MAX_DOF], there[MAX_DOF], here[MAX_DOF], apart[MAX_DOF];
    step[j] = sign * h;
    lw_model_integrate(model, point->q, step, q);
    for (int i = 0; i < n; ++i) qd[i] = point->qd[i] + step[n + i];
    lw_forward_dynamics(model, ws, q, qd, point->tau, qdd);
    for (int i = 0; i < n; ++i) column[n + i] += sign * qdd[i] / (2 * h);
    for (int side = -1; side <= 1; side += 2)
    {
      move_on(model, point->q, point->qd, side * h, here);
      move_on(model, q, qd, side * h, there);
      lw_model_difference(model, here, there, apart);
      for (int i = 0; i < n; ++i) column[i] += sign * side * apart[i] / (4 * h * h);
    }
  }
}

static void quaternions(void** state)
{
  (void)state;
  static const lwJointType kinds[] = {LW_JOINT_FLOATING, LW_JOINT_REVOLUTE, LW_JOINT_BALL};
  Robot* robot                     = robot_start();
  lwRandom random                  = {5};
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(robot, kinds[i], i - 1);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int k = 0; k < 3; ++k) joint->xyz[k] = lw_random_between(&random, -0.3, 0.3);
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  States states = random_states(4, robot->model, 1);
  lwWorkspace* ws;
  lwLinear* linear;
  double A[4 * 10 * 10], B[2 * 10 * 10], column[20], qdd[10];
  assert_int_equal(lw_linear_create(robot->model, NULL, NULL, &linear), LW_OK);
  assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
  assert_int_equal(lw_linear_states(linear), 20);
  lwStates point = {.q = states.q, .qd = states.qd, .tau = states.tau};
  lw_forward_dynamics(robot->model, ws, states.q, states.qd, states.tau, qdd);
  point.qdd = qdd;
  assert_int_equal(lw_linear_at(linear, &point, A, B), LW_OK);
  double size = 0;
  for (int k = 0; k < 400; ++k) size = fmax(size, fabs(A[k]));
  for (int j = 0; j < 20; ++j)
  {
    grown_step(robot->model, ws, &point, j, column);
    for (int i = 0; i < 20; ++i) assert_near(A[i * 20 + j], column[i], 1e-6 * size);
  }
  lw_linear_destroy(linear);
  lw_workspace_destroy(ws);
  states_free(&states);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quaternions),      cmocka_unit_test(differences), cmocka_unit_test(motors),
      cmocka_unit_test(eigenvalues),      cmocka_unit_test(words),       cmocka_unit_test(refusals),
      cmocka_unit_test(closed_cylinders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
