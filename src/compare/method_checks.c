// SPDX-License-Identifier: MIT
// What must hold for every method in every state, and by how much it does not.
//
//   agreement               tau, M as by the default method
//   equation of motion      M qdd = tau - bias, bias = C qd + g - J^T w
//   forward after inverse   M (forward(inverse(qdd)) - qdd) = 0
//   symmetric, positive     M = M^T, M = L L^T
//   kinetic energy          T = qd^T M qd / 2
//   power balance           tau . qd + w . V = d(T + V)/dt
//   other questions         question_checks.c
//
// Forward dynamics is judged by its residual in the equation of motion: an inertia matrix that is
// nearly singular makes accelerations uncertain whatever the method.
#include "compare/method_checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "math/symmetric.h"

// Steps of the differences, as the angle that all joints together turn: small enough
// for what Richardson's extrapolation leaves over (about 3e-6 of its sixth power),
// large enough for rounding.
static const double STEP_SINGLE = 0.5;

// Links none of whose parameters is 0, so that a torque depends on each of them: other links in the
// frames of the robot's own.
static void fill_links(lwJointDef* joints, int count)
{
  for (int j = 0; j < count; ++j)
  {
    double s        = 1 + 0.1 * (j % 7);
    lwLinkDef* link = &joints[j].link;
    link->mass      = s;
    for (int k = 0; k < 3; ++k) link->com[k] = (k == 1 ? -0.1 : 0.05 + 0.03 * k) * s;
    for (int k = 0; k < 3; ++k) link->inertia[k] = (0.03 + 0.005 * k) * s;
    for (int k = 3; k < 6; ++k) link->inertia[k] = (k == 4 ? -0.002 : 0.001 * k) * s;
  }
}

static lwStatus make_filled(lwMethodChecker* checker)
{
  lwWorkspaceDef def      = lw_workspace_def();
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwRobotDef robot        = *lw_model_robot(checker->model);
  size_t bytes            = (size_t)robot.count * sizeof *robot.joints;
  lwJointDef* joints      = malloc(bytes + 1);
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, bytes);
  fill_links(joints, robot.count);
  robot.joints    = joints;
  lwStatus status = lw_model_create(&robot, &tolerate, NULL, &checker->filled);
  free(joints);
  def.inverse   = "newton-euler";
  def.open_tree = true;
  if (status == LW_OK)
    status = lw_workspace_create(checker->filled, &def, NULL, &checker->of_filled);
  return status;
}

lwWrenchPlace lw_checker_place(int j)
{
  return (lwWrenchPlace){j, {0.1, -0.2, 0.3}, j % 2 == 0 ? LW_AXES_LINK : LW_AXES_BASE};
}

static lwStatus make_pushed(lwMethodChecker* checker, const lwWorkspaceDef* def)
{
  int count             = lw_model_joint_count(checker->model);
  lwWrenchPlace* places = malloc(((size_t)count + 1) * sizeof *places);
  if (!places) return LW_ERROR_MEMORY;
  for (int j = 0; j < count; ++j) places[j] = lw_checker_place(j);
  lwStatus status = lw_workspace_create(checker->model, def, NULL, &checker->pushed);
  if (status == LW_OK)
    status = lw_workspace_set_wrench_places(checker->pushed, checker->model, count, places, NULL);
  free(places);
  return status;
}

lwStatus lw_method_checker_create(lwMethodChecker* checker, const lwModel* model,
                                  lwPrecision precision)
{
  size_t n           = (size_t)lw_model_dof(model);
  *checker           = (lwMethodChecker){.model = model, .n = (int)n};
  checker->epsilon   = precision == LW_PRECISION_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  checker->step      = precision == LW_PRECISION_SINGLE ? STEP_SINGLE : LW_CHECKER_STEP_DOUBLE;
  lwWorkspaceDef def = lw_workspace_def();
  def.inverse        = "newton-euler";  // with the links' own mass properties
  def.open_tree      = true;            // what the loops add is checked against the tree
  lwStatus status    = lw_workspace_create(model, &def, NULL, &checker->reference);
  def.precision      = precision;
  if (status == LW_OK) status = lw_workspace_create(model, &def, NULL, &checker->plain);
  if (status == LW_OK) status = make_pushed(checker, &def);
  def.axes = LW_AXES_BASE;
  if (status == LW_OK) status = lw_workspace_create(model, &def, NULL, &checker->in_base);
  if (status == LW_OK) status = make_filled(checker);
  if (status == LW_OK) status = lw_random_state_create(&checker->state, model);
  if (status != LW_OK) return status;
  size_t joints = (size_t)lw_model_joint_count(model), rows = (size_t)lw_model_loop_rows(model);
  size_t most = 0;  // numbers of an answer
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    if (lw_question_outputs(model, (lwQuestion)k) > most)
      most = lw_question_outputs(model, (lwQuestion)k);
  const lwArray arrays[] = {{&checker->M, n * n},
                            {&checker->answer, n * n},
                            {&checker->tau, n},
                            {&checker->bias, n},
                            {&checker->rest, n},
                            {&checker->scratch, 10 * n},
                            {&checker->moved, 4 * n},
                            {&checker->wide, most},
                            {&checker->rates, most},
                            {&checker->links, LW_LINK_NUMBERS * joints},
                            {&checker->loop_rows, 14 * rows},
                            {0}};
  return lw_arrays_take(NULL, arrays) ? LW_OK : LW_ERROR_MEMORY;
}

void lw_method_checker_destroy(lwMethodChecker* checker)
{
  lw_workspace_destroy(checker->reference);
  lw_workspace_destroy(checker->plain);
  lw_workspace_destroy(checker->in_base);
  lw_workspace_destroy(checker->pushed);
  lw_workspace_destroy(checker->of_filled);
  lw_model_destroy(checker->filled);
  lw_random_state_destroy(&checker->state);
  free(checker->M);
}

lwStates lw_checker_states(const lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  return (lwStates){state->q, state->qd, state->qdd, state->tau, state->wrench};
}

static void ask_workspace(lwMethodChecker* checker, lwWorkspace* ws, lwQuestion question,
                          double* out)
{
  lwStates states = lw_checker_states(checker);
  lw_answer(checker->model, ws, question, &states, out);
}

void lw_checker_ask(lwMethodChecker* checker, lwQuestion question, double* out)
{
  ask_workspace(checker, checker->ws, question, out);
}

void lw_checker_reference(lwMethodChecker* checker, lwQuestion question, double* out)
{
  ask_workspace(checker, checker->reference, question, out);
}

double lw_checker_inertial(const lwMethodChecker* checker, int i, const double* x)
{
  return lw_dot_product(checker->n, checker->M + (size_t)i * (size_t)checker->n, x);
}

double lw_checker_inertial_size(const lwMethodChecker* checker, int i, const double* x)
{
  return lw_dot_size(checker->n, checker->M + (size_t)i * (size_t)checker->n, x);
}

bool lw_method_checker_refer(lwMethodChecker* checker)
{
  lwRandomState* state = &checker->state;
  lwStates steady = lw_checker_states(checker), at_rest = steady;
  double *c = checker->scratch, *g = c + checker->n, *hold = g + checker->n;
  at_rest.qd = at_rest.qdd = steady.qdd = NULL;
  lw_checker_reference(checker, LW_QUESTION_INVERSE, checker->tau);
  lw_checker_reference(checker, LW_QUESTION_INERTIA, checker->M);
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &steady, checker->bias);
  lw_checker_reference(checker, LW_QUESTION_CORIOLIS, c);
  lw_checker_reference(checker, LW_QUESTION_GRAVITY, g);
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &at_rest, hold);  // g - J^T w
  bool finite = true;
  for (int i = 0; i < checker->n; ++i)
  {
    double size      = lw_checker_inertial_size(checker, i, state->qdd);
    checker->rest[i] = fabs(c[i]) + fabs(g[i]) + fabs(hold[i] - g[i]);
    finite           = finite && isfinite(size + checker->rest[i] + checker->tau[i]);
    state->tau[i] *= size + checker->rest[i];
    if (checker->epsilon > DBL_EPSILON) state->tau[i] = (float)state->tau[i];
  }
  return finite;
}

// --- agreement

static lwGap inverse_agrees(lwMethodChecker* checker)
{
  lwGap gap = {0};
  lw_checker_ask(checker, LW_QUESTION_INVERSE, checker->answer);
  for (int i = 0; i < checker->n; ++i)
    lw_gap_add(&gap, checker->answer[i] - checker->tau[i],
               lw_checker_inertial_size(checker, i, checker->state.qdd) + checker->rest[i]);
  return gap;
}

static lwGap inertia_agrees(lwMethodChecker* checker)
{
  lwGap gap    = {0};
  size_t count = (size_t)checker->n * (size_t)checker->n;
  lw_checker_ask(checker, LW_QUESTION_INERTIA, checker->answer);
  for (size_t k = 0; k < count; ++k)
    lw_gap_add(&gap, checker->answer[k] - checker->M[k], checker->M[k]);
  return gap;
}

// --- the inertia matrix by itself

static lwGap is_symmetric(lwMethodChecker* checker)
{
  lwGap gap       = {0};
  size_t n        = (size_t)checker->n;
  const double* A = checker->answer;
  lw_checker_ask(checker, LW_QUESTION_INERTIA, checker->answer);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) lw_gap_add(&gap, A[i * n + j] - A[j * n + i], A[i * n + j]);
  return gap;
}

// The first pivot of Cholesky's method that is not positive: how far below 0 it is.
static lwGap is_positive(lwMethodChecker* checker)
{
  int n = checker->n;
  lw_checker_ask(checker, LW_QUESTION_INERTIA, checker->answer);
  int k = lw_cholesky(n, n, checker->answer, 0);
  if (k == n) return (lwGap){0};
  size_t at = (size_t)k * (size_t)(n + 1);
  return (lwGap){lw_gap_larger(-checker->answer[at], 0), fabs(checker->M[at])};
}

// --- forward dynamics

static lwGap obeys_equation(lwMethodChecker* checker)
{
  lwGap gap         = {0};
  const double* tau = checker->state.tau;
  double* qdd       = checker->answer;
  lw_checker_ask(checker, LW_QUESTION_FORWARD, qdd);
  for (int i = 0; i < checker->n; ++i)
    lw_gap_add(&gap, lw_checker_inertial(checker, i, qdd) - (tau[i] - checker->bias[i]),
               lw_checker_inertial_size(checker, i, qdd) + fabs(tau[i]) + checker->rest[i]);
  return gap;
}

lwGap lw_checker_undone(const lwMethodChecker* checker, double* found)
{
  lwGap gap         = {0};
  const double* qdd = checker->state.qdd;
  for (int i = 0; i < checker->n; ++i) found[i] -= qdd[i];
  for (int i = 0; i < checker->n; ++i)
    lw_gap_add(&gap, lw_checker_inertial(checker, i, found),
               lw_checker_inertial_size(checker, i, qdd) + fabs(checker->tau[i]) +
                   checker->rest[i]);
  return gap;
}

static lwGap undoes_inverse(lwMethodChecker* checker)
{
  lwStates states = lw_checker_states(checker);
  states.tau      = checker->tau;
  lw_answer(checker->model, checker->ws, LW_QUESTION_FORWARD, &states, checker->answer);
  return lw_checker_undone(checker, checker->answer);
}

// --- along the motion q + qd t + qdd t^2 / 2

double lw_checker_pace(const lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  double pace                = 0.1;
  for (int i = 0; i < checker->n; ++i) pace += fabs(state->qd[i]) + sqrt(fabs(state->qdd[i]));
  return pace;
}

double lw_checker_step(const lwMethodChecker* checker, double angle)
{
  return angle / lw_checker_pace(checker);
}

// The state at time t; tau and wrench as they are, and qdd as given.
static lwStates states_at(lwMethodChecker* checker, const lwStates* now, double t)
{
  const lwRandomState* state = &checker->state;
  lwStates then              = *now;
  double *q = checker->moved, *qd = q + state->nq, *step = qd + checker->n;
  for (int i = 0; i < checker->n; ++i)
  {
    step[i] = t * (state->qd[i] + t * state->qdd[i] / 2);
    qd[i]   = state->qd[i] + t * state->qdd[i];
  }
  lw_model_integrate(checker->model, state->q, step, q);
  then.q  = q;
  then.qd = qd;
  return then;
}

void lw_checker_rate(lwMethodChecker* checker, lwWorkspace* ws, lwQuestion question,
                     const lwStates* now, double h, double* rate)
{
  static const double WEIGHT[3] = {1.0 / 90, -20.0 / 45, 128.0 / 45};  // as lw_gap_derivative()
  size_t count                  = lw_question_outputs(checker->model, question);
  for (size_t i = 0; i < count; ++i) rate[i] = 0;
  for (int k = 0; k < 6; ++k)
  {
    lwStates then = states_at(checker, now, (k % 2 ? -h : h) / (1 << k / 2));
    double weight = (k % 2 ? -1 : 1) * WEIGHT[k / 2] / h;
    lw_answer(checker->model, ws, question, &then, checker->wide);
    for (size_t i = 0; i < count; ++i) rate[i] += weight * checker->wide[i];
  }
}

// --- energy

// The size is that of the largest inertia for all velocities:
// a small one may come from large terms.
static lwGap kinetic_is_quadratic(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  double kinetic, potential, sum = 0, pace = 0, largest = 0;
  lw_energy(checker->model, checker->ws, state->q, state->qd, &kinetic, &potential);
  for (int i = 0; i < checker->n; ++i)
  {
    sum += state->qd[i] * lw_checker_inertial(checker, i, state->qd) / 2;
    pace += fabs(state->qd[i]);
    largest = lw_gap_larger(largest, checker->M[(size_t)i * checker->n + i]);
  }
  return (lwGap){lw_gap_larger(fabs(kinetic - sum), 0), largest * pace * pace / 2};
}

// The energy of the state, and what a unit of motion changes, where the potential happens to be 0.
double lw_checker_energy_size(const lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  double kinetic, potential, size = 0;
  lw_energy(checker->model, checker->reference, state->q, state->qd, &kinetic, &potential);
  for (int i = 0; i < checker->n; ++i) size += checker->rest[i];
  return size + kinetic + fabs(potential);
}

// w . V, the power that the environment puts in: V = J qd in the base frame, w in the link's.
static double wrench_power(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  double p[3], R[9], power = 0;
  double* J = checker->scratch;  // (6, n)
  lw_pose(checker->model, checker->reference, state->q, p, R);
  lw_jacobian(checker->model, checker->reference, state->q, J);
  for (int row = 0; row < 6; ++row)
  {
    double V = lw_dot_product(checker->n, J + (size_t)row * (size_t)checker->n, state->qd);
    power += lw_dot_product(3, R + 3 * (row % 3), state->wrench + 3 * (row / 3)) * V;
  }
  return power;
}

static lwGap power_balances(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  lwStates states            = lw_checker_states(checker);
  double power = wrench_power(checker), size = fabs(power), rate[2];
  double h = lw_checker_step(checker, checker->step);
  lw_checker_ask(checker, LW_QUESTION_INVERSE, checker->answer);
  for (int i = 0; i < checker->n; ++i)
  {
    power += checker->answer[i] * state->qd[i];
    size += fabs(checker->answer[i] * state->qd[i]);
  }
  lw_checker_rate(checker, checker->ws, LW_QUESTION_ENERGY, &states, h, rate);
  return (lwGap){lw_gap_larger(fabs(power - rate[0] - rate[1]), 0),
                 size + lw_checker_energy_size(checker) / h};
}

// The bounds are at least 3 times what 600 states of every robot of the distribution reach. Those
// of derivatives are wider, because differences of answers are less accurate than answers, and that
// of W, whose error grows with the condition of M.
#define CHECK(name, question, gap, base, per_joint, power, shown)                                  \
  {                                                                                                \
    name, LW_QUESTION_##question, gap, base, per_joint, power, LW_QUESTION_##shown, NULL           \
  }
const lwMethodCheck LW_METHOD_CHECKS[] = {
    CHECK("agreement", INVERSE, inverse_agrees, 50, 5, 1, INVERSE),
    CHECK("agreement", INERTIA, inertia_agrees, 50, 5, 2, INERTIA),
    CHECK("symmetric", INERTIA, is_symmetric, 50, 5, 2, INERTIA),
    CHECK("positive definite", INERTIA, is_positive, 50, 5, 2, INERTIA),
    CHECK("equation of motion", FORWARD, obeys_equation, 50, 5, 1, FORWARD),
    CHECK("forward after inverse", FORWARD, undoes_inverse, 50, 5, 1, INVERSE),
    CHECK("kinetic energy", ENERGY, kinetic_is_quadratic, 50, 5, 2, ENERGY),
    CHECK("power balance", ENERGY, power_balances, 500, 50, 1, INVERSE),
    CHECK("c + g", BIAS, lw_check_bias, 50, 5, 1, BIAS),
    CHECK("dV/dt", GRAVITY, lw_check_gravity, 500, 50, 1, GRAVITY),
    CHECK("dT/dt", CORIOLIS, lw_check_coriolis, 500, 50, 2, CORIOLIS),
    CHECK("rotation", POSE, lw_check_pose, 50, 5, 1, POSE),
    CHECK("d pose/dt", JACOBIAN, lw_check_jacobian, 500, 50, 1, JACOBIAN),
    CHECK("dJ/dt qd", JACOBIAN_RATE, lw_check_jacobian_rate, 500, 50, 1, JACOBIAN_RATE),
    CHECK("pose of each", POSES, lw_check_poses, 50, 5, 2, POSES),
    CHECK("J qd of each", VELOCITIES, lw_check_velocities, 50, 5, 2, VELOCITIES),
    CHECK("d velocities/dt", ACCELERATIONS, lw_check_accelerations, 500, 50, 2, ACCELERATIONS),
    CHECK("each by itself", CONTROL, lw_check_control, 50, 5, 2, CONTROL),
    CHECK("power of joints", REACTIONS, lw_check_reactions, 50, 5, 2, REACTIONS),
    CHECK("power of wrenches", ENERGY, lw_check_wrenches, 50, 5, 2, FORWARD),
    CHECK("momentum", CENTROIDAL, lw_check_momentum, 500, 50, 2, CENTROIDAL),
    CHECK("net force", CENTROIDAL, lw_check_net_force, 50, 5, 2, CENTROIDAL),
    CHECK("Hessian and gradient", GIBBS, lw_check_gibbs, 50, 5, 3, GIBBS),
    CHECK("W M = 1", INERTIA_INVERSE, lw_check_inertia_inverse, 500, 100, 3, INERTIA_INVERSE),
    CHECK("C qd and dM/dt", CORIOLIS_MATRIX, lw_check_coriolis_matrix, 500, 50, 2, CORIOLIS_MATRIX),
    CHECK("Y pi = tau", REGRESSOR, lw_check_regressor, 50, 5, 2, REGRESSOR),
    CHECK("d tau/dt", INVERSE_DERIVATIVES, lw_check_inverse_derivatives, 500, 50, 2,
          INVERSE_DERIVATIVES),
    CHECK("M d qdd/dt", FORWARD_DERIVATIVES, lw_check_forward_derivatives, 500, 50, 3,
          FORWARD_DERIVATIVES),
};

const int LW_METHOD_CHECK_COUNT = sizeof LW_METHOD_CHECKS / sizeof LW_METHOD_CHECKS[0];
