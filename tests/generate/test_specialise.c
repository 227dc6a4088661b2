// SPDX-License-Identifier: MIT
// Code that is generated, compiled and loaded at run time, and the fallback without a compiler.
#include <stdlib.h>
#include <string.h>

#include "robots.h"
#include "testing.h"

#include "linkwork/generate.h"
#include "linkwork/read.h"

enum
{
  STATES = 11  // not a whole number of vectors
};

// Compares with the kernels, one state at a time and many at once. Forward dynamics solves
// equations, which costs digits. Every third position is multiplied by `far`.
static void compare_far(const lwModel* model, lwSpecialised* special, lwQuestion question,
                        double far)
{
  size_t dof = (size_t)lw_model_dof(model), outputs = lw_question_outputs(model, question);
  size_t nq   = (size_t)lw_model_nq(model);
  bool solves = question == LW_QUESTION_FORWARD || question == LW_QUESTION_FORWARD_DERIVATIVES ||
                question == LW_QUESTION_INERTIA_INVERSE;
  double in[3 * 64 * STATES], found[400 * STATES], expected[400 * STATES];
  lwRandom random = {8};
  lwWorkspace* ws;
  for (size_t i = 0; i < sizeof in / sizeof *in; ++i) in[i] = lw_random_between(&random, -2, 2);
  for (size_t i = 0; i < nq * STATES; i += 3) in[i] *= far;
  const double *q = in, *qd = q + nq * STATES, *third = qd + dof * STATES;
  lwStates states = {q, qd, third, third, NULL};
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_answer_many(model, ws, question, STATES, &states, expected);
  for (int many = 0; many < 2; ++many)
  {
    double scale = 0;
    memset(found, 0, sizeof found);
    if (many) lw_specialised_answer_many(special, question, STATES, &states, found);
    for (size_t k = 0; k < STATES && !many; ++k)
    {
      lwStates one = {q + k * nq, qd + k * dof, third + k * dof, third + k * dof, NULL};
      lw_specialised_answer(special, question, &one, found + k * outputs);
    }
    for (size_t i = 0; i < outputs * STATES; ++i) scale = fmax(scale, fabs(expected[i]));
    for (size_t i = 0; i < outputs * STATES; ++i)
      assert_near(found[i], expected[i], (solves ? 1e-9 : 1e-12) * scale);
  }
  lw_workspace_destroy(ws);
}

static void compare_special(const lwModel* model, lwSpecialised* special, lwQuestion question)
{
  compare_far(model, special, question, 1);
}

static void answers_are_those_of_the_kernels(void** state)
{
  (void)state;
  lwModel* model;
  lwSpecialised* special;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_specialise(model, 0, NULL, &special), LW_OK);
  compare_special(model, special, LW_QUESTION_INVERSE);
  compare_special(model, special, LW_QUESTION_INERTIA);
  compare_special(model, special, LW_QUESTION_FORWARD);
  assert_non_null(lw_specialised_reason(special, LW_QUESTION_POSE));
  compare_special(model, special, LW_QUESTION_POSE);
  lw_specialised_destroy(special);
  lw_model_destroy(model);
}

// Includes questions with hyphens in their names, and answers larger than a matrix.
static void every_question_is_answered(void** state)
{
  (void)state;
  lwModel* model;
  lwSpecialised* special;
  unsigned all = 0;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k) all |= LW_ASKS(k);
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/scara.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_specialise(model, all, NULL, &special), LW_OK);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const char* reason = lw_specialised_reason(special, (lwQuestion)k);
    if (reason && !strstr(reason, "compiler"))
      fail_msg("%s: %s", lw_question_info((lwQuestion)k)->name, reason);
    compare_special(model, special, (lwQuestion)k);
  }
  lw_specialised_destroy(special);
  lw_model_destroy(model);
}

// An odd number of joints, angles beyond the range of the vector sine among others, missing
// velocities, and positions that are NaN.
static void all_angles_are_taken(void** state)
{
  (void)state;
  lwModel* model;
  lwSpecialised* special;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/panda.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_specialise(model, LW_ASKS(LW_QUESTION_INVERSE), NULL, &special), LW_OK);
  compare_far(model, special, LW_QUESTION_INVERSE, 40);
  compare_far(model, special, LW_QUESTION_INVERSE, 1e3);
  compare_far(model, special, LW_QUESTION_INVERSE, 1e9);
  double q[4 * 7], qd[4 * 7] = {0}, found[4 * 7], expected[4 * 7];
  for (int i = 0; i < 4 * 7; ++i) q[i] = i;
  lw_specialised_answer_many(special, LW_QUESTION_INVERSE, 4, &(lwStates){.q = q}, found);
  lw_specialised_answer_many(special, LW_QUESTION_INVERSE, 4,
                             &(lwStates){.q = q, .qd = qd, .qdd = qd}, expected);
  assert_memory_equal(found, expected, sizeof found);
  q[9] = (double)NAN;
  lw_specialised_answer_many(special, LW_QUESTION_INVERSE, 4, &(lwStates){.q = q}, found);
  assert_memory_equal(found, expected, 7 * sizeof *found);
  assert_true(isnan(found[7]));
  assert_memory_equal(found + 14, expected + 14, 14 * sizeof *found);
  lw_specialised_destroy(special);
  lw_model_destroy(model);
}

static void quaternions_are_compiled(void** state)
{
  (void)state;
  lwModel* model;
  lwSpecialised* special;
  unsigned both = LW_ASKS(LW_QUESTION_GRAVITY) | LW_ASKS(LW_QUESTION_INVERSE);
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/free_flyer.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_specialise(model, both, NULL, &special), LW_OK);
  const char* reason = lw_specialised_reason(special, LW_QUESTION_GRAVITY);
  if (reason) assert_contains(reason, "compiler");
  compare_special(model, special, LW_QUESTION_INVERSE);
  lw_specialised_destroy(special);
  lw_model_destroy(model);
}

static void kernels_answer_without_a_compiler(void** state)
{
  (void)state;
  lwModel* model;
  lwSpecialised* special;
  const char* path = getenv("PATH");
  char* kept       = path ? strdup(path) : NULL;
  assert_int_equal(lw_model_create_generic(4, &model), LW_OK);
  assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
  unsetenv("CC");
  assert_int_equal(lw_model_specialise(model, 0, NULL, &special), LW_OK);
  assert_contains(lw_specialised_reason(special, LW_QUESTION_INVERSE), "compiler");
  compare_special(model, special, LW_QUESTION_INVERSE);
  compare_special(model, special, LW_QUESTION_FORWARD);
  lw_specialised_destroy(special);
  lw_model_destroy(model);
  if (kept) setenv("PATH", kept, 1);
  free(kept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_the_kernels),
      cmocka_unit_test(every_question_is_answered),
      cmocka_unit_test(all_angles_are_taken),
      cmocka_unit_test(quaternions_are_compiled),
      cmocka_unit_test(kernels_answer_without_a_compiler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
