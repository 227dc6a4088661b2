// SPDX-License-Identifier: MIT
// The constants of a description, listed and named.
#include "linkwork/slopes.h"
#include "model/model_internal.h"

static const char* const KIND_NAMES[] = {"mass", "com", "inertia", "length", "angle", "gravity"};

// Names by kind and entry; lengths and angles of origins stand behind
// those of Denavit-Hartenberg joints.
static const char* const NAMES[LW_PARAMETER_KIND_COUNT][6] = {
    {"mass"},
    {"com.x", "com.y", "com.z"},
    {"inertia.xx", "inertia.yy", "inertia.zz", "inertia.xy", "inertia.xz", "inertia.yz"},
    {"a", "d", NULL, "xyz.x", "xyz.y", "xyz.z"},
    {"alpha", "theta", NULL, "rpy.roll", "rpy.pitch", "rpy.yaw"},
    {"gravity.x", "gravity.y", "gravity.z"}};

static bool has_origin(const lwJointDef* joint)
{
  return joint->placement == LW_PLACEMENT_ORIGIN_AXIS;
}

// How many a joint or its link has of a kind.
static int entries_of(const lwJointDef* joint, lwParameterKind kind)
{
  switch (kind)
  {
    case LW_PARAMETER_MASS:
      return 1;
    case LW_PARAMETER_COM:
      return 3;
    case LW_PARAMETER_INERTIA:
      return 6;
    default:
      return has_origin(joint) ? 3 : 2;
  }
}

const char* lw_parameter_kind_name(lwParameterKind kind)
{
  return KIND_NAMES[kind];
}

bool lw_parameter_is_linear(lwParameterKind kind)
{
  return kind == LW_PARAMETER_MASS || kind == LW_PARAMETER_INERTIA || kind == LW_PARAMETER_GRAVITY;
}

int lw_parameter_count(const lwModel* model, lwParameterKind kind)
{
  int count = 0;
  if (kind == LW_PARAMETER_GRAVITY) return 3;
  for (int i = 0; i < model->robot.count; ++i) count += entries_of(&model->robot.joints[i], kind);
  return count;
}

lwParameter lw_parameter_get(const lwModel* model, lwParameterKind kind, int i)
{
  lwParameter parameter = {kind, 0, i};
  if (kind == LW_PARAMETER_GRAVITY) return parameter;
  while (parameter.entry >= entries_of(&model->robot.joints[parameter.joint], kind))
    parameter.entry -= entries_of(&model->robot.joints[parameter.joint++], kind);
  return parameter;
}

bool lw_parameter_exists(const lwModel* model, lwParameter parameter)
{
  if (parameter.kind < 0 || parameter.kind >= LW_PARAMETER_KIND_COUNT || parameter.entry < 0)
    return false;
  if (parameter.kind == LW_PARAMETER_GRAVITY) return parameter.entry < 3;
  return parameter.joint >= 0 && parameter.joint < model->robot.count &&
         parameter.entry < entries_of(&model->robot.joints[parameter.joint], parameter.kind);
}

double lw_parameter_value(const lwModel* model, lwParameter parameter)
{
  if (parameter.kind == LW_PARAMETER_GRAVITY) return model->robot.gravity[parameter.entry];
  const lwJointDef* joint = &model->robot.joints[parameter.joint];
  switch (parameter.kind)
  {
    case LW_PARAMETER_MASS:
      return joint->link.mass;
    case LW_PARAMETER_COM:
      return joint->link.com[parameter.entry];
    case LW_PARAMETER_INERTIA:
      return joint->link.inertia[parameter.entry];
    case LW_PARAMETER_LENGTH:
      if (has_origin(joint)) return joint->xyz[parameter.entry];
      return parameter.entry == 0 ? joint->a : joint->d;
    default:
      if (has_origin(joint)) return joint->rpy[parameter.entry];
      return parameter.entry == 0 ? joint->alpha : joint->theta;
  }
}

const char* lw_parameter_name(const lwModel* model, lwParameter parameter)
{
  bool placed = parameter.kind == LW_PARAMETER_LENGTH || parameter.kind == LW_PARAMETER_ANGLE;
  int behind  = placed && has_origin(&model->robot.joints[parameter.joint]) ? 3 : 0;
  return NAMES[parameter.kind][behind + parameter.entry];
}
