// SPDX-License-Identifier: MIT
// One answer as a table for people: names of joints, units, frames.
#include <stdlib.h>

#include "answers.h"
#include "io/text.h"

enum
{
  VALUE_WIDTH = 13
};

// Units by joint type, revolute and prismatic.
static const char* const TORQUE_UNITS[]       = {"N m", "N"};
static const char* const ACCELERATION_UNITS[] = {"rad/s^2", "m/s^2"};

static int joint_name_width(const lwModel* model)
{
  int width = (int)sizeof "joint" - 1;
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    int needed = text_width(joint_name(model, i));
    if (needed > width) width = needed;
  }
  return width;
}

static void out_value(Out* out, double v)
{
  out_format(out, " %*.6g", VALUE_WIDTH, v);
}

// Minus zero would only puzzle people.
static void out_values(Out* out, const double* values, int count)
{
  for (int k = 0; k < count; ++k) out_value(out, values[k] == 0 ? 0 : values[k]);
}

// number, joint, value, unit
static void vector_table(const Answers* answers, const double* values)
{
  const char* const* units =
      answers->question == LW_QUESTION_FORWARD ? ACCELERATION_UNITS : TORQUE_UNITS;
  int width = joint_name_width(answers->model);
  for (int i = 0; i < (int)answers->columns; ++i)
  {
    out_text(answers->out, "  ");
    out_padded(answers->out, answers_column(answers, (size_t)i), answers->names ? width + 4 : 9);
    if (!answers->names) out_padded(answers->out, joint_name(answers->model, i), width);
    out_values(answers->out, &values[i], 1);
    out_format(answers->out, " %s\n", units[joint_type(answers->model, i)]);
  }
}

// The names of the joints above the columns of a matrix, cut to their width.
static void out_joint_row(const Answers* answers, int indent)
{
  out_padded(answers->out, "", indent);
  for (int i = 0; i < lw_model_dof(answers->model); ++i)
  {
    const char* name = joint_name(answers->model, i);
    size_t bytes     = 0;
    while (name[bytes] && utf8_count(name, bytes + 1) <= VALUE_WIDTH) ++bytes;
    out_text(answers->out, " ");
    for (int k = utf8_count(name, bytes); k < VALUE_WIDTH; ++k) out_text(answers->out, " ");
    out_bytes(answers->out, name, bytes);
  }
  out_text(answers->out, "\n");
}

static void inertia_table(const Answers* answers, const double* values)
{
  int n     = lw_model_dof(answers->model);
  int width = joint_name_width(answers->model);
  out_joint_row(answers, width + 2);
  for (int i = 0; i < n; ++i)
  {
    out_text(answers->out, "  ");
    out_padded(answers->out, joint_name(answers->model, i), width);
    out_values(answers->out, &values[(size_t)i * n], n);
    out_text(answers->out, "\n");
  }
  out_text(answers->out,
           "units: kg m^2 between revolute joints, kg between prismatic ones, kg m between "
           "one of each\n");
}

static void jacobian_table(const Answers* answers, const double* values)
{
  int n = lw_model_dof(answers->model);
  out_format(answers->out, "velocity of the frame of %s in the base frame, per joint velocity\n",
             answers->frame);
  out_joint_row(answers, 4);
  for (int i = 0; i < 6; ++i)
  {
    out_format(answers->out, "  %s", JACOBIAN_ROWS[i]);
    out_values(answers->out, &values[(size_t)i * n], n);
    out_text(answers->out, "\n");
  }
  out_text(answers->out,
           "units: v m/s, w rad/s, per rad/s of a revolute or m/s of a prismatic joint\n");
}

static void pose_table(const Answers* answers, const double* values)
{
  static const char* const labels[] = {"  position", "  rotation", "          ", "          "};
  static const char* const units[]  = {" m\n", "\n", "\n", "\n"};
  out_format(answers->out, "frame of %s in the base frame\n", answers->frame);
  for (int i = 0; i < 4; ++i)
  {
    out_text(answers->out, labels[i]);
    out_values(answers->out, &values[3 * i], 3);
    out_text(answers->out, units[i]);
  }
  out_text(answers->out, "  roll, pitch, yaw");
  out_values(answers->out, &values[12], 3);
  out_text(answers->out, " rad\n  quaternion x y z w");
  out_values(answers->out, &values[15], 4);
  out_text(answers->out, "\n");
}

static void energy_table(const Answers* answers, const double* values)
{
  for (size_t k = 0; k < answers->columns; ++k)
  {
    out_format(answers->out, "  %-10s", answers_column(answers, k));
    out_values(answers->out, &values[k], 1);
    out_text(answers->out, " J\n");
  }
}

void answer_table(const Answers* answers, const double* values)
{
  static void (*const tables[LW_QUESTION_COUNT])(const Answers*, const double*) = {
      [LW_QUESTION_INVERSE] = vector_table,   [LW_QUESTION_FORWARD] = vector_table,
      [LW_QUESTION_INERTIA] = inertia_table,  [LW_QUESTION_BIAS] = vector_table,
      [LW_QUESTION_GRAVITY] = vector_table,   [LW_QUESTION_CORIOLIS] = vector_table,
      [LW_QUESTION_ENERGY] = energy_table,    [LW_QUESTION_POSE] = pose_table,
      [LW_QUESTION_JACOBIAN] = jacobian_table};
  tables[answers->question](answers, values);
}
