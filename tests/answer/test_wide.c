// SPDX-License-Identifier: MIT
// Ball and floating joints as consecutive freedoms in kernels: random trees with them anywhere,
// against the same robots as chains of joints with one freedom each, which 113-bit answers and the
// printed methods use; lanes and layouts against single states, to the bit.
#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"
#include "model/model_internal.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  ROBOTS      = 60,
  MOST_JOINTS = 30,
  MOST        = 8 * MOST_JOINTS,
  STATES      = 11,  // whole vectors of lanes and a rest
  LINK_SIZE   = 6
};

static double cube(lwRandom* random)
{
  return lw_random_between(random, -1, 1);
}

static lwJointType random_type(lwRandom* random)
{
  static const lwJointType types[] = {LW_JOINT_REVOLUTE, LW_JOINT_BALL,     LW_JOINT_PRISMATIC,
                                      LW_JOINT_REVOLUTE, LW_JOINT_FLOATING, LW_JOINT_FIXED,
                                      LW_JOINT_REVOLUTE, LW_JOINT_BALL};
  return types[(int)lw_random_between(random, 0, 7.999)];
}

// The joint before, or one on its way to the base (branches one after the other), or any (branches
// side by side).
static int random_parent(lwRandom* random, const Robot* robot, int i, int shape)
{
  int parent = i - 1;
  if (shape == 0 || i == 0 || cube(random) > -0.4) return parent;
  if (shape == 1)
    while (parent >= 0 && cube(random) > -0.3) parent = robot->joints[parent].parent;
  else
    parent = (int)lw_random_between(random, 0, i + 0.999) - 1;
  return parent;
}

// A robot with at least one wide joint: a chain, a tree in order or any tree.
static Robot* robot_with_wide_joints(uint64_t seed)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  int count       = 1 + (int)lw_random_between(&random, 0, MOST_JOINTS - 0.001);
  int wide        = (int)lw_random_between(&random, 0, count - 0.001);
  for (int i = 0; i < count; ++i)
  {
    int parent        = random_parent(&random, robot, i, (int)(seed % 3));
    lwJointType type  = random_type(&random);
    bool floats       = cube(&random) > 0;
    lwJointType given = floats ? LW_JOINT_FLOATING : LW_JOINT_BALL;
    lwJointDef* joint = robot_add(robot, i == wide ? given : type, parent);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int k = 0; k < 3; ++k)
    {
      joint->xyz[k]  = 0.3 * cube(&random);
      joint->rpy[k]  = 3 * cube(&random);
      joint->axis[k] = cube(&random);
    }
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  assert_non_null(robot->model->native);
  assert_int_equal(robot->model->native->n, lw_model_dof(robot->model));
  return robot;
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
                                       LW_QUESTION_REGRESSOR};

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
    States states        = random_states(seed + 1000, model, 2);
    lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwQuadWorkspace* quad;
    assert_int_equal(lw_quad_workspace_create(model, NULL, NULL, &quad), LW_OK);
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

// tau at this distance, by the chains of pieces in 113 bits.
static double* torques_at(const Moving* moving, double t)
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
  at.q  = q;
  at.qd = qd;
  return quad_answer(moving->quad, model, LW_QUESTION_INVERSE, &at);
}

// Column `along` of d tau/dq or d tau/dqd by central differences of 8th order.
static void difference_column(const Moving* moving, double h, double* matrix)
{
  static const double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  size_t n                      = (size_t)moving->model->dof;
  for (size_t i = 0; i < n; ++i) matrix[i * n + (size_t)moving->along] = 0;
  for (int k = 1; k <= 4; ++k)
  {
    double *above = torques_at(moving, k * h), *below = torques_at(moving, -k * h);
    for (size_t i = 0; i < n; ++i)
      matrix[i * n + (size_t)moving->along] += weights[k - 1] * (above[i] - below[i]) / h;
    free(above);
    free(below);
  }
}

// Tolerance: 1e-9 of the largest entry. Steps of 0.02 leave 1e-11 of a motion with frequencies of a
// few rad, and the rounding of q, 1e-16, divided by the step.
static void derivatives_are_differences(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  static const char* const methods[] = {"singh-russell-wensing", "newton-euler"};
  for (uint64_t seed = 500; seed < 518; ++seed)
  {
    Robot* robot         = robot_with_wide_joints(seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    lwQuadWorkspace* quad;
    size_t n         = (size_t)model->dof;
    double* expected = numbers(2 * n * n);
    assert_int_equal(lw_quad_workspace_create(model, NULL, NULL, &quad), LW_OK);
    for (int along = 0; along < model->dof; ++along)
      for (int kind = 0; kind < 2; ++kind)
        difference_column(&(Moving){model, quad, &states.rows, along, kind}, 0.02,
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
      assert_near_largest(&trial, got, expected, 1e-9, n * n);
      assert_near_largest(&trial, got + n * n, expected + n * n, 1e-9, n * n);
      free(got);
      lw_workspace_destroy(ws);
    }
    free(expected);
    lw_quad_workspace_destroy(quad);
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
               {LW_QUESTION_FORWARD, "composite-body", "reference-articulated-body"},
               {LW_QUESTION_FORWARD, "articulated-body", "reference-articulated-body"}};
  for (uint64_t seed = 100; seed < 100 + ROBOTS; ++seed)
  {
    Robot* robot  = robot_with_wide_joints(seed);
    States states = random_states(seed + 1000, robot->model, 1);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k)
    {
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
      cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(derivatives_have_their_digits),
      cmocka_unit_test(coriolis_matrix_has_its_properties),
      cmocka_unit_test(methods_agree_with_the_reference),
      cmocka_unit_test(pushes_are_those_of_the_reference),
      cmocka_unit_test(lanes_have_the_bits_of_single_states),
      cmocka_unit_test(packed_matrices_are_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
