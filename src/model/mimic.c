// SPDX-License-Identifier: MIT
// Joints that follow others: q = G y + o, with y of the independent joints.
//
// A leader may itself follow another joint, so every row of G has at most one entry, the product of
// the multipliers along the chain of leaders. A follower of a fixed joint is constant.
#include "model/mimic.h"

#include <stdio.h>

#include "base/arena.h"
#include "model/joint_types.h"

enum
{
  NAMES_LENGTH   = 200,
  NAMED_IN_CYCLE = 5
};

static bool follows(const lwJointDef* joint)
{
  return joint->mimic.given && joint->type != LW_JOINT_FIXED;
}

// --- what may be wrong

static bool leader_exists(const lwRobotDef* robot, int joint)
{
  int leader = robot->joints[joint].mimic.leader;
  return leader >= 0 && leader < robot->count;
}

// The joint that a joint follows, or -1.
static int next_of(const lwRobotDef* robot, int joint)
{
  bool goes_on = follows(&robot->joints[joint]) && leader_exists(robot, joint);
  return goes_on ? robot->joints[joint].mimic.leader : -1;
}

static void report_cycle(lwCheck* check, int joint)
{
  const lwRobotDef* robot  = check->robot;
  char names[NAMES_LENGTH] = "";
  size_t used              = 0;
  int first = joint, size = 0;
  for (int k = next_of(robot, joint); k != joint; k = next_of(robot, k))
    first = k < first ? k : first;
  int i = first;
  do
  {
    const char* name = robot->joints[i].name;
    if (size++ < NAMED_IN_CYCLE)
      used += (size_t)snprintf(names + used, sizeof names - used, "'%.20s' -> ", name ? name : "?");
    i = next_of(robot, i);
  } while (i != first);
  lw_check_report(check, LW_SEVERITY_ERROR, first, LW_FIELD_MIMIC,
                  "one of them must move by itself, without mimic",
                  "a circle of joints that mimic each other: %s%s'%.20s'", names,
                  size > NAMED_IN_CYCLE ? "... -> " : "",
                  robot->joints[first].name ? robot->joints[first].name : "?");
}

// Walks from every follower to its leader and on, over joints that no earlier walk met.
static void check_cycles(lwCheck* check, int* walks)
{
  for (int start = 0; start < check->robot->count; ++start)
  {
    int i = start;
    while (i >= 0 && walks[i] == 0)
    {
      walks[i] = start + 1;
      i        = next_of(check->robot, i);
    }
    if (i >= 0 && walks[i] == start + 1 && next_of(check->robot, i) >= 0) report_cycle(check, i);
  }
}

bool lw_check_mimics(lwCheck* check)
{
  bool any = false;
  for (int i = 0; i < check->robot->count; ++i)
  {
    if (!follows(&check->robot->joints[i])) continue;
    any = true;
    if (!leader_exists(check->robot, i))
      lw_check_report(check, LW_SEVERITY_ERROR, i, LW_FIELD_MIMIC, NULL,
                      "mimics joint number %d, which does not exist",
                      check->robot->joints[i].mimic.leader + 1);
    else if (lw_joint_is_compound(check->robot->joints[check->robot->joints[i].mimic.leader].type))
      lw_check_report(check, LW_SEVERITY_ERROR, i, LW_FIELD_MIMIC, NULL,
                      "mimics joint '%.60s', which has more than one degree of freedom",
                      check->robot->joints[check->robot->joints[i].mimic.leader].name);
  }
  if (!any) return true;
  lwArena arena = {0};
  int* walks    = lw_arena_take(&arena, (size_t)check->robot->count, sizeof *walks);
  if (walks) check_cycles(check, walks);
  lw_arena_free(&arena);
  return walks != NULL;
}

// --- the model

// While the rows of G are found: tables by joint of the chain.
typedef struct MimicRows
{
  const lwRobotDef* robot;
  bool* known;    // (count)
  int* leader;    // (count) independent joint, or -1
  double* gain;   // (count)
  double* shift;  // (count)
  int* way;       // (count) joints from a follower to one that is known
} MimicRows;

static bool take_mimic_rows(lwArena* arena, const lwRobotDef* robot, MimicRows* rows)
{
  size_t count = (size_t)robot->count;
  *rows        = (MimicRows){.robot  = robot,
                             .known  = lw_arena_take(arena, count, sizeof(bool)),
                             .leader = lw_arena_take(arena, count, sizeof(int)),
                             .gain   = lw_arena_take(arena, count, sizeof(double)),
                             .shift  = lw_arena_take(arena, count, sizeof(double)),
                             .way    = lw_arena_take(arena, count, sizeof(int))};
  return rows->known && rows->leader && rows->gain && rows->shift && rows->way;
}

// q_i = multiplier (gain y + shift) + offset, from the far end of the way back to joint i.
static void find_row(MimicRows* rows, int i)
{
  int length = 0;
  for (; !rows->known[i]; i = rows->robot->joints[i].mimic.leader) rows->way[length++] = i;
  while (length > 0)
  {
    int follower           = rows->way[--length];
    const lwMimic* mimic   = &rows->robot->joints[follower].mimic;
    rows->known[follower]  = true;
    rows->leader[follower] = rows->leader[i];
    rows->gain[follower]   = mimic->multiplier * rows->gain[i];
    rows->shift[follower]  = mimic->multiplier * rows->shift[i] + mimic->offset;
    i                      = follower;
  }
}

// Joints that follow none: those that move are the independent ones,
// in the order of the description.
static void begin_rows(lwModel* model, MimicRows* rows, int* independent)
{
  int moving = 0;
  for (int i = 0; i < model->split.count; ++i)
  {
    const lwJointDef* joint = &model->split.joints[i];
    rows->known[i]          = !follows(joint);
    rows->leader[i]         = -1;
    if (rows->known[i] && joint->type != LW_JOINT_FIXED && !model->piece[i].held)
    {
      rows->leader[i]           = model->dof;
      rows->gain[i]             = 1;
      independent[model->dof++] = moving;
    }
    moving += joint->type != LW_JOINT_FIXED;
  }
}

bool lw_mimic_build(lwModel* model)
{
  lwArena temporary = {0};
  MimicRows rows;
  size_t n         = (size_t)model->n;
  bool enough      = take_mimic_rows(&temporary, &model->split, &rows);
  int* independent = lw_arena_take(&model->arena, n, sizeof *independent);
  int* leader      = lw_arena_take(&model->arena, n, sizeof *leader);
  double* gain     = lw_arena_take(&model->arena, n, sizeof *gain);
  double* shift    = lw_arena_take(&model->arena, n, sizeof *shift);
  enough           = enough && independent && leader && gain && shift;
  if (enough)
  {
    begin_rows(model, &rows, independent);
    for (int i = 0; i < model->n; ++i)
    {
      int part = model->part[i];
      find_row(&rows, part);
      leader[i] = rows.leader[part];
      gain[i]   = rows.gain[part];
      shift[i]  = rows.shift[part];
    }
    model->independent = independent;
    model->leader      = leader;
    model->gain        = gain;
    model->shift       = shift;
  }
  lw_arena_free(&temporary);
  return enough;
}
