// SPDX-License-Identifier: MIT
// The checks of `linkwork check`: every question has one, and they hold for right answers. That
// they notice wrong ones is tested by tests/app/wrong_kernels.sh and tools/mutate.
#include "compare/method_checks.h"

#include "robots.h"
#include "testing.h"

#include "linkwork/methods.h"

enum
{
#if defined(LW_TEST_SANITIZED)
  ROBOTS = 6,
#else
  ROBOTS = 40,
#endif
  STATES = 4
};

static void every_question_is_checked(void** state)
{
  (void)state;
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
  {
    bool found = false;
    for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k)
      found = found || LW_METHOD_CHECKS[k].question == (lwQuestion)question;
    if (!found) fail_msg("no check of '%s'", lw_question_info((lwQuestion)question)->name);
  }
}

static void expect_checks(const lwModel* model, lwPrecision precision, uint64_t seed)
{
  lwMethodChecker checker;
  assert_int_equal(lw_method_checker_create(&checker, model, precision), LW_OK);
  for (int number = 1; number <= STATES; ++number)
  {
    lw_random_state_fill(&checker.state, model, seed, number, precision == LW_PRECISION_SINGLE);
    assert_true(lw_method_checker_refer(&checker));
    checker.ws = checker.plain;
    for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k)
    {
      const lwMethodCheck* check = &LW_METHOD_CHECKS[k];
      if (lw_question_check(model, check->question, false, NULL) != LW_OK) continue;
      double bound = check->base + check->per_joint * checker.n;
      double units = lw_gap_units(check->gap(&checker), checker.epsilon);
      if (!(units <= bound))
        fail_msg("seed %d, state %d, %s: %s is %g, bound %g", (int)seed, number,
                 lw_question_info(check->question)->name, check->name, units, bound);
    }
  }
  lw_method_checker_destroy(&checker);
}

// The robots of the distribution are checked in tests/app/cases_check.sh.
static void checks_hold_for_random_robots(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % 12);
    style.light      = 0;  // nothing here but rounding decides whether M can be inverted
    Robot* robot     = random_robot(seed, &style);
    if (seed % 4 == 0) robot_couple(robot, seed);
    expect_checks(robot->model, LW_PRECISION_DOUBLE, seed);
    robot_free(robot);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_question_is_checked),
      cmocka_unit_test(checks_hold_for_random_robots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
