// SPDX-License-Identifier: MIT
// Models: from a checked description to an immutable robot.
#include "linkwork/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "model/canonical.h"
#include "model/inert.h"
#include "model/invariants.h"
#include "model/lint/lint.h"
#include "model/lint/validate.h"
#include "model/lock.h"
#include "model/mimic.h"
#include "model/model_internal.h"
#include "model/native.h"
#include "model/pieces.h"
#include "model/rolling.h"

lwJointDef lw_joint_def(void)
{
  return (lwJointDef){
      .parent = LW_BASE,
      .axis   = {0, 0, 1},
      .axis2  = {1, 0, 0},
      .limits = {-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
      .motor  = {.gear = 1, .efficiency = 1, .voltage = INFINITY, .current = INFINITY},
      .mimic  = {.leader = LW_BASE, .multiplier = 1},
      .cookie = LW_COOKIE,
  };
}

lwRobotDef lw_robot_def(void)
{
  return (lwRobotDef){.name = "robot", .gravity = {0, 0, -9.81}, .cookie = LW_COOKIE};
}

double lw_joint_rotor(const lwJointDef* joint)
{
  const lwMotor* motor = &joint->motor;
  return joint->armature + (motor->given ? motor->gear * motor->gear * motor->rotor_inertia : 0);
}

static const char* copy_text(lwArena* arena, const char* text, bool* enough)
{
  if (!text) return NULL;
  const char* copy = lw_arena_text(arena, text, strlen(text));
  if (!copy) *enough = false;
  return copy;
}

// Drops shapes and file names of meshes, which are not needed once mass properties are filled in.
static void copy_shapes(lwArena* arena, lwLinkDef* link, bool* enough)
{
  link->bulk = NULL;
  if (link->shape_count == 0) return;
  lwShape* shapes = lw_arena_take(arena, (size_t)link->shape_count, sizeof *shapes);
  if (!shapes) *enough = false;
  for (int i = 0; shapes && i < link->shape_count; ++i)
  {
    shapes[i]      = link->shapes[i];
    shapes[i].mesh = copy_text(arena, shapes[i].mesh, enough);
  }
  link->shapes = shapes;
}

static void copy_loops(lwModel* model, bool* enough)
{
  lwRobotDef* robot = &model->robot;
  if (robot->loop_count <= 0) return;
  lwLoopDef* loops = lw_arena_take(&model->arena, (size_t)robot->loop_count, sizeof *loops);
  if (!loops) *enough = false;
  for (int k = 0; loops && k < robot->loop_count; ++k)
  {
    loops[k]      = robot->loops[k];
    loops[k].name = copy_text(&model->arena, loops[k].name, enough);
    if (loops[k].first.joint == LW_WORLD || lw_loop_rolls(loops[k].type))
      loops[k].first.joint = LW_BASE;
    if (loops[k].second.joint == LW_WORLD) loops[k].second.joint = LW_BASE;
  }
  robot->loops = loops;
}

// The description without its source text.
static bool copy_robot(lwModel* model, const lwRobotDef* robot, bool free_mimics)
{
  bool enough        = true;
  lwArena* arena     = &model->arena;
  lwJointDef* joints = lw_arena_take(arena, (size_t)robot->count, sizeof *joints);
  if (!joints) return false;
  for (int i = 0; i < robot->count; ++i)
  {
    joints[i]           = robot->joints[i];
    joints[i].name      = copy_text(arena, joints[i].name, &enough);
    joints[i].link.name = copy_text(arena, joints[i].link.name, &enough);
    if (!joints[i].link.name) joints[i].link.name = joints[i].name;
    copy_shapes(arena, &joints[i].link, &enough);
    if (free_mimics) joints[i].mimic.given = false;
  }
  model->robot        = *robot;
  model->robot.name   = copy_text(arena, robot->name ? robot->name : "robot", &enough);
  model->robot.origin = copy_text(arena, robot->origin, &enough);
  model->robot.file   = copy_text(arena, robot->file, &enough);
  model->robot.notes  = copy_text(arena, robot->notes, &enough);
  model->robot.accept = copy_text(arena, robot->accept, &enough);
  model->robot.joints = model->joints = joints;
  model->robot.text                   = NULL;
  model->robot.places = model->robot.base_places = NULL;
  copy_loops(model, &enough);
  model->robot.base.name = copy_text(arena, robot->base.name ? robot->base.name : "base", &enough);
  copy_shapes(arena, &model->robot.base, &enough);
  return enough;
}

static const char* inert_hint(bool slides, bool allowed)
{
  if (allowed)
    return "inverse dynamics is possible; forward dynamics is not, unless the inertia of a rotor "
           "is "
           "added";
  return slides ? "give its link, or one that it carries, a mass"
                : "give its link, or one that it carries, an inertia about this axis";
}

// Robots on the ground often have a base without mass. If it
// floats, one of its motions moves no mass.
static const char base_hint[] =
    "inverse dynamics is possible; forward dynamics is not, until the base has mass and inertia";

// With the rotors of motors; inert (2 n) is used for it.
static bool find_driven(lwModel* model, bool* inert)
{
  bool enough         = lw_model_find_inert(model, true, inert, inert + model->n);
  model->inert_driven = -1;
  for (int k = model->n - 1; enough && k >= 0; --k)
    if (inert[k]) model->inert_driven = model->joint[k];
  return enough;
}

// ", together with joints 'b' and 'c',": who else moves in the motion of joint k that moves no
// mass.
static void name_companions(const lwModel* model, int k, const bool* moves, char* text, size_t size)
{
  size_t at   = 0;
  int own     = model->joint[k];
  text[0]     = 0;
  int written = own;
  for (int i = k + 1; i < model->n && at + 40 < size; ++i)
  {
    if (!moves[i] || model->joint[i] == written || model->joint[i] == own) continue;
    const char* name = model->robot.joints[written = model->joint[i]].name;
    at += (size_t)snprintf(text + at, size - at, "%s'%.30s'", at ? ", " : ", together with ", name);
  }
  if (at && at < size) snprintf(text + at, size - at, ",");
}

// Reports which joints have no inertia. LW_OK if there is none, or that is allowed.
static lwStatus check_inert(lwModel* model, const lwRobotDef* robot, const lwModelOptions* options,
                            lwDiag* diag)
{
  lwArena temporary = {0};
  bool* inert       = lw_arena_take(&temporary, 2 * (size_t)model->n, sizeof *inert);
  bool* moves       = inert ? inert + model->n : NULL;
  bool enough =
      inert && find_driven(model, inert) && lw_model_find_inert(model, false, inert, moves);
  char others[200];
  bool allowed     = options && options->lint.allow_inert && !options->lint.strict;
  lwFindings found = lw_findings(robot->file, robot->text, NULL, NULL, diag);
  model->inert     = -1;
  for (int k = 0; enough && k < model->n; ++k)
  {
    if (!inert[k]) continue;
    int i         = model->joint[k];
    bool base     = robot->joints[i].type == LW_JOINT_FLOATING && i == 0;
    bool slides   = model->kind[k] & LW_KIND_PRISMATIC;
    lwPlace place = {0, 0};
    others[0]     = 0;
    if (model->inert < 0) name_companions(model, k, moves, others, sizeof others);
    if (model->inert < 0) model->inert = i;
    if (robot->places) place = robot->places[(size_t)i * LW_FIELD_COUNT + LW_FIELD_JOINT];
    lw_find(&found, allowed || base ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR, place,
            base ? base_hint : inert_hint(slides, allowed),
            others[0] ? "joint '%s': it moves%s without moving any mass, so forward dynamics is "
                        "impossible"
                      : "joint '%s': what it moves%s, link '%s', has no %s its axis, so forward "
                        "dynamics is impossible",
            robot->joints[i].name, others, model->robot.joints[i].link.name,
            slides ? "mass along" : "inertia about");
  }
  lw_arena_free(&temporary);
  if (!enough) return LW_ERROR_MEMORY;
  return found.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

// Gravity as the options say, in the axes of a base that is turned.
static void mount_base(lwRobotDef* robot, const lwModelOptions* options)
{
  if (options->mount.floating) robot->floating_base = true;
  if (options->mount.fixed) robot->floating_base = false;
  if (options->mount.gravity) memcpy(robot->gravity, options->mount.gravity, sizeof robot->gravity);
  if (!options->mount.base_rpy) return;
  double g[3];
  lwTransform base = lw_origin((double[3]){0, 0, 0}, options->mount.base_rpy);
  memcpy(g, robot->gravity, sizeof g);
  for (int i = 0; i < 3; ++i)
    robot->gravity[i] = base.R[0][i] * g[0] + base.R[1][i] * g[1] + base.R[2][i] * g[2];
}

static lwStatus create_mounted(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag,
                               lwModel** model)
{
  lwStatus status = lw_robot_validate(robot, options, diag);
  if (status != LW_OK) return status;
  lwModel* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  status =
      copy_robot(made, robot, options && options->joints.free_mimics) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_robot_lock(robot, options, diag, made->joints);
  if (status == LW_OK && !(lw_pieces_build(made) && lw_canonical_build(made) &&
                           lw_mimic_build(made) && lw_coordinates_build(made)))
    status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = check_inert(made, robot, options, diag);
  if (status == LW_OK && robot->loop_count > 0) status = lw_loops_build(made, robot, diag);
  if (status == LW_OK && !lw_native_build(made)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) lw_model_assert(made);
  if (status == LW_OK)
    *model = made;
  else
    lw_model_destroy(made);
  return status;
}

lwStatus lw_model_create(const lwRobotDef* def, const lwModelOptions* options, lwDiag* diag,
                         lwModel** model)
{
  *model                  = NULL;
  lwArena temporary       = {0};
  lwRobotDef mounted      = *def;
  const lwRobotDef* robot = &mounted;
  if (options) mount_base(&mounted, options);
  bool floats = mounted.floating_base && mounted.cookie == LW_COOKIE && mounted.joints &&
                mounted.count > 0 && mounted.count < LW_MAX_JOINTS;
  if (floats) robot = lw_robot_float(&temporary, &mounted);
  lwStatus status = robot ? create_mounted(robot, options, diag, model) : LW_ERROR_MEMORY;
  lw_arena_free(&temporary);
  return status;
}

void lw_model_destroy(lwModel* model)
{
  if (!model) return;
  lw_model_destroy((lwModel*)model->native);
  lw_arena_free(&model->arena);
  lw_memory_give(model);
}

int lw_model_dof(const lwModel* model)
{
  return model->dof;
}

int lw_model_inert(const lwModel* model)
{
  return model->inert;
}

int lw_model_inert_driven(const lwModel* model)
{
  return model->inert_driven;
}

int lw_model_joint_count(const lwModel* model)
{
  return model->robot.count;
}

const char* lw_model_name(const lwModel* model)
{
  return model->robot.name;
}

const lwRobotDef* lw_model_robot(const lwModel* model)
{
  return &model->robot;
}

int lw_model_joint(const lwModel* model, int i)
{
  return model->joint[model->independent[i]];
}

bool lw_model_is_serial(const lwModel* model)
{
  return model->chain;
}

static const lwJointDef* moving_joint(const lwModel* model, int i)
{
  return &model->robot.joints[lw_model_joint(model, i)];
}

const char* lw_model_joint_name(const lwModel* model, int i)
{
  return moving_joint(model, i)->name;
}

lwJointType lw_model_joint_type(const lwModel* model, int i)
{
  return moving_joint(model, i)->type;
}

const lwJointDef* lw_model_joint_def(const lwModel* model, int i)
{
  return moving_joint(model, i);
}

lwStatus lw_model_find_link(const lwModel* model, const char* name, int* joint)
{
  const lwRobotDef* robot = &model->robot;
  for (int i = 0; i < robot->count; ++i)
  {
    *joint = i;
    if (!strcmp(robot->joints[i].link.name, name)) return LW_OK;
  }
  *joint = LW_BASE;
  if (!strcmp(robot->base.name, name)) return LW_OK;
  for (int i = 0; i < robot->count; ++i)
  {
    *joint = i;
    if (!strcmp(robot->joints[i].name, name)) return LW_OK;
  }
  *joint = LW_BASE;
  return !strcmp(name, "base") ? LW_OK : LW_ERROR_FRAME;
}
