// SPDX-License-Identifier: MIT
// Two descriptions of the same robot: equal ones differ by nothing, and every kind of change is
// found in the quantity that it changes.
#include "compare/same_robot.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "support/robots.h"
#include "support/testing.h"

enum
{
  JOINTS = 3
};

// Three joints in space, the second of which slides.
static Robot* arm(void)
{
  Robot* robot = robot_start();
  for (int i = 0; i < JOINTS; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 1 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->a          = 0.3;
    joint->alpha      = 0.5 + i;
    joint->d          = 0.1 * i;
    joint->limits     = (lwLimits){-2, 2, INFINITY, INFINITY, INFINITY, INFINITY};
    joint->link       = (lwLinkDef){
              .mass = 1 + i, .com = {0.1, 0.2, -0.1 * i}, .inertia = {0.2, 0.25, 0.3, 0.01, 0.02, 0}};
  }
  return robot;
}

// Compares both; every frame is compared.
static lwSameRobot compare(const Robot* in, const Robot* out)
{
  static const bool keeps[MAX_JOINTS] = {true, true, true};
  lwSameRobot same                    = {.in          = in->model,
                                         .out         = out->model,
                                         .keeps_frame = keeps,
                                         .written     = lw_model_robot(out->model),
                                         .limits      = true,
                                         .motors      = true,
                                         .loops       = true,
                                         .states      = 5,
                                         .seed        = 3};
  lwStatus status                     = lw_same_robot_run(&same);
  if (status == LW_ERROR_INPUT)
    assert_true(same.message[0]);
  else
    assert_int_equal(status, LW_OK);
  return same;
}

static void equal_robots_hold(void** unused)
{
  (void)unused;
  Robot *one = arm(), *two = arm();
  robot_build(one);
  robot_build(two);
  lwSameRobot same = compare(one, two);
  assert_true(lw_same_robot_holds(&same));
  assert_int_equal(same.frames, JOINTS);
  assert_false(same.reordered);
  for (int k = 0; k < LW_SAME_COUNT; ++k)
  {
    assert_same(same.rows[k].worst, 0);  // the same computation twice
    assert_int_equal(same.rows[k].state, 0);
    assert_int_equal(same.rows[k].left_out, k == LW_SAME_LOOPS);  // it has none
    if (k != LW_SAME_LOOPS) assert_greater(same.rows[k].size, 0);
  }
  assert_greater(same.bound, 10 * DBL_EPSILON);
  assert_less(same.bound, 1e-9);
  robot_free(one);
  robot_free(two);
}

// What one change does: -1 nothing, 1 something, 0 either. Torque, inertia, acceleration, energy, pose.
typedef void Change(lwRobotDef* robot, lwJointDef* joints);

static void heavier(lwRobotDef* robot, lwJointDef* joints)
{
  (void)robot;
  joints[2].link.mass *= 1 + 1e-6;
}

static void other_gravity(lwRobotDef* robot, lwJointDef* joints)
{
  (void)joints;
  robot->gravity[1] += 1e-3;
}

static void longer(lwRobotDef* robot, lwJointDef* joints)
{
  (void)robot;
  joints[1].a += 1e-6;
}

static void other_rotor(lwRobotDef* robot, lwJointDef* joints)
{
  (void)robot;
  joints[0].link.inertia[2] += 1e-6;  // about z of the first link
}

static void changes_are_found(void** unused)
{
  (void)unused;
  static const struct
  {
    Change* change;
    int found[LW_SAME_POSE + 1];
  } cases[] = {
      {heavier, {1, 1, 1, 1, -1}},
      {other_gravity, {1, -1, 1, 1, -1}},
      {longer, {1, 1, 1, 1, 1}},
      {other_rotor, {1, 1, 1, 1, -1}},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
  {
    Robot *one = arm(), *two = arm();
    cases[c].change(&two->def, two->joints);
    robot_build(one);
    robot_build(two);
    lwSameRobot same = compare(one, two);
    assert_false(lw_same_robot_holds(&same));
    for (int k = 0; k <= LW_SAME_POSE; ++k)
    {
      bool differs = same.rows[k].worst > same.bound;
      if (cases[c].found[k] && differs != (cases[c].found[k] > 0))
        fail_msg("change %zu: %s differs by %g, bound %g", c, LW_SAME_NAMES[k], same.rows[k].worst,
                 same.bound);
      if (differs) assert_in_range(same.rows[k].state, 1, 5);
      if (differs) assert_near(same.rows[k].absolute, same.rows[k].worst * same.rows[k].size, 1e-9);
    }
    robot_free(one);
    robot_free(two);
  }
}

// An offset along the axis moves every link by it; the largest coordinate of that is told.
static void sizes_are_told(void** unused)
{
  (void)unused;
  Robot *one = arm(), *two = arm();
  two->joints[0].d += 1e-3;
  robot_build(one);
  robot_build(two);
  lwSameRobot same = compare(one, two);
  assert_near(same.rows[LW_SAME_POSE].absolute, 1e-3 * cos(0.5), 1e-12);  // the axis is tilted
  robot_free(one);
  robot_free(two);
}

static void refused(Change* change, const char* part)
{
  Robot *one = arm(), *two = arm();
  if (change)
    change(&two->def, two->joints);
  else
    robot_add(one, LW_JOINT_REVOLUTE, JOINTS - 1)->link = (lwLinkDef){.mass = 1, .com = {1, 0, 0}};
  robot_build(one);
  robot_build(two);
  static const bool keeps[MAX_JOINTS] = {false};
  lwSameRobot same                    = {.in          = one->model,
                                         .out         = two->model,
                                         .keeps_frame = keeps,
                                         .written     = lw_model_robot(two->model),
                                         .limits      = true,
                                         .states      = 1,
                                         .seed        = 1};
  assert_int_equal(lw_same_robot_run(&same), LW_ERROR_INPUT);
  assert_contains(same.message, part);
  robot_free(one);
  robot_free(two);
}

static void other_limit(lwRobotDef* robot, lwJointDef* joints)
{
  (void)robot;
  joints[2].limits.upper = 1.5;
}

static void renamed(lwRobotDef* robot, lwJointDef* joints)
{
  (void)robot;
  joints[1].name = "elsewhere";
}

static void missing_things_are_told(void** unused)
{
  (void)unused;
  refused(NULL, "joint");
  refused(renamed, "joint");
  refused(other_limit, "upper");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_robots_hold),
      cmocka_unit_test(changes_are_found),
      cmocka_unit_test(sizes_are_told),
      cmocka_unit_test(missing_things_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
