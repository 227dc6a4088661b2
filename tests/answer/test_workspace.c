// SPDX-License-Identifier: MIT
// Workspaces: choice of methods, meaning of inputs, and long chains.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

static void defaults(void** unused)
{
  (void)unused;
  lwWorkspaceDef def = lw_workspace_def();
  assert_string_equal(def.inverse, "auto");
  assert_string_equal(def.inertia, "auto");
  assert_string_equal(def.forward, "auto");
  assert_int_equal(def.precision, LW_PRECISION_DOUBLE);
  Robot* robot = any_robot(5);
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_INVERSE), "newton-euler-grouped");
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_BIAS), "newton-euler-grouped");
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_GRAVITY), "newton-euler");
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_CORIOLIS), "newton-euler-grouped");
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_INERTIA), "composite-body");
  assert_non_null(lw_workspace_isa(ws));
  lw_workspace_destroy(ws);
  lw_workspace_destroy(NULL);
  robot_free(robot);
}

static void unknown_methods_are_refused(void** unused)
{
  (void)unused;
  static const char* const bad[][3] = {
      {"newton", "composite-body", "auto"},   {"newton-euler", "newton-euler", "auto"},
      {"", "composite-body", "auto"},         {"newton-euler", "articulated-body", "auto"},
      {"newton-euler", "composite-body", ""}, {"newton-euler", "composite-body", "newton-euler"}};
  Robot* robot = any_robot(5);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
  {
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws    = (lwWorkspace*)robot;
    def.inverse        = bad[k][0];
    def.inertia        = bad[k][1];
    def.forward        = bad[k][2];
    assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_ERROR_METHOD);
    assert_null(ws);
  }
  robot_free(robot);
}

// Every method of the registry is found by name; `auto` for forward dynamics selects one by the
// number of joints.
static void methods_are_found(void** unused)
{
  (void)unused;
  assert_at_least(lw_method_count(), 4);
  Robot* robot = any_robot(5);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    const lwMethod* method = lw_method(i);
    assert_int_equal(lw_method_find(method->question, method->name), i);
    assert_non_null(method->source);
    assert_int_not_equal(*method->source, '\0');
    assert_non_null(method->order);
    assert_int_not_equal(*method->order, '\0');
    lwWorkspace* ws = work_with(robot->model, i, LW_PRECISION_DOUBLE);
    assert_string_equal(lw_workspace_method(ws, method->question), method->name);
    lw_workspace_destroy(ws);
  }
  assert_int_equal(lw_method_find(LW_QUESTION_FORWARD, "auto"), -1);
  assert_int_equal(lw_method_find(LW_QUESTION_POSE, "newton-euler"), -1);
  robot_free(robot);
}

// The abbreviations of the literature are aliases of the methods.
static void aliases_are_found(void** unused)
{
  (void)unused;
  static const struct
  {
    lwQuestion question;
    const char* alias;
    const char* name;
  } known[] = {{LW_QUESTION_INVERSE, "rnea", "newton-euler"},
               {LW_QUESTION_INERTIA, "crba", "composite-body"},
               {LW_QUESTION_FORWARD, "crba", "composite-body"},
               {LW_QUESTION_FORWARD, "aba", "articulated-body"},
               {LW_QUESTION_INERTIA, "noc", "orthogonal-complement"},
               {LW_QUESTION_FORWARD, "noc", "orthogonal-complement"}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
  {
    int i = lw_method_find(known[k].question, known[k].alias);
    assert_at_least(i, 0);
    assert_string_equal(lw_method(i)->name, known[k].name);
    assert_true(lw_method_is(lw_method(i), known[k].alias));
  }
  assert_int_equal(lw_method_find(LW_QUESTION_INVERSE, "aba"), -1);

  Robot* robot       = any_robot(5);
  lwWorkspaceDef def = lw_workspace_def();
  def.inverse        = "rnea";
  def.forward        = "aba";
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_INVERSE), "newton-euler");
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_FORWARD), "articulated-body");
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// An alias belongs to one method, and is not the name of another method for the same question.
static void names_are_unique(void** unused)
{
  (void)unused;
  for (int i = 0; i < lw_method_count(); ++i)
    for (const char* const* alias = lw_method(i)->aliases; *alias; ++alias)
      assert_int_equal(lw_method_find(lw_method(i)->question, *alias), i);
}

static void auto_is_resolved(void** unused)
{
  (void)unused;
  for (int n = 1; n <= 200; n += n < 20 ? 1 : 60)
  {
    lwModel* model;
    assert_int_equal(lw_model_create_generic(n, &model), LW_OK);
    lwWorkspace* ws  = work_with(model, -1, LW_PRECISION_DOUBLE);
    const char* name = lw_workspace_method(ws, LW_QUESTION_FORWARD);
    assert_at_least(lw_method_find(LW_QUESTION_FORWARD, name), 0);
    if (n >= 60) assert_string_equal(name, "articulated-body");
    name = lw_workspace_method(ws, LW_QUESTION_INERTIA);
    assert_string_equal(name, lw_method_auto(model, LW_QUESTION_INERTIA));
    assert_string_equal(name, n < 60 ? "composite-body" : "common-frame");
    name = lw_workspace_method(ws, LW_QUESTION_INVERSE);
    assert_string_equal(name, lw_method_auto(model, LW_QUESTION_INVERSE));
    assert_string_equal(name, n < 2 ? "newton-euler" : "newton-euler-grouped");
    lw_workspace_destroy(ws);
    assert_null(lw_method_auto(model, LW_QUESTION_ENERGY));
    lw_model_destroy(model);
  }
}

// --- inputs

static void missing_inputs_are_zeros(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Robot* robot   = any_robot(seed);
    int n          = lw_model_dof(robot->model);
    double* zeros  = numbers(3 * (size_t)(n + 6));
    lwStates given = {zeros, zeros, zeros, zeros, zeros};
    for (int i = -1; i < lw_method_count(); ++i)
      for (int question = 0; question < LW_QUESTION_COUNT; ++question)
      {
        if (!answers(i, (lwQuestion)question)) continue;
        lwWorkspace* ws  = work_with(robot->model, i, LW_PRECISION_DOUBLE);
        size_t outputs   = lw_question_outputs(robot->model, (lwQuestion)question);
        Trial trial      = {seed, NULL, n, (lwQuestion)question, method_name(i), "NULL", NULL};
        double* many     = numbers(3 * outputs);
        double* expected = answer(robot->model, ws, (lwQuestion)question, &given);
        double* got      = answer(robot->model, ws, (lwQuestion)question, &(lwStates){0});
        for (size_t k = 0; k < outputs; ++k) expected[k] += 0.0, got[k] += 0.0;  // -0 is 0
        check_equal(&trial, got, expected, outputs);
        lw_answer_many(robot->model, ws, (lwQuestion)question, 3, &(lwStates){0}, many);
        for (size_t k = 0; k < 3 * outputs; ++k) many[k] += 0.0;
        for (int row = 0; row < 3; ++row)
          check_equal(&trial, &many[(size_t)row * outputs], expected, outputs);
        free(many);
        free(expected);
        free(got);
        lw_workspace_destroy(ws);
      }
    free(zeros);
    robot_free(robot);
  }
}

// Inputs that a question does not need are not read.
static void other_inputs_are_ignored(void** unused)
{
  (void)unused;
  Robot* robot   = any_robot(9);
  int n          = lw_model_dof(robot->model);
  States states  = random_states(9, robot->model, 1);
  double* poison = numbers((size_t)n + 6);
  for (int i = 0; i < n + 6; ++i) poison[i] = NAN;
  lwWorkspace* ws = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
  {
    unsigned needs = lw_question_info((lwQuestion)question)->inputs;
    lwStates state = {
        needs & LW_INPUT_Q ? states.q : poison, needs & LW_INPUT_QD ? states.qd : poison,
        needs & LW_INPUT_QDD ? states.qdd : poison, needs & LW_INPUT_TAU ? states.tau : poison,
        needs & LW_INPUT_WRENCH ? states.wrench : poison};
    size_t outputs   = lw_question_outputs(robot->model, (lwQuestion)question);
    Trial trial      = {9, NULL, n, (lwQuestion)question, NULL, "NaN", &states.rows};
    double* expected = answer(robot->model, ws, (lwQuestion)question, &states.rows);
    double* got      = answer(robot->model, ws, (lwQuestion)question, &state);
    check_equal(&trial, got, expected, outputs);
    free(expected);
    free(got);
  }
  free(poison);
  lw_workspace_destroy(ws);
  states_free(&states);
  robot_free(robot);
}

// The named functions give the answers of lw_answer(), with the wrench that was set last.
static void named_functions(void** unused)
{
  (void)unused;
  Robot* robot        = any_robot(12);
  lwModel* m          = robot->model;
  int n               = lw_model_dof(m);
  States s            = random_states(12, m, 1);
  lwWorkspace* ws     = work_with(m, -1, LW_PRECISION_DOUBLE);
  double* out         = numbers((size_t)(n * n + 6 * n + 12));
  Trial trial         = {12, NULL, n, LW_QUESTION_INVERSE, NULL, "by name", &s.rows};
  lwStates free_state = s.rows;
  free_state.wrench   = NULL;
  for (int turn = 0; turn < 3; ++turn)
  {
    lw_workspace_set_wrench(ws, turn == 1 ? s.wrench : NULL);
    const lwStates* state = turn == 1 ? &s.rows : &free_state;
    double* tau           = answer(m, ws, LW_QUESTION_INVERSE, state);
    double* qdd           = answer(m, ws, LW_QUESTION_FORWARD, state);
    lw_inverse_dynamics(m, ws, s.q, s.qd, s.qdd, out);
    check_equal(&trial, out, tau, (size_t)n);
    lw_forward_dynamics(m, ws, s.q, s.qd, s.tau, out);
    check_equal(&trial, out, qdd, (size_t)n);
    free(tau);
    free(qdd);
  }
  double* expected[LW_QUESTION_COUNT];
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    expected[k] = answer(m, ws, (lwQuestion)k, &free_state);
  lw_workspace_set_wrench(ws, s.wrench);  // must not affect the other calls
  lw_inertia_matrix(m, ws, s.q, out);
  check_equal(&trial, out, expected[LW_QUESTION_INERTIA], (size_t)(n * n));
  lw_bias(m, ws, s.q, s.qd, out);
  check_equal(&trial, out, expected[LW_QUESTION_BIAS], (size_t)n);
  lw_gravity(m, ws, s.q, out);
  check_equal(&trial, out, expected[LW_QUESTION_GRAVITY], (size_t)n);
  lw_coriolis(m, ws, s.q, s.qd, out);
  check_equal(&trial, out, expected[LW_QUESTION_CORIOLIS], (size_t)n);
  lw_energy(m, ws, s.q, s.qd, &out[0], &out[1]);
  check_equal(&trial, out, expected[LW_QUESTION_ENERGY], 2);
  lw_pose(m, ws, s.q, out, out + 3);
  check_equal(&trial, out, expected[LW_QUESTION_POSE], 12);
  lw_jacobian(m, ws, s.q, out);
  check_equal(&trial, out, expected[LW_QUESTION_JACOBIAN], 6 * (size_t)n);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k) free(expected[k]);
  free(out);
  lw_workspace_destroy(ws);
  states_free(&s);
  robot_free(robot);
}

// An answer does not depend on earlier ones.
static void order_does_not_matter(void** unused)
{
  (void)unused;
  Robot* robot      = any_robot(18);
  States states     = random_states(18, robot->model, 2);
  lwStates first    = state_row(&states, robot->model, 0),
           second   = state_row(&states, robot->model, 1);
  lwWorkspace* used = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    for (int other = 0; other < LW_QUESTION_COUNT; ++other)
    {
      lwWorkspace* fresh = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
      double* expected   = answer(robot->model, fresh, (lwQuestion)k, &first);
      free(answer(robot->model, used, (lwQuestion)other, &second));
      double* got = answer(robot->model, used, (lwQuestion)k, &first);
      Trial trial = {18, NULL, lw_model_dof(robot->model), (lwQuestion)k, NULL, "again", &first};
      check_equal(&trial, got, expected, lw_question_outputs(robot->model, (lwQuestion)k));
      free(expected);
      free(got);
      lw_workspace_destroy(fresh);
    }
  lw_workspace_destroy(used);
  states_free(&states);
  robot_free(robot);
}

static void single_precision_is_float(void** unused)
{
  (void)unused;
  Robot* robot    = any_robot(14);
  States states   = random_states(14, robot->model, 1);
  lwWorkspace* ws = work_with(robot->model, -1, LW_PRECISION_SINGLE);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    double* got = answer(robot->model, ws, (lwQuestion)k, &states.rows);
    for (size_t i = 0; i < lw_question_outputs(robot->model, (lwQuestion)k); ++i)
      assert_same(got[i], (double)(float)got[i]);
    free(got);
  }
  lw_workspace_destroy(ws);
  states_free(&states);
  robot_free(robot);
}

// --- refinement

// Largest error of float accelerations, relative to the largest acceleration.
static double float_error(const Robot* robot, const lwStates* state, int method, int refine)
{
  int n              = lw_model_dof(robot->model);
  lwWorkspaceDef def = lw_workspace_def();
  double *expected = numbers((size_t)n), *size = numbers((size_t)n), error = 0, largest = 0;
  lwWorkspace* ws;
  def.forward   = lw_method(method)->name;
  def.precision = LW_PRECISION_SINGLE;
  def.refine    = refine;
  assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
  double* got = answer(robot->model, ws, LW_QUESTION_FORWARD, state);
  reference_answer(&robot->def, LW_QUESTION_FORWARD, state, expected, size);
  for (int i = 0; i < n; ++i)
  {
    error   = fmax(error, fabs(got[i] - expected[i]));
    largest = fmax(largest, fabs(expected[i]));
  }
  free(expected);
  free(size);
  free(got);
  lw_workspace_destroy(ws);
  return error / largest;
}

// Two steps of refinement improve float accelerations by an inertia matrix on average.
// Methods of order n have no factorisation to refine with and stay the same. The conjugate
// gradients of walker-orin-4 restart from their residual anyway, so more refinement changes
// rounding only.
static void refinement_gains_accuracy(void** unused)
{
  (void)unused;
  for (int i = 0; i < lw_method_count(); ++i)
  {
    double before = 0, after = 0;
    if (lw_method(i)->question != LW_QUESTION_FORWARD) continue;
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
      RobotStyle style = {.dof = 6, .placement = LW_PLACEMENT_DH_MODIFIED};
      Robot* robot     = random_robot(seed, &style);
      States states    = random_states(seed, robot->model, 1);
      before += log(float_error(robot, &states.rows, i, 0));
      after += log(float_error(robot, &states.rows, i, 2));
      states_free(&states);
      robot_free(robot);
    }
    print_message("  %s: %.2g times the error\n", lw_method(i)->name, exp((after - before) / 40));
    if (!strcmp(lw_method(i)->order, "n"))  // nothing is factorised as a whole
      assert_same(after, before);
    else if (!strcmp(lw_method(i)->name, "walker-orin-4"))
      assert_less(after, before + 40 * log(1.3));
    else
      assert_less(after, before);
  }
}

// --- long chains

// Forward dynamics by articulated-body at rest, with the torques of inverse dynamics that hold the
// arm: accelerations must be zero. Torques sum up to n^2 link weights times lengths, with an error
// of n eps of that; a bound of a millionth of g tests the algorithm, not the rounding.
static void check_long_chain(int n)
{
  lwModel* model;
  assert_int_equal(lw_model_create_generic(n, &model), LW_OK);
  lwWorkspace* ws = work_with(model, -1, LW_PRECISION_DOUBLE);
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_FORWARD), "articulated-body");
  size_t per_joint = ws->arena.total / (size_t)n;
  assert_less(per_joint, 20000);

  lwRandom random = {(uint64_t)n};
  double* q       = numbers((size_t)n);
  double* tau     = numbers((size_t)n);
  double* qdd     = numbers((size_t)n);
  for (int i = 0; i < n; ++i) q[i] = lw_random_between(&random, -3, 3);
  lw_gravity(model, ws, q, tau);
  lw_forward_dynamics(model, ws, q, NULL, tau, qdd);
  for (int i = 0; i < n; ++i) assert_less(fabs(qdd[i]), 1e-5);
  free(q);
  free(tau);
  free(qdd);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

static void a_thousand_joints(void** unused)
{
  (void)unused;
  check_long_chain(1000);
}

static void a_hundred_thousand_joints(void** unused)
{
  (void)unused;
  check_long_chain(LW_MAX_JOINTS);
  lwModel* model;
  assert_int_equal(lw_model_create_generic(LW_MAX_JOINTS + 1, &model), LW_ERROR_INPUT);
  assert_null(model);
  assert_int_equal(lw_model_create_generic(0, &model), LW_ERROR_INPUT);
}

// Where asserts are off, a number that is no question gives one number that is none.
#ifdef NDEBUG
static void no_question_has_no_answer(void** unused)
{
  (void)unused;
  static const int wrong[] = {-1, LW_QUESTION_COUNT, 99, 1 << 30};
  Robot* robot             = any_robot(5);
  lwWorkspace* ws;
  double q[5] = {0};
  assert_int_equal(lw_workspace_create(robot->model, NULL, NULL, &ws), LW_OK);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
  {
    double out[2] = {1, 1}, many[2] = {1, 1};
    lw_answer(robot->model, ws, (lwQuestion)wrong[k], &(lwStates){.q = q}, out);
    lw_answer_many(robot->model, ws, (lwQuestion)wrong[k], 1, &(lwStates){.q = q}, many);
    assert_true(isnan(out[0]) && isnan(many[0]));
    assert_near(out[1] + many[1], 2, 0);
  }
  lw_workspace_destroy(ws);
  robot_free(robot);
}
#endif

// A gimbal without mass: at q2 = 0 its first and last axis coincide, and at 1e-9 rad rounding is all
// that is left of a pivot. Every method says so there, one state or many, and none elsewhere.
static void singular_positions_are_refused(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
    memset(&joint->link, 0, sizeof joint->link);
    joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
    memcpy(joint->axis, (double[]){0, i == 1, i != 1}, sizeof joint->axis);
    if (i == 2) joint->link = (lwLinkDef){.mass = 1, .com = {0.1}, .inertia = {0.01, 0.02, 0.015}};
  }
  robot_build(robot);
  const double q[4][3] = {{0.3, 0, 0.2}, {0.3, 0.5, 0.2}, {0.3, 1e-9, 0.2}, {0.3, -1, 0.2}};
  const double tau[3]  = {1};
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (lw_method(i)->question != LW_QUESTION_FORWARD) continue;
    lwWorkspace* ws = work_with(robot->model, i, LW_PRECISION_DOUBLE);
    double one[4][3], many[4][3], torques[4][3] = {{1}, {1}, {1}, {1}};
    lw_answer_many(robot->model, ws, LW_QUESTION_FORWARD, 4,
                   &(lwStates){.q = q[0], .tau = torques[0]}, many[0]);
    for (int k = 0; k < 4; ++k)
    {
      lw_forward_dynamics(robot->model, ws, q[k], NULL, tau, one[k]);
      for (int j = 0; j < 3; ++j)
      {
        assert_int_equal(isnan(one[k][j]) != 0, k % 2 == 0);
        assert_int_equal(isnan(many[k][j]) != 0, k % 2 == 0);
      }
    }
    lw_workspace_destroy(ws);
  }
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(unknown_methods_are_refused),
      cmocka_unit_test(methods_are_found),
      cmocka_unit_test(aliases_are_found),
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test(auto_is_resolved),
      cmocka_unit_test(missing_inputs_are_zeros),
      cmocka_unit_test(other_inputs_are_ignored),
      cmocka_unit_test(named_functions),
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(single_precision_is_float),
      cmocka_unit_test(refinement_gains_accuracy),
      cmocka_unit_test(a_thousand_joints),
      cmocka_unit_test(a_hundred_thousand_joints),
      cmocka_unit_test(singular_positions_are_refused),
#ifdef NDEBUG
      cmocka_unit_test(no_question_has_no_answer),
#endif
  };
  return cmocka_run_group_tests_name("workspaces", tests, NULL, NULL);
}
