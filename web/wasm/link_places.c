// SPDX-License-Identifier: MIT
// Poses of all links, and the reactions moved to the points where the page draws them.
#include "link_places.h"

#include <math.h>
#include <string.h>

typedef struct Vec
{
  double x, y, z;
} Vec;

static Vec load(const double v[3])
{
  return (Vec){v[0], v[1], v[2]};
}

static void store(double to[3], Vec v)
{
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static Vec add(Vec a, Vec b)
{
  return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static Vec sub(Vec a, Vec b)
{
  return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Vec scale(double s, Vec a)
{
  return (Vec){s * a.x, s * a.y, s * a.z};
}

static Vec cross(Vec a, Vec b)
{
  return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec turn(const double R[9], Vec v)
{
  return (Vec){R[0] * v.x + R[1] * v.y + R[2] * v.z, R[3] * v.x + R[4] * v.y + R[5] * v.z,
               R[6] * v.x + R[7] * v.y + R[8] * v.z};
}

// --- poses

static const LinkPlace BASE = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static const LinkPlace* parent_place(const lwRobotDef* robot, const LinkPlace* links, int i)
{
  int parent = robot->joints[i].parent;
  return parent == LW_BASE ? &BASE : &links[parent];
}

static void place_axis(const lwRobotDef* robot, LinkPlace* links, int i)
{
  const lwJointDef* joint = &robot->joints[i];
  const LinkPlace* frame  = &links[i];  // in which the axis is given
  Vec axis                = {0, 0, 1};
  if (joint->placement == LW_PLACEMENT_DH_STANDARD) frame = parent_place(robot, links, i);
  if (joint->placement == LW_PLACEMENT_ORIGIN_AXIS) axis = load(joint->axis);
  if (joint->type == LW_JOINT_BALL || joint->type == LW_JOINT_FLOATING) axis = (Vec){0};  // none
  double length = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  store(links[i].axis, turn(frame->R, scale(length > 0 ? 1 / length : 0, axis)));
  memcpy(links[i].anchor, frame->p, sizeof links[i].anchor);
}

void links_place(const lwModel* model, lwWorkspace* ws, const double* q, LinkPlace* links)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwFrame frame = {.joint = i};
    lw_workspace_set_frame(ws, model, &frame, NULL);
    lw_pose(model, ws, q, links[i].p, links[i].R);
    place_axis(robot, links, i);
  }
}

// --- reactions

void links_react(const lwModel* model, lwWorkspace* ws, const LinkPlace* links, const double* q,
                 const double* qd, const double* qdd, Reaction* reactions)
{
  // fx fy fz nx ny nz of each joint, at the origin of its link
  double* values = (double*)reactions;
  lw_reactions(model, ws, q, qd, qdd, values);
  for (int i = 0; i < lw_model_joint_count(model); ++i)
  {
    Vec arm = sub(load(links[i].p), load(links[i].anchor));
    Vec f   = load(reactions[i].force);
    store(reactions[i].torque, add(load(reactions[i].torque), cross(arm, f)));
  }
}
