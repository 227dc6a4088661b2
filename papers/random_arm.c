// SPDX-License-Identifier: MIT
#include "random_arm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- links

// Mass, centre of mass and inertia (2.9) about it of a link made of points.
static void weigh(lwLinkDef* link, const ArmPoint point[ARM_POINTS])
{
  *link = lw_joint_def().link;
  for (int p = 0; p < ARM_POINTS; ++p) link->mass += point[p].mass;
  for (int p = 0; p < ARM_POINTS && link->mass > 0; ++p)
    for (int k = 0; k < 3; ++k) link->com[k] += point[p].mass / link->mass * point[p].at[k];
  for (int p = 0; p < ARM_POINTS; ++p)
  {
    double m    = point[p].mass;
    double x    = point[p].at[0] - link->com[0];
    double y    = point[p].at[1] - link->com[1];
    double z    = point[p].at[2] - link->com[2];
    double I[6] = {m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y),
                   -m * x * y,          -m * x * z,          -m * y * z};
    for (int k = 0; k < 6; ++k) link->inertia[k] += I[k];
  }
}

static void random_points(lwRandom* random, ArmPoint point[ARM_POINTS])
{
  for (int p = 0; p < ARM_POINTS; ++p)
  {
    point[p].mass = lw_random_between(random, 0.1, 0.9);
    for (int k = 0; k < 3; ++k) point[p].at[k] = lw_random_between(random, -0.2, 0.2);
  }
}

// --- arms

static lwJointDef random_joint(lwRandom* random, int i, bool slides)
{
  lwJointDef joint = lw_joint_def();
  joint.type       = slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
  joint.parent     = i - 1;
  joint.placement  = LW_PLACEMENT_DH_STANDARD;
  joint.alpha      = lw_random_between(random, 0.4, 1.4) * (i % 2 ? 1 : -1);
  joint.a          = lw_random_between(random, 0.05, 0.4);
  joint.d          = lw_random_between(random, -0.3, 0.3);
  joint.theta      = lw_random_between(random, -1, 1);
  return joint;
}

// Makes the last three axes meet in one point, and moves the mass of their links to the last one.
static void make_wrist(Arm* arm)
{
  for (int i = arm->n - 3; i < arm->n - 1; ++i)
  {
    arm->joint[i].a     = 0;
    arm->joint[i + 1].d = 0;
    memset(arm->point[i], 0, sizeof arm->point[i]);
    weigh(&arm->joint[i].link, arm->point[i]);
  }
}

void arm_random(Arm* arm, lwRandom* random, int n, ArmKind kind)
{
  *arm = (Arm){.n = n};
  for (int i = 0; i < n; ++i)
  {
    bool slides   = kind == ARM_MIXED && lw_random_between(random, 0, 1) < 0.3;
    arm->joint[i] = random_joint(random, i, slides);
    random_points(random, arm->point[i]);
    weigh(&arm->joint[i].link, arm->point[i]);
    arm->q[i]   = slides ? lw_random_between(random, 0, 0.5) : lw_random_between(random, -3, 3);
    arm->qd[i]  = lw_random_between(random, -2, 2);
    arm->qdd[i] = lw_random_between(random, -4, 4);
  }
  for (int k = 0; k < 3; ++k) arm->gravity[k] = lw_random_between(random, -9, 9);
  if (kind == ARM_WRIST) make_wrist(arm);
}

// --- the library's models and torques

lwStatus arm_model(const Arm* arm, lwModel** model)
{
  lwJointDef joint[ARM_JOINTS];
  char name[ARM_JOINTS][ARM_NAME];
  lwRobotDef robot = lw_robot_def();
  for (int i = 0; i < arm->n; ++i)
  {
    snprintf(name[i], sizeof name[i], "joint%d", i + 1);
    joint[i]      = arm->joint[i];
    joint[i].name = name[i];
  }
  robot.name   = "random arm";
  robot.count  = arm->n;
  robot.joints = joint;
  memcpy(robot.gravity, arm->gravity, sizeof robot.gravity);
  return lw_model_create(&robot, NULL, NULL, model);
}

lwStatus arm_torques(const Arm* arm, const char* method, const double wrench[6], double* tau)
{
  lwModel* model     = NULL;
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.inverse        = method;
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  lwStatus status    = arm_model(arm, &model);
  if (status == LW_OK) status = lw_workspace_create(model, &def, NULL, &ws);
  if (status == LW_OK)
  {
    lw_workspace_set_wrench(ws, wrench);
    lw_inverse_dynamics(model, ws, arm->q, arm->qd, arm->qdd, tau);
  }
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return status;
}
