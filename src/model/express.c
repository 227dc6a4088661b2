// SPDX-License-Identifier: MIT
// A description written again: the list of joints, and the form with origins and axes.
//
// An axis goes through the origin of its link's frame. If the frame of a link is off
// its axis (standard DH has it at the far end), it is shifted to the nearest point
// of the axis; its orientation stays.
#include "model/express_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/lint/validate.h"
#include "model/loops.h"

enum
{
  NAME_TRIES = 100000
};

// --- the list of joints

static bool express_grow(lwExpressed* expressed)
{
  lwArena* arena = &expressed->arena;
  size_t count = (size_t)expressed->robot.count, capacity = 2 * (size_t)expressed->capacity + 8;
  lwJointDef* joints = lw_arena_grow(arena, expressed->joints, count, capacity, sizeof *joints);
  const char** reason =
      lw_arena_grow(arena, (const void*)expressed->reason, count, capacity, sizeof *reason);
  bool* keeps = lw_arena_grow(arena, expressed->keeps_frame, count, capacity, sizeof *keeps);
  if (lw_arena_failed(arena)) return false;
  expressed->joints      = joints;
  expressed->reason      = reason;
  expressed->keeps_frame = keeps;
  expressed->capacity    = (int)capacity;
  return true;
}

static lwJointDef* express_add(lwExpressed* expressed, int source, int parent, const char* reason)
{
  int i = expressed->robot.count;
  if (lw_arena_failed(&expressed->arena)) return NULL;
  if (i == expressed->capacity && !express_grow(expressed)) return NULL;
  expressed->joints[i]        = source < 0 ? lw_joint_def() : expressed->original->joints[source];
  expressed->joints[i].parent = parent;
  expressed->reason[i]        = reason;
  expressed->keeps_frame[i] =
      source >= 0 && expressed->original->joints[source].type == LW_JOINT_FIXED;
  expressed->robot.count = i + 1;
  return &expressed->joints[i];
}

int lw_express_last(const lwExpressed* expressed)
{
  return expressed->robot.count - 1;
}

// --- names

static const char* express_copy(lwExpressed* expressed, const char* text)
{
  return text ? lw_arena_text(&expressed->arena, text, strlen(text)) : NULL;
}

static void note_name(lwNameMap* names, const char* name)
{
  int* number = lw_name_map_put(names, name);
  if (number) *number = 0;
}

static const char* link_name(const lwJointDef* joint)
{
  return joint->link.name ? joint->link.name : joint->name;
}

// NAME_end, NAME_end2, ..: the first that nothing else has.
static const char* new_name(lwExpressed* expressed, lwNameMap* names, const char* name,
                            const char* end)
{
  size_t size = strlen(name) + strlen(end) + 16;
  char* text  = lw_arena_take(&expressed->arena, 1, size);
  if (!text) return name;
  snprintf(text, size, "%s%s", name, end);
  for (int k = 2; k < NAME_TRIES && lw_name_map_find(names, text) >= 0; ++k)
    snprintf(text, size, "%s%s%d", name, end, k);
  note_name(names, text);
  return text;
}

// --- kinds of joints

lwJointDef* lw_express_joint(lwExpressed* expressed, int i, int parent)
{
  lwJointDef* joint = express_add(expressed, i, parent, NULL);
  if (!joint) return NULL;
  expressed->row[i] = lw_express_last(expressed);
  joint->line       = 0;
  joint->name       = express_copy(expressed, joint->name);
  joint->link       = (lwLinkDef){.name = express_copy(expressed, joint->link.name)};
  return joint;
}

lwJointDef* lw_express_extra(lwExpressed* expressed, int i, int parent, const char* reason)
{
  const char* name  = expressed->original->joints[i].name;
  lwJointDef* joint = express_add(expressed, -1, parent, reason);
  if (!joint) return NULL;
  joint->type      = LW_JOINT_FIXED;
  joint->name      = new_name(expressed, &expressed->joint_names, name, "_aux");
  joint->link.name = new_name(expressed, &expressed->link_names, name, "_aux");
  return joint;
}

lwJointDef* lw_express_end(lwExpressed* expressed, int i, int parent)
{
  const lwJointDef* original = &expressed->original->joints[i];
  const char* link           = link_name(original);
  lwJointDef* carrier        = &expressed->joints[expressed->row[i]];
  carrier->link.name         = new_name(expressed, &expressed->link_names, link, "_aux");
  lwJointDef* joint          = express_add(expressed, -1, parent,
                                           "carries the link in its own frame, which is off the axis");
  if (!joint) return NULL;
  joint->type = LW_JOINT_FIXED;
  joint->name = new_name(expressed, &expressed->joint_names, original->name, "_end");
  lw_express_link(expressed, &original->link, &lw_identity, &joint->link);
  joint->link.name                                   = express_copy(expressed, link);
  expressed->keeps_frame[lw_express_last(expressed)] = true;
  return joint;
}

static bool is_zero(const double x[3])
{
  return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

static void copy_shape(lwExpressed* expressed, const lwShape* shape, const lwTransform* to,
                       lwShape* out)
{
  *out        = *shape;
  out->mesh   = express_copy(expressed, shape->mesh);
  bool turned = to->R[0][0] != 1 || to->R[1][1] != 1 || to->R[2][2] != 1;
  if (!turned && is_zero(to->p)) return;
  lwTransform place = lw_origin(shape->xyz, shape->rpy);
  place             = lw_compose(to, &place);
  memcpy(out->xyz, place.p, sizeof out->xyz);
  lw_rpy(&place, out->rpy);
}

void lw_express_link(lwExpressed* expressed, const lwLinkDef* link, const lwTransform* frame,
                     lwLinkDef* out)
{
  lwTransform to  = lw_invert(frame);
  lwShape* shapes = NULL;
  lw_link_in(link, frame, out);
  if (link->shape_count > 0)
    shapes = lw_arena_take(&expressed->arena, (size_t)link->shape_count, sizeof *shapes);
  for (int i = 0; shapes && i < link->shape_count; ++i)
    copy_shape(expressed, &link->shapes[i], &to, &shapes[i]);
  out->shape_count = shapes ? link->shape_count : 0;
  out->shapes      = shapes;
  out->bulk        = NULL;
}

void lw_express_origin(lwJointDef* joint, const lwTransform* place)
{
  joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
  joint->alpha = joint->a = joint->d = joint->theta = 0;
  memcpy(joint->xyz, place->p, sizeof joint->xyz);
  lw_rpy(place, joint->rpy);
}

// --- origin and axis

// Where the frame of the link has to be in its old frame, so that the axis goes through its origin.
static void shift_to_axis(const lwTransform* after, double axis[3], double shift[3])
{
  lwTransform joint = lw_invert(after);  // the joint's frame in the link's
  double along = 0, size = 0, off = 0;
  for (int i = 0; i < 3; ++i)
  {
    axis[i] = lw_snap(joint.R[i][2]);
    along += axis[i] * joint.p[i];
    size += fabs(joint.p[i]);
  }
  for (int i = 0; i < 3; ++i)
  {
    shift[i] = joint.p[i] - along * axis[i];
    off += fabs(shift[i]);
  }
  for (int i = 0; i < 3 && off <= 16 * DBL_EPSILON * size; ++i) shift[i] = 0;
}

// One joint; moved[] are the new frames of links in their old ones, shifts all of them.
static void write_axis(lwExpressed* expressed, int i, double (*moved)[3], bool leaf)
{
  const lwJointDef* def = &expressed->original->joints[i];
  lwTransform before, after, shift = lw_identity;
  double axis[3] = {0, 0, 1};
  lw_joint_place(def, &before, &after);
  lwTransform place = lw_compose(&before, &after);
  if (def->type != LW_JOINT_FIXED) shift_to_axis(&after, axis, moved[i]);
  memcpy(shift.p, moved[i], sizeof shift.p);
  place = lw_compose(&place, &shift);
  for (int k = 0; k < 3 && def->parent != LW_BASE; ++k) place.p[k] -= moved[def->parent][k];

  int parent        = def->parent == LW_BASE ? LW_BASE : expressed->row[def->parent];
  lwJointDef* joint = lw_express_joint(expressed, i, parent);
  if (!joint) return;
  bool unmoved = is_zero(moved[i]) && (parent == LW_BASE || is_zero(moved[def->parent]));
  if (def->placement != LW_PLACEMENT_ORIGIN_AXIS ||
      !unmoved)  // else it is so already, to the last digit
  {
    lw_express_origin(joint, &place);
    memcpy(joint->axis, axis, sizeof axis);
  }
  if (is_zero(moved[i])) expressed->keeps_frame[expressed->row[i]] = true;
  if (is_zero(moved[i]) || !leaf) lw_express_link(expressed, &def->link, &shift, &joint->link);
  if (is_zero(moved[i]) || !leaf) return;
  lwTransform back = lw_invert(&shift);
  lwJointDef* end  = lw_express_end(expressed, i, expressed->row[i]);
  if (end) lw_express_origin(end, &back);
}

void lw_express_with_axes(lwExpressed* expressed)
{
  const lwRobotDef* robot = expressed->original;
  size_t count            = (size_t)robot->count;
  double(*moved)[3]       = lw_arena_take(&expressed->arena, count, sizeof *moved);
  bool* carries           = lw_arena_take(&expressed->arena, count, sizeof *carries);
  if (lw_arena_failed(&expressed->arena)) return;
  for (int i = 0; i < robot->count; ++i)
    if (robot->joints[i].parent != LW_BASE) carries[robot->joints[i].parent] = true;
  for (int i = 0; i < robot->count && !lw_arena_failed(&expressed->arena); ++i)
    write_axis(expressed, i, moved, !carries[i]);
}

// --- any form

static void express_begin(lwExpressed* expressed, const lwRobotDef* robot)
{
  expressed->original    = robot;
  expressed->robot       = *robot;
  expressed->robot.count = 0;
  expressed->robot.file = expressed->robot.text = NULL;
  expressed->robot.places = expressed->robot.base_places = NULL;
  expressed->robot.notes                                 = NULL;
  expressed->robot.name                                  = express_copy(expressed, robot->name);
  expressed->robot.origin                                = express_copy(expressed, robot->origin);
  expressed->robot.base.name = express_copy(expressed, robot->base.name);
  lw_express_link(expressed, &robot->base, &lw_identity, &expressed->robot.base);
  expressed->joint_names.arena = expressed->link_names.arena = &expressed->arena;
  expressed->row = lw_arena_take(&expressed->arena, (size_t)robot->count, sizeof(int));
  if (lw_arena_failed(&expressed->arena)) return;
  note_name(&expressed->link_names, robot->base.name ? expressed->robot.base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    note_name(&expressed->joint_names, robot->joints[i].name);
    note_name(&expressed->link_names, link_name(&robot->joints[i]));
  }
}

// --- loops

// Frames of links while all joints are at zero. poses: (count)
static void find_poses(const lwRobotDef* robot, const lwJointDef* joints, lwTransform* poses)
{
  for (int i = 0; i < robot->count; ++i)
  {
    lwTransform before, after;
    lw_joint_place(&joints[i], &before, &after);
    poses[i] = lw_compose(&before, &after);
    if (joints[i].parent != LW_BASE) poses[i] = lw_compose(&poses[joints[i].parent], &poses[i]);
  }
}

// A frame stays where it is on its body, whose link has another frame now.
static void move_frame(lwExpressed* expressed, const lwTransform* before, const lwTransform* after,
                       lwFrame* frame)
{
  if (frame->joint < 0) return;
  int row           = expressed->row[frame->joint];
  lwTransform place = lw_origin(frame->xyz, frame->rpy), to = lw_invert(&after[row]);
  to           = lw_compose(&to, &before[frame->joint]);
  bool same    = expressed->keeps_frame[row];
  frame->joint = row;
  if (same) return;
  place = lw_compose(&to, &place);
  memcpy(frame->xyz, place.p, sizeof frame->xyz);
  lw_rpy(&place, frame->rpy);
}

static void express_loops(lwExpressed* expressed)
{
  const lwRobotDef* original = expressed->original;
  size_t count               = (size_t)original->loop_count;
  if (original->loop_count <= 0 || lw_arena_failed(&expressed->arena)) return;
  lwArena* arena      = &expressed->arena;
  lwLoopDef* loops    = lw_arena_take(arena, count, sizeof *loops);
  lwTransform* before = lw_arena_take(arena, (size_t)original->count, sizeof *before);
  lwTransform* after  = lw_arena_take(arena, (size_t)expressed->robot.count, sizeof *after);
  if (lw_arena_failed(arena)) return;
  find_poses(original, original->joints, before);
  find_poses(&expressed->robot, expressed->joints, after);
  for (size_t k = 0; k < count; ++k)
  {
    loops[k]       = original->loops[k];
    loops[k].name  = express_copy(expressed, loops[k].name);
    loops[k].place = (lwPlace){0, 0};
    if (loops[k].type == LW_LOOP_GEAR)
    {
      loops[k].first.joint  = expressed->row[loops[k].first.joint];
      loops[k].second.joint = expressed->row[loops[k].second.joint];
      continue;
    }
    move_frame(expressed, before, after, &loops[k].first);
    move_frame(expressed, before, after, &loops[k].second);
  }
  expressed->robot.loops = loops;
}

// Leaders by their new numbers.
static void express_finish(lwExpressed* expressed)
{
  for (int i = 0; i < expressed->robot.count && !lw_arena_failed(&expressed->arena); ++i)
  {
    lwMimic* mimic = &expressed->joints[i].mimic;
    bool known     = mimic->leader >= 0 && mimic->leader < expressed->original->count;
    if (mimic->given && known) mimic->leader = expressed->row[mimic->leader];
  }
  express_loops(expressed);
  expressed->robot.joints = expressed->joints;
  expressed->original     = NULL;
}

lwStatus lw_robot_express(const lwRobotDef* robot, lwPlacement form, lwDiag* diag,
                          lwExpressed** expressed)
{
  static const lwModelOptions tolerate = {.lint.allow_bad_inertia = true};
  *expressed                           = NULL;
  lwStatus status                      = lw_robot_validate(robot, &tolerate, diag);
  if (status == LW_OK) status = lw_loops_validate(robot, diag);
  if (status != LW_OK) return status;
  lwExpressed* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  express_begin(made, robot);
  if (!lw_arena_failed(&made->arena) && form == LW_PLACEMENT_ORIGIN_AXIS)
    lw_express_with_axes(made);
  else if (!lw_arena_failed(&made->arena))
    lw_express_with_dh(made, form);
  express_finish(made);
  if (lw_arena_failed(&made->arena))
    lw_expressed_destroy(made);
  else
    *expressed = made;
  return *expressed ? LW_OK : LW_ERROR_MEMORY;
}

void lw_expressed_destroy(lwExpressed* expressed)
{
  if (!expressed) return;
  lw_arena_free(&expressed->arena);
  lw_memory_give(expressed);
}

const lwRobotDef* lw_expressed_robot(const lwExpressed* expressed)
{
  return &expressed->robot;
}

bool lw_expressed_keeps_frame(const lwExpressed* expressed, int i)
{
  return expressed->keeps_frame[i];
}

const char* lw_expressed_reason(const lwExpressed* expressed, int i)
{
  return expressed->reason[i];
}
