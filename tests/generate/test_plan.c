// SPDX-License-Identifier: MIT
// Programs of random robots, simplified and put in order: nothing is used before it is computed,
// every output is written once, and the answers stay.
#include "generate/plan.h"

#include <stdlib.h>

#include "answer/workspace.h"
#include "base/random.h"
#include "generate/record.h"
#include "generate/rewrite.h"
#include "robots.h"
#include "testing.h"

enum
{
  ROBOTS  = 12,
  NUMBERS = 64  // of an argument
};

static lwProgram recorded(const lwModel* model, lwQuestion question, const char* method)
{
  lwProgram program;
  lwResult result = {
      .rows = (int)lw_question_outputs(model, question), .columns = 1, .question = question};
  lwRecording recording = {.model  = model,
                           .count  = 1,
                           .result = &result,
                           .kernel = {lw_kernel_index(model, question, method)}};
  assert_int_equal(lw_record(&recording, &program), LW_OK);
  return program;
}

static lwCount operations(const lwProgram* program)
{
  int32_t* uses;
  assert_true(lw_program_uses(program, &uses));
  lwCount count = lw_program_count(program, uses);
  free(uses);
  return count;
}

static void expect_known(const lwProgram* program, const lwPlan* plan, const bool* known, lwExpr a)
{
  int32_t number          = lw_expr_number(a);
  const lwGraphNode* node = &program->graph.nodes[number];
  if (lw_node_operands(node) == 0) return;
  if (plan->name[number])
    assert_true(known[number]);
  else
    for (int k = 0; k < lw_node_operands(node); ++k)
      expect_known(program, plan, known, lw_node_operand(node, k));
}

static void expect_order(const lwProgram* program)
{
  lwPlan plan;
  assert_true(lw_plan_create(program, &plan));
  bool* known  = calloc((size_t)program->graph.count, sizeof *known);
  int* written = calloc((size_t)program->output_count + 1, sizeof *written);
  for (int k = 0; k < plan.count; ++k)
  {
    int32_t number = plan.statements[k].node;
    if (number < 0)
    {
      expect_known(program, &plan, known, program->outputs[plan.statements[k].output]);
      ++written[plan.statements[k].output];
      continue;
    }
    const lwGraphNode* node = &program->graph.nodes[number];
    for (int i = 0; i < lw_node_operands(node); ++i)
      expect_known(program, &plan, known, lw_node_operand(node, i));
    assert_false(known[number]);
    known[number] = true;
  }
  for (int k = 0; k < program->output_count; ++k) assert_int_equal(written[k], 1);
  free(known);
  free(written);
  lw_plan_free(&plan);
}

static void expect_answers(const lwProgram* program, const double* expected, const double* found)
{
  double size = 0;
  for (int k = 0; k < program->output_count; ++k) size = fmax(size, fabs(expected[k]));
  // terms that cancel are put together in another order: some thousand roundings
  for (int k = 0; k < program->output_count; ++k) assert_near(found[k], expected[k], 1e-11 * size);
}

static void simplified_programs_are_equal_and_in_order(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % 5);
    Robot* robot     = random_robot(seed, &style);
    lwRandom random  = {seed};
    double in[LW_ARGUMENT_COUNT][NUMBERS], before[NUMBERS * 2], after[NUMBERS * 2];
    const double* arguments[LW_ARGUMENT_COUNT];
    for (int k = 0; k < LW_ARGUMENT_COUNT; ++k)
    {
      for (int i = 0; i < NUMBERS; ++i) in[k][i] = lw_random_between(&random, -1, 1);
      arguments[k] = in[k];
    }
    bool matrix       = seed % 2;
    lwProgram program = recorded(robot->model, matrix ? LW_QUESTION_INERTIA : LW_QUESTION_INVERSE,
                                 matrix ? "composite-body" : "newton-euler");
    assert_true(lw_program_compact(&program));
    assert_true(lw_program_evaluate(&program, arguments, before));
    lwCount kernel = operations(&program);
    expect_order(&program);
    assert_true(lw_simplify(&program));
    assert_true(lw_program_evaluate(&program, arguments, after));
    lwCount simple = operations(&program);
    expect_answers(&program, before, after);
    expect_order(&program);
    assert_at_most(8 * simple.mul + 5 * simple.add, 8 * kernel.mul + 5 * kernel.add);
    lw_program_close(&program);
    robot_free(robot);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified_programs_are_equal_and_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
