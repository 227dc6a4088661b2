// SPDX-License-Identifier: MIT
// Joints with several freedoms as chains of joints with one, with massless links in between, so
// that kernels know only revolute and prismatic joints. model/joint_types.c says which chains.
#include "model/pieces.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/rotation.h"
#include "model/joint_types.h"

// A direction across the axis: the x axis as seen in the plane, y where the axis is x.
static void plane_direction(const double axis[3], double out[3])
{
  double length = lw_length(axis), n[3];
  for (int i = 0; i < 3; ++i) n[i] = axis[i] / length;
  int k     = fabs(n[0]) > 1 - 1e-9 ? 1 : 0;
  double in = n[k], norm = 0;
  for (int i = 0; i < 3; ++i) out[i] = (i == k) - in * n[i];
  norm = lw_length(out);
  for (int i = 0; i < 3; ++i) out[i] /= norm;
}

static void set_direction(const lwJointDef* joint, lwDirection along, double out[3])
{
  double first[3];
  switch (along)
  {
    case LW_ALONG_X:
    case LW_ALONG_Y:
    case LW_ALONG_Z:
      for (int i = 0; i < 3; ++i) out[i] = i == (int)along;
      break;
    case LW_ALONG_AXIS:
      memcpy(out, joint->axis, 3 * sizeof *out);
      break;
    case LW_ALONG_AXIS2:
      memcpy(out, joint->axis2, 3 * sizeof *out);
      break;
    case LW_ALONG_PLANE_1:
      plane_direction(joint->axis, out);
      break;
    case LW_ALONG_PLANE_2:
      plane_direction(joint->axis, first);
      lw_cross(joint->axis, first, out);
      break;
  }
}

// Freedoms of a wide joint have no axes of their own: their frame is that of the link.
static bool is_wide(const lwModel* model, lwJointType type)
{
  return model->keeps_wide && lw_joint_type_info(type)->quaternion >= 0;
}

// Joints of the chain that stands for a joint.
static int piece_count(const lwModel* model, lwJointType type)
{
  const lwJointTypeInfo* info = lw_joint_type_info(type);
  return is_wide(model, type) ? info->size.dof : info->pieces;
}

// Piece k of a joint, which stands on `parent`: the first is placed as the joint is,
// the last carries its link.
static lwJointDef make_piece(const lwModel* model, const lwJointDef* joint, int k, int parent)
{
  static const lwJointPieceType freedom = {false, LW_ALONG_Z, false, false};
  const lwJointTypeInfo* info           = lw_joint_type_info(joint->type);
  const lwJointPieceType* type          = is_wide(model, joint->type) ? &freedom : &info->piece[k];
  lwJointDef piece                      = lw_joint_def();
  if (k == 0)
  {
    piece           = *joint;
    piece.link      = (lwLinkDef){.name = joint->link.name};
    piece.placement = LW_PLACEMENT_ORIGIN_AXIS;
  }
  piece.name      = joint->name;
  piece.type      = type->slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
  piece.parent    = parent;
  piece.placement = LW_PLACEMENT_ORIGIN_AXIS;
  set_direction(joint, type->along, piece.axis);
  if (type->follows) piece.mimic = (lwMimic){true, parent, joint->pitch / (2 * LW_PI), 0};
  if (k == piece_count(model, joint->type) - 1) piece.link = joint->link;
  return piece;
}

static int count_pieces(const lwModel* model)
{
  int count = 0;
  for (int i = 0; i < model->robot.count; ++i)
    count += piece_count(model, model->robot.joints[i].type);
  return count;
}

// last: (count) index in the chain of the piece that carries the link of each joint. A joint with
// one piece is that piece.
static void split_joints(const lwModel* model, lwJointDef* joints, lwJointPiece* pieces, int* last)
{
  const lwRobotDef* robot = &model->robot;
  int next                = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint     = &robot->joints[i];
    const lwJointTypeInfo* info = lw_joint_type_info(joint->type);
    bool wide                   = is_wide(model, joint->type);
    int count                   = piece_count(model, joint->type);
    int parent                  = joint->parent == LW_BASE ? LW_BASE : last[joint->parent];
    for (int k = 0; k < count; ++k, parent = next - 1)
    {
      pieces[next]          = (lwJointPiece){i, k, !wide && info->piece[k].held, wide};
      joints[next]          = count > 1 ? make_piece(model, joint, k, parent) : *joint;
      joints[next++].parent = parent;
    }
    last[i] = next - 1;
  }
}

// Leaders are numbered in the chain; one with a chain of its own leads by its first piece.
static void renumber_leaders(const lwModel* model, lwJointDef* joints, const lwJointPiece* pieces,
                             const int* last)
{
  const lwRobotDef* robot = &model->robot;
  for (int k = 0; k <= last[robot->count - 1]; ++k)
  {
    const lwJointDef* joint = &robot->joints[pieces[k].whole];
    if (pieces[k].part > 0 || !joint->mimic.given) continue;
    int leader             = joint->mimic.leader;
    joints[k].mimic.leader = last[leader] - piece_count(model, robot->joints[leader].type) + 1;
  }
}

bool lw_pieces_build(lwModel* model)
{
  lwArena temporary    = {0};
  int count            = count_pieces(model);
  lwJointPiece* pieces = lw_arena_take(&model->arena, (size_t)count, sizeof *pieces);
  lwJointDef* joints   = model->joints;
  int* last            = lw_arena_take(&temporary, (size_t)model->robot.count, sizeof *last);
  if (count > model->robot.count)
    joints = lw_arena_take(&model->arena, (size_t)count, sizeof *joints);
  bool enough = pieces && last && joints;
  if (enough && count > model->robot.count)
  {
    split_joints(model, joints, pieces, last);
    renumber_leaders(model, joints, pieces, last);
  }
  else if (enough)
    for (int i = 0; i < count; ++i) pieces[i] = (lwJointPiece){i, 0, false, false};
  lw_arena_free(&temporary);
  model->split        = model->robot;
  model->split.count  = count;
  model->split.joints = joints;
  model->piece        = pieces;
  return enough;
}

// --- a base that floats

static bool has_link(const lwRobotDef* robot, const char* name)
{
  bool found = robot->base.name && !strcmp(robot->base.name, name);
  for (int i = 0; i < robot->count && !found; ++i)
    found = robot->joints[i].link.name && !strcmp(robot->joints[i].link.name, name);
  return found;
}

// Places of fields: those of the base become those of the first joint.
static const lwPlace* move_places(lwArena* arena, const lwRobotDef* robot)
{
  size_t count    = (size_t)robot->count;
  lwPlace* places = lw_arena_take(arena, (count + 1) * LW_FIELD_COUNT, sizeof *places);
  if (!places) return NULL;
  if (robot->base_places) memcpy(places, robot->base_places, LW_FIELD_COUNT * sizeof *places);
  memcpy(places + LW_FIELD_COUNT, robot->places, count * LW_FIELD_COUNT * sizeof *places);
  return places;
}

// The frames of loops: joints have the next number, the base is joint 0, the world LW_BASE.
static bool move_loops(lwArena* arena, const lwRobotDef* robot, lwRobotDef* out)
{
  if (robot->loop_count <= 0) return true;
  lwLoopDef* loops = lw_arena_take(arena, (size_t)robot->loop_count, sizeof *loops);
  for (int k = 0; loops && k < robot->loop_count; ++k)
  {
    loops[k] = robot->loops[k];
    ++loops[k].first.joint;
    ++loops[k].second.joint;
  }
  out->loops = loops;
  return loops;
}

const lwRobotDef* lw_robot_float(lwArena* arena, const lwRobotDef* robot)
{
  static const char* const names[] = {"world", "ground", "inertial"};
  lwRobotDef* out                  = lw_arena_take(arena, 1, sizeof *out);
  lwJointDef* joints               = lw_arena_take(arena, (size_t)robot->count + 1, sizeof *joints);
  if (!out || !joints) return NULL;
  *out               = *robot;
  out->floating_base = false;
  out->joints        = joints;
  out->count         = robot->count + 1;
  out->base          = (lwLinkDef){.name = names[0]};
  out->base_places   = NULL;
  for (int k = 1; k < 3 && has_link(robot, out->base.name); ++k) out->base.name = names[k];
  joints[0]           = lw_joint_def();
  joints[0].name      = "base";
  joints[0].type      = LW_JOINT_FLOATING;
  joints[0].placement = LW_PLACEMENT_ORIGIN_AXIS;
  joints[0].link      = robot->base;
  if (!joints[0].link.name) joints[0].link.name = "base";
  for (int i = 0; i < robot->count; ++i)
  {
    joints[i + 1] = robot->joints[i];
    ++joints[i + 1].parent;
    if (joints[i + 1].mimic.given) ++joints[i + 1].mimic.leader;
  }
  joints[0].passive = true;
  memcpy(joints[0].start, robot->base_start, sizeof joints[0].start);
  if (!move_loops(arena, robot, out)) return NULL;
  if (robot->places && !(out->places = move_places(arena, robot))) return NULL;
  return out;
}
