// SPDX-License-Identifier: MIT
// linkwork info --format json: the whole description, for programs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/robot/info_formats.h"
#include "report/robot/robot_names.h"

double lw_total_mass(const lwRobotDef* robot)
{
  double mass = robot->base.mass;
  for (int i = 0; i < robot->count; ++i) mass += robot->joints[i].link.mass;
  return mass;
}

const lwQuestion lw_info_questions[LW_INFO_METHODS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                                       LW_QUESTION_FORWARD};

static const char* const DH[] = {
    [LW_PLACEMENT_DH_MODIFIED] = "modified", [LW_PLACEMENT_DH_STANDARD] = "standard"};

static void write_place(lwOut* out, const lwJointDef* joint)
{
  if (joint->placement != LW_PLACEMENT_ORIGIN_AXIS)
    return lw_json(out, "'dh': $s, 'alpha': $n, 'a': $n, 'd': $n, 'theta': $n, ",
                   DH[joint->placement], joint->alpha, joint->a, joint->d, joint->theta);
  lw_json(out, "'origin': {'xyz': $v, 'rpy': $v}, ", joint->xyz, 3, joint->rpy, 3);
  if (joint->type == LW_JOINT_FIXED)
    lw_json(out, "'axis': null, ");
  else
    lw_json(out, "'axis': $v, ", joint->axis, 3);
}

static void write_drive(lwOut* out, const lwJointDef* joint)
{
  const lwLimits* l = &joint->limits;
  const lwMotor* m  = &joint->motor;
  if (isfinite(l->lower) || isfinite(l->upper) || isfinite(l->velocity) || isfinite(l->effort) ||
      isfinite(l->acceleration) || isfinite(l->jerk))
    lw_json(out,
            "'limits': {'lower': $n, 'upper': $n, 'velocity': $n, 'effort': $n, "
            "'acceleration': $n, 'jerk': $n}, ",
            l->lower, l->upper, l->velocity, l->effort, l->acceleration, l->jerk);
  else
    lw_json(out, "'limits': null, ");
  lw_json(out, "'armature': $n, 'friction': {'viscous': $n, 'coulomb': $n}, ", joint->armature,
          joint->friction.viscous, joint->friction.coulomb);
  if (!m->given) return lw_json(out, "'motor': null, ");
  lw_json(out,
          "'motor': {'resistance': $n, 'torque_constant': $n, 'gear': $n, 'rotor_inertia': $n, "
          "'inductance': $n, 'efficiency': $n, 'voltage': $n, 'current': $n}, ",
          m->resistance, m->torque_constant, m->gear, m->rotor_inertia, m->inductance,
          m->efficiency, m->voltage, m->current);
}

static void write_body(lwOut* out, const char* name, const lwLinkDef* link)
{
  lw_json(out, "'link': $s, 'mass': $n, 'com': $v, 'inertia': $v", name, link->mass, link->com, 3,
          link->inertia, 6);
}

// column: the number of its q, counted from 1, or 0: it has none.
static void write_info_joint(lwOut* out, const lwModel* model, int i, int column)
{
  const lwRobotDef* robot  = lw_model_robot(model);
  const lwJointDef* joint  = &robot->joints[i];
  const lwJointDef* parent = joint->parent == LW_BASE ? NULL : &robot->joints[joint->parent];
  lw_json(out, "{'number': $d, 'name': $s, 'type': $s, 'q': $n, 'parent': $s, 'parent_link': $s, ",
          i + 1, joint->name, lw_joint_word(joint->type), column > 0 ? column : INFINITY,
          parent ? parent->name : "base", lw_body_name(robot, joint->parent));
  write_place(out, joint);
  write_drive(out, joint);
  if (joint->mimic.given)
    lw_json(out, "'mimic': {'joint': $s, 'multiplier': $n, 'offset': $n}, ",
            robot->joints[joint->mimic.leader].name, joint->mimic.multiplier, joint->mimic.offset);
  else
    lw_json(out, "'mimic': null, ");
  lw_json(out, "'held_at': $n, ", joint->locked.given ? joint->locked.q : INFINITY);
  write_body(out, lw_link_name(joint), &joint->link);
  lw_json(out, ", 'line': $n}", joint->line > 0 ? joint->line : INFINITY);
}

// Loops with their rows that are redundant.
static void write_info_loops(lwOut* out, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  lw_out_format(out, "\"mobility\": %d,\n\"loops\": [", lw_model_mobility(model));
  for (int k = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    int rows = lw_loop_type_rows(loop->type), redundant = 0;
    lw_out_text(out, k > 0 ? ",\n " : "\n ");
    lw_json(out, "{'name': $s, 'type': $s, 'rows': $d, 'redundant': [", loop->name,
            lw_loop_word(loop->type), rows);
    for (int row = 0; row < lw_model_loop_rows(model); ++row)
    {
      lwLoopRowInfo info = lw_model_loop_row(model, row);
      info.redundant     = info.redundant && info.loop == k;
      if (info.redundant && redundant++ > 0) lw_out_text(out, ", ");
      if (info.redundant) lw_out_json(out, info.name);
    }
    lw_out_text(out, "]}");
  }
  lw_out_text(out, robot->loop_count > 0 ? "\n],\n" : "],\n");
}

void lw_info_json(lwOut* out, const lwModel* model, const lwWorkspace* ws)
{
  const lwRobotDef* robot = lw_model_robot(model);
  lw_json(out,
          "{'name': $s,\n'source': $s,\n'gravity': $v,\n'joint_count': $d,\n'dof': $d,\n"
          "'serial': $b,\n'mass': $n,\n'methods': {",
          lw_model_name(model), robot->origin, robot->gravity, 3, lw_model_joint_count(model),
          lw_model_dof(model), lw_model_is_serial(model), lw_total_mass(robot));
  for (int k = 0; k < LW_INFO_METHODS; ++k)
    lw_json(out, k > 0 ? ", $s: $s" : "$s: $s", lw_question_info(lw_info_questions[k])->name,
            lw_workspace_method(ws, lw_info_questions[k]));
  lw_json(out, "},\n'base': {");
  write_body(out, lw_body_name(robot, LW_BASE), &robot->base);
  lw_json(out, "},\n");
  write_info_loops(out, model);
  int next = 0, dof = lw_model_dof(model);
  lw_out_text(out, "\"joints\": [");
  for (int i = 0; i < lw_model_joint_count(model); ++i)
  {
    bool moves = next < dof && lw_model_joint(model, next) == i;
    lw_out_text(out, i > 0 ? ",\n " : "\n ");
    write_info_joint(out, model, i, moves ? ++next : 0);
  }
  lw_out_text(out, "\n]");
  lw_left_out_json(out, model);
  lw_json(out, "}\n");
}

enum
{
  REASON_SIZE = 400,
  NOTE_SIZE   = 1024,
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

// Copies the line that notes begin with and returns what follows; NULL: there is none.
static const char* take_note(const char* notes, char line[NOTE_SIZE])
{
  if (!notes || !*notes) return NULL;
  size_t length = strcspn(notes, "\n");
  snprintf(line, NOTE_SIZE, "%.*s", (int)length, notes);
  return notes + length + (notes[length] == '\n');
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
  char line[NOTE_SIZE];
  for (const char* notes = robot->notes; (notes = take_note(notes, line));)
    lw_out_format(out, "  %s\n", line);
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
  char line[NOTE_SIZE];
  first = true;
  for (const char* notes = robot->notes; (notes = take_note(notes, line)); first = false)
    lw_json(out, first ? "$s" : ", $s", line);
  lw_out_text(out, "]");
}
