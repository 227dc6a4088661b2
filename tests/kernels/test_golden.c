// SPDX-License-Identifier: MIT
// Independent reference data: 20 digits, from differences of the forward kinematics in 100-digit
// arithmetic (tests/data/golden). Every method, every instruction set, one state at a time and in
// lanes.
//
// Bound in double: 1e-12 of max(1, |reference|), where |reference| is the largest entry of the
// answer. In float the inputs and the model are rounded, too: without cancellation an answer is
// accurate to some dozen eps = 2^-23 (1e-5 is 84), and M^-1 multiplies that by the condition of the
// inertia matrix: 2e-4 for accelerations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/variants.h"
#include "support/check.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/testing.h"

// An answer in the reference data: `first`, followed by `second` if there is one. wrench: whether
// the state has one.
typedef struct
{
  lwQuestion question;
  bool wrench;
  const char* first;
  const char* second;
} Asked;

static const Asked asked[] = {{LW_QUESTION_INVERSE, true, "tau", NULL},
                              {LW_QUESTION_INVERSE, false, "tau_no_wrench", NULL},
                              {LW_QUESTION_INERTIA, false, "M", NULL},
                              {LW_QUESTION_BIAS, false, "bias", NULL},
                              {LW_QUESTION_GRAVITY, false, "gravity", NULL},
                              {LW_QUESTION_CORIOLIS, false, "coriolis", NULL},
                              {LW_QUESTION_ENERGY, false, "kinetic", "potential"},
                              {LW_QUESTION_POSE, false, "ee_p", "ee_R"},
                              {LW_QUESTION_JACOBIAN, false, "jacobian", NULL},
                              {LW_QUESTION_FORWARD, true, "fd_qdd", NULL},
                              {LW_QUESTION_FORWARD, false, "fd_qdd_no_wrench", NULL}};

static double float_bound(lwQuestion question)
{
  return question == LW_QUESTION_FORWARD ? 2e-4 : 1e-5;
}

// Inputs and expected answers of all states, row by row.
typedef struct
{
  const char* name;
  Robot* robot;
  States states;
  double* expected;  // for one question
} Golden;

static void read_states(const Json* file, Golden* golden)
{
  const Json* list = json_get(file, "states");
  size_t n         = (size_t)lw_model_dof(golden->robot->model);
  States* states   = &golden->states;
  *states          = random_states(1, golden->robot->model, list->count);
  for (int k = 0; k < list->count; ++k)
  {
    const Json* state = &list->items[k];
    size_t row        = (size_t)k * n;
    json_numbers(state, "q", n, states->q + row);
    json_numbers(state, "qd", n, states->qd + row);
    json_numbers(state, "qdd", n, states->qdd + row);
    json_numbers(state, "fd_tau", n, states->tau + row);
    json_numbers(state, "wrench_f", 3, states->wrench + 6 * k);
    json_numbers(state, "wrench_n", 3, states->wrench + 6 * k + 3);
  }
}

static void read_expected(const Json* file, const Asked* ask, size_t outputs, double* expected)
{
  const Json* list = json_get(file, "states");
  for (int k = 0; k < list->count; ++k, expected += outputs)
  {
    size_t first = ask->question == LW_QUESTION_ENERGY ? 1
                   : ask->question == LW_QUESTION_POSE ? 3
                                                       : outputs;
    json_numbers(&list->items[k], ask->first, first, expected);
    if (ask->second) json_numbers(&list->items[k], ask->second, outputs - first, expected + first);
  }
}

// One question by one method: state by state, then all states in lanes.
static void check_method(const Golden* golden, const Asked* ask, int method, lwPrecision precision)
{
  const lwModel* model = golden->robot->model;
  size_t outputs       = lw_question_outputs(model, ask->question);
  int count            = golden->states.count;
  double relative      = precision == LW_PRECISION_DOUBLE ? 1e-12 : float_bound(ask->question);
  lwWorkspace* ws      = work_with(model, method, precision);
  double* got          = numbers(outputs);
  double* many         = numbers(outputs * (size_t)count);
  lwStates all         = golden->states.rows;
  if (!ask->wrench) all.wrench = NULL;
  lw_answer_many(model, ws, ask->question, count, &all, many);
  for (int k = 0; k < count; ++k)
  {
    const double* expected = &golden->expected[(size_t)k * outputs];
    double size            = 1;
    for (size_t i = 0; i < outputs; ++i) size = fmax(size, fabs(expected[i]));
    lwStates state = state_row(&golden->states, model, k);
    if (!ask->wrench) state.wrench = NULL;
    Trial trial = {0,
                   golden->name,
                   lw_model_dof(model),
                   ask->question,
                   method_name(method),
                   lw_workspace_isa(ws),
                   &state};
    lw_answer(model, ws, ask->question, &state, got);
    check_close(&trial, got, expected, NULL, relative * size, outputs);
    check_close(&trial, &many[(size_t)k * outputs], expected, NULL, relative * size, outputs);
  }
  free(got);
  free(many);
  lw_workspace_destroy(ws);
}

static void check_question(const Json* file, Golden* golden, const Asked* ask,
                           lwPrecision precision)
{
  size_t outputs   = lw_question_outputs(golden->robot->model, ask->question);
  golden->expected = numbers(outputs * (size_t)golden->states.count);
  read_expected(file, ask, outputs, golden->expected);
  for (int i = -1; i < lw_method_count(); ++i)
    if (answers(i, ask->question)) check_method(golden, ask, i, precision);
  free(golden->expected);
}

static void check_file(const char* name, lwPrecision precision)
{
  Json* file    = json_read_golden(name);
  Golden golden = {.name = name, .robot = golden_robot(file)};
  read_states(file, &golden);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; ++i)
    check_question(file, &golden, &asked[i], precision);
  states_free(&golden.states);
  robot_free(golden.robot);
  json_free(file);
}

static void check_all(lwPrecision precision)
{
  check_worst();
  for (int i = 0; i < lw_isa_count(); ++i)
  {
    if (!lw_isa_runs(lw_isa(i))) continue;
    setenv("LINKWORK_ISA", lw_isa(i)->name, 1);
    for (int k = 0; k < GOLDEN_ARMS; ++k) check_file(golden_arms[k], precision);
  }
  unsetenv("LINKWORK_ISA");
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

static void double_precision(void** unused)
{
  (void)unused;
  check_all(LW_PRECISION_DOUBLE);
}

static void single_precision(void** unused)
{
  (void)unused;
  check_all(LW_PRECISION_SINGLE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(double_precision),
                                     cmocka_unit_test(single_precision)};
  return cmocka_run_group_tests_name("reference data", tests, NULL, NULL);
}
