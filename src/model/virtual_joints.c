// SPDX-License-Identifier: MIT
#include "model/virtual_joints.h"

#include <string.h>

// What is under way: the steps of one joint's place,
// of which those that have a parameter end in a virtual joint.
typedef struct VirtualBuilder
{
  const lwParameter* parameters;
  int parameter_count;
  lwVirtualJoints* out;
  int index;         // joint of the description
  int parent;        // in the list that is made
  lwJointDef place;  // steps since the last joint, as an origin
} VirtualBuilder;

static lwJointDef fresh_place(void)
{
  lwJointDef place = lw_joint_def();
  place.placement  = LW_PLACEMENT_ORIGIN_AXIS;
  return place;
}

static int put_joint(VirtualBuilder* builder, lwJointDef joint, int real, int parameter)
{
  lwVirtualJoints* out = builder->out;
  int at               = out->count++;
  joint.parent         = builder->parent;
  out->joints[at]      = joint;
  out->real[at]        = real;
  out->parameter[at]   = parameter;
  builder->parent      = at;
  builder->place       = fresh_place();
  return at;
}

// A virtual joint at the end of the steps so far, for each parameter of this kind and entry.
// axis: 0, 1, 2.
static void put_virtual(VirtualBuilder* builder, lwParameterKind kind, int entry, int axis)
{
  for (int p = 0; p < builder->parameter_count; ++p)
  {
    const lwParameter* wanted = &builder->parameters[p];
    if (wanted->kind != kind || wanted->joint != builder->index || wanted->entry != entry) continue;
    lwJointDef joint = builder->place;
    joint.type       = kind == LW_PARAMETER_LENGTH ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
    for (int k = 0; k < 3; ++k) joint.axis[k] = k == axis;
    put_joint(builder, joint, -1, p);
  }
}

// T(xyz) Rz(yaw) Ry(pitch) Rx(roll), step by step
static void put_origin_steps(VirtualBuilder* builder, const lwJointDef* def)
{
  memcpy(builder->place.xyz, def->xyz, sizeof def->xyz);
  for (int k = 0; k < 3; ++k) put_virtual(builder, LW_PARAMETER_LENGTH, k, k);
  for (int k = 2; k >= 0; --k)
  {
    builder->place.rpy[k] = def->rpy[k];
    put_virtual(builder, LW_PARAMETER_ANGLE, k, k);
  }
}

// Rx(alpha) Tx(a), which commute; so do the next
static void put_x_steps(VirtualBuilder* builder, const lwJointDef* def)
{
  builder->place.xyz[0] = def->a;
  builder->place.rpy[0] = def->alpha;
  put_virtual(builder, LW_PARAMETER_LENGTH, 0, 0);
  put_virtual(builder, LW_PARAMETER_ANGLE, 0, 0);
}

static bool is_changed(const VirtualBuilder* builder, int entry)
{
  for (int p = 0; p < builder->parameter_count; ++p)
  {
    const lwParameter* wanted = &builder->parameters[p];
    bool placed = wanted->kind == LW_PARAMETER_LENGTH || wanted->kind == LW_PARAMETER_ANGLE;
    if (placed && wanted->joint == builder->index && wanted->entry == entry) return true;
  }
  return false;
}

// Rz(theta) Tz(d), after the part of Rx(alpha) Tx(a) that has not become a joint. Axis and
// moving part are those of the joint.
static void put_z_steps(VirtualBuilder* builder, const lwJointDef* def, lwJointDef* joint)
{
  if (!is_changed(builder, 1)) return;
  lwJointDef steps = lw_joint_def();
  lwJointDef place = builder->place;
  steps.placement  = LW_PLACEMENT_DH_MODIFIED;
  steps.a          = place.xyz[0];
  steps.alpha      = place.rpy[0];
  steps.d          = def->d;
  steps.theta      = def->theta;
  builder->place   = steps;
  put_virtual(builder, LW_PARAMETER_LENGTH, 1, 2);
  put_virtual(builder, LW_PARAMETER_ANGLE, 1, 2);
  joint->d = joint->theta = 0;
}

static void put_modified(VirtualBuilder* builder, const lwJointDef* def)
{
  lwJointDef joint = *def;
  put_x_steps(builder, def);
  if (is_changed(builder, 0)) joint.a = joint.alpha = 0;
  if (is_changed(builder, 1)) joint.a = joint.alpha = 0;
  put_z_steps(builder, def, &joint);
  builder->out->link[builder->index] = put_joint(builder, joint, builder->index, -1);
}

// Rz(theta) Tz(d), motion, Rx(alpha) Tx(a): what follows the motion carries the link.
static void put_standard(VirtualBuilder* builder, const lwJointDef* def)
{
  lwJointDef joint = *def;
  bool behind      = is_changed(builder, 0);
  put_z_steps(builder, def, &joint);
  if (behind)
  {
    joint.a = joint.alpha = 0;
    joint.link            = (lwLinkDef){0};
  }
  int at = put_joint(builder, joint, builder->index, -1);
  if (behind)
  {
    put_x_steps(builder, def);
    at                            = builder->parent;
    builder->out->joints[at].link = def->link;
  }
  builder->out->link[builder->index] = at;
}

static void put_origin(VirtualBuilder* builder, const lwJointDef* def)
{
  lwJointDef joint = *def;
  put_origin_steps(builder, def);
  memcpy(joint.xyz, builder->place.xyz, sizeof joint.xyz);
  memcpy(joint.rpy, builder->place.rpy, sizeof joint.rpy);
  builder->out->link[builder->index] = put_joint(builder, joint, builder->index, -1);
}

bool lw_virtual_joints_build(const lwRobotDef* robot, const lwParameter* parameters, int count,
                             lwArena* arena, lwVirtualJoints* out)
{
  size_t most    = (size_t)robot->count + (size_t)count;
  out->count     = 0;
  out->joints    = lw_arena_take(arena, most, sizeof *out->joints);
  out->real      = lw_arena_take(arena, most, sizeof *out->real);
  out->parameter = lw_arena_take(arena, most, sizeof *out->parameter);
  out->link      = lw_arena_take(arena, (size_t)robot->count, sizeof *out->link);
  if (!out->joints || !out->real || !out->parameter || !out->link) return false;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* def  = &robot->joints[i];
    VirtualBuilder builder = {.parameters      = parameters,
                              .parameter_count = count,
                              .out             = out,
                              .index           = i,
                              .parent = def->parent == LW_BASE ? LW_BASE : out->link[def->parent],
                              .place  = fresh_place()};
    if (def->placement == LW_PLACEMENT_DH_MODIFIED) put_modified(&builder, def);
    if (def->placement == LW_PLACEMENT_DH_STANDARD) put_standard(&builder, def);
    if (def->placement == LW_PLACEMENT_ORIGIN_AXIS) put_origin(&builder, def);
  }
  return true;
}
