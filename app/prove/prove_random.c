// SPDX-License-Identifier: MIT
// Random structures: trees and kinds of joints. Their numbers do not matter: a proof replaces them.
#include <stdio.h>

#include "base/random.h"
#include "prove_command.h"

// One of three joints is prismatic; in a tree every third joint stands on any joint before,
// not on the last.
static void random_joint(lwRandom* random, bool tree, int i, lwJointDef* joint)
{
  bool branch      = tree && i > 0 && lw_random_bits(random) % 3 == 0;
  joint->type      = lw_random_bits(random) % 3 ? LW_JOINT_REVOLUTE : LW_JOINT_PRISMATIC;
  joint->parent    = branch ? (int)(lw_random_bits(random) % (uint64_t)(i + 1)) - 1 : i - 1;
  joint->alpha     = lw_random_between(random, -1.5, 1.5);
  joint->a         = lw_random_between(random, 0.1, 0.5);
  joint->d         = lw_random_between(random, 0.1, 0.5);
  joint->link.mass = lw_random_between(random, 1, 2);
  for (int k = 0; k < 3; ++k) joint->link.inertia[k] = lw_random_between(random, 0.1, 0.15);
}

lwModel* structure_make(unsigned long long seed, int k)
{
  lwRandom random = {seed * 0x9E3779B97F4A7C15u + (uint64_t)k};
  lwJointDef joints[MOST_RANDOM_JOINTS];
  char names[MOST_RANDOM_JOINTS][16];
  int n     = 1 + (int)(lw_random_bits(&random) % MOST_RANDOM_JOINTS);
  bool tree = lw_random_bits(&random) % 2;
  for (int i = 0; i < n; ++i)
  {
    snprintf(names[i], sizeof names[i], "joint %d", i + 1);
    joints[i]      = lw_joint_def();
    joints[i].name = names[i];
    random_joint(&random, tree, i, &joints[i]);
  }
  lwRobotDef robot = lw_robot_def();
  robot.name       = "random structure";
  robot.count      = n;
  robot.joints     = joints;
  lwModel* model   = NULL;
  need_ok(lw_model_create(&robot, NULL, NULL, &model));
  return hold_model(model);
}

void structure_text(const lwModel* model, char* text, size_t size)
{
  const lwRobotDef* robot = lw_model_robot(model);
  text[0]                 = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    char joint[64], on[16] = "the base";
    int parent = robot->joints[i].parent;
    if (parent != LW_BASE) snprintf(on, sizeof on, "%d", parent + 1);
    snprintf(joint, sizeof joint, "joint %d %s on %s", i + 1,
             robot->joints[i].type == LW_JOINT_PRISMATIC ? "prismatic" : "revolute", on);
    lw_text_append(text, size, i > 0 ? ", " : "", joint);
  }
}
