// SPDX-License-Identifier: MIT
#include "report/robot/info_formats.h"
#include "report/robot/robot_names.h"

#include <stdio.h>
#include <string.h>

enum
{
  REASON_SIZE = 400,
  HOW_SIZE    = 60
};

// The moving joint whose link the link of joint i is part of, LW_BASE for the base.
static int find_carrier(const lwRobotDef* robot, int i)
{
  while (i != LW_BASE && robot->joints[i].type == LW_JOINT_FIXED) i = robot->joints[i].parent;
  return i;
}

// "fixed", or where the joint is held.
static const char* how_fixed(const lwLocked* locked, char buffer[HOW_SIZE])
{
  if (!locked->given) return "fixed";
  snprintf(buffer, HOW_SIZE, "held at %.17g%s", locked->q, locked->slides ? " m" : " rad");
  return buffer;
}

// Why joint i has no column; false: it has one.
static bool reason_of(const lwRobotDef* robot, int i, char reason[REASON_SIZE])
{
  const lwJointDef* joint = &robot->joints[i];
  const lwMimic* mimic    = &joint->mimic;
  if (joint->type == LW_JOINT_FIXED)
  {
    int carrier       = find_carrier(robot, i);
    bool base         = carrier == LW_BASE;
    const char* whole = base ? robot->base.name : lw_link_name(&robot->joints[carrier]);
    snprintf(reason, REASON_SIZE, "%s; link '%.80s' is part of link '%.80s'",
             how_fixed(&joint->locked, (char[HOW_SIZE]){0}), lw_link_name(joint), whole);
  }
  else if (mimic->given)
    snprintf(reason, REASON_SIZE, "mimics '%.80s': q = %.17g q.%.80s + %.17g",
             robot->joints[mimic->leader].name, mimic->multiplier,
             robot->joints[mimic->leader].name, mimic->offset);
  else
    return false;
  return true;
}

// Calls write for every line of the notes.
static void each_note(const lwRobotDef* robot, lwOut* out, void (*write)(lwOut*, const char*, bool))
{
  char line[1024];
  bool first = true;
  for (const char* note = robot->notes; note && *note; first = false)
  {
    size_t length = strcspn(note, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, note);
    write(out, line, first);
    note += length + (note[length] == '\n');
  }
}

static void note_words(lwOut* out, const char* note, bool first)
{
  (void)first;
  lw_out_format(out, "  %s\n", note);
}

void lw_left_out_words(lwOut* out, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  bool any                = robot->notes != NULL;
  char reason[REASON_SIZE];
  for (int i = 0; i < robot->count && !any; ++i) any = reason_of(robot, i, reason);
  if (any) lw_out_text(out, "\nleft out, or without a column of its own:\n");
  for (int i = 0; i < robot->count; ++i)
    if (reason_of(robot, i, reason))
      lw_out_format(out, "  joint '%s': %s\n", robot->joints[i].name, reason);
  each_note(robot, out, note_words);
}

static void note_json(lwOut* out, const char* note, bool first)
{
  lw_json(out, first ? "$s" : ", $s", note);
}

void lw_left_out_json(lwOut* out, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  bool first              = true;
  char reason[REASON_SIZE];
  lw_out_text(out, ",\n\"left_out\": [");
  for (int i = 0; i < robot->count; ++i)
  {
    if (!reason_of(robot, i, reason)) continue;
    lw_json(out, first ? "\n {'joint': $s, 'reason': $s}" : ",\n {'joint': $s, 'reason': $s}",
            robot->joints[i].name, reason);
    first = false;
  }
  lw_out_text(out, "],\n\"notes\": [");
  each_note(robot, out, note_json);
  lw_out_text(out, "]");
}
