// SPDX-License-Identifier: MIT
// Models: from a checked description to an immutable robot.
#include "linkwork/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "model/canonical.h"
#include "model/inert.h"
#include "model/model.h"
#include "model/validate.h"

lwJointDef lw_joint_def(void)
{
  return (lwJointDef){
      .parent = LW_BASE,
      .axis   = {0, 0, 1},
      .limits = {-INFINITY, INFINITY, INFINITY, INFINITY},
      .motor  = {.gear = 1, .efficiency = 1, .voltage = INFINITY, .current = INFINITY},
  };
}

lwRobotDef lw_robot_def(void)
{
  return (lwRobotDef){.name = "robot", .gravity = {0, 0, -9.81}};
}

double lw_motor_rotor(const lwMotor* motor)
{
  return motor->given ? motor->gear * motor->gear * motor->rotor_inertia : 0;
}

static const char* copy_text(lwArena* arena, const char* text, bool* enough)
{
  if (!text) return NULL;
  const char* copy = lw_arena_text(arena, text, strlen(text));
  if (!copy) *enough = false;
  return copy;
}

// The description without its source text.
static bool copy_robot(lwModel* model, const lwRobotDef* robot)
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
  }
  model->robot        = *robot;
  model->robot.name   = copy_text(arena, robot->name ? robot->name : "robot", &enough);
  model->robot.origin = copy_text(arena, robot->origin, &enough);
  model->robot.file   = copy_text(arena, robot->file, &enough);
  model->robot.joints = joints;
  model->robot.text   = NULL;
  model->robot.places = NULL;
  return enough;
}

static lwStatus refuse_inert(const lwModel* model, const lwRobotDef* robot, lwDiag* diag)
{
  int inert = lw_model_find_inert(model);
  if (inert == LW_NO_INERT_JOINT) return LW_OK;
  if (inert == LW_INERT_NO_MEMORY) return LW_ERROR_MEMORY;
  int i           = model->joint[inert];
  bool slides     = robot->joints[i].type == LW_PRISMATIC;
  lwSource source = {robot->file, robot->text, robot->text ? strlen(robot->text) : 0};
  lwPlace place   = {0, 0};
  if (robot->places) place = robot->places[i * LW_FIELD_COUNT + LW_FIELD_JOINT];
  lw_diag_report(diag, LW_SEVERITY_ERROR, &source, place,
                 slides ? "give its link, or one that it carries, a mass"
                        : "give its link, or one that it carries, an inertia about this axis",
                 "joint '%s': what it moves has no %s its axis, so forward dynamics is impossible",
                 robot->joints[i].name, slides ? "mass along" : "inertia about");
  return LW_ERROR_INPUT;
}

lwStatus lw_model_create(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag,
                         lwModel** model)
{
  *model          = NULL;
  lwStatus status = lw_robot_validate(robot, options, diag);
  if (status != LW_OK) return status;
  lwModel* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  bool enough = copy_robot(made, robot) && lw_canonical_build(made);
  status      = enough ? refuse_inert(made, robot, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK)
    *model = made;
  else
    lw_model_destroy(made);
  return status;
}

void lw_model_destroy(lwModel* model)
{
  if (!model) return;
  lw_arena_free(&model->arena);
  free(model);
}

int lw_model_dof(const lwModel* model)
{
  return model->n;
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
  return model->joint[i];
}

bool lw_model_is_serial(const lwModel* model)
{
  for (int i = 0; i < model->n; ++i)
    if (model->parent[i] != i - 1) return false;
  return true;
}
