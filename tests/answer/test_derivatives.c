// SPDX-License-Identifier: MIT
// Derivatives of the dynamics and the regressor, on seeded random robots: trees, prismatic and
// fixed joints, wrenches, single joints.
//
// Derivatives are compared with dual numbers, which differentiate another method. They may differ
// by rounding only: 1e-12 of the largest entry, or of M qd where a matrix is zero because all its
// terms cancel. LINKWORK_ROBOTS sets the number of robots.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/methods.h"
#include "linkwork/quad.h"
#include "linkwork/slopes.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  ROBOTS = 150
};

static const double CLOSE = 1e-12;

static const char* const METHODS[] = {"singh-russell-wensing", "newton-euler"};

typedef struct
{
  Robot* robot;
  const lwModel* model;
  size_t n;
  States states;
  lwStates state;
  lwWorkspace* ws;
  lwDifferentiator* dual;
  double least;   // M qd: the size of terms
  bool solvable;  // forward dynamics is possible and not too ill-conditioned
} Case;

static uint64_t robots(void)
{
  const char* text = getenv("LINKWORK_ROBOTS");
  return text && *text ? strtoul(text, NULL, 10) : ROBOTS;
}

static Case open_case(uint64_t seed)
{
  Case c   = {.robot = any_robot(seed)};
  c.model  = c.robot->model;
  c.n      = (size_t)lw_model_dof(c.model);
  c.states = random_states(seed, c.model, 1);
  c.state  = state_row(&c.states, c.model, 0);
  if (seed % 3 == 0) c.state.wrench = NULL;
  c.ws = work_with(c.model, -1, LW_PRECISION_DOUBLE);
  assert_int_equal(lw_differentiator_create(c.model, NULL, NULL, 0, NULL, &c.dual), LW_OK);
  c.solvable = lw_model_inert(c.model) < 0;
  double* M  = answer(c.model, c.ws, LW_QUESTION_INERTIA, &c.state);
  c.least    = largest_of(M, c.n * c.n) * largest_of(c.state.qd, c.n);
  free(M);
  return c;
}

static void close_case(Case* c)
{
  lw_differentiator_destroy(c->dual);
  lw_workspace_destroy(c->ws);
  states_free(&c->states);
  robot_free(c->robot);
}

static void for_robots(void (*check)(const Case*))
{
  for (uint64_t seed = 1; seed <= robots(); ++seed)
  {
    Case c = open_case(seed);
    check(&c);
    close_case(&c);
  }
}

static void assert_matrix(const Case* c, const char* what, const double* got, const double* right,
                          size_t count, double tolerance, double least)
{
  double size = fmax(largest_of(right, count), least);
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(got[i] - right[i]) <= tolerance * size))
      fail_msg("robot %llu (n = %zu): %s, entry %zu: %.17g instead of %.17g, largest %.3g",
               (unsigned long long)c->robot->seed, c->n, what, i, got[i], right[i], size);
}

// d out / d input of a vector question, (n, n) row by row, by dual numbers. input: 0 q, 1 qd, 3 tau
static double* by_dual(const Case* c, lwQuestion question, int input)
{
  size_t n        = c->n;
  double* columns = numbers(n * n);
  double* matrix  = numbers(n * n);
  for (size_t k = 0; k < n; ++k)
  {
    double* unit        = numbers(n);
    unit[k]             = 1;
    lwTangent direction = {.q   = input == 0 ? unit : NULL,
                           .qd  = input == 1 ? unit : NULL,
                           .tau = input == 3 ? unit : NULL};
    lw_differentiate(c->dual, question, &c->state, &direction, 1, NULL, columns + k * n);
    free(unit);
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k) matrix[i * n + k] = columns[k * n + i];
  free(columns);
  return matrix;
}

static lwWorkspace* by_method(const Case* c, const char* method)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws;
  assert_true(lw_workspace_def_set_method(&def, LW_QUESTION_INVERSE_DERIVATIVES, method));
  assert_int_equal(lw_workspace_create(c->model, &def, NULL, &ws), LW_OK);
  return ws;
}

static void check_inverse(const Case* c)
{
  size_t square = c->n * c->n;
  double *by_q = by_dual(c, LW_QUESTION_INVERSE, 0), *by_qd = by_dual(c, LW_QUESTION_INVERSE, 1);
  for (int m = 0; m < 2; ++m)
  {
    lwWorkspace* ws = by_method(c, METHODS[m]);
    double* got     = answer(c->model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &c->state);
    assert_matrix(c, METHODS[m], got, by_q, square, CLOSE, c->least);
    assert_matrix(c, METHODS[m], got + square, by_qd, square, CLOSE, c->least);
    free(got);
    lw_workspace_destroy(ws);
  }
  free(by_q);
  free(by_qd);
}

static void inverse_derivatives_are_those_of_dual_numbers(void** unused)
{
  (void)unused;
  for_robots(check_inverse);
}

// --- against differences in 113 bits

enum
{
  SIDES = 4  // points on each side, for central differences of eighth order
};

// d out / d input, (n, n) row by row. The state has 30 binary digits after the point, so that steps
// of 2^-12 are exact. The truncation error is h^8 / 630 times the ninth derivative, below 1e-25.
static double* by_quad(const Case* c, lwQuadWorkspace* quad, lwQuestion question, const double* q,
                       const double* qd, int input)
{
  static const double weights[SIDES] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h                     = 0x1p-12;
  size_t n                           = c->n;
  double *matrix = numbers(n * n), *x = numbers(n);
  lwQuad *high = calloc(n, sizeof *high), *low = calloc(n, sizeof *low);
  assert_non_null(high);
  assert_non_null(low);
  for (size_t k = 0; k < n; ++k)
    for (int s = 0; s < SIDES; ++s)
    {
      lwStates state = c->state;
      state.q        = input == 0 ? x : q;
      state.qd       = input == 1 ? x : qd;
      memcpy(x, input == 0 ? q : qd, n * sizeof *x);
      x[k] += (s + 1) * h;
      lw_quad_answer(quad, question, &state, high);
      x[k] -= 2 * (s + 1) * h;
      lw_quad_answer(quad, question, &state, low);
      for (size_t i = 0; i < n; ++i)
        matrix[i * n + k] += weights[s] * quad_difference(high[i], low[i]) / h;
    }
  free(x);
  free(high);
  free(low);
  return matrix;
}

static double* rounded(const double* values, size_t count)
{
  double* copy = numbers(count);
  for (size_t i = 0; i < count; ++i) copy[i] = ldexp(nearbyint(ldexp(values[i], 30)), -30);
  return copy;
}

static double worst_gap;  // of all robots, in units of 1e-12 of the largest entry

static void note_worst(const double* got, const double* right, size_t count, double least)
{
  double size = fmax(largest_of(right, count), least);
  for (size_t i = 0; i < count && size > 0; ++i)
    worst_gap = fmax(worst_gap, fabs(got[i] - right[i]) / (CLOSE * size));
}

static void check_against_quad(const Case* c)
{
  size_t square = c->n * c->n;
  lwQuadWorkspace* quad;
  if (c->n > 12 && robots() <= ROBOTS) return;  // large ones take long
  assert_int_equal(lw_quad_workspace_create(c->model, NULL, NULL, &quad), LW_OK);
  double *q = rounded(c->state.q, c->n), *qd = rounded(c->state.qd, c->n);
  double* by_q   = by_quad(c, quad, LW_QUESTION_INVERSE, q, qd, 0);
  double* by_qd  = by_quad(c, quad, LW_QUESTION_INVERSE, q, qd, 1);
  lwStates state = c->state;
  state.q        = q;
  state.qd       = qd;
  for (int m = 0; m < 2; ++m)
  {
    lwWorkspace* ws = by_method(c, METHODS[m]);
    double* got     = answer(c->model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &state);
    note_worst(got, by_q, square, c->least);
    note_worst(got + square, by_qd, square, c->least);
    assert_matrix(c, "by q, against quad", got, by_q, square, CLOSE, c->least);
    assert_matrix(c, "by qd, against quad", got + square, by_qd, square, CLOSE, c->least);
    free(got);
    lw_workspace_destroy(ws);
  }
  free(q);
  free(qd);
  free(by_q);
  free(by_qd);
  lw_quad_workspace_destroy(quad);
}

static void inverse_derivatives_are_differences_in_113_bits(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) return;
  uint64_t count = robots() > ROBOTS ? robots() : 30;
  worst_gap      = 0;
  for (uint64_t seed = 1; seed <= count; ++seed)
  {
    Case c = open_case(seed);
    check_against_quad(&c);
    close_case(&c);
  }
  print_message("worst of %d robots: %.3g of the bound\n", (int)count, worst_gap);
}

// --- second derivatives: dual numbers over the first

// d^2 tau / dq_j dq_k is symmetric, and the second derivatives agree with differences of the first
// ones to 1e-7.
static void check_second(const Case* c)
{
  size_t n = c->n, square = n * n;
  if (n > 8) return;
  double *first = numbers(2 * square), *by = numbers(n * 2 * square), *unit = numbers(n);
  double *high = numbers(2 * square), *low = numbers(2 * square), *x = numbers(n);
  for (size_t k = 0; k < n; ++k)
  {
    lwTangent along = {.q = unit};
    memset(unit, 0, n * sizeof *unit);
    unit[k] = 1;
    lw_differentiate(c->dual, LW_QUESTION_INVERSE_DERIVATIVES, &c->state, &along, 1, first,
                     by + k * 2 * square);
  }
  double size = fmax(largest_of(by, n * 2 * square), c->least);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t k = 0; k < n; ++k)
        assert_near(by[k * 2 * square + i * n + j], by[j * 2 * square + i * n + k],
                    10 * CLOSE * size);
  for (size_t k = 0; k < n; ++k)
  {
    lwStates state = c->state;
    memcpy(x, c->state.q, n * sizeof *x);
    state.q = x;
    x[k] += 1e-5;
    lw_answer(c->model, c->ws, LW_QUESTION_INVERSE_DERIVATIVES, &state, high);
    x[k] -= 2e-5;
    lw_answer(c->model, c->ws, LW_QUESTION_INVERSE_DERIVATIVES, &state, low);
    for (size_t i = 0; i < 2 * square; ++i)
      assert_near(by[k * 2 * square + i], (high[i] - low[i]) / 2e-5, 1e-7 * size);
  }
  free(first);
  free(by);
  free(unit);
  free(high);
  free(low);
  free(x);
}

static void second_derivatives_are_dual_over_the_first(void** unused)
{
  (void)unused;
  for_robots(check_second);
}

// The condition of M: it amplifies relative rounding errors of M in M^-1.
static double condition(const double* M, const double* W, size_t n)
{
  return 1 + (double)n * largest_of(M, n * n) * (double)n * largest_of(W, n * n);
}

static void check_forward(const Case* c)
{
  size_t square = c->n * c->n;
  if (!c->solvable) return;
  double *M        = answer(c->model, c->ws, LW_QUESTION_INERTIA, &c->state),
         *W        = answer(c->model, c->ws, LW_QUESTION_INERTIA_INVERSE, &c->state);
  double tolerance = fmax(CLOSE, 4 * DBL_EPSILON * condition(M, W, c->n));
  double* right[]  = {by_dual(c, LW_QUESTION_FORWARD, 0), by_dual(c, LW_QUESTION_FORWARD, 1),
                      by_dual(c, LW_QUESTION_FORWARD, 3)};
  for (int m = 0; m < 2; ++m)
  {
    lwWorkspace* ws = by_method(c, METHODS[m]);
    double* got     = answer(c->model, ws, LW_QUESTION_FORWARD_DERIVATIVES, &c->state);
    for (size_t k = 0; k < 3; ++k)
      assert_matrix(c, METHODS[m], got + k * square, right[k], square, tolerance,
                    c->least * largest_of(W, square));
    assert_matrix(c, "d qdd / d tau is M^-1", got + 2 * square, W, square, 0, 0);
    free(got);
    lw_workspace_destroy(ws);
  }
  for (int k = 0; k < 3; ++k) free(right[k]);
  free(M);
  free(W);
}

static void forward_derivatives_are_those_of_dual_numbers(void** unused)
{
  (void)unused;
  for_robots(check_forward);
}

static void multiply(const double* A, const double* B, size_t n, double* out)
{
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      out[i * n + j] = 0;
      for (size_t k = 0; k < n; ++k) out[i * n + j] += A[i * n + k] * B[k * n + j];
    }
}

static void check_inertia_inverse(const Case* c)
{
  size_t n = c->n;
  if (!c->solvable) return;
  double *M       = answer(c->model, c->ws, LW_QUESTION_INERTIA, &c->state),
         *W       = answer(c->model, c->ws, LW_QUESTION_INERTIA_INVERSE, &c->state);
  double *product = numbers(n * n), *one = numbers(n * n);
  for (size_t i = 0; i < n; ++i) one[i * n + i] = 1;
  multiply(M, W, n, product);
  assert_matrix(c, "M M^-1", product, one, n * n, fmax(CLOSE, 4 * DBL_EPSILON * condition(M, W, n)),
                0);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) assert_same(W[i * n + j], W[j * n + i]);
  free(M);
  free(W);
  free(product);
  free(one);
}

static void inertia_times_its_inverse_is_one(void** unused)
{
  (void)unused;
  for_robots(check_inertia_inverse);
}

// dM/dt - 2 C is antisymmetric, C qd are the Coriolis torques, and 2 C is d tau / dqd.
static void check_coriolis(const Case* c)
{
  size_t n       = c->n;
  double* C      = answer(c->model, c->ws, LW_QUESTION_CORIOLIS_MATRIX, &c->state);
  double* torque = answer(c->model, c->ws, LW_QUESTION_CORIOLIS, &c->state);
  double* slopes = answer(c->model, c->ws, LW_QUESTION_INVERSE_DERIVATIVES, &c->state);
  double *rate = numbers(n * n), *skew = numbers(n * n), *Cqd = numbers(n), *twice = numbers(n * n);
  lwTangent along = {.q = c->state.qd};
  lw_differentiate(c->dual, LW_QUESTION_INERTIA, &c->state, &along, 1, NULL, rate);
  double size = largest_of(rate, n * n) + largest_of(C, n * n) + c->least;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      double a = rate[i * n + j] - 2 * C[i * n + j], b = rate[j * n + i] - 2 * C[j * n + i];
      assert_near(a, -b, 10 * CLOSE * size);
      Cqd[i] += C[i * n + j] * c->state.qd[j];
      twice[i * n + j] = 2 * C[i * n + j];
    }
  assert_matrix(c, "C qd", Cqd, torque, n, 10 * CLOSE, c->least * largest_of(c->state.qd, n));
  assert_matrix(c, "2 C", twice, slopes + n * n, n * n, CLOSE, c->least);
  free(C);
  free(torque);
  free(slopes);
  free(rate);
  free(skew);
  free(Cqd);
  free(twice);
}

static void coriolis_matrix_is_that_of_christoffel(void** unused)
{
  (void)unused;
  for_robots(check_coriolis);
}

// --- the regressor

// The parameters pi of a link, about the origin of its frame in the description.
static void link_parameters(const lwLinkDef* link, double pi[10])
{
  const double *c = link->com, m = link->mass, *I = link->inertia;
  double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  pi[0]         = m;
  for (int k = 0; k < 3; ++k) pi[1 + k] = m * c[k];
  for (int k = 0; k < 3; ++k) pi[4 + k] = I[k] + m * (square - c[k] * c[k]);
  pi[7] = I[3] - m * c[0] * c[1];
  pi[8] = I[4] - m * c[0] * c[2];
  pi[9] = I[5] - m * c[1] * c[2];
}

static void check_regressor(const Case* c)
{
  const lwRobotDef* robot = lw_model_robot(c->model);
  size_t width            = 10 * (size_t)robot->count;
  lwStates state          = c->state;
  state.wrench            = NULL;
  double *Y               = answer(c->model, c->ws, LW_QUESTION_REGRESSOR, &state),
         *tau             = answer(c->model, c->ws, LW_QUESTION_INVERSE, &state);
  double* found           = numbers(c->n);
  double size             = largest_of(tau, c->n);
  for (size_t i = 0; i < c->n; ++i)
    for (size_t l = 0; l < (size_t)robot->count; ++l)
    {
      double pi[10];
      link_parameters(&robot->joints[l].link, pi);
      for (size_t k = 0; k < 10; ++k)
      {
        double term = Y[i * width + 10 * l + k] * pi[k];
        found[i] += term;
        size = fmax(size, fabs(term));
      }
    }
  for (size_t i = 0; i < c->n; ++i)
    if (!(fabs(found[i] - tau[i]) <= CLOSE * size))
      fail_msg("robot %llu: Y pi %.17g, tau %.17g of joint %zu, terms to %.3g",
               (unsigned long long)c->robot->seed, found[i], tau[i], i + 1, size);
  free(Y);
  free(tau);
  free(found);
}

static void torque_is_regressor_times_parameters(void** unused)
{
  (void)unused;
  for_robots(check_regressor);
}

// --- motion

static void check_centroidal(const Case* c)
{
  double right[2][15], *got = answer(c->model, c->ws, LW_QUESTION_CENTROIDAL, &c->state), mass = 0;
  const lwRobotDef* robot = lw_model_robot(c->model);
  lwTangent along         = {.q = c->state.qd, .qd = c->state.qdd};
  lw_differentiate(c->dual, LW_QUESTION_CENTROIDAL, &c->state, &along, 1, right[0], right[1]);
  double size = largest_of(right[1], 9) + largest_of(got, 15);
  for (int k = 0; k < 9; ++k) assert_near(got[k], right[0][k], CLOSE * size);
  for (int k = 0; k < 6; ++k) assert_near(got[9 + k], right[1][3 + k], CLOSE * size);

  // the same from the external forces: weight, the wrench, and the reaction of the base on its
  // joints
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws;
  def.axes = LW_AXES_BASE;
  assert_int_equal(lw_workspace_create(c->model, &def, NULL, &ws), LW_OK);
  lwStates state    = c->state;
  state.wrench      = NULL;
  double* reactions = answer(c->model, ws, LW_QUESTION_REACTIONS, &state);
  double outside[6] = {0}, weight[3] = {0};
  for (int i = 0; i < robot->count; ++i)
  {
    mass += robot->joints[i].link.mass;
    if (robot->joints[i].parent != LW_BASE) continue;
    double p[12];
    lwFrame frame = {.joint = i};
    assert_int_equal(lw_workspace_set_frame(ws, c->model, &frame, NULL), LW_OK);
    lw_answer(c->model, ws, LW_QUESTION_POSE, &state, p);
    const double* f = reactions + 6 * i;
    double r[3]     = {p[0] - got[0], p[1] - got[1], p[2] - got[2]};
    for (int k = 0; k < 3; ++k)
    {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      outside[k] += f[k];
      outside[3 + k] += f[3 + k] + r[a] * f[b] - r[b] * f[a];
    }
  }
  for (int k = 0; k < 3; ++k) weight[k] = mass * robot->gravity[k];
  size += largest_of(reactions, 6 * (size_t)robot->count) + largest_of(weight, 3);
  for (int k = 0; k < 3; ++k) assert_near(got[9 + k], outside[k] + weight[k], 10 * CLOSE * size);
  for (int k = 3; k < 6; ++k) assert_near(got[9 + k], outside[k], 100 * CLOSE * size);
  free(reactions);
  free(got);
  lw_workspace_destroy(ws);
}

static void momentum_changes_by_forces(void** unused)
{
  (void)unused;
  for_robots(check_centroidal);
}

static void check_jacobian_rate(const Case* c)
{
  size_t n    = c->n;
  double *got = answer(c->model, c->ws, LW_QUESTION_JACOBIAN_RATE, &c->state), right[12] = {0};
  double *J = numbers(6 * n), *rate = numbers(6 * n);
  lwTangent along = {.q = c->state.qd};
  lw_differentiate(c->dual, LW_QUESTION_JACOBIAN, &c->state, &along, 1, J, rate);
  for (size_t row = 0; row < 6; ++row)
    for (size_t i = 0; i < n; ++i)
    {
      right[row] += J[row * n + i] * c->state.qd[i];
      right[6 + row] += rate[row * n + i] * c->state.qd[i];
    }
  assert_matrix(c, "J qd, dJ/dt qd", got, right, 12, 10 * CLOSE, 0);
  free(got);
  free(J);
  free(rate);
}

static void jacobian_rate_is_that_of_the_jacobian(void** unused)
{
  (void)unused;
  for_robots(check_jacobian_rate);
}

// Single precision: the accuracy left after some hundred operations per joint.
static void check_single(const Case* c)
{
  static const lwQuestion asked[] = {LW_QUESTION_INVERSE_DERIVATIVES, LW_QUESTION_CORIOLIS_MATRIX,
                                     LW_QUESTION_CENTROIDAL, LW_QUESTION_JACOBIAN_RATE,
                                     LW_QUESTION_REGRESSOR};
  if (c->n > 12) return;
  for (int m = 0; m < 2; ++m)
  {
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws;
    def.precision   = LW_PRECISION_SINGLE;
    def.derivatives = METHODS[m];
    assert_int_equal(lw_workspace_create(c->model, &def, NULL, &ws), LW_OK);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; ++k)
    {
      double *right = answer(c->model, c->ws, asked[k], &c->state),
             *got   = answer(c->model, ws, asked[k], &c->state);
      assert_matrix(c, lw_question_info(asked[k])->name, got, right,
                    lw_question_outputs(c->model, asked[k]), 1e-3, c->least);
      free(right);
      free(got);
    }
    lw_workspace_destroy(ws);
  }
}

static void single_precision_follows_double(void** unused)
{
  (void)unused;
  for_robots(check_single);
}

// --- wrenches on several links

enum
{
  PLACES = 3
};

// Central differences with one step of Richardson extrapolation: error 1e-9 of the largest entry.
static void difference(const Case* c, lwWorkspace* ws, lwQuestion question, int input, double* out)
{
  const double h = 1e-3;
  size_t n       = c->n;
  double *x      = numbers(n), *side[4];
  for (int s = 0; s < 4; ++s) side[s] = numbers(n);
  for (size_t k = 0; k < n; ++k)
  {
    static const double steps[] = {1, -1, 2, -2};
    for (int s = 0; s < 4; ++s)
    {
      lwStates state = c->state;
      memcpy(x, input ? state.qd : state.q, n * sizeof *x);
      x[k] += steps[s] * h;
      *(input ? &state.qd : &state.q) = x;
      lw_answer(c->model, ws, question, &state, side[s]);
    }
    for (size_t i = 0; i < n; ++i)
      out[i * n + k] = (8 * (side[0][i] - side[1][i]) - (side[2][i] - side[3][i])) / (12 * h);
  }
  for (int s = 0; s < 4; ++s) free(side[s]);
  free(x);
}

static void check_places(const Case* c)
{
  size_t square = c->n * c->n;
  double wrench[6 * PLACES];
  lwWrenchPlace places[PLACES];
  int joints = lw_model_robot(c->model)->count;
  for (int k = 0; k < PLACES; ++k)
    places[k] = (lwWrenchPlace){
        (k * 2 + 1) % joints, {0.1, -0.2, 0.3 * k}, k % 2 ? LW_AXES_LINK : LW_AXES_BASE};
  for (int k = 0; k < 6 * PLACES; ++k) wrench[k] = 3 + k % 5 - 0.4 * k;
  Case pushed         = *c;
  pushed.state.wrench = wrench;
  double* right       = numbers(square);
  for (int m = 0; m < 2; ++m)
  {
    lwWorkspace* ws = by_method(c, METHODS[m]);
    assert_int_equal(lw_workspace_set_wrench_places(ws, c->model, PLACES, places, NULL), LW_OK);
    double* got = answer(c->model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &pushed.state);
    for (int input = 0; input < 2; ++input)
    {
      difference(&pushed, ws, LW_QUESTION_INVERSE, input, right);
      assert_matrix(c, METHODS[m], got + (size_t)input * square, right, square, 1e-8, c->least);
    }
    free(got);
    got = answer(c->model, ws, LW_QUESTION_FORWARD_DERIVATIVES, &pushed.state);
    for (int input = 0; input < 2 && c->solvable && c->n < 4; ++input)
    {
      difference(&pushed, ws, LW_QUESTION_FORWARD, input, right);
      assert_matrix(c, "forward", got + (size_t)input * square, right, square, 1e-5, 0);
    }
    free(got);
    lw_workspace_destroy(ws);
  }
  free(right);
}

static void wrenches_at_places_are_in_the_derivatives(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Case c = open_case(seed);
    if (c.n <= 12) check_places(&c);
    close_case(&c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_derivatives_are_those_of_dual_numbers),
      cmocka_unit_test(inverse_derivatives_are_differences_in_113_bits),
      cmocka_unit_test(second_derivatives_are_dual_over_the_first),
      cmocka_unit_test(forward_derivatives_are_those_of_dual_numbers),
      cmocka_unit_test(inertia_times_its_inverse_is_one),
      cmocka_unit_test(coriolis_matrix_is_that_of_christoffel),
      cmocka_unit_test(torque_is_regressor_times_parameters),
      cmocka_unit_test(momentum_changes_by_forces),
      cmocka_unit_test(jacobian_rate_is_that_of_the_jacobian),
      cmocka_unit_test(single_precision_follows_double),
      cmocka_unit_test(wrenches_at_places_are_in_the_derivatives),
  };
  return cmocka_run_group_tests_name("derivatives", tests, NULL, NULL);
}
