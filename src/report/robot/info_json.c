// SPDX-License-Identifier: MIT
// linkwork info --format json: the whole description, for programs.
#include <math.h>

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

static void number_or_null(lwOut* out, double v)
{
  if (isfinite(v))
    lw_out_number(out, v);
  else
    lw_out_text(out, "null");
}

static void key_number(lwOut* out, const char* key, double v)
{
  lw_out_format(out, "\"%s\": ", key);
  number_or_null(out, v);
}

static void key_text(lwOut* out, const char* key, const char* text)
{
  lw_out_format(out, "\"%s\": ", key);
  lw_out_json(out, text);
}

static void key_numbers(lwOut* out, const char* key, const double* values, int count)
{
  lw_out_format(out, "\"%s\": [", key);
  for (int k = 0; k < count; ++k)
  {
    if (k > 0) lw_out_text(out, ", ");
    number_or_null(out, values[k]);
  }
  lw_out_text(out, "]");
}

// A number of an object under its key.
typedef struct JsonEntry
{
  const char* key;
  double value;
} JsonEntry;

// null if none of its numbers is finite
static void key_object(lwOut* out, const char* key, const JsonEntry* entries, int count)
{
  bool given = false;
  for (int k = 0; k < count; ++k) given = given || isfinite(entries[k].value);
  if (!given) return lw_out_format(out, "\"%s\": null", key);
  lw_out_format(out, "\"%s\": {", key);
  for (int k = 0; k < count; ++k)
  {
    if (k > 0) lw_out_text(out, ", ");
    key_number(out, entries[k].key, entries[k].value);
  }
  lw_out_text(out, "}");
}

#define KEY_OBJECT(out, key, entries)                                                              \
  key_object(out, key, entries, (int)(sizeof(entries) / sizeof *(entries)))

static void write_place(lwOut* out, const lwJointDef* joint)
{
  if (joint->placement == LW_PLACEMENT_ORIGIN_AXIS)
  {
    lw_out_text(out, "\"origin\": {");
    key_numbers(out, "xyz", joint->xyz, 3);
    lw_out_text(out, ", ");
    key_numbers(out, "rpy", joint->rpy, 3);
    lw_out_text(out, "}, ");
    if (joint->type == LW_JOINT_FIXED)
      lw_out_text(out, "\"axis\": null");
    else
      key_numbers(out, "axis", joint->axis, 3);
    return;
  }
  key_text(out, "dh", DH[joint->placement]);
  const JsonEntry row[] = {
      {"alpha", joint->alpha}, {"a", joint->a}, {"d", joint->d}, {"theta", joint->theta}};
  for (int k = 0; k < 4; ++k)
  {
    lw_out_text(out, ", ");
    key_number(out, row[k].key, row[k].value);
  }
}

static void write_motor(lwOut* out, const lwMotor* motor)
{
  const JsonEntry entries[] = {{"resistance", motor->resistance},
                               {"torque_constant", motor->torque_constant},
                               {"gear", motor->gear},
                               {"rotor_inertia", motor->rotor_inertia},
                               {"inductance", motor->inductance},
                               {"efficiency", motor->efficiency},
                               {"voltage", motor->voltage},
                               {"current", motor->current}};
  if (motor->given)
    KEY_OBJECT(out, "motor", entries);
  else
    lw_out_text(out, "\"motor\": null");
}

static void write_drive(lwOut* out, const lwJointDef* joint)
{
  const lwLimits* l        = &joint->limits;
  const JsonEntry limits[] = {
      {"lower", l->lower}, {"upper", l->upper}, {"velocity", l->velocity}, {"effort", l->effort}};
  const JsonEntry friction[] = {{"viscous", joint->friction.viscous},
                                {"coulomb", joint->friction.coulomb}};
  KEY_OBJECT(out, "limits", limits);
  lw_out_text(out, ", ");
  KEY_OBJECT(out, "friction", friction);
  lw_out_text(out, ", ");
  write_motor(out, &joint->motor);
}

static void write_mimic(lwOut* out, const lwRobotDef* robot, const lwMimic* mimic)
{
  lw_out_text(out, "\"mimic\": ");
  if (!mimic->given) return lw_out_text(out, "null");
  lw_out_text(out, "{");
  key_text(out, "joint", robot->joints[mimic->leader].name);
  lw_out_text(out, ", ");
  key_number(out, "multiplier", mimic->multiplier);
  lw_out_text(out, ", ");
  key_number(out, "offset", mimic->offset);
  lw_out_text(out, "}");
}

static void write_body(lwOut* out, const lwLinkDef* link)
{
  key_number(out, "mass", link->mass);
  lw_out_text(out, ", ");
  key_numbers(out, "com", link->com, 3);
  lw_out_text(out, ", ");
  key_numbers(out, "inertia", link->inertia, 6);
}

// column: the number of its q, counted from 1, or 0: it has none.
static void write_info_joint(lwOut* out, const lwModel* model, int i, int column)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const lwJointDef* joint = &robot->joints[i];
  bool on_base            = joint->parent == LW_BASE;
  lw_out_format(out, "{\"number\": %d, ", i + 1);
  key_text(out, "name", joint->name);
  lw_out_text(out, ", ");
  key_text(out, "type", lw_joint_word(joint->type));
  lw_out_text(out, ", ");
  key_number(out, "q", column > 0 ? column : INFINITY);
  lw_out_text(out, ", ");
  key_text(out, "parent", on_base ? "base" : robot->joints[joint->parent].name);
  lw_out_text(out, ", ");
  key_text(out, "parent_link",
           on_base ? lw_base_name(model) : lw_link_name(&robot->joints[joint->parent]));
  lw_out_text(out, ", ");
  write_place(out, joint);
  lw_out_text(out, ", ");
  write_drive(out, joint);
  lw_out_text(out, ", ");
  write_mimic(out, robot, &joint->mimic);
  lw_out_text(out, ", ");
  key_number(out, "held_at", joint->locked.given ? joint->locked.q : INFINITY);
  lw_out_text(out, ", ");
  key_text(out, "link", lw_link_name(joint));
  lw_out_text(out, ", ");
  write_body(out, &joint->link);
  lw_out_text(out, ", ");
  key_number(out, "line", joint->line > 0 ? joint->line : INFINITY);
  lw_out_text(out, "}");
}

// Loops with their rows that are redundant.
static void write_info_loops(lwOut* out, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  int row                 = 0;
  lw_out_format(out, "\"mobility\": %d,\n\"loops\": [", lw_model_mobility(model));
  for (int k = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    int rows = lw_loop_type_rows(loop->type), redundant = 0;
    lw_out_text(out, k > 0 ? ",\n {" : "\n {");
    key_text(out, "name", loop->name);
    lw_out_text(out, ", ");
    key_text(out, "type", lw_loop_word(loop->type));
    lw_out_format(out, ", \"rows\": %d, \"redundant\": [", rows);
    for (int end = row + rows; row < end; ++row)
    {
      lwLoopRowInfo info = lw_model_loop_row(model, row);
      if (info.redundant && redundant++ > 0) lw_out_text(out, ", ");
      if (info.redundant) lw_out_json(out, info.name);
    }
    lw_out_text(out, "]}");
  }
  lw_out_text(out, robot->loop_count > 0 ? "\n],\n" : "],\n");
}

static void write_joints(lwOut* out, const lwModel* model)
{
  int next = 0, dof = lw_model_dof(model);
  lw_out_text(out, "\"joints\": [");
  for (int i = 0; i < lw_model_joint_count(model); ++i)
  {
    bool moves = next < dof && lw_model_joint(model, next) == i;
    lw_out_text(out, i > 0 ? ",\n " : "\n ");
    write_info_joint(out, model, i, moves ? ++next : 0);
  }
  lw_out_text(out, "\n]");
}

static void write_methods(lwOut* out, const lwWorkspace* ws)
{
  lw_out_text(out, "\"methods\": {");
  for (int k = 0; k < LW_INFO_METHODS; ++k)
  {
    if (k > 0) lw_out_text(out, ", ");
    key_text(out, lw_question_info(lw_info_questions[k])->name,
             lw_workspace_method(ws, lw_info_questions[k]));
  }
  lw_out_text(out, "}");
}

void lw_info_json(lwOut* out, const lwModel* model, const lwWorkspace* ws)
{
  const lwRobotDef* robot = lw_model_robot(model);
  lw_out_text(out, "{");
  key_text(out, "name", lw_model_name(model));
  lw_out_text(out, ",\n");
  key_text(out, "source", robot->origin);
  lw_out_text(out, ",\n");
  key_numbers(out, "gravity", robot->gravity, 3);
  lw_out_format(out, ",\n\"joint_count\": %d,\n\"dof\": %d,\n\"serial\": %s,\n",
                lw_model_joint_count(model), lw_model_dof(model),
                lw_model_is_serial(model) ? "true" : "false");
  key_number(out, "mass", lw_total_mass(robot));
  lw_out_text(out, ",\n");
  write_methods(out, ws);
  lw_out_text(out, ",\n\"base\": {");
  key_text(out, "link", lw_base_name(model));
  lw_out_text(out, ", ");
  write_body(out, &robot->base);
  lw_out_text(out, "},\n");
  write_info_loops(out, model);
  write_joints(out, model);
  lw_left_out_json(out, model);
  lw_out_text(out, "}\n");
}
