// SPDX-License-Identifier: MIT
// The entries of q, qd and tau: where they come from and what they are called.
#include <stdio.h>
#include <string.h>

#include "model/joint_types.h"
#include "model/pieces.h"

// What grows while the joints are walked through.
typedef struct Lists
{
  lwModel* model;
  lwCoordinate *positions, *velocities, *efforts;  // (nq), (dof), (dof)
  int* position;                                   // (dof)
  lwBall* balls;
  int nq, dof, ball_count;
} Lists;

static bool is_independent(const lwJointDef* joint)
{
  return joint->type != LW_JOINT_FIXED && !joint->mimic.given;
}

// joint.suffix, or the name alone.
static const char* coordinate_name(lwModel* model, const char* joint, const char* suffix)
{
  if (!suffix) return joint;
  size_t length = strlen(joint) + strlen(suffix) + 2;
  char* name    = lw_arena_take(&model->arena, length, 1);
  if (name) snprintf(name, length, "%s.%s", joint, suffix);
  return name;
}

// Entry `part` of qd slides if the piece that moves with it does.
static bool part_slides(const lwJointTypeInfo* info, int part)
{
  for (int k = 0; k < info->pieces; ++k)
    if (!info->piece[k].held && !info->piece[k].follows && part-- == 0)
      return info->piece[k].slides;
  return false;
}

static bool add_joint(Lists* lists, int joint)
{
  const lwJointDef* def       = &lists->model->robot.joints[joint];
  const lwJointTypeInfo* info = lw_joint_type_info(def->type);
  int turns                   = info->quaternion;  // the first entry of qd that belongs to it, too
  bool enough                 = true;
  for (int k = 0; k < info->size.nq; ++k)
  {
    bool quaternion = turns >= 0 && k >= turns;
    lwCoordinate* q = &lists->positions[lists->nq + k];
    *q              = (lwCoordinate){joint,
                                     k,
                                     coordinate_name(lists->model, def->name, info->position[k]),
                                     !quaternion && part_slides(info, k),
                                     quaternion,
                        turns >= 0 ? -1 : lists->dof + k};
    enough          = enough && q->name;
  }
  for (int k = 0; k < info->size.dof; ++k)
  {
    lwCoordinate v        = {joint,
                             k,
                             coordinate_name(lists->model, def->name, info->velocity[k]),
                             part_slides(info, k),
                             false,
                      turns >= 0 ? -1 : lists->nq + k};
    int at                = lists->dof + k;
    bool angular          = turns >= 0 && k >= turns;
    lists->velocities[at] = lists->efforts[at] = v;
    lists->efforts[at].name = coordinate_name(lists->model, def->name, info->effort[k]);
    lists->position[at]     = angular ? -1 : lists->nq + k;
    enough                  = enough && v.name && lists->efforts[at].name;
  }
  if (turns >= 0)
    lists->balls[lists->ball_count++] =
        (lwBall){0, lists->nq + turns, lists->dof + turns, turns > 0};
  lists->nq += info->size.nq;
  lists->dof += info->size.dof;
  return enough;
}

// The first held body of each ball joint, in the order of the bodies, which is that of the joints.
static void find_held_bodies(const lwModel* model, lwBall* balls)
{
  int ball = 0;
  for (int i = 0; i < model->n; ++i)
  {
    bool first = i == 0 || !lw_joint_is_held(model, i - 1);
    if (lw_joint_is_held(model, i) && first) balls[ball++].body = i;
  }
}

static int count_positions(const lwRobotDef* robot)
{
  int count = 0;
  for (int i = 0; i < robot->count; ++i)
    if (is_independent(&robot->joints[i])) count += lw_joint_size(robot->joints[i].type).nq;
  return count;
}

bool lw_coordinates_build(lwModel* model)
{
  lwArena* arena = &model->arena;
  size_t nq = (size_t)count_positions(&model->robot), dof = (size_t)model->dof;
  Lists lists = {.model      = model,
                 .positions  = lw_arena_take(arena, nq, sizeof(lwCoordinate)),
                 .velocities = lw_arena_take(arena, dof, sizeof(lwCoordinate)),
                 .efforts    = lw_arena_take(arena, dof, sizeof(lwCoordinate)),
                 .position   = lw_arena_take(arena, dof, sizeof(int)),
                 .balls      = lw_arena_take(arena, nq - dof + 1, sizeof(lwBall))};
  bool enough =
      lists.positions && lists.velocities && lists.efforts && lists.position && lists.balls;
  for (int i = 0; i < model->robot.count && enough; ++i)
    if (is_independent(&model->robot.joints[i])) enough = add_joint(&lists, i);
  if (!enough) return false;
  find_held_bodies(model, lists.balls);
  model->nq         = lists.nq;
  model->positions  = lists.positions;
  model->velocities = lists.velocities;
  model->efforts    = lists.efforts;
  model->position   = lists.position;
  model->balls      = lists.balls;
  model->ball_count = lists.ball_count;
  model->coupled    = false;
  for (int i = 0; i < model->n; ++i)
  {
    int v          = model->leader[i];
    bool held      = lw_joint_is_held(model, i);
    model->coupled = model->coupled || (!held && (v < 0 || model->independent[v] != i));
  }
  model->direct = !model->coupled && model->ball_count == 0;
  return true;
}

int lw_model_nq(const lwModel* model)
{
  return model->nq;
}

lwCoordinate lw_model_position(const lwModel* model, int i)
{
  return model->positions[i];
}

lwCoordinate lw_model_velocity(const lwModel* model, int i)
{
  return model->velocities[i];
}

lwCoordinate lw_model_effort(const lwModel* model, int i)
{
  return model->efforts[i];
}
