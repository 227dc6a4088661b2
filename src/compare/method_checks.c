// SPDX-License-Identifier: MIT
// What must hold for every method in every state, and by how much it does not.
//
//   agreement               tau, M as by the default method
//   equation of motion      M qdd = tau - bias, bias = C qd + g - J^T w
//   forward after inverse   M (forward(inverse(qdd)) - qdd) = 0
//   symmetric, positive     M = M^T, M = L D L^T with D > 0
//   kinetic energy          T = qd^T M qd / 2
//   power balance           tau . qd + w . V = d(T + V)/dt
//
// Forward dynamics is judged by its residual in the equation of motion: an inertia matrix that is
// nearly singular makes accelerations uncertain whatever the method.
#include "compare/method_checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Steps of the differences, as the angle that all joints together turn: small enough
// for what Richardson's extrapolation leaves over (about 3e-6 of its sixth power),
// large enough for rounding.
static const double STEP_DOUBLE = 0.03, STEP_SINGLE = 0.5;

static lwStatus make_workspaces(lwMethodChecker* checker, lwPrecision precision)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.inverse        = "newton-euler";  // with the links' own mass properties
  lwStatus status    = lw_workspace_create(checker->model, &def, NULL, &checker->reference);
  def.precision      = precision;
  if (status == LW_OK) status = lw_workspace_create(checker->model, &def, NULL, &checker->plain);
  return status;
}

lwStatus lw_method_checker_create(lwMethodChecker* checker, const lwModel* model,
                                  lwPrecision precision)
{
  size_t n         = (size_t)lw_model_dof(model);
  *checker         = (lwMethodChecker){.model = model, .n = (int)n};
  checker->epsilon = precision == LW_PRECISION_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  checker->step    = precision == LW_PRECISION_SINGLE ? STEP_SINGLE : STEP_DOUBLE;
  lwStatus status  = make_workspaces(checker, precision);
  if (status == LW_OK) status = lw_random_state_create(&checker->state, model);
  if (status != LW_OK) return status;
  double* values = calloc(2 * n * n + 13 * n + 1, sizeof *values);
  if (!values) return LW_ERROR_MEMORY;
  checker->M       = values;
  checker->answer  = values + n * n;
  checker->tau     = checker->answer + n * n;
  checker->bias    = checker->tau + n;
  checker->rest    = checker->bias + n;
  checker->scratch = checker->rest + n;  // (10, n)
  return LW_OK;
}

void lw_method_checker_destroy(lwMethodChecker* checker)
{
  lw_workspace_destroy(checker->reference);
  lw_workspace_destroy(checker->plain);
  lw_random_state_destroy(&checker->state);
  free(checker->M);
}

static lwStates states_of(const lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  return (lwStates){state->q, state->qd, state->qdd, state->tau, state->wrench};
}

// Row i of M x, and of |M| |x|.
static double inertial(const lwMethodChecker* checker, int i, const double* x)
{
  double sum = 0;
  for (int j = 0; j < checker->n; ++j) sum += checker->M[(size_t)i * checker->n + j] * x[j];
  return sum;
}

static double inertial_size(const lwMethodChecker* checker, int i, const double* x)
{
  double sum = 0;
  for (int j = 0; j < checker->n; ++j) sum += fabs(checker->M[(size_t)i * checker->n + j] * x[j]);
  return sum;
}

bool lw_method_checker_refer(lwMethodChecker* checker)
{
  lwRandomState* state = &checker->state;
  lwStates all = states_of(checker), at_rest = all, steady = all;
  double *c = checker->scratch, *g = c + checker->n, *hold = g + checker->n;
  at_rest.qd = at_rest.qdd = steady.qdd = NULL;
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &all, checker->tau);
  lw_answer(checker->model, checker->reference, LW_QUESTION_INERTIA, &all, checker->M);
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &steady, checker->bias);
  lw_answer(checker->model, checker->reference, LW_QUESTION_CORIOLIS, &all, c);
  lw_answer(checker->model, checker->reference, LW_QUESTION_GRAVITY, &all, g);
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &at_rest, hold);  // g - J^T w
  bool finite = true;
  for (int i = 0; i < checker->n; ++i)
  {
    double size      = inertial_size(checker, i, state->qdd);
    checker->rest[i] = fabs(c[i]) + fabs(g[i]) + fabs(hold[i] - g[i]);
    finite           = finite && isfinite(size + checker->rest[i] + checker->tau[i]);
    state->tau[i] *= size + checker->rest[i];
    if (checker->epsilon > DBL_EPSILON) state->tau[i] = (float)state->tau[i];
  }
  return finite;
}

// --- agreement

static lwGap inverse_agrees(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwGap gap       = {0};
  lwStates states = states_of(checker);
  lw_answer(checker->model, ws, LW_QUESTION_INVERSE, &states, checker->answer);
  for (int i = 0; i < checker->n; ++i)
  {
    double size    = inertial_size(checker, i, checker->state.qdd) + checker->rest[i];
    gap.difference = lw_gap_larger(gap.difference, fabs(checker->answer[i] - checker->tau[i]));
    gap.scale      = lw_gap_larger(gap.scale, size);
  }
  return gap;
}

static void inertia_by(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwStates states = states_of(checker);
  lw_answer(checker->model, ws, LW_QUESTION_INERTIA, &states, checker->answer);
}

static lwGap inertia_agrees(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwGap gap    = {0};
  size_t count = (size_t)checker->n * (size_t)checker->n;
  inertia_by(checker, ws);
  for (size_t k = 0; k < count; ++k)
  {
    gap.difference = lw_gap_larger(gap.difference, fabs(checker->answer[k] - checker->M[k]));
    gap.scale      = lw_gap_larger(gap.scale, fabs(checker->M[k]));
  }
  return gap;
}

// --- the inertia matrix by itself

static lwGap is_symmetric(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwGap gap       = {0};
  size_t n        = (size_t)checker->n;
  const double* A = checker->answer;
  inertia_by(checker, ws);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      gap.difference = lw_gap_larger(gap.difference, fabs(A[i * n + j] - A[j * n + i]));
      gap.scale      = lw_gap_larger(gap.scale, fabs(A[i * n + j]));
    }
  return gap;
}

// A = L D L^T in place, up to the first pivot that is not positive: how far below 0 it is.
static lwGap is_positive(lwMethodChecker* checker, lwWorkspace* ws)
{
  size_t n  = (size_t)checker->n;
  double* A = checker->answer;
  inertia_by(checker, ws);
  for (size_t k = 0; k < n; ++k)
  {
    double pivot = A[k * n + k];
    if (!(pivot > 0)) return (lwGap){lw_gap_larger(-pivot, 0), fabs(checker->M[k * n + k])};
    for (size_t i = k + 1; i < n; ++i)
    {
      double factor = A[i * n + k] / pivot;
      for (size_t j = k + 1; j <= i; ++j) A[i * n + j] -= factor * A[j * n + k];
    }
  }
  return (lwGap){0};
}

// --- forward dynamics

static lwGap obeys_equation(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwGap gap         = {0};
  lwStates states   = states_of(checker);
  const double* tau = checker->state.tau;
  const double* qdd = checker->answer;
  lw_answer(checker->model, ws, LW_QUESTION_FORWARD, &states, checker->answer);
  for (int i = 0; i < checker->n; ++i)
  {
    double residual = inertial(checker, i, qdd) - (tau[i] - checker->bias[i]);
    double size     = inertial_size(checker, i, qdd) + fabs(tau[i]) + checker->rest[i];
    gap.difference  = lw_gap_larger(gap.difference, fabs(residual));
    gap.scale       = lw_gap_larger(gap.scale, size);
  }
  return gap;
}

static lwGap undoes_inverse(lwMethodChecker* checker, lwWorkspace* ws)
{
  lwGap gap         = {0};
  lwStates states   = states_of(checker);
  double* off       = checker->answer;  // forward(inverse(qdd)) - qdd
  const double* qdd = checker->state.qdd;
  states.tau        = checker->tau;
  lw_answer(checker->model, ws, LW_QUESTION_FORWARD, &states, off);
  for (int i = 0; i < checker->n; ++i) off[i] -= qdd[i];
  for (int i = 0; i < checker->n; ++i)
  {
    double size    = inertial_size(checker, i, qdd) + fabs(checker->tau[i]) + checker->rest[i];
    gap.difference = lw_gap_larger(gap.difference, fabs(inertial(checker, i, off)));
    gap.scale      = lw_gap_larger(gap.scale, size);
  }
  return gap;
}

// --- energy

// The size is that of the largest inertia for all velocities:
// a small one may come from large terms.
static lwGap kinetic_is_quadratic(lwMethodChecker* checker, lwWorkspace* ws)
{
  const lwRandomState* state = &checker->state;
  double kinetic, potential, sum = 0, pace = 0, largest = 0;
  lw_energy(checker->model, ws, state->q, state->qd, &kinetic, &potential);
  for (int i = 0; i < checker->n; ++i)
  {
    sum += state->qd[i] * inertial(checker, i, state->qd) / 2;
    pace += fabs(state->qd[i]);
    largest = lw_gap_larger(largest, checker->M[(size_t)i * checker->n + i]);
  }
  return (lwGap){lw_gap_larger(fabs(kinetic - sum), 0), largest * pace * pace / 2};
}

// Energy at time t of q + qd t + qdd t^2 / 2.
static double energy_at(lwMethodChecker* checker, lwWorkspace* ws, double t)
{
  const lwRandomState* state = &checker->state;
  double *q = checker->scratch, *qd = q + state->nq, *step = qd + checker->n;
  double kinetic, potential;
  for (int i = 0; i < checker->n; ++i)
  {
    step[i] = t * (state->qd[i] + t * state->qdd[i] / 2);
    qd[i]   = state->qd[i] + t * state->qdd[i];
  }
  lw_model_integrate(checker->model, state->q, step, q);
  lw_energy(checker->model, ws, q, qd, &kinetic, &potential);
  return kinetic + potential;
}

static double energy_rate(lwMethodChecker* checker, lwWorkspace* ws, double h)
{
  double E[6];
  for (int k = 0; k < 6; ++k) E[k] = energy_at(checker, ws, (k % 2 ? -h : h) / (1 << k / 2));
  return lw_gap_derivative(E, h);
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
    double V = 0, w = 0;
    for (int j = 0; j < checker->n; ++j) V += J[(size_t)row * checker->n + j] * state->qd[j];
    for (int k = 0; k < 3; ++k) w += R[3 * (row % 3) + k] * state->wrench[3 * (row / 3) + k];
    power += w * V;
  }
  return power;
}

static lwGap power_balances(lwMethodChecker* checker, lwWorkspace* ws)
{
  const lwRandomState* state = &checker->state;
  lwStates states            = states_of(checker);
  double kinetic, potential, pace = 0.1, energy = 0;
  double power = wrench_power(checker), size = fabs(power);
  lw_answer(checker->model, ws, LW_QUESTION_INVERSE, &states, checker->answer);
  for (int i = 0; i < checker->n; ++i)
  {
    power += checker->answer[i] * state->qd[i];
    size += fabs(checker->answer[i] * state->qd[i]);
    pace += fabs(state->qd[i]) + sqrt(fabs(state->qdd[i]));
    energy += checker->rest[i];  // over a unit of motion, where the potential happens to be 0
  }
  double h = checker->step / pace;
  lw_energy(checker->model, checker->reference, state->q, state->qd, &kinetic, &potential);
  double rate = energy_rate(checker, ws, h);
  energy += kinetic + fabs(potential);
  return (lwGap){lw_gap_larger(fabs(power - rate), 0), size + energy / h};
}

// The bounds are at least 3 times what 600 states of every robot of the distribution reach. That of
// the power balance is wider, because differences of energies are less accurate than energies.
const lwMethodCheck LW_METHOD_CHECKS[] = {
    {"agreement", LW_QUESTION_INVERSE, inverse_agrees, 50, 5, LW_QUESTION_INVERSE},
    {"agreement", LW_QUESTION_INERTIA, inertia_agrees, 50, 5, LW_QUESTION_INERTIA},
    {"symmetric", LW_QUESTION_INERTIA, is_symmetric, 50, 5, LW_QUESTION_INERTIA},
    {"positive definite", LW_QUESTION_INERTIA, is_positive, 50, 5, LW_QUESTION_INERTIA},
    {"equation of motion", LW_QUESTION_FORWARD, obeys_equation, 50, 5, LW_QUESTION_FORWARD},
    {"forward after inverse", LW_QUESTION_FORWARD, undoes_inverse, 50, 5, LW_QUESTION_INVERSE},
    {"kinetic energy", LW_QUESTION_ENERGY, kinetic_is_quadratic, 50, 5, LW_QUESTION_ENERGY},
    {"power balance", LW_QUESTION_ENERGY, power_balances, 500, 50, LW_QUESTION_INVERSE},
};

const int LW_METHOD_CHECK_COUNT = sizeof LW_METHOD_CHECKS / sizeof LW_METHOD_CHECKS[0];
