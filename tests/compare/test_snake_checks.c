// SPDX-License-Identifier: MIT
// The checks of `linkwork snake check`: they hold for right answers by every method and precision,
// and each notices an answer that is off.
#include "compare/snake_checks.h"

#include "linkwork/methods.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
  LINKS  = 5,
  STATES = 8
};

static double worst_of(const lwSnakeCheck* check, lwSnakeChecker* checker, lwSnakeWorkspace* ws,
                       double factor)
{
  double worst = 0;
  for (long number = 1; number <= STATES; ++number)
  {
    lw_snake_checker_fill(checker, 7, number);
    lwSnakeStates state = {checker->theta, checker->u, checker->torque};
    lw_snake_answer(checker->snake, ws, &state, &checker->got);
    for (int i = 0; i < SNAKE_ANSWERS; ++i)
      for (size_t k = 0; k < snake_answer_size(i, LINKS); ++k)
        snake_answer_at(&checker->got, i)[k] *= factor;
    worst = lw_gap_larger(worst, lw_gap_units(check->gap(checker), checker->epsilon));
  }
  return worst;
}

// offset: of the wheels. Every check holds; with all answers off by 1e-3, checks that compare them
// with something else fail.
static void check_snake(double offset)
{
  lwSnake* snake = random_snake(3, LINKS, offset);
  int noticed    = 0;
  for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
  {
    lwSnakeChecker checker;
    lwSnakeWorkspace* ws;
    lwSnakeWorkspaceDef def = lw_snake_workspace_def();
    def.precision           = (lwPrecision)precision;
    assert_int_equal(lw_snake_checker_create(&checker, snake, def.precision), LW_OK);
    assert_int_equal(lw_snake_workspace_create(snake, &def, NULL, &ws), LW_OK);
    checker.ws = ws;
    assert_int_equal(checker.n, LINKS);
    assert_int_equal(checker.centred, offset == 0);
    for (int k = 0; k < LW_SNAKE_CHECK_COUNT; ++k)
    {
      const lwSnakeCheck* check = &LW_SNAKE_CHECKS[k];
      double bound              = check->base + check->per_link * LINKS;
      if (check->of_centred && offset != 0) continue;
      double units = worst_of(check, &checker, ws, 1);
      if (!(units <= bound)) fail_msg("%s: %g units, bound %g", check->name, units, bound);
      if (precision == LW_PRECISION_DOUBLE)
        noticed += worst_of(check, &checker, ws, 1 + 1e-3) > bound;
    }
    lw_snake_workspace_destroy(ws);
    lw_snake_checker_destroy(&checker);
  }
  assert_at_least(noticed, 4);
  lw_snake_destroy(snake);
}

static void checks_hold_and_notice(void** unused)
{
  (void)unused;
  check_snake(0);
  check_snake(0.5);
}

// Every fourth state is nearly straight, the others are not; the same number gives the same state.
static void states_are_seeded(void** unused)
{
  (void)unused;
  lwSnake* snake = random_snake(3, LINKS, 0);
  lwSnakeChecker one, two;
  int straight = 0;
  assert_int_equal(lw_snake_checker_create(&one, snake, LW_PRECISION_DOUBLE), LW_OK);
  assert_int_equal(lw_snake_checker_create(&two, snake, LW_PRECISION_DOUBLE), LW_OK);
  for (long number = 1; number <= 8; ++number)
  {
    lw_snake_checker_fill(&two, 5, 9 - number);
    lw_snake_checker_fill(&two, 5, number);
    lw_snake_checker_fill(&one, 5, number);
    double bend = 0;
    for (int i = 0; i < LINKS; ++i) assert_same(one.theta[i], two.theta[i]);
    for (int i = 0; i + 1 < LINKS; ++i) bend = fmax(bend, fabs(one.theta[i + 1] - one.theta[i]));
    straight += bend < 0.01;
  }
  assert_int_equal(straight, 2);
  lw_snake_checker_destroy(&one);
  lw_snake_checker_destroy(&two);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checks_hold_and_notice),
      cmocka_unit_test(states_are_seeded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
