// SPDX-License-Identifier: MIT
// True errors of methods: rows for every method and precision, errors of a few roundings, states
// that can be made again.
#include "compare/accuracy.h"

#include <stdlib.h>

#include "linkwork/methods.h"
#include "support/robots.h"
#include "support/testing.h"

static Robot* arm(void)
{
  RobotStyle style = {.dof = 4, .prismatic = 0.25, .placement = -1};
  return random_robot(5, &style);
}

static void errors_are_roundings(void** unused)
{
  (void)unused;
  Robot* robot      = arm();
  lwAccuracyDef def = {.states = 5, .seed = 2, .question = -1};
  lwAccuracy* rows  = calloc((size_t)lw_accuracy_rows(), sizeof *rows);
  int count = 0, inverse = 0;
  lwStatus status = lw_accuracy_measure(robot->model, &def, rows, &count);
  if (status == LW_ERROR_QUAD) skip();
  assert_int_equal(status, LW_OK);
  assert_in_range(count, 20, lw_accuracy_rows());
  for (int i = 0; i < count; ++i)
  {
    assert_at_least(rows[i].worst, rows[i].median);
    assert_at_least(rows[i].median, 0);
    assert_in_range(rows[i].worst_state, rows[i].worst > 0 ? 1 : 0, def.states);
    inverse += rows[i].question == LW_QUESTION_INVERSE;
    if (rows[i].question == LW_QUESTION_INVERSE)  // a well-conditioned recursion over four joints
      assert_less(rows[i].worst, 2000);
  }
  assert_in_range(inverse, 2, 2 * lw_method_count());
  free(rows);
  robot_free(robot);
}

static void one_method_can_be_named(void** unused)
{
  (void)unused;
  Robot* robot      = arm();
  lwAccuracyDef def = {
      .states = 2, .seed = 2, .question = LW_QUESTION_INVERSE, .method = "newton-euler"};
  lwAccuracy* rows = calloc((size_t)lw_accuracy_rows(), sizeof *rows);
  int count        = 0;
  if (lw_accuracy_measure(robot->model, &def, rows, &count) == LW_ERROR_QUAD) skip();
  assert_int_equal(count, 2);  // double and single
  for (int i = 0; i < 2; ++i)
  {
    assert_int_equal(rows[i].question, LW_QUESTION_INVERSE);
    assert_string_equal(lw_method(rows[i].method)->name, "newton-euler");
  }
  assert_int_not_equal(rows[0].precision, rows[1].precision);
  free(rows);
  robot_free(robot);
}

// The state of a number does not depend on the others; in single precision all numbers are floats.
static void states_can_be_made_again(void** unused)
{
  (void)unused;
  Robot* robot = arm();
  lwRandomState a, b;
  assert_int_equal(lw_random_state_create(&a, robot->model), LW_OK);
  assert_int_equal(lw_random_state_create(&b, robot->model), LW_OK);
  for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
  {
    assert_true(lw_accuracy_state(robot->model, 9, 1, (lwPrecision)precision, &a));
    assert_true(lw_accuracy_state(robot->model, 9, 2, (lwPrecision)precision, &a));
    assert_true(lw_accuracy_state(robot->model, 9, 2, (lwPrecision)precision, &b));
    for (int i = 0; i < a.n; ++i)
    {
      assert_same(a.q[i], b.q[i]);
      assert_same(a.tau[i], b.tau[i]);
      if (precision == LW_PRECISION_SINGLE) assert_same((double)(float)a.qdd[i], a.qdd[i]);
    }
  }
  lw_random_state_destroy(&a);
  lw_random_state_destroy(&b);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_roundings),
      cmocka_unit_test(one_method_can_be_named),
      cmocka_unit_test(states_can_be_made_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
