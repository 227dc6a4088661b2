// SPDX-License-Identifier: MIT
// Random trees with ball and floating joints anywhere, some with mimic joints.
#ifndef LW_TESTS_WIDE_ROBOTS_H
#define LW_TESTS_WIDE_ROBOTS_H

#include "support/check.h"
#include "support/testing.h"

enum
{
  MOST_JOINTS = 30
};

static double cube(lwRandom* random)
{
  return lw_random_between(random, -1, 1);
}

static lwJointType random_type(lwRandom* random)
{
  static const lwJointType types[] = {LW_JOINT_REVOLUTE, LW_JOINT_BALL,     LW_JOINT_PRISMATIC,
                                      LW_JOINT_REVOLUTE, LW_JOINT_FLOATING, LW_JOINT_FIXED,
                                      LW_JOINT_REVOLUTE, LW_JOINT_BALL};
  return types[(int)lw_random_between(random, 0, 7.999)];
}

// The joint before, or one on its way to the base (branches one after the other), or any (branches
// side by side).
static int random_parent(lwRandom* random, const Robot* robot, int i, int shape)
{
  int parent = i - 1;
  if (shape == 0 || i == 0 || cube(random) > -0.4) return parent;
  if (shape == 1)
    while (parent >= 0 && cube(random) > -0.3) parent = robot->joints[parent].parent;
  else
    parent = (int)lw_random_between(random, 0, i + 0.999) - 1;
  return parent;
}

static bool has_one_freedom(const lwJointDef* joint)
{
  return joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
}

// Joint i may mimic one before it.
static void random_mimic(lwRandom* random, Robot* robot, int i)
{
  int leader = (int)lw_random_between(random, 0, i + 0.999);
  if (leader == i || !has_one_freedom(&robot->joints[i]) ||
      !has_one_freedom(&robot->joints[leader]))
    return;
  robot->joints[i].mimic = (lwMimic){true, leader, cube(random), cube(random)};
}

// A robot with at least one wide joint: a chain, a tree in order or any tree.
static Robot* robot_with_wide_joints(uint64_t seed)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  int count       = 1 + (int)lw_random_between(&random, 0, MOST_JOINTS - 0.001);
  int wide        = (int)lw_random_between(&random, 0, count - 0.001);
  for (int i = 0; i < count; ++i)
  {
    int parent        = random_parent(&random, robot, i, (int)(seed % 3));
    lwJointType type  = random_type(&random);
    bool floats       = cube(&random) > 0;
    lwJointType given = floats ? LW_JOINT_FLOATING : LW_JOINT_BALL;
    lwJointDef* joint = robot_add(robot, i == wide ? given : type, parent);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int k = 0; k < 3; ++k)
    {
      joint->xyz[k]  = 0.3 * cube(&random);
      joint->rpy[k]  = 3 * cube(&random);
      joint->axis[k] = cube(&random);
    }
    random_link(&random, &joint->link);
    if (seed % 5 == 4 && seed < 800) random_mimic(&random, robot, i);
  }
  robot_build(robot);
  assert_non_null(robot->model->native);
  if (!robot->model->coupled) assert_int_equal(robot->model->native->n, lw_model_dof(robot->model));
  return robot;
}

#endif
