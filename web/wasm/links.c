// SPDX-License-Identifier: MIT
// Newton-Euler in the base frame, link by link: slower than the kernels, which keep the forces at the joints to
// themselves and give their components along the axes only. A test compares these components with inverse dynamics.
#include "links.h"

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

static Vec turn_back(const double R[9], Vec v)
{
  return (Vec){R[0] * v.x + R[3] * v.y + R[6] * v.z, R[1] * v.x + R[4] * v.y + R[7] * v.z,
               R[2] * v.x + R[5] * v.y + R[8] * v.z};
}

// --- places

static const LinkPlace BASE = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static const LinkPlace* parent_place(const lwRobotDef* robot, const LinkPlace* links, int i)
{
  int parent = robot->joints[i].parent;
  return parent == LW_BASE ? &BASE : &links[parent];
}

static void place_axis(const lwRobotDef* robot, LinkPlace* links, int i)
{
  const lwJointDef* joint = &robot->joints[i];
  const LinkPlace* frame  = &links[i];  // that has the axis
  Vec axis                = {0, 0, 1};
  if (joint->placement == LW_PLACEMENT_DH_STANDARD) frame = parent_place(robot, links, i);
  if (joint->placement == LW_PLACEMENT_ORIGIN_AXIS) axis = load(joint->axis);
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

// --- motion

// How fast joint i of the description moves: rates (dof) are those of the independent joints.
static double joint_rate(const lwModel* model, const double* rates, int i)
{
  const lwJointDef* joints = lw_model_robot(model)->joints;
  double factor            = 1;
  for (int k = 0; joints[i].mimic.given && k < lw_model_joint_count(model); ++k)
  {
    factor *= joints[i].mimic.multiplier;
    i = joints[i].mimic.leader;
  }
  for (int k = 0; k < lw_model_dof(model); ++k)
    if (lw_model_joint(model, k) == i) return factor * rates[k];
  return 0;
}

// Acceleration of the point at r from the origin of a link that moves so.
static Vec acceleration_at(const LinkMotion* motion, Vec r)
{
  Vec w = load(motion->w);
  return add(load(motion->a), add(cross(load(motion->wd), r), cross(w, cross(w, r))));
}

static void move_link(const lwModel* model, const LinkPlace* links, int i, const double* qd,
                      const double* qdd, LinkMotion* work)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const lwJointDef* joint = &robot->joints[i];
  const LinkPlace* before = parent_place(robot, links, i);
  LinkMotion base         = {0};
  store(base.a, scale(-1, load(robot->gravity)));
  const LinkMotion* parent = joint->parent == LW_BASE ? &base : &work[joint->parent];
  bool slides = joint->type == LW_JOINT_PRISMATIC, turns = joint->type == LW_JOINT_REVOLUTE;
  Vec rate = scale(joint_rate(model, qd, i), load(links[i].axis));
  Vec gain = scale(joint_rate(model, qdd, i), load(links[i].axis));
  Vec w = load(parent->w), wd = load(parent->wd), origin = load(links[i].p);
  Vec fixed = turns ? load(links[i].anchor) : origin;  // to the link before, for an instant
  Vec a     = acceleration_at(parent, sub(fixed, load(before->p)));
  if (slides) a = add(a, add(gain, scale(2, cross(w, rate))));
  if (turns)
  {
    wd = add(wd, add(gain, cross(w, rate)));
    w  = add(w, rate);
  }
  LinkMotion at = {0};
  store(at.w, w);
  store(at.wd, wd);
  store(at.a, a);
  work[i] = at;
  store(work[i].a, acceleration_at(&at, sub(origin, fixed)));
}

// Force and torque about its origin that the link needs for its motion.
static void sustain(const lwLinkDef* link, const LinkPlace* place, LinkMotion* motion)
{
  const double* I = link->inertia;
  Vec com         = turn(place->R, load(link->com));
  Vec w = turn_back(place->R, load(motion->w)), wd = turn_back(place->R, load(motion->wd));
  Vec F  = scale(link->mass, acceleration_at(motion, com));
  Vec Iw = {I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
            I[4] * w.x + I[5] * w.y + I[2] * w.z};
  Vec N  = {I[0] * wd.x + I[3] * wd.y + I[4] * wd.z, I[3] * wd.x + I[1] * wd.y + I[5] * wd.z,
            I[4] * wd.x + I[5] * wd.y + I[2] * wd.z};
  store(motion->f, F);
  store(motion->n, add(turn(place->R, add(N, cross(w, Iw))), cross(com, F)));
}

void links_react(const lwModel* model, const LinkPlace* links, const double* qd, const double* qdd,
                 LinkMotion* work, Reaction* reactions)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int i = 0; i < robot->count; ++i)
  {
    move_link(model, links, i, qd, qdd, work);
    sustain(&robot->joints[i].link, &links[i], &work[i]);
  }
  for (int i = robot->count - 1; i >= 0; --i)
  {
    int parent = robot->joints[i].parent;
    Vec f = load(work[i].f), n = load(work[i].n), origin = load(links[i].p);
    store(reactions[i].force, f);
    store(reactions[i].torque, add(n, cross(sub(origin, load(links[i].anchor)), f)));
    if (parent == LW_BASE) continue;
    Vec arm = sub(origin, load(links[parent].p));
    store(work[parent].f, add(load(work[parent].f), f));
    store(work[parent].n, add(load(work[parent].n), add(n, cross(arm, f))));
  }
}
