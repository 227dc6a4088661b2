// SPDX-License-Identifier: MIT
// The robot files in robots/: every method against the oracle.
//
// Bound: C n eps size, as in test_agreement.c.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "linkwork/read.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

static const double C = 32;

static const char* const files[] = {"chain30", "ddarm",    "panda", "planar2r",
                                    "puma560", "stanford", "torso"};

static void check_answer(const lwModel* model, int method, Trial* trial)
{
  size_t count     = lw_question_outputs(model, trial->question);
  double* expected = numbers(count);
  double* size     = numbers(count);
  lwWorkspace* ws  = work_with(model, method, LW_PRECISION_DOUBLE);
  double* got      = answer(model, ws, trial->question, trial->state);
  trial->method    = method_name(method);
  reference_answer(lw_model_robot(model), trial->question, trial->state, expected, size);
  check_close(trial, got, expected, size, C * trial->n * DBL_EPSILON, count);
  lw_workspace_destroy(ws);
  free(got);
  free(expected);
  free(size);
}

static void check_robot(const char* name, const lwModel* model)
{
  enum
  {
    STATES = 7
  };
  States states = random_states(1, model, STATES);
  for (int k = 0; k < STATES; ++k)
  {
    lwStates state = state_row(&states, model, k);
    for (int question = 0; question < LW_QUESTION_COUNT; ++question)
      for (int i = -1; i < lw_method_count(); ++i)
      {
        Trial trial = {.robot    = name,
                       .n        = lw_model_dof(model),
                       .question = (lwQuestion)question,
                       .state    = &state};
        if (!reference_knows(trial.question)) continue;
        if (answers(i, trial.question) && !too_slow(i, model)) check_answer(model, i, &trial);
      }
  }
  states_free(&states);
}

static void all_robots(void** unused)
{
  (void)unused;
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
  {
    char path[512];
    lwModel* model;
    lwDiag* diag = lw_diag_create();
    snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, files[k]);
    if (lw_robot_read_file(path, NULL, diag, &model) != LW_OK) fail_msg("%s is refused", path);
    check_worst();
    check_robot(files[k], model);
    print_message("  %s: largest error %.2g of the bound\n", files[k], check_worst());
    lw_model_destroy(model);
    lw_diag_destroy(diag);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_robots)};
  return cmocka_run_group_tests_name("robots as in their files", tests, NULL, NULL);
}
