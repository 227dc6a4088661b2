// SPDX-License-Identifier: MIT
// Positions that are no positions, and holds and mimics that no description can have.
#include <math.h>
#include <string.h>

#include "robots.h"
#include "testing.h"

// A ball joint that carries a revolute one.
static Robot* shoulder(void)
{
  Robot* robot    = robot_start();
  lwRandom random = {12};
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, i ? LW_JOINT_REVOLUTE : LW_JOINT_BALL, i - 1);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    joint->axis[2]    = i;
    joint->xyz[0]     = 0.3;
    random_link(&random, &joint->link);
  }
  return robot;
}

static void expect_said(const lwDiag* diag, const char* text)
{
  char said[800] = "";
  assert_greater(lw_diag_size(diag), 0);
  lw_message_format(lw_diag_message(diag, 0), said, sizeof said);
  assert_contains(said, text);
}

static void positions_are_checked(void** state)
{
  (void)state;
  Robot* robot = shoulder();
  robot_build(robot);
  double q[5];
  lw_model_neutral(robot->model, q);
  assert_int_equal(lw_model_check_positions(robot->model, q, NULL), LW_OK);
  lwDiag* diag = lw_diag_create();
  q[4]         = (double)NAN;
  assert_int_equal(lw_model_check_positions(robot->model, q, diag), LW_ERROR_INPUT);
  expect_said(diag, "position 5, ");
  expect_said(diag, "is nan, expected a finite number");
  lw_diag_destroy(diag);
  diag = lw_diag_create();
  q[4] = 0, q[3] = 1.1;
  assert_int_equal(lw_model_check_positions(robot->model, q, diag), LW_ERROR_INPUT);
  expect_said(diag, "j1");
  lw_diag_destroy(diag);
  robot_free(robot);
}

// One of the joints is held, and the other stays free.
static void expect_created(const Robot* robot, const lwHold* hold, lwStatus expected,
                           const char* text)
{
  const char* free_joint = hold && !strcmp(hold->joint, "j1") ? "j2" : "j1";
  lwModelOptions options = {.joints.holds = hold, .joints.hold_count = 1};
  if (hold) options.joints.free = &free_joint, options.joints.free_count = 1;
  if (!hold) options.joints.hold_count = 0;
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  assert_int_equal(lw_model_create(&robot->def, &options, diag, &model), expected);
  expect_said(diag, text);
  lw_model_destroy(model);
  lw_diag_destroy(diag);
}

static void holds_are_checked(void** state)
{
  (void)state;
  Robot* robot      = shoulder();
  const lwHold ball = {"j1", 0.5, false}, far = {"j2", 7, false};
  expect_created(robot, &ball, LW_ERROR_LOCK, "joint 'j1' is ball and can be held at 0 only");
  expect_created(robot, &far, LW_OK, "held at 7 rad, beyond a whole turn");
  robot_free(robot);
}

static void leaders_must_exist(void** state)
{
  (void)state;
  Robot* robot           = shoulder();
  robot->joints[1].mimic = (lwMimic){true, 5, 1, 0};
  expect_created(robot, NULL, LW_ERROR_INPUT, "mimics joint number 6, which does not exist");
  robot->joints[1].mimic.leader = 0;
  expect_created(robot, NULL, LW_ERROR_INPUT,
                 "mimics joint 'j1', which has more than one degree of freedom");
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_are_checked),
      cmocka_unit_test(holds_are_checked),
      cmocka_unit_test(leaders_must_exist),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
