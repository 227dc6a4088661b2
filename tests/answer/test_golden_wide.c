// SPDX-License-Identifier: MIT
// Floating joints with balls, a hinge and a slide against reference data of 60 digits, computed in
// world coordinates (tests/data/wide/make.py): every method, in double and in 113 bits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "linkwork/linkwork.h"
#include "support/check.h"
#include "support/json.h"
#include "support/testing.h"

enum
{
  FLYERS = 3,
  MOST   = 3 * 14 * 14  // numbers of the longest answer, derivatives of 14 freedoms
};

static const lwQuestion questions[] = {LW_QUESTION_INVERSE,
                                       LW_QUESTION_INERTIA,
                                       LW_QUESTION_INERTIA_INVERSE,
                                       LW_QUESTION_INVERSE_DERIVATIVES,
                                       LW_QUESTION_CORIOLIS_MATRIX,
                                       LW_QUESTION_FORWARD,
                                       LW_QUESTION_FORWARD_DERIVATIVES};

typedef struct Flyer
{
  lwModel* model;
  Json* json;
  double q[20], qd[14], qdd[14], tau[14];
  lwStates state;
} Flyer;

static void read_flyer(int number, Flyer* flyer)
{
  char path[200];
  snprintf(path, sizeof path, "%s/wide/flyer%d.yaml", LW_TEST_DATA, number);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &flyer->model), LW_OK);
  snprintf(path, sizeof path, "%s/wide/flyer%d.json", LW_TEST_DATA, number);
  flyer->json = json_read(path);
  int n       = lw_model_dof(flyer->model);
  assert_int_equal(n, 14);
  json_numbers(flyer->json, "q", (size_t)lw_model_nq(flyer->model), flyer->q);
  json_numbers(flyer->json, "qd", (size_t)n, flyer->qd);
  json_numbers(flyer->json, "qdd", (size_t)n, flyer->qdd);
  json_numbers(flyer->json, "tau_given", (size_t)n, flyer->tau);
  flyer->state = (lwStates){flyer->q, flyer->qd, flyer->qdd, flyer->tau, NULL};
}

// Tolerance: of the largest entry; in double for roundings of 14 freedoms, times the condition of M,
// about 1e2, for what is solved. In 113 bits the reference itself is rounded to a double.
static void compare(const Flyer* flyer, lwQuestion question, const char* method)
{
  double expected[MOST], got[MOST];
  lwWorkspaceDef def = lw_workspace_def();
  size_t size        = lw_question_outputs(flyer->model, question);
  if (method) lw_workspace_def_set_method(&def, question, method);
  def.questions = LW_ASKS(question);
  json_numbers(flyer->json, lw_question_info(question)->name, size, expected);
  double scale = largest_of(expected, size);
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(flyer->model, &def, NULL, &ws), LW_OK);
  lw_answer(flyer->model, ws, question, &flyer->state, got);
  for (size_t i = 0; i < size; ++i) assert_near(got[i], expected[i], 1e-12 * scale);
  lw_workspace_destroy(ws);
  if (!lw_quad_available()) return;
  lwQuadWorkspace* quad;
  lwQuad numbers[MOST];
  assert_int_equal(lw_quad_workspace_create(flyer->model, &def, NULL, &quad), LW_OK);
  lw_quad_answer(quad, question, &flyer->state, numbers);
  for (size_t i = 0; i < size; ++i)
    assert_near(numbers[i].part[0], expected[i], 2.3e-16 * fabs(expected[i]) + 1e-28 * scale);
  lw_quad_workspace_destroy(quad);
}

static void answers_are_those_of_the_reference(void** unused)
{
  (void)unused;
  for (int number = 1; number <= FLYERS; ++number)
  {
    Flyer flyer;
    read_flyer(number, &flyer);
    for (size_t k = 0; k < sizeof questions / sizeof *questions; ++k)
    {
      compare(&flyer, questions[k], NULL);
      for (int m = 0; m < lw_method_count(); ++m)
        if (lw_method(m)->question == questions[k])
          compare(&flyer, questions[k], lw_method(m)->name);
    }
    json_free(flyer.json);
    lw_model_destroy(flyer.model);
  }
}

// A humanoid on a floating base, 35 freedoms: every method as the one that is made to be read.
static void humanoid_is_the_same_by_every_method(void** unused)
{
  (void)unused;
  enum
  {
    DOF = 35,
    NQ  = 36
  };
  static const char* const references[] = {[LW_QUESTION_INVERSE] = "reference-newton-euler",
                                           [LW_QUESTION_INERTIA] = "reference-composite-body",
                                           [LW_QUESTION_FORWARD] = "reference-articulated-body"};
  lwModelOptions options                = {.mount.floating = true};
  double q[NQ], qd[DOF], qdd[DOF], tau[DOF], expected[DOF * DOF], got[DOF * DOF];
  lwModel* model;
  assert_int_equal(
      lw_robot_read_file(LW_TEST_DATA "/humanoid/simple_humanoid.urdf", &options, NULL, &model),
      LW_OK);
  assert_int_equal(lw_model_dof(model), DOF);
  assert_int_equal(lw_model_nq(model), NQ);
  for (int i = 0; i < NQ; ++i) q[i] = sin(1 + 2 * i);
  double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  for (int i = 3; i < 7; ++i) q[i] /= length;
  for (int i = 0; i < DOF; ++i) qd[i] = cos(3 * i), qdd[i] = sin(5 * i), tau[i] = 10 * cos(7 * i);
  lwStates state = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
  for (int m = 0; m < lw_method_count(); ++m)
  {
    lwQuestion question = lw_method(m)->question;
    if (question >= sizeof references / sizeof *references || !references[question]) continue;
    for (int side = 0; side < 2; ++side)
    {
      lwWorkspaceDef def = lw_workspace_def();
      lwWorkspace* ws;
      def.questions = LW_ASKS(question);
      lw_workspace_def_set_method(&def, question, side ? lw_method(m)->name : references[question]);
      assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
      lw_answer(model, ws, question, &state, side ? got : expected);
      lw_workspace_destroy(ws);
    }
    size_t size  = lw_question_outputs(model, question);
    double scale = largest_of(expected, size);
    for (size_t i = 0; i < size; ++i) assert_near(got[i], expected[i], 1e-11 * scale);
  }
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_the_reference),
                                     cmocka_unit_test(humanoid_is_the_same_by_every_method)};
  return cmocka_run_group_tests_name("ball and floating joints against 60 digits", tests, NULL,
                                     NULL);
}
