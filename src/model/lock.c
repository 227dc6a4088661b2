// SPDX-License-Identifier: MIT
// Joints that are held: the description of the robot with these joints fixed.
#include "model/lock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/units.h"
#include "model/joint_types.h"
#include "model/lint/lint.h"
#include "model/transform.h"

static const double turn = 6.2831854;  // 2 pi and a little, so that rounding does not matter

// --- one joint

static void move_origin(lwJointDef* joint, const lwTransform* motion)
{
  if (lw_joint_is_compound(joint->type)) return;  // held at zero, where it is placed
  lwTransform before, after;
  lw_joint_place(joint, &before, &after);
  before = lw_compose(&before, motion);
  before = lw_compose(&before, &after);
  if (joint->type != LW_JOINT_PRISMATIC) lw_rpy(&before, joint->rpy);
  for (int i = 0; i < 3; ++i) joint->xyz[i] = before.p[i];
}

void lw_joint_def_lock(lwJointDef* joint, double q)
{
  if (joint->type == LW_JOINT_FIXED) return;
  bool slides        = joint->type == LW_JOINT_PRISMATIC;
  double pitch       = joint->type == LW_JOINT_SCREW ? joint->pitch / (2 * LW_PI) : 0;
  lwTransform motion = slides ? lw_screw_z(0, q) : lw_screw_z(q, pitch * q);
  if (joint->placement == LW_PLACEMENT_ORIGIN_AXIS)
    move_origin(joint, &motion);
  else
    *(slides ? &joint->d : &joint->theta) += q;
  const lwJointDef none = lw_joint_def();
  joint->type           = LW_JOINT_FIXED;
  joint->limits         = none.limits;
  joint->friction       = none.friction;
  joint->armature       = 0;
  joint->motor          = none.motor;
  joint->mimic          = none.mimic;
  joint->locked         = (lwLocked){true, slides, q};
}

// --- which joints, and where

typedef enum Fate
{
  UNNAMED,  // moving joints: held at zero
  FREE,
  HELD
} Fate;

typedef struct Locker
{
  lwCheck check;
  const lwModelOptions* options;
  lwNameMap names;  // joints by name
  char* fate;       // (count) a Fate
  double* value;    // (count) where a joint is held
  lwJointDef* joints;
} Locker;

enum
{
  HINT_SIZE   = 400,
  LIST_LENGTH = 300
};

// "did you mean 'elbow'?", or the names there are.
static const char* name_hint(const Locker* locker, const char* wanted, char hint[HINT_SIZE])
{
  const lwRobotDef* robot = locker->check.robot;
  lwNearest nearest       = lw_nearest(wanted);
  size_t used             = 0;
  for (int i = 0; i < robot->count; ++i)
    if (robot->joints[i].type != LW_JOINT_FIXED) lw_nearest_try(&nearest, robot->joints[i].name);
  if (nearest.best)
  {
    snprintf(hint, HINT_SIZE, "did you mean '%.60s'?", nearest.best);
    return hint;
  }
  for (int i = 0; i < robot->count && used < LIST_LENGTH; ++i)
    if (robot->joints[i].type != LW_JOINT_FIXED)
      used += (size_t)snprintf(hint + used, HINT_SIZE - used, "%s%.60s",
                               used ? ", " : "moving joints: ", robot->joints[i].name);
  if (used >= LIST_LENGTH) snprintf(hint + used, HINT_SIZE - used, ", ..");
  return hint;
}

// A finding about the request, not about a place in the file.
#define refuse(locker, hint, ...)                                                                  \
  lw_find(&(locker)->check.found, LW_SEVERITY_ERROR, ((lwPlace){0, 0}), hint, __VA_ARGS__)

// The index of a moving joint that is named for the first time, or -1, which is reported.
static int named_joint(Locker* locker, const char* name, const char* purpose)
{
  char hint[HINT_SIZE];
  int i = lw_name_map_find(&locker->names, name);
  if (i < 0)
    refuse(locker, name_hint(locker, name, hint), "there is no joint '%.60s' to be %s", name,
           purpose);
  else if (locker->check.robot->joints[i].type == LW_JOINT_FIXED)
    refuse(locker, name_hint(locker, name, hint),
           "joint '%.60s' is fixed, expected a moving joint to be %s", name, purpose);
  else if (locker->joints[i].mimic.given)
    refuse(locker, "name its leader, or let joints that mimic others move by themselves",
           "joint '%.60s' mimics '%.60s', expected an independent joint to be %s", name,
           locker->joints[locker->joints[i].mimic.leader].name, purpose);
  else if (locker->fate[i] == FREE && !strcmp(purpose, "held"))
    refuse(locker, NULL, "joint '%.60s' is to be held and to stay free, expected one of them",
           name);
  else if (locker->fate[i] != UNNAMED)
    refuse(locker, NULL, "joint '%.60s' is named twice among those to be %s", name, purpose);
  else
    return i;
  return -1;
}

static void lock_hold_joint(Locker* locker, const lwHold* hold)
{
  int i = named_joint(locker, hold->joint, "held");
  if (i < 0) return;
  const lwJointDef* joint = &locker->check.robot->joints[i];
  bool slides             = joint->type == LW_JOINT_PRISMATIC;
  locker->fate[i]         = HELD;
  locker->value[i]        = hold->value;
  if (lw_number_fault(LW_RULE_FINITE, hold->value))
    refuse(locker, NULL, "joint '%.60s' is to be held at %g, expected a finite number", hold->joint,
           hold->value);
  else if (lw_joint_is_compound(joint->type) && hold->value != 0)
    refuse(locker, "joints that are not named are held at zero",
           "joint '%.60s' is %s and can be held at 0 only", hold->joint,
           lw_joint_word(joint->type));
  else if (hold->angle && slides)
    refuse(locker, "its position is in m", "joint '%.60s' slides and cannot be held at an angle",
           hold->joint);
  else if (hold->value < joint->limits.lower || hold->value > joint->limits.upper)
    lw_check_warn(&locker->check, "held-outside-limits", i, LW_FIELD_LIMITS, NULL,
                  "held at %g %s, outside its limits (%g to %g)", hold->value, slides ? "m" : "rad",
                  joint->limits.lower, joint->limits.upper);
  else if (joint->type == LW_JOINT_REVOLUTE && fabs(hold->value) > turn &&
           isinf(joint->limits.lower) && isinf(joint->limits.upper))
    lw_check_warn(&locker->check, "held-outside-limits", i, LW_FIELD_LIMITS, NULL,
                  "held at %g rad, beyond a whole turn", hold->value);
}

static void take_requests(Locker* locker)
{
  const lwModelOptions* options = locker->options;
  for (int k = 0; k < options->joints.free_count; ++k)
  {
    int i = named_joint(locker, options->joints.free[k], "free");
    if (i >= 0) locker->fate[i] = FREE;
  }
  if (options->joints.free_count == 0)
    refuse(locker, NULL, "%s", "no joint is to stay free, expected one at least");
  for (int k = 0; k < options->joints.hold_count; ++k)
    lock_hold_joint(locker, &options->joints.holds[k]);
}

static bool lock_memory(Locker* locker, lwArena* arena)
{
  const lwRobotDef* robot = locker->check.robot;
  locker->names.arena     = arena;
  locker->fate            = lw_arena_take(arena, (size_t)robot->count, sizeof *locker->fate);
  locker->value           = lw_arena_take(arena, (size_t)robot->count, sizeof *locker->value);
  for (int i = 0; i < robot->count; ++i)
  {
    int* number = lw_name_map_put(&locker->names, robot->joints[i].name);
    if (!number) return false;
    *number = i;
  }
  return locker->fate && locker->value;
}

static bool joint_follows(const lwJointDef* joint)
{
  return joint->mimic.given && joint->type != LW_JOINT_FIXED;
}

// Followers of held joints stay where these put them. way: (count) joints from a follower to its
// leaders, up to the first that is decided.
static void lock_followers(Locker* locker, int* way)
{
  lwJointDef* joints = locker->joints;
  for (int i = 0; i < locker->check.robot->count; ++i)
  {
    int length = 0, k = i;
    for (; joint_follows(&joints[k]) && locker->fate[k] == UNNAMED; k = joints[k].mimic.leader)
      way[length++] = k;
    for (; length > 0; k = way[length])
    {
      int follower           = way[--length];
      const lwMimic* mimic   = &joints[follower].mimic;
      locker->fate[follower] = joints[k].locked.given ? HELD : FREE;
      if (joints[k].locked.given)
        lw_joint_def_lock(&joints[follower],
                          mimic->multiplier * joints[k].locked.q + mimic->offset);
    }
  }
}

static void lock_all(Locker* locker, int* way)
{
  for (int i = 0; i < locker->check.robot->count; ++i)
  {
    bool held = locker->fate[i] != FREE && !joint_follows(&locker->joints[i]);
    if (held) lw_joint_def_lock(&locker->joints[i], locker->value[i]);
  }
  lock_followers(locker, way);
}

lwStatus lw_robot_lock(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag,
                       lwJointDef* joints)
{
  if (!options || (!options->joints.free && options->joints.hold_count == 0)) return LW_OK;
  lwArena arena = {0};
  Locker locker = {
      .check = {.robot = robot, .options = *options}, .options = options, .joints = joints};
  locker.check.found = lw_findings(robot->file, robot->text, robot->accept, &options->lint, diag);
  int* way           = lw_arena_take(&arena, (size_t)robot->count, sizeof *way);
  lwStatus status    = way && lock_memory(&locker, &arena) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    take_requests(&locker);
    if (locker.check.found.errors > 0) status = LW_ERROR_LOCK;
    if (status == LW_OK) lock_all(&locker, way);
  }
  lw_arena_free(&arena);
  return status;
}
