// SPDX-License-Identifier: MIT
// What a differentiator was not made for is NaN, never a number.
#include "linkwork/slopes.h"
#include "robots.h"
#include "testing.h"

static void expect_nan(lwDifferentiator* d, lwQuestion question, const lwTangent* direction,
                       size_t count)
{
  double value[8], slope[8], q[8] = {0, 0, 0, 1};
  for (int i = 0; i < 8; ++i) value[i] = slope[i] = 1;
  lw_differentiate(d, question, &(lwStates){.q = q}, direction, 1, value, slope);
  for (size_t i = 0; i < count; ++i)
  {
    assert_nan(value[i]);
    assert_nan(slope[i]);
  }
  assert_same(value[count], 1);
  assert_same(slope[count], 1);
}

static Robot* one_joint(lwJointType type)
{
  Robot* robot      = robot_start();
  lwRandom random   = {7};
  lwJointDef* joint = robot_add(robot, type, LW_BASE);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  joint->axis[2]    = type == LW_JOINT_REVOLUTE;
  random_link(&random, &joint->link);
  robot_build(robot);
  return robot;
}

static void questions_that_were_left_out(void** state)
{
  (void)state;
  Robot* robot       = one_joint(LW_JOINT_REVOLUTE);
  lwWorkspaceDef def = lw_workspace_def();
  lwDifferentiator* d;
  const double rate = 1;
  def.questions     = 1u << LW_QUESTION_GRAVITY;
  assert_int_equal(lw_differentiator_create(robot->model, &def, NULL, 0, NULL, &d), LW_OK);
  expect_nan(d, LW_QUESTION_INERTIA, &(lwTangent){.q = &rate}, 1);
  lw_differentiator_destroy(d);
  robot_free(robot);
}

// By a printed method, which takes ball joints as chains.
static void methods_that_take_chains(void** state)
{
  (void)state;
  Robot* robot       = one_joint(LW_JOINT_BALL);
  lwWorkspaceDef def = lw_workspace_def();
  lwDifferentiator* d;
  const double rate[3] = {1, 0, 0};
  def.inverse          = "kane";
  assert_int_equal(lw_differentiator_create(robot->model, &def, NULL, 0, NULL, &d), LW_OK);
  expect_nan(d, LW_QUESTION_INVERSE, &(lwTangent){.q = rate}, 3);
  lw_differentiator_destroy(d);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(questions_that_were_left_out),
      cmocka_unit_test(methods_that_take_chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
