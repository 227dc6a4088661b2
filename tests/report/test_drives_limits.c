// SPDX-License-Identifier: MIT
// Headroom of drives: loads of known size beside limits of known size; units of joint quantities.
#include <string.h>

#include "report/drive_report.h"
#include "report/joint_units.h"
#include "support/robots.h"
#include "support/testing.h"

// A joint that turns and one that slides.
static Robot* arm(void)
{
  Robot* robot = robot_start();
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, i ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->limits     = (lwLimits){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    joint->link       = (lwLinkDef){.mass = 1, .com = {1, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}};
  }
  return robot;
}

static void headroom_is_what_is_left(void** unused)
{
  (void)unused;
  Robot* robot                     = arm();
  robot->joints[0].limits.effort   = 10;
  robot->joints[0].limits.velocity = 4;
  robot_build(robot);
  lwSizing sizing[2] = {0};
  lwDrives drives    = {robot->model, sizing};
  lwLimitUse use;
  sizing[0].sums[LW_LOAD_TORQUE].peak      = -7;
  sizing[0].sums[LW_LOAD_TORQUE].peak_time = 1.5;
  sizing[0].sums[LW_LOAD_SPEED].peak       = 3;
  assert_true(lw_drives_limit(&drives, 0, LW_DRIVE_LIMIT_EFFORT, &use));
  assert_near(use.headroom, 0.3, 1e-15);
  assert_same(use.t, 1.5);
  assert_same(use.peak, -7);
  assert_same(use.limit, 10);
  assert_string_equal(use.unit, "N m");
  assert_string_equal(use.name, "effort");
  assert_true(lw_drives_tightest(&drives, 0, &use));
  assert_string_equal(use.name, "velocity");
  assert_near(use.headroom, 0.25, 1e-15);
  assert_false(lw_limit_is_passed(&use));
  sizing[0].sums[LW_LOAD_TORQUE].peak = 12;
  assert_true(lw_drives_tightest(&drives, 0, &use));
  assert_string_equal(use.name, "effort");
  assert_near(use.headroom, -0.2, 1e-15);
  assert_true(lw_limit_is_passed(&use));
  assert_false(lw_drives_tightest(&drives, 1, &use));  // it has none
  assert_false(lw_drives_limit(&drives, 1, LW_DRIVE_LIMIT_POSITION, &use));
  robot_free(robot);
}

// Of a position it is the distance from the nearer end, as a fraction of the range.
static void positions_have_two_ends(void** unused)
{
  (void)unused;
  Robot* robot                  = arm();
  robot->joints[1].limits.lower = -1;
  robot->joints[1].limits.upper = 3;
  robot->joints[0].limits.upper = 5;
  robot_build(robot);
  lwSizing sizing[2] = {{.margin = 1, .margin_q = 4}, {.margin = 0.4, .margin_q = -0.6}};
  lwDrives drives    = {robot->model, sizing};
  lwLimitUse use;
  assert_true(lw_drives_limit(&drives, 1, LW_DRIVE_LIMIT_POSITION, &use));
  assert_near(use.headroom, 0.1, 1e-15);
  assert_same(use.limit, -1);
  assert_string_equal(use.unit, "m");
  sizing[1].margin_q = 2.6;
  assert_true(lw_drives_limit(&drives, 1, LW_DRIVE_LIMIT_POSITION, &use));
  assert_same(use.limit, 3);
  assert_true(lw_drives_limit(&drives, 0, LW_DRIVE_LIMIT_POSITION, &use));  // one end: of itself
  assert_near(use.headroom, 0.2, 1e-15);
  assert_same(use.limit, 5);
  assert_false(lw_drives_tightest(&drives, 1, &use));  // near an end, but within
  sizing[1].margin = -0.4;
  assert_true(lw_drives_tightest(&drives, 1, &use));
  assert_string_equal(use.name, "position");
  assert_near(use.headroom, -0.1, 1e-15);
  robot_free(robot);
}

// One sheet for programs, and the same numbers in the three tables for people: headroom in per cent,
// nothing about motors where there is none.
static void tables_and_sheet_agree(void** unused)
{
  (void)unused;
  Robot* robot                   = arm();
  robot->joints[0].limits.effort = 8;
  robot_build(robot);
  lwSizing sizing[2]                       = {{.end = 2, .count = 3}, {.end = 2, .count = 3}};
  lwDrives drives                          = {robot->model, sizing};
  lwOut out                                = {.in_memory = true};
  sizing[0].sums[LW_LOAD_TORQUE].peak      = -6;
  sizing[0].sums[LW_LOAD_TORQUE].peak_time = 1.5;
  sizing[0].sums[LW_LOAD_SPEED].peak       = 3;
  sizing[1].sums[LW_LOAD_POWER].positive   = 8;
  sizing[1].sums[LW_LOAD_POWER].negative   = -2;
  lw_drives_write(&out, LW_FORMAT_CSV, &drives);
  assert_true(lw_out_finish(&out));
  const char* row = strchr(out.text, '\n');
  assert_contains(out.text, "joint,name,rigid_peak,rigid_rms,");
  assert_contains(row, ",-6,0,3,0,0,0,0,,,,,,,0.25,,,,effort,0.25,1.5,yes\n2,");
  assert_contains(row, ",0,0,0,8,2,,,,,,,,,,,,,,yes\n");
  lw_out_free(&out);
  out = (lwOut){.in_memory = true};
  lw_drives_write(&out, LW_FORMAT_TABLE, &drives);
  assert_true(lw_out_finish(&out));
  assert_contains(out.text, ": t = 0 to 2 s, 3 samples\n");
  assert_contains(out.text, "2 of 2 joints have no motor: no current and voltage for them\n");
  assert_contains(out.text, " 25  1.5  yes\n");
  assert_contains(out.text, "N m|N");
  lw_out_free(&out);
  robot_free(robot);
}

static void units_follow_the_joints(void** unused)
{
  (void)unused;
  Robot* robot = arm();
  robot_build(robot);
  static const char* const units[][3] = {{"rad", "m", "rad|m"},
                                         {"rad/s", "m/s", "rad/s|m/s"},
                                         {"rad/s^2", "m/s^2", "rad/s^2|m/s^2"},
                                         {"rad/s^3", "m/s^3", "rad/s^3|m/s^3"},
                                         {"N m", "N", "N m|N"}};
  for (int k = 0; k < 5; ++k)
  {
    for (int i = 0; i < 2; ++i)
      assert_string_equal(lw_joint_unit(robot->model, (lwJointQuantity)k, i), units[k][i]);
    assert_string_equal(lw_joints_unit(robot->model, (lwJointQuantity)k), units[k][2]);
  }
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headroom_is_what_is_left),
      cmocka_unit_test(positions_have_two_ends),
      cmocka_unit_test(tables_and_sheet_agree),
      cmocka_unit_test(units_follow_the_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
