// SPDX-License-Identifier: MIT
// linkwork info: the robot in words.

#include "report/robot/info_formats.h"
#include "states/states.h"

static const char COLUMNS[] =
    "joint=number,name,type,parent,lower=limits.lower,upper=limits.upper,"
    "velocity=limits.velocity,effort=limits.effort,link,mass,motor,line,q";

// What the rows need.
typedef struct Joints
{
  const lwModel* model;
  int* column;  // (joints) number of its q, or 0: it has none
} Joints;

static void joint_row(const void* context, int i, lwCell* cells)
{
  const Joints* joints    = context;
  const lwRobotDef* robot = lw_model_robot(joints->model);
  const lwJointDef* joint = &robot->joints[i];
  cells[0]                = lw_cell_number(i + 1);
  cells[1]                = lw_cell_text(joint->name);
  cells[2]                = lw_cell_text(lw_joint_word(joint->type));
  cells[3] = lw_cell_text(joint->parent == LW_BASE ? "base" : robot->joints[joint->parent].name);
  const double limits[] = {joint->limits.lower, joint->limits.upper, joint->limits.velocity,
                           joint->limits.effort};
  for (int k = 0; k < 4; ++k)
    cells[4 + k] = joint->type == LW_JOINT_FIXED ? lw_cell_text(NULL) : lw_cell_limit(limits[k]);
  cells[8]  = lw_cell_text(link_name(joint));
  cells[9]  = lw_cell_number(joint->link.mass);
  cells[10] = lw_cell_flag(joint->motor.given);
  cells[11] = joint->line > 0 ? lw_cell_number(joint->line) : lw_cell_text(NULL);
  cells[12] = joints->column[i] > 0 ? lw_cell_number(joints->column[i]) : lw_cell_text(NULL);
}

// Rows of loops that follow from others, by name.
static void redundant_words(lwOut* out, const lwModel* model)
{
  int last = -1, count = 0, rows = lw_model_loop_rows(model);
  for (int i = 0; i < rows; ++i) count += lw_model_loop_row(model, i).redundant;
  lw_out_format(out, "          %d row%s, %d of them redundant", rows, rows == 1 ? "" : "s", count);
  for (int i = 0; i < rows; ++i)
  {
    lwLoopRowInfo row = lw_model_loop_row(model, i);
    if (!row.redundant) continue;
    if (row.loop != last)
      lw_out_format(out, "%s %s: %s", last < 0 ? ":" : ";",
                    lw_model_robot(model)->loops[row.loop].name, row.name);
    else
      lw_out_format(out, ", %s", row.name);
    last = row.loop;
  }
  lw_out_text(out, "\n");
}

// The loops, what they leave, and which joints are driven.
static void loop_words(lwOut* out, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  if (robot->loop_count == 0) return;
  lw_out_text(out, "loops:   ");
  for (int k = 0; k < robot->loop_count; ++k)
    lw_out_format(out, "%s %s (%s)", k > 0 ? "," : "", robot->loops[k].name,
                  lw_loop_word(robot->loops[k].type));
  lw_out_text(out, "\n");
  redundant_words(out, model);
  lw_out_format(out, "mobility: %d\ndriven:  ", lw_model_mobility(model));
  int driven = 0;
  for (int i = 0; i < lw_model_dof(model); ++i)
    if (lw_model_is_driven(model, i))
      lw_out_format(out, "%s %s", driven++ > 0 ? "," : "", joint_name(model, i));
  lw_out_text(out, driven > 0 ? "\n" : " none\n");
}

static void write_info_words(lwOut* out, const lwModel* model, const lwWorkspace* ws,
                             const lwSheet* joints)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const double* g         = robot->gravity;
  lw_out_format(out, "name:     %s\n", lw_model_name(model));
  lw_out_format(out, "source:   %s\n", robot->origin ? robot->origin : "not given");
  lw_out_format(out, "gravity:  %g %g %g m/s^2 in the base frame\n", g[0], g[1], g[2]);
  lw_out_format(out, "base:     %s, %g kg\n", robot->base.name, robot->base.mass);
  int moving = 0;
  for (int i = 0; i < robot->count; ++i) moving += robot->joints[i].type != LW_JOINT_FIXED;
  lw_out_format(out, "joints:   %d, %d of them moving", robot->count, moving);
  if (moving > lw_model_dof(model)) lw_out_format(out, ", %d independent", lw_model_dof(model));
  if (lw_model_nq(model) != lw_model_dof(model))
    lw_out_format(out, ", %d positions, %d velocities", lw_model_nq(model), lw_model_dof(model));
  lw_out_format(out, "; %s\n", lw_model_is_serial(model) ? "a serial chain" : "a tree");
  lw_out_format(out, "mass:     %g kg\n", lw_total_mass(robot));
  loop_words(out, model);
  lw_out_text(out, "methods: ");
  for (int k = 0; k < LW_INFO_METHODS; ++k)
    lw_out_format(out, "%s %s by %s", k > 0 ? "," : "",
                  lw_question_info(lw_info_questions[k])->name,
                  lw_workspace_method(ws, lw_info_questions[k]));
  lw_out_text(out, "\n\n");
  lw_sheet_write(out, LW_FORMAT_TABLE, joints);
  lw_out_text(out, "line: of the file; q: number of its column, as in q1\n");
  lw_left_out_words(out, model);
}

int cmd_info(const Options* options)
{
  lwFormat format       = options->value[OPTION_FORMAT] ? format_of(options) : LW_FORMAT_TABLE;
  const lwModel* model  = robot_of(options);
  const lwWorkspace* ws = tree_of(model);
  lwOut* out            = output_of(options);
  Joints context = {model, allocate((size_t)lw_model_joint_count(model), sizeof *context.column)};
  for (int k = lw_model_nq(model) - 1; k >= 0; --k)  // the first of a joint
    context.column[lw_model_position(model, k).joint] = k + 1;
  const char* place   = joints_unit(model, OPTION_Q);
  const char* units[] = {
      "", "",   "", "", place, place, joints_unit(model, OPTION_QD), joints_unit(model, OPTION_TAU),
      "", "kg", "", "", ""};
  lwSheet joints = {.columns = COLUMNS,
                    .unit    = units,
                    .rows    = lw_model_joint_count(model),
                    .row     = joint_row,
                    .context = &context};
  if (format == LW_FORMAT_TABLE) write_info_words(out, model, ws, &joints);
  if (format == LW_FORMAT_CSV) lw_sheet_write(out, format, &joints);
  if (format == LW_FORMAT_JSON) lw_info_json(out, model, ws);
  return output_end(out, DONE);
}
