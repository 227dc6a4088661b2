// SPDX-License-Identifier: MIT
// The chain for operation counts and benchmarks.
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "linkwork/model.h"

// A dense inertia that a rigid body can have:
// that of six point masses at arbitrary places around the centre.
static void generic_inertia(lwRandom* random, double mass, double inertia[6])
{
  for (int k = 0; k < 6; ++k)
  {
    double x = lw_random_between(random, -0.12, 0.12);
    double y = lw_random_between(random, -0.12, 0.12);
    double z = lw_random_between(random, -0.12, 0.12);
    double m = mass / 6;
    inertia[0] += m * (y * y + z * z);
    inertia[1] += m * (x * x + z * z);
    inertia[2] += m * (x * x + y * y);
    inertia[3] -= m * x * y;
    inertia[4] -= m * x * z;
    inertia[5] -= m * y * z;
  }
}

static lwJointDef generic_joint(lwRandom* random, int i)
{
  lwJointDef joint = lw_joint_def();
  double side      = i % 2 ? 1 : -1;
  joint.parent     = i - 1;
  joint.alpha      = i ? side * lw_random_between(random, 0.5, 1.3) : 0;
  joint.a          = i ? lw_random_between(random, 0.05, 0.3) : 0;
  joint.d          = i ? side * lw_random_between(random, 0.05, 0.3) : 0;
  joint.link.mass  = lw_random_between(random, 1, 5);
  for (int k = 0; k < 3; ++k) joint.link.com[k] = lw_random_between(random, -0.15, 0.15);
  generic_inertia(random, joint.link.mass, joint.link.inertia);
  return joint;
}

lwStatus lw_model_create_generic(int n, lwModel** model)
{
  enum
  {
    NAME_SIZE = 24
  };
  *model = NULL;
  if (n < 1 || n > LW_MAX_JOINTS) return LW_ERROR_INPUT;
  lwRandom random         = {2026};
  lwJointDef* joints      = lw_memory_zeros((size_t)n, sizeof *joints);
  char(*names)[NAME_SIZE] = lw_memory_zeros((size_t)n, sizeof *names);
  lwStatus status         = joints && names ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    char title[64];
    lwRobotDef robot = lw_robot_def();
    for (int i = 0; i < n; ++i)
    {
      snprintf(names[i], NAME_SIZE, "joint%d", i + 1);
      joints[i]      = generic_joint(&random, i);
      joints[i].name = names[i];
    }
    snprintf(title, sizeof title, "generic chain of %d revolute joints", n);
    robot.name   = title;
    robot.count  = n;
    robot.joints = joints;
    status       = lw_model_create(&robot, NULL, NULL, model);
  }
  lw_memory_give(joints);
  lw_memory_give(names);
  return status;
}
