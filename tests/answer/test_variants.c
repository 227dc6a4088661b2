// SPDX-License-Identifier: MIT
// Lanes against plain scalars, instruction sets against each other, float against double: every
// method, every question.
//
// Lanes: the same bits as the plain scalar of the same instruction set, for every number of states
// and in every lane, because both perform the same operations in the same order, and FMA is used
// only where the kernel asks for it.
//
// Instruction sets: mul_add is rounded once with FMA and twice without, so results differ by
// rounding: C n eps size with eps = 2^-52, as between two methods (tests/kernels/test_agreement.c).
//
// Float: the same with eps = 2^-23. Rounding inputs and model constants counts as a few more
// operations with the same relative error (|q| <= pi).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/variants.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

static const double C = 32;

static void force_isa(const lwIsa* isa)
{
  if (isa)
    setenv("LINKWORK_ISA", isa->name, 1);
  else
    unsetenv("LINKWORK_ISA");
}

// --- lanes

typedef struct
{
  const Robot* robot;
  lwWorkspace* ws;
  const lwIsa* isa;
  lwPrecision precision;
  int method;  // index in the registry; -1: the defaults
  Trial trial;
} Case;

static int lanes_of(const Case* c)
{
  return c->isa->lanes[c->precision]->lanes;
}

// Compares rows first .. first + count - 1, answered in one call, with the plain answers.
static void check_batch(const Case* c, const States* states, int first, int count,
                        const double* plain, double* many)
{
  const lwModel* model = c->robot->model;
  lwQuestion question  = c->trial.question;
  size_t outputs       = lw_question_outputs(model, question);
  lwStates rows        = state_row(states, model, first);
  if (first % 2) rows.wrench = NULL;
  char variant[80];
  snprintf(variant, sizeof variant, "%s, %s, lanes, states %d to %d", c->isa->name,
           c->precision ? "float" : "double", first, first + count - 1);
  Trial trial   = c->trial;
  trial.variant = variant;
  trial.state   = &rows;
  memset(many, 0x55, outputs * (size_t)(count + 1) * sizeof *many);
  lw_answer_many(model, c->ws, question, count, &rows, many);
  check_equal(&trial, many, plain, outputs * (size_t)count);
  for (size_t i = outputs * (size_t)count; i < outputs * (size_t)(count + 1); ++i)
    assert_memory_equal(&many[i], "\x55\x55\x55\x55\x55\x55\x55\x55",
                        8);  // nothing is written beyond
}

static void answer_plainly(const Case* c, const States* states, int first, double* plain)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, c->trial.question);
  for (int k = first; k < states->count; ++k, plain += outputs)
  {
    lwStates row = state_row(states, model, k);
    if (first % 2) row.wrench = NULL;
    lw_answer(model, c->ws, c->trial.question, &row, plain);
  }
}

// Every count up to two vectors plus one state; starting from the second row, every state is in a
// different lane. Answers begin at every place of a vector of doubles, which rows are cut by.
static void check_lanes(const Case* c)
{
  int lanes = lanes_of(c), most = 2 * lanes + 1;
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, c->trial.question);
  States states        = random_states(c->robot->seed, model, most + 1);
  double* plain        = numbers(outputs * (size_t)(most + 1));
  double* many         = numbers(outputs * (size_t)(most + 2) + 3);
  bool few             = lw_model_dof(model) > 8;
  for (int first = 0; first < 2; ++first)
  {
    answer_plainly(c, &states, first, plain);
    for (int count = 1; count <= most; count += few && count > 1 ? lanes - 1 : 1)
      check_batch(c, &states, first, count, plain, many + (count + first) % 4);
  }
  states_free(&states);
  free(plain);
  free(many);
}

static void for_all_questions(Case* c, int method, void (*check)(const Case*))
{
  if (too_slow(method, c->robot->model)) return;
  c->ws           = work_with(c->robot->model, method, c->precision);
  c->trial.n      = lw_model_dof(c->robot->model);
  c->trial.seed   = c->robot->seed;
  c->trial.method = method_name(method);
  c->method       = method;
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
  {
    c->trial.question = (lwQuestion)question;
    if (answers(method, c->trial.question)) check(c);
  }
  lw_workspace_destroy(c->ws);
}

static void check_robot_in_lanes(const Robot* robot)
{
  for (int i = 0; i < lw_isa_count(); ++i)
  {
    if (!lw_isa_runs(lw_isa(i))) continue;
    force_isa(lw_isa(i));
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
      for (int method = -1; method < lw_method_count(); ++method)
      {
        Case c = {.robot = robot, .isa = lw_isa(i), .precision = (lwPrecision)precision};
        for_all_questions(&c, method, check_lanes);
      }
  }
  force_isa(NULL);
}

static void lanes_equal_plain_scalars(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; ++seed)
  {
    Robot* robot = seed % 10 ? any_robot(seed) : tree_in_order(seed);
    check_robot_in_lanes(robot);
    robot_free(robot);
  }
}

// Beyond some chain length, many states are answered one by one.
static void long_chains_equal_plain_scalars(void** unused)
{
  (void)unused;
  static const int sizes[] = {64, 65, 4096, 4097};
  for (int k = 0; k < 4; ++k)
  {
    Robot robot = {0};
    assert_int_equal(lw_model_create_generic(sizes[k], &robot.model), LW_OK);
    Case c             = {.robot = &robot, .isa = lw_isa_choose()};
    lwQuestion all[]   = {LW_QUESTION_INVERSE, LW_QUESTION_FORWARD,  LW_QUESTION_ENERGY,
                          LW_QUESTION_POSE,    LW_QUESTION_JACOBIAN, LW_QUESTION_INERTIA};
    int asked          = sizes[k] > 100 ? 1 : 6;
    lwWorkspaceDef def = lw_workspace_def();
    for (int question = 0; question < asked; ++question) def.questions |= LW_ASKS(all[question]);
    assert_int_equal(lw_workspace_create(robot.model, &def, NULL, &c.ws), LW_OK);
    c.trial.n = sizes[k];
    for (int question = 0; question < asked; ++question)
    {
      c.trial.question = all[question];
      check_lanes(&c);
    }
    lw_workspace_destroy(c.ws);
    lw_model_destroy(robot.model);
  }
}

// --- instruction sets with fused multiply and add

static const lwIsa* isa_named(const char* name)
{
  for (int i = 0; i < lw_isa_count(); ++i)
    if (!strcmp(lw_isa(i)->name, name) && lw_isa_runs(lw_isa(i))) return lw_isa(i);
  return NULL;
}

static const char* same_bits[2];  // names of instruction sets

// One set against another: the same operations in the same order, with the same rounding.
static void check_same_bits(const Case* c)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, c->trial.question);
  States states        = random_states(c->robot->seed, model, 3);
  force_isa(isa_named(same_bits[1]));
  lwWorkspace* other = work_with(model, c->method, c->precision);
  for (int k = 0; k < states.count; ++k)
  {
    lwStates row     = state_row(&states, model, k);
    Trial trial      = c->trial;
    trial.variant    = "instruction sets";
    trial.state      = &row;
    double* got      = answer(model, c->ws, trial.question, &row);
    double* expected = answer(model, other, trial.question, &row);
    check_equal(&trial, got, expected, outputs);
    free(got);
    free(expected);
  }
  force_isa(isa_named(same_bits[0]));
  lw_workspace_destroy(other);
  states_free(&states);
}

static void compare_sets(const char* one, const char* other)
{
  if (!isa_named(one) || !isa_named(other)) return;
  same_bits[0] = one;
  same_bits[1] = other;
  force_isa(isa_named(one));
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Robot* robot = any_robot(seed);
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
      for (int method = 0; method < lw_method_count(); ++method)
      {
        Case c = {.robot = robot, .precision = (lwPrecision)precision};
        for_all_questions(&c, method, check_same_bits);
      }
    robot_free(robot);
  }
  force_isa(NULL);
}

// Sets with fused operations agree; in a portable build, which has none, all sets do.
static void sets_give_the_same_bits(void** unused)
{
  (void)unused;
  compare_sets("avx512", "avx2");
#ifdef LW_PORTABLE
  compare_sets("avx2", "baseline");
  compare_sets("avx512", "baseline");
#endif
}

// --- against the oracle: instruction sets and precisions

static void check_accuracy(const Case* c)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, c->trial.question);
  double eps           = c->precision == LW_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
  if (!reference_knows(c->trial.question)) return;  // tests/answer/test_derivatives.c
  States states    = random_states(c->robot->seed, model, 3);
  double* expected = numbers(outputs);
  double* size     = numbers(outputs);
  for (int k = 0; k < states.count; ++k)
  {
    lwStates row = state_row(&states, model, k);
    Trial trial  = c->trial;
    trial.state  = &row;
    double* got  = answer(model, c->ws, trial.question, &row);
    reference_answer(&c->robot->def, trial.question, &row, expected, size);
    check_close(&trial, got, expected, size, C * trial.n * eps, outputs);
    free(got);
  }
  states_free(&states);
  free(expected);
  free(size);
}

static void check_precision(lwPrecision precision)
{
  for (int i = 0; i < lw_isa_count(); ++i)
  {
    if (!lw_isa_runs(lw_isa(i))) continue;
    force_isa(lw_isa(i));
    check_worst();
    for (uint64_t seed = 1; seed <= 150; ++seed)
    {
      Robot* robot = seed % 10 ? any_robot(seed) : tree_in_order(seed);
      for (int method = -1; method < lw_method_count(); ++method)
      {
        Case c          = {.robot = robot, .isa = lw_isa(i), .precision = precision};
        c.trial.variant = lw_isa(i)->name;
        for_all_questions(&c, method, check_accuracy);
      }
      robot_free(robot);
    }
    print_message("  %s: largest error %.2g of the bound\n", lw_isa(i)->name, check_worst());
  }
  force_isa(NULL);
}

static void instruction_sets_agree(void** unused)
{
  (void)unused;
  check_precision(LW_PRECISION_DOUBLE);
}

static void float_follows_double(void** unused)
{
  (void)unused;
  check_precision(LW_PRECISION_SINGLE);
}

// --- choosing an instruction set

static lwStatus try_isa(const lwModel* model, const char* name, char* chosen, size_t size)
{
  lwWorkspace* ws = NULL;
  setenv("LINKWORK_ISA", name, 1);
  lwStatus status = lw_workspace_create(model, NULL, NULL, &ws);
  assert_int_equal(status == LW_OK, ws != NULL);
  snprintf(chosen, size, "%s", ws ? lw_workspace_isa(ws) : "");
  lw_workspace_destroy(ws);
  unsetenv("LINKWORK_ISA");
  return status;
}

static void environment_chooses(void** unused)
{
  (void)unused;
  char chosen[20], best[20] = "";
  Robot* robot = any_robot(3);
  for (int i = 0; i < lw_isa_count(); ++i)
  {
    lwStatus expected = lw_isa_runs(lw_isa(i)) ? LW_OK : LW_ERROR_ISA;
    assert_int_equal(try_isa(robot->model, lw_isa(i)->name, chosen, sizeof chosen), expected);
    if (expected == LW_OK) assert_string_equal(chosen, lw_isa(i)->name);
    if (expected == LW_OK) snprintf(best, sizeof best, "%s", lw_isa(i)->name);
  }
  assert_true(lw_isa_runs(lw_isa(0)));
  assert_string_equal(lw_isa(0)->name, "baseline");
  assert_int_equal(try_isa(robot->model, "sse9", chosen, sizeof chosen), LW_ERROR_ISA);
  assert_int_equal(try_isa(robot->model, "AVX2", chosen, sizeof chosen), LW_ERROR_ISA);
  assert_int_equal(try_isa(robot->model, "", chosen, sizeof chosen), LW_OK);
  assert_string_equal(chosen, best);
  assert_string_equal(lw_isa_choose()->name, best);
  robot_free(robot);
}

static void variants_are_what_they_say(void** unused)
{
  (void)unused;
  for (int i = 0; i < lw_isa_count(); ++i)
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
    {
      const lwIsa* isa       = lw_isa(i);
      const lwVariant* plain = isa->plain[precision];
      const lwVariant* lanes = isa->lanes[precision];
      assert_string_equal(plain->isa, isa->name);
      assert_string_equal(lanes->isa, isa->name);
      assert_int_equal(plain->lanes, 1);
      assert_int_equal(plain->real_size, precision == LW_PRECISION_DOUBLE ? 8 : 4);
      assert_int_equal(lanes->real_size, (size_t)lanes->lanes * plain->real_size);
      assert_int_equal(lanes->real_size, (size_t)16 << i);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variants_are_what_they_say),
      cmocka_unit_test(lanes_equal_plain_scalars),
      cmocka_unit_test(long_chains_equal_plain_scalars),
      cmocka_unit_test(sets_give_the_same_bits),
      cmocka_unit_test(instruction_sets_agree),
      cmocka_unit_test(float_follows_double),
      cmocka_unit_test(environment_chooses),
  };
  return cmocka_run_group_tests_name("variants", tests, NULL, NULL);
}
