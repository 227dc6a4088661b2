// SPDX-License-Identifier: MIT
// Ball and floating joints as consecutive freedoms in kernels: random trees with them anywhere, some
// with mimic joints, against the same robots as chains of joints with one freedom each, which the
// printed methods use; lanes and layouts against single states, to the bit.
//
// LINKWORK_ROBOTS=1000 build/release/tests/test_answer_wide compares derivatives with differences in
// 113 bits on as many robots, instead of DIFFERENCED.
#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"
#include "model/model_internal.h"
#include "support/check.h"
#include "support/testing.h"
#include "wide_robots.h"

enum
{
  ROBOTS      = CASES(60, 24),
  DIFFERENCED = CASES(18, 6),  // robots whose derivatives are compared with differences
  MOST        = 8 * MOST_JOINTS,
  STATES      = 11,  // whole vectors of lanes and a rest
  LINK_SIZE   = 6
};

// The same model without wide joints: all kernels take the chains of pieces.
static lwModel in_pieces(const lwModel* model)
{
  lwModel pieces = *model;
  pieces.native  = NULL;
  return pieces;
}

// The questions that kernels with wide joints answer.
static const lwQuestion questions[] = {LW_QUESTION_INVERSE,
                                       LW_QUESTION_INERTIA,
                                       LW_QUESTION_BIAS,
                                       LW_QUESTION_GRAVITY,
                                       LW_QUESTION_CORIOLIS,
                                       LW_QUESTION_ENERGY,
                                       LW_QUESTION_POSE,
                                       LW_QUESTION_JACOBIAN,
                                       LW_QUESTION_REACTIONS,
                                       LW_QUESTION_FORWARD,
                                       LW_QUESTION_CENTROIDAL,
                                       LW_QUESTION_JACOBIAN_RATE,
                                       LW_QUESTION_INERTIA_INVERSE,
                                       LW_QUESTION_REGRESSOR,
                                       LW_QUESTION_GIBBS,
                                       LW_QUESTION_POSES,
                                       LW_QUESTION_VELOCITIES,
                                       LW_QUESTION_ACCELERATIONS};

enum
{
  QUESTIONS = sizeof questions / sizeof *questions
};

static bool is_solved(lwQuestion question)
{
  return question == LW_QUESTION_FORWARD || question == LW_QUESTION_INERTIA_INVERSE;
}

// --- against 113 bits

static double* quad_answer(lwQuadWorkspace* ws, const lwModel* model, lwQuestion question,
                           const lwStates* state)
{
  size_t size  = lw_question_outputs(model, question);
  lwQuad* quad = calloc(size, sizeof *quad);
  double* out  = numbers(size);
  lw_quad_answer(ws, question, state, quad);
  for (size_t i = 0; i < size; ++i) out[i] = quad[i].part[0] + quad[i].part[1];
  free(quad);
  return out;
}

static void assert_near_largest(const Trial* trial, const double* got, const double* expected,
                                double factor, size_t count)
{
  double largest = largest_of(expected, count);
  double* size   = numbers(count);
  for (size_t i = 0; i < count; ++i) size[i] = largest;
  check_close(trial, got, expected, size, factor, count);
  free(size);
}

// Solved answers are put into the equations that they solve, whose rounding does not depend on the
// condition of M: M W = 1 and tau of the accelerations in 113 bits.
static void check_solved(const Trial* trial, lwQuadWorkspace* quad, const lwModel* model,
                         const double* got)
{
  size_t n       = (size_t)lw_model_dof(model);
  double* M      = quad_answer(quad, model, LW_QUESTION_INERTIA, trial->state);
  double* result = numbers(n * n);
  double* size   = numbers(n * n);
  bool inverse   = trial->question == LW_QUESTION_INERTIA_INVERSE;
  double* wanted = numbers(n * n);
  if (!inverse)
  {
    lwStates reached = *trial->state;
    reached.qdd      = got;
    double* tau      = quad_answer(quad, model, LW_QUESTION_INVERSE, &reached);
    memcpy(result, tau, n * sizeof *result);
    memcpy(wanted, trial->state->tau, n * sizeof *wanted);
    free(tau);
  }
  double most = 1;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < (inverse ? n : 1); ++j)
    {
      double sum = 0, terms = 0;
      for (size_t k = 0; k < n; ++k)
      {
        double term = M[i * n + k] * (inverse ? got[k * n + j] : got[k]);
        sum += term;
        terms += fabs(term);
      }
      if (inverse) result[i * n + j] = sum;
      if (inverse) wanted[i * n + j] = i == j;
      most = fmax(most, terms);
    }
  size_t count = inverse ? n * n : n;
  for (size_t i = 0; i < count; ++i) size[i] = most;
  check_close(trial, result, wanted, size, 1e-12, count);
  free(M);
  free(result);
  free(size);
  free(wanted);
}

static lwWorkspace* workspace_by(const lwModel* model, lwQuestion question, const char* method)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws;
  assert_true(lw_workspace_def_set_method(&def, question, method));
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  assert_string_equal(lw_workspace_method(ws, question), method);
  return ws;
}

// Parts of an answer, each relative to its own largest entry.
static void assert_parts_near(const Trial* trial, const double* got, const double* expected,
                              double factor, const size_t* sizes, size_t parts)
{
  for (size_t k = 0; k < parts; got += sizes[k], expected += sizes[k], ++k)
    assert_near_largest(trial, got, expected, factor, sizes[k]);
}

// Tolerance: 1e-12 of the largest entry. Some 30 joints add a rounding of 1e-16 each, of terms up to
// 100 times as large as their sum.
static void agrees_with_pieces_in_113_bits(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    lwModel pieces       = in_pieces(model);
    States states        = random_states(seed + 1000, model, 2);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwQuadWorkspace* quad;
    assert_int_equal(lw_quad_workspace_create(&pieces, NULL, NULL, &quad), LW_OK);
    for (int k = 0; k < 2 * QUESTIONS; ++k)
    {
      lwStates state      = state_row(&states, model, k % 2);
      lwQuestion question = questions[k / 2];
      Trial trial         = {.seed = seed, .n = model->dof, .question = question, .state = &state};
      double* got         = answer(model, ws, question, &state);
      if (is_solved(question))
        check_solved(&trial, quad, model, got);
      else
      {
        double* expected = quad_answer(quad, model, question, &state);
        assert_near_largest(&trial, got, expected, 1e-12, lw_question_outputs(model, question));
        free(expected);
      }
      free(got);
    }
    lw_quad_workspace_destroy(quad);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// Largest difference of two 113-bit answers, over the largest entry.
static double difference_of_113_bits(const lwQuad* a, const lwQuad* b, size_t count)
{
  double most = 0, size = 0;
  for (size_t i = 0; i < count; ++i)
  {
    most = fmax(most, fabs(quad_difference(a[i], b[i])));
    size = fmax(size, fabs(a[i].part[0]));
  }
  return size > 0 ? most / size : most;
}

// The kernels themselves in 113 bits, with wide joints and as chains. Tolerance: as above, and the
// condition of M for what is solved, up to 1e5.
static void native_113_bits_agree_with_pieces(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot   = robot_with_wide_joints(seed);
    lwModel pieces = in_pieces(robot->model);
    States states  = random_states(seed, robot->model, 1);
    lwQuadWorkspace *wide, *chains;
    assert_int_equal(lw_quad_workspace_create(robot->model, NULL, NULL, &wide), LW_OK);
    assert_int_equal(lw_quad_workspace_create(&pieces, NULL, NULL, &chains), LW_OK);
    for (int k = 0; k < QUESTIONS; ++k)
    {
      size_t size = lw_question_outputs(robot->model, questions[k]);
      lwQuad *got = calloc(size, sizeof *got), *expected = calloc(size, sizeof *expected);
      lw_quad_answer(wide, questions[k], &states.rows, got);
      lw_quad_answer(chains, questions[k], &states.rows, expected);
      assert_less(difference_of_113_bits(got, expected, size),
                  is_solved(questions[k]) ? 1e-25 : 1e-30);
      free(got);
      free(expected);
    }
    lw_quad_workspace_destroy(wide);
    lw_quad_workspace_destroy(chains);
    states_free(&states);
    robot_free(robot);
  }
}

// M^-1 by articulated bodies, and by factors, of robots of every size: both as their equation M W =
// 1 in 113 bits, and one against the other. Both are off by the condition of M, 1e5 for most of
// these robots, so their difference is compared to 1e-10 sqrt(W_ii W_jj).
static void both_inverses_are_those_of_the_matrix(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"articulated-body", "composite-body"};
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 800; seed < 800 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    size_t n             = (size_t)model->dof;
    States states        = random_states(seed, model, 1);
    Trial trial          = {.seed     = seed,
                            .n        = model->dof,
                            .question = LW_QUESTION_INERTIA_INVERSE,
                            .state    = &states.rows};
    lwQuadWorkspace* quad;
    double *W[2], *size = numbers(n * n);
    assert_int_equal(lw_quad_workspace_create(model, NULL, NULL, &quad), LW_OK);
    for (int k = 0; k < 2; ++k)
    {
      lwWorkspace* ws = workspace_by(model, LW_QUESTION_INERTIA_INVERSE, methods[k]);
      trial.method    = methods[k];
      W[k]            = answer(model, ws, LW_QUESTION_INERTIA_INVERSE, &states.rows);
      check_solved(&trial, quad, model, W[k]);
      for (size_t i = 0; i < n * n; ++i) assert_same(W[k][i], W[k][i % n * n + i / n]);
      lw_workspace_destroy(ws);
    }
    for (size_t i = 0; i < n * n; ++i)
      size[i] = sqrt(W[1][i / n * (n + 1)] * W[1][i % n * (n + 1)]);
    check_close(&trial, W[0], W[1], size, 1e-10, n * n);
    free(W[0]), free(W[1]), free(size);
    lw_quad_workspace_destroy(quad);
    states_free(&states);
    robot_free(robot);
  }
}

// With qdd of the torques, M d qdd/dq = -d tau/dq and the same by qd; d qdd/d tau is M^-1. Scale:
// the sum of the terms of a row. Small and large robots take different ways.
static void forward_derivatives_solve_their_equation(void** unused)
{
  (void)unused;
  int large = 0;
  for (uint64_t seed = 900; seed < 900 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    size_t n             = (size_t)model->dof;
    States states        = random_states(seed, model, 1);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwStates moves       = states.rows;
    double *M            = answer(model, ws, LW_QUESTION_INERTIA, &moves),
           *W            = answer(model, ws, LW_QUESTION_INERTIA_INVERSE, &moves),
           *qdd          = answer(model, ws, LW_QUESTION_FORWARD, &moves),
           *by           = answer(model, ws, LW_QUESTION_FORWARD_DERIVATIVES, &moves);
    moves.qdd            = qdd;
    double* tau_by       = answer(model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &moves);
    double *sum = numbers(n * n), *wanted = numbers(n * n), *size = numbers(n * n);
    Trial trial = {.seed = seed, .n = model->dof, .question = LW_QUESTION_FORWARD_DERIVATIVES};
    large += n >= 25;
    for (size_t m = 0; m < 2; ++m)
    {
      double most = 0;
      for (size_t i = 0; i < n * n; ++i)
      {
        double terms = fabs(tau_by[m * n * n + i]);
        sum[i]       = 0;
        wanted[i]    = -tau_by[m * n * n + i];
        for (size_t k = 0; k < n; ++k)
        {
          double term = M[i / n * n + k] * by[m * n * n + k * n + i % n];
          sum[i] += term;
          terms += fabs(term);
        }
        most = fmax(most, terms);
      }
      // qdd itself is off by the condition of M, and with it the derivatives of tau
      for (size_t i = 0; i < n * n; ++i) size[i] = most;
      check_close(&trial, sum, wanted, size, 1e-9, n * n);
    }
    for (size_t i = 0; i < n * n; ++i) assert_same(by[2 * n * n + i], W[i]);
    free(M), free(W), free(qdd), free(by), free(tau_by), free(sum), free(wanted), free(size);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
  assert_in_range(large, ROBOTS / 6, ROBOTS - ROBOTS / 6);  // both solvers
}

// Long chains, whose M has a condition of 1e8 and more, against 113 bits: the inverse by articulated
// bodies does not depend on the condition (3e-15 of the largest entry were measured at 100 joints,
// where factors of M leave 1e-11); derivatives do (5e-12), as qdd does.
static void long_chains_keep_their_digits(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  lwModel* model;
  lwQuadWorkspace* quad;
  assert_int_equal(lw_model_create_generic(60, &model), LW_OK);
  assert_int_equal(lw_quad_workspace_create(model, NULL, NULL, &quad), LW_OK);
  States states   = random_states(3, model, 2);
  lwWorkspace* ws = work_with(model, -1, LW_PRECISION_DOUBLE);
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_INERTIA_INVERSE), "articulated-body");
  for (int k = 0; k < 4; ++k)
  {
    lwStates state       = state_row(&states, model, k / 2);
    lwQuestion question  = k % 2 ? LW_QUESTION_FORWARD_DERIVATIVES : LW_QUESTION_INERTIA_INVERSE;
    Trial trial          = {.n = 60, .question = question, .state = &state};
    const size_t parts[] = {3600, 3600, 3600};
    double* got          = answer(model, ws, question, &state);
    double* expected     = quad_answer(quad, model, question, &state);
    assert_parts_near(&trial, got, expected, k % 2 ? 1e-10 : 5e-14, parts, k % 2 ? 3 : 1);
    free(got), free(expected);
  }
  lw_quad_workspace_destroy(quad);
  lw_workspace_destroy(ws);
  states_free(&states);
  lw_model_destroy(model);
}

// Every part of control against the question of its own, about any frame: 1e-12 of the largest
// entry of the part, as above.
static void control_is_its_parts(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1000; seed < 1000 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    size_t n = (size_t)model->dof, at = 0;
    const size_t parts[] = {n, n, 6, 3, 9, 3 * n, 3 * n, n * n};
    States states        = random_states(seed, model, 1);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwFrame frame        = {.joint = (int)(seed % (uint64_t)robot->def.count) - (seed % 7 == 0),
                            .xyz   = {0.1, -0.2, 0.3}};
    Trial trial          = {.seed = seed, .n = model->dof, .question = LW_QUESTION_CONTROL};
    assert_int_equal(lw_workspace_set_frame(ws, model, &frame, NULL), LW_OK);
    double *got                   = answer(model, ws, LW_QUESTION_CONTROL, &states.rows),
           *expected              = numbers(n * n + 8 * n + 18);
    static const lwQuestion own[] = {LW_QUESTION_BIAS,          LW_QUESTION_GRAVITY,
                                     LW_QUESTION_JACOBIAN_RATE, LW_QUESTION_POSE,
                                     LW_QUESTION_JACOBIAN,      LW_QUESTION_INERTIA};
    for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
    {
      double* part = answer(model, ws, own[k], &states.rows);
      size_t skip  = own[k] == LW_QUESTION_JACOBIAN_RATE ? 6 : 0;
      size_t count = lw_question_outputs(model, own[k]) - skip;
      memcpy(expected + at, part + skip, count * sizeof *part);
      at += count;
      free(part);
    }
    assert_int_equal(at, lw_question_outputs(model, LW_QUESTION_CONTROL));
    assert_parts_near(&trial, got, expected, 1e-12, parts, sizeof parts / sizeof *parts);
    free(got), free(expected);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// --- derivatives, in the tangent space

// One state, and a direction in which q or qd moves away from it.
typedef struct Moving
{
  const lwModel* model;
  lwQuadWorkspace* quad;
  const lwStates* state;
  int along;
  bool by_velocity;
} Moving;

// tau at this distance in 113 bits, by Kane's equations of the chains of pieces.
static lwQuad* torques_at(const Moving* moving, double t)
{
  const lwModel* model = moving->model;
  double q[MOST], qd[MOST], step[MOST] = {0};
  lwStates at = *moving->state;
  memcpy(q, at.q, (size_t)model->nq * sizeof *q);
  memcpy(qd, at.qd, (size_t)model->dof * sizeof *qd);
  step[moving->along] = t;
  if (moving->by_velocity)
    qd[moving->along] += t;
  else
    lw_model_integrate(model, at.q, step, q);
  at.q        = q;
  at.qd       = qd;
  lwQuad* tau = calloc((size_t)model->dof, sizeof *tau);
  lw_quad_answer(moving->quad, LW_QUESTION_INVERSE, &at, tau);
  return tau;
}

// Column `along` of d tau/dq or d tau/dqd by central differences of 8th order, taken in 113 bits:
// torques may be far larger than their derivatives.
static void difference_column(const Moving* moving, double h, double* matrix)
{
  static const double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  size_t n                      = (size_t)moving->model->dof;
  for (size_t i = 0; i < n; ++i) matrix[i * n + (size_t)moving->along] = 0;
  for (int k = 1; k <= 4; ++k)
  {
    lwQuad *above = torques_at(moving, k * h), *below = torques_at(moving, -k * h);
    for (size_t i = 0; i < n; ++i)
      matrix[i * n + (size_t)moving->along] +=
          weights[k - 1] * quad_difference(above[i], below[i]) / h;
    free(above);
    free(below);
  }
}

// Tolerance: 1e-12 of the largest entry. Steps of 1/256 leave 1e-16 of a motion with frequencies of
// a few rad, and the rounding of q, 1e-16, divided by the step.
static void derivatives_are_differences(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  static const char* const methods[] = {"singh-russell-wensing", "newton-euler"};
  const char* many                   = getenv("LINKWORK_ROBOTS");
  uint64_t robots                    = many ? strtoull(many, NULL, 10) : DIFFERENCED;
  lwWorkspaceDef kane                = lw_workspace_def();
  kane.inverse                       = "kane";
  for (uint64_t seed = 500; seed < 500 + robots; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    lwQuadWorkspace* quad;
    size_t n         = (size_t)model->dof;
    double* expected = numbers(2 * n * n);
    assert_int_equal(lw_quad_workspace_create(model, &kane, NULL, &quad), LW_OK);
    for (int along = 0; along < model->dof; ++along)
      for (int kind = 0; kind < 2; ++kind)
        difference_column(&(Moving){model, quad, &states.rows, along, kind}, 1.0 / 256,
                          expected + (size_t)kind * n * n);
    for (int k = 0; k < 2; ++k)
    {
      lwWorkspaceDef def = lw_workspace_def();
      lwWorkspace* ws;
      def.derivatives = methods[k];
      assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
      double* got = answer(model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &states.rows);
      Trial trial = {
          .seed = seed, .question = LW_QUESTION_INVERSE_DERIVATIVES, .method = methods[k]};
      assert_near_largest(&trial, got, expected, 1e-12, n * n);
      assert_near_largest(&trial, got + n * n, expected + n * n, 1e-12, n * n);
      free(got);
      lw_workspace_destroy(ws);
    }
    free(expected);
    lw_quad_workspace_destroy(quad);
    states_free(&states);
    robot_free(robot);
  }
}

// Dual numbers along the tangent space give the same columns. Tolerance: two ways of 30 joints.
static void derivatives_are_dual_numbers(void** unused)
{
  (void)unused;
  for (uint64_t seed = 800; seed < 800 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    size_t n             = (size_t)model->dof;
    double *found = numbers(n * n), *unit = numbers(n), *columns = numbers(n * n);
    lwDifferentiator* d;
    assert_int_equal(lw_differentiator_create(model, NULL, NULL, 0, NULL, &d), LW_OK);
    double* got = answer(model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &states.rows);
    for (size_t k = 0; k < n; ++k)
    {
      lwTangent along = {.q = unit};
      unit[k]         = 1;
      lw_differentiate(d, LW_QUESTION_INVERSE, &states.rows, &along, 1, NULL, columns);
      unit[k] = 0;
      for (size_t i = 0; i < n; ++i) found[i * n + k] = columns[i];
    }
    Trial trial = {.seed = seed, .question = LW_QUESTION_INVERSE_DERIVATIVES, .method = "dual"};
    assert_near_largest(&trial, got, found, 1e-12, n * n);
    free(got), free(found), free(unit), free(columns);
    lw_differentiator_destroy(d);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// Derivatives and the Coriolis matrix in double against the same kernels in 113 bits.
static void derivatives_have_their_digits(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  static const lwQuestion asked[] = {LW_QUESTION_INVERSE_DERIVATIVES, LW_QUESTION_CORIOLIS_MATRIX};
  for (uint64_t seed = 600; seed < 600 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwQuadWorkspace* quad;
    assert_int_equal(lw_quad_workspace_create(model, NULL, NULL, &quad), LW_OK);
    for (int k = 0; k < 2; ++k)
    {
      Trial trial      = {.seed = seed, .question = asked[k]};
      double* got      = answer(model, ws, asked[k], &states.rows);
      double* expected = quad_answer(quad, model, asked[k], &states.rows);
      assert_near_largest(&trial, got, expected, 1e-12, lw_question_outputs(model, asked[k]));
      free(got);
      free(expected);
    }
    lw_quad_workspace_destroy(quad);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// C qd are the velocity torques, and dM/dt = C + C^T. All joints move at once here, so that steps are
// shorter than above: 0.004 s leaves 1e-12 of the rate, and 1e-13 for the rounding of M.
static void coriolis_matrix_has_its_properties(void** unused)
{
  (void)unused;
  static const double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h                = 0.004;
  for (uint64_t seed = 700; seed < 700 + ROBOTS; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    size_t n             = (size_t)model->dof;
    double *C            = answer(model, ws, LW_QUESTION_CORIOLIS_MATRIX, &states.rows),
           *c            = answer(model, ws, LW_QUESTION_CORIOLIS, &states.rows),
           *M            = answer(model, ws, LW_QUESTION_INERTIA, &states.rows);
    double *product = numbers(n), *rate = numbers(n * n), *sum = numbers(n * n),
           *size = numbers(n * n);
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < n; ++k)
      {
        product[i] += C[i * n + k] * states.qd[k];
        sum[i * n + k]  = C[i * n + k] + C[k * n + i];
        size[i * n + k] = largest_of(M, n * n) + largest_of(C, n * n);
      }
    for (int k = -4; k <= 4; ++k)
    {
      double q[MOST], step[MOST];
      if (k == 0) continue;
      for (size_t i = 0; i < n; ++i) step[i] = k * h * states.qd[i];
      lw_model_integrate(model, states.q, step, q);
      lw_inertia_matrix(model, ws, q, M);
      double weight = (k > 0 ? 1 : -1) * weights[abs(k) - 1] / h;
      for (size_t i = 0; i < n * n; ++i) rate[i] += weight * M[i];
    }
    Trial trial = {.seed = seed, .question = LW_QUESTION_CORIOLIS_MATRIX};
    assert_near_largest(&trial, product, c, 1e-12, n);
    check_close(&trial, sum, rate, size, 1e-10, n * n);
    free(C), free(c), free(M), free(product), free(rate), free(sum), free(size);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// --- methods

// Every method whose kernel takes wide joints, against one that does not.
static void methods_agree_with_the_reference(void** unused)
{
  (void)unused;
  static const struct
  {
    lwQuestion question;
    const char *method, *reference;
  } pairs[] = {{LW_QUESTION_INVERSE, "newton-euler", "reference-newton-euler"},
               {LW_QUESTION_INVERSE, "newton-euler-grouped", "reference-newton-euler"},
               {LW_QUESTION_INERTIA, "composite-body", "reference-composite-body"},
               {LW_QUESTION_INERTIA, "common-frame", "reference-composite-body"},
               {LW_QUESTION_FORWARD, "composite-body", "walker-orin-1"},
               {LW_QUESTION_FORWARD, "common-frame", "walker-orin-1"},
               {LW_QUESTION_FORWARD, "articulated-body", "reference-articulated-body"}};
  for (uint64_t seed = 100; seed < 100 + ROBOTS; ++seed)
  {
    Robot* robot  = robot_with_wide_joints(seed);
    States states = random_states(seed + 1000, robot->model, 1);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
    {
      if (robot->model->coupled && !strcmp(pairs[k].method, "articulated-body")) continue;
      lwWorkspace* ws[2];
      double* got[2];
      for (int side = 0; side < 2; ++side)
      {
        lwWorkspaceDef def = lw_workspace_def();
        lw_workspace_def_set_method(&def, pairs[k].question,
                                    side ? pairs[k].reference : pairs[k].method);
        assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws[side]), LW_OK);
        got[side] = answer(robot->model, ws[side], pairs[k].question, &states.rows);
      }
      Trial trial = {.seed = seed, .question = pairs[k].question, .method = pairs[k].method};
      assert_string_equal(lw_workspace_method(ws[0], pairs[k].question), pairs[k].method);
      // both sides of forward dynamics are off by the condition of M, up to 1e5 for these robots
      bool solved = pairs[k].question == LW_QUESTION_FORWARD;
      assert_near_largest(&trial, got[0], got[1], solved ? 1e-8 : 1e-12,
                          lw_question_outputs(robot->model, pairs[k].question));
      for (int side = 0; side < 2; ++side)
      {
        free(got[side]);
        lw_workspace_destroy(ws[side]);
      }
    }
    states_free(&states);
    robot_free(robot);
  }
}

// --- wrenches on any links

static void pushes_are_those_of_the_reference(void** unused)
{
  (void)unused;
  for (uint64_t seed = 200; seed < 200 + ROBOTS; ++seed)
  {
    Robot* robot           = robot_with_wide_joints(seed);
    States states          = random_states(seed, robot->model, 1);
    int last               = robot->def.count - 1;
    lwWrenchPlace places[] = {{.joint = last, .xyz = {0.1, -0.2, 0.3}, .axes = LW_AXES_BASE},
                              {.joint = last / 2, .xyz = {0.2, 0.1, 0}}};
    double wrench[2 * LINK_SIZE];
    double* got[2];
    for (int k = 0; k < 2 * LINK_SIZE; ++k) wrench[k] = 0.5 * k - 2;
    lwStates state = states.rows;
    state.wrench   = wrench;
    for (int side = 0; side < 2; ++side)
    {
      lwWorkspaceDef def = lw_workspace_def();
      lwWorkspace* ws;
      def.inverse = side ? "reference-newton-euler" : "auto";
      assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
      assert_int_equal(lw_workspace_set_wrench_places(ws, robot->model, 2, places, NULL), LW_OK);
      got[side] = answer(robot->model, ws, LW_QUESTION_INVERSE, &state);
      lw_workspace_destroy(ws);
    }
    Trial trial = {.seed = seed, .question = LW_QUESTION_INVERSE, .method = "with wrenches"};
    assert_near_largest(&trial, got[0], got[1], 1e-12, (size_t)robot->model->dof);
    free(got[0]);
    free(got[1]);
    states_free(&states);
    robot_free(robot);
  }
}

// --- lanes and layouts

static void transpose(const double* rows, size_t count, size_t size, double* out)
{
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < size; ++i) out[i * count + k] = rows[k * size + i];
}

// Inputs of all states by entry, in memory that the caller frees.
static double* by_entry(const double* rows, size_t size)
{
  double* out = numbers(STATES * size);
  transpose(rows, STATES, size, out);
  return out;
}

static void check_layout(uint64_t seed, const lwModel* model, lwQuestion question,
                         const States* states, lwLayout layout)
{
  lwWorkspaceDef def = lw_workspace_def();
  if (seed % 2) def.inertia = "common-frame";
  lwWorkspace* ws;
  size_t size = lw_question_outputs(model, question), nq = (size_t)model->nq,
         dof = (size_t)model->dof;
  def.layout = layout;
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  double* in[5] = {by_entry(states->q, nq), by_entry(states->qd, dof), by_entry(states->qdd, dof),
                   by_entry(states->tau, dof), by_entry(states->wrench, LINK_SIZE)};
  lwStates side_by_side = {in[0], in[1], in[2], in[3], in[4]};
  bool by_state         = layout == LW_LAYOUT_BY_STATE;
  double *got = numbers(STATES * size), *expected = numbers(STATES * size),
         *moved = numbers(STATES * size);
  lw_answer_many(model, ws, question, STATES, by_state ? &states->rows : &side_by_side, got);
  for (int k = 0; k < STATES; ++k)
  {
    lwStates one = state_row(states, model, k);
    lw_answer(model, ws, question, &one, expected + (size_t)k * size);
  }
  transpose(expected, STATES, size, moved);
  Trial trial = {.seed = seed, .question = question, .variant = by_state ? "by state" : "by entry"};
  check_equal(&trial, got, by_state ? expected : moved, STATES * size);
  for (int k = 0; k < 5; ++k) free(in[k]);
  free(got);
  free(expected);
  free(moved);
  lw_workspace_destroy(ws);
}

static void lanes_have_the_bits_of_single_states(void** unused)
{
  (void)unused;
  for (uint64_t seed = 300; seed < 312; ++seed)
  {
    Robot* robot  = robot_with_wide_joints(seed);
    States states = random_states(seed, robot->model, STATES);
    for (int k = 0; k < QUESTIONS; ++k)
    {
      check_layout(seed, robot->model, questions[k], &states, LW_LAYOUT_BY_STATE);
      check_layout(seed, robot->model, questions[k], &states, LW_LAYOUT_BY_ENTRY);
    }
    states_free(&states);
    robot_free(robot);
  }
}

static void packed_matrices_are_triangles(void** unused)
{
  (void)unused;
  for (uint64_t seed = 400; seed < 400 + ROBOTS; ++seed)
  {
    Robot* robot    = robot_with_wide_joints(seed);
    States states   = random_states(seed, robot->model, STATES);
    lwWorkspace* ws = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
    size_t n = (size_t)robot->model->dof, size = n * (n + 1) / 2, at = 0;
    double *one = numbers(size), *many = numbers(STATES * size), *triangle = numbers(size);
    double* M = answer(robot->model, ws, LW_QUESTION_INERTIA, &states.rows);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i; j < n; ++j) triangle[at++] = M[i * n + j];
    lw_inertia_matrix_packed(robot->model, ws, states.q, one);
    lw_inertia_matrix_packed_many(robot->model, ws, STATES, states.q, many);
    Trial trial = {.seed = seed, .question = LW_QUESTION_INERTIA, .variant = "packed"};
    check_equal(&trial, one, triangle, size);
    check_equal(&trial, many, triangle, size);
    free(one);
    free(many);
    free(triangle);
    free(M);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_pieces_in_113_bits),
      cmocka_unit_test(native_113_bits_agree_with_pieces),
      cmocka_unit_test(both_inverses_are_those_of_the_matrix),
      cmocka_unit_test(forward_derivatives_solve_their_equation),
      cmocka_unit_test(long_chains_keep_their_digits),
      cmocka_unit_test(control_is_its_parts),
      cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(derivatives_are_dual_numbers),
      cmocka_unit_test(derivatives_have_their_digits),
      cmocka_unit_test(coriolis_matrix_has_its_properties),
      cmocka_unit_test(methods_agree_with_the_reference),
      cmocka_unit_test(pushes_are_those_of_the_reference),
      cmocka_unit_test(lanes_have_the_bits_of_single_states),
      cmocka_unit_test(packed_matrices_are_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
