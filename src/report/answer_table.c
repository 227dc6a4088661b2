// SPDX-License-Identifier: MIT
// One answer as a table for people: names of joints, units, frames.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "linkwork/drive.h"
#include "report/answer_columns.h"
#include "report/answer_writer.h"
#include "report/table/text_width.h"

enum
{
  NUMBER_SIZE = 32
};

// The number as people read it: minus zero would only puzzle them. Returns its width.
static int put_value(char text[NUMBER_SIZE], double v)
{
  return snprintf(text, NUMBER_SIZE, "%.6g", v == 0 ? 0 : v);
}

static int larger_width(int a, int b)
{
  return a > b ? a : b;
}

static int values_width(const double* values, size_t count, size_t stride)
{
  char text[NUMBER_SIZE];
  int width = 0;
  for (size_t k = 0; k < count; ++k)
    width = larger_width(width, put_value(text, values[k * stride]));
  return width;
}

static void out_value(lwOut* out, double v, int width)
{
  char text[NUMBER_SIZE];
  put_value(text, v);
  lw_out_padded(out, text, -width - 2);
}

// Of entry i of an answer: that of a velocity for accelerations, else of a torque.
static const char* entry_name(const lwAnswers* answers, int i)
{
  bool moves = answers->question == LW_QUESTION_FORWARD ||
               answers->question == LW_QUESTION_FORWARD_DERIVATIVES ||
               answers->question == LW_QUESTION_JACOBIAN;
  return (moves ? lw_model_velocity : lw_model_effort)(answers->model, i).name;
}

static int joint_name_width(const lwAnswers* answers)
{
  int width = 0;
  for (int i = 0; i < lw_model_dof(answers->model); ++i)
    width = larger_width(width, lw_text_width(entry_name(answers, i)));
  return width;
}

// column, joint, value, unit
static void vector_table(const lwAnswers* answers, const double* values)
{
  size_t joints  = answers->columns - (size_t)answers->cuts;
  bool per_joint = joints == (size_t)lw_model_dof(answers->model) &&
                   lw_question_info(answers->question)->symbol[0];
  bool named = !answers->names && per_joint;
  int names = named ? joint_name_width(answers) : 0, columns = 0;
  int width = values_width(values, answers->columns, 1);
  for (size_t k = 0; k < answers->columns; ++k)
    columns = larger_width(columns, lw_text_width(lw_answers_column(answers, k)));
  for (size_t k = 0; k < answers->columns; ++k)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, lw_answers_column(answers, k), columns);
    if (names > 0) lw_out_text(answers->out, "  ");
    bool cut = k >= (size_t)lw_model_dof(answers->model) && answers->cuts > 0;
    if (names > 0) lw_out_padded(answers->out, cut ? "" : entry_name(answers, (int)k), names);
    out_value(answers->out, values[k], width);
    lw_out_format(answers->out, " %s\n", lw_answers_unit(answers, k));
  }
}

// A matrix with a column for each joint. Its columns are as wide as name and numbers need.
static void matrix_table(const lwAnswers* answers, const double* values, int rows,
                         const char* (*row_name)(const lwAnswers*, int))
{
  int n = lw_model_dof(answers->model), names = 0;
  int* widths = calloc((size_t)n + 1, sizeof *widths);
  if (!widths)
  {
    answers->out->error = ENOMEM;
    return;
  }
  for (int i = 0; i < rows; ++i) names = larger_width(names, lw_text_width(row_name(answers, i)));
  lw_out_padded(answers->out, "", names + 2);
  for (int j = 0; j < n; ++j)
  {
    const char* name = entry_name(answers, j);
    widths[j] =
        larger_width(lw_text_width(name), values_width(values + j, (size_t)rows, (size_t)n));
    lw_out_padded(answers->out, name, -widths[j] - 2);
  }
  lw_out_text(answers->out, "\n");
  for (int i = 0; i < rows; ++i)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, row_name(answers, i), names);
    for (int j = 0; j < n; ++j) out_value(answers->out, values[(size_t)i * n + j], widths[j]);
    lw_out_text(answers->out, "\n");
  }
  free(widths);
}

static const char* inertia_row(const lwAnswers* answers, int i)
{
  return entry_name(answers, i);
}

static void inertia_table(const lwAnswers* answers, const double* values)
{
  lw_out_text(answers->out,
              "kg m^2 between revolute joints, kg between prismatic ones, kg m between "
              "one of each\n");
  matrix_table(answers, values, lw_model_dof(answers->model), inertia_row);
}

static void gibbs_table(const lwAnswers* answers, const double* values)
{
  char text[NUMBER_SIZE];
  put_value(text, values[0]);
  lw_out_format(answers->out,
                "  gibbs  %s J/s^2\nHessian with respect to the accelerations: ", text);
  inertia_table(answers, values + 1);
}

static const char* jacobian_row(const lwAnswers* answers, int i)
{
  (void)answers;
  return LW_JACOBIAN_ROWS[i];
}

static void jacobian_table(const lwAnswers* answers, const double* values)
{
  lw_out_format(answers->out,
                "velocity of the frame of %s in the base frame: v m/s, w rad/s,\n"
                "per rad/s of a revolute or m/s of a prismatic joint\n",
                answers->frame);
  matrix_table(answers, values, 6, jacobian_row);
}

static void square_table(const lwAnswers* answers, const double* values)
{
  size_t n = (size_t)lw_model_dof(answers->model), count = answers->columns / (n * n);
  static const char* const by[] = {"position", "velocity", "torque"};
  for (size_t k = 0; k < count; ++k)
  {
    if (count > 1) lw_out_format(answers->out, "by the %s of\n", by[k % 3]);
    matrix_table(answers, values + k * n * n, (int)n, inertia_row);
  }
  lw_out_text(answers->out, "SI units, rad\n");
}

static const char* regressor_row(const lwAnswers* answers, int i)
{
  lw_regressor_parameter(answers->model, answers->terms, (size_t)i, answers->label);
  return answers->label;
}

// A line for each parameter, a column for each joint.
static void regressor_table(const lwAnswers* answers, const double* values)
{
  size_t n = (size_t)lw_model_dof(answers->model), width = answers->columns / n;
  double* turned = calloc(answers->columns + 1, sizeof *turned);
  if (!turned)
  {
    answers->out->error = ENOMEM;
    return;
  }
  for (size_t k = 0; k < answers->columns; ++k) turned[k % width * n + k / width] = values[k];
  lw_out_text(answers->out, "torque of each joint per unit of each parameter, SI units\n");
  matrix_table(answers, turned, (int)width, regressor_row);
  free(turned);
}

static void pose_table(const lwAnswers* answers, const double* values)
{
  static const struct
  {
    const char* label;
    int first, count;
    const char* unit;
  } lines[] = {{"position x y z", 0, 3, " m\n"},
               {"rotation", 3, 3, "\n"},
               {"", 6, 3, "\n"},
               {"", 9, 3, "\n"},
               {"roll pitch yaw", 12, 3, " rad\n"},
               {"quaternion x y z w", 15, 4, "\n"}};
  int width = values_width(values, answers->columns, 1);
  lw_out_format(answers->out, "frame of %s in the base frame\n", answers->frame);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, lines[i].label, 18);
    for (int k = 0; k < lines[i].count; ++k)
      out_value(answers->out, values[lines[i].first + k], width);
    lw_out_text(answers->out, lines[i].unit);
  }
}

// A line for each joint of the file.
static void reactions_table(const lwAnswers* answers, const double* values)
{
  const lwRobotDef* robot = lw_model_robot(answers->model);
  int names = 0, width = larger_width(3, values_width(values, answers->columns, 1));
  for (int i = 0; i < robot->count; ++i)
    names = larger_width(names, lw_text_width(robot->joints[i].name));
  lw_out_format(
      answers->out,
      "what the parent exerts on the link of each joint, rf N, rn N m, in the axes of %s\n",
      answers->base_axes ? "the base" : "its frame");
  lw_out_padded(answers->out, "", names + 2);
  for (int k = 0; k < 6; ++k)
    lw_out_padded(answers->out, lw_reaction_name((lwReaction)k), -width - 2);
  lw_out_text(answers->out, "\n");
  for (int i = 0; i < robot->count; ++i)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, robot->joints[i].name, names);
    for (int k = 0; k < 6; ++k) out_value(answers->out, values[6 * (size_t)i + k], width);
    lw_out_text(answers->out, "\n");
  }
}

void lw_answer_table(const lwAnswers* answers, const double* values)
{
  static void (*const tables[LW_QUESTION_COUNT])(const lwAnswers*, const double*) = {
      [LW_QUESTION_INVERSE]             = vector_table,
      [LW_QUESTION_FORWARD]             = vector_table,
      [LW_QUESTION_INERTIA]             = inertia_table,
      [LW_QUESTION_BIAS]                = vector_table,
      [LW_QUESTION_GRAVITY]             = vector_table,
      [LW_QUESTION_CORIOLIS]            = vector_table,
      [LW_QUESTION_ENERGY]              = vector_table,
      [LW_QUESTION_POSE]                = pose_table,
      [LW_QUESTION_JACOBIAN]            = jacobian_table,
      [LW_QUESTION_REACTIONS]           = reactions_table,
      [LW_QUESTION_GIBBS]               = gibbs_table,
      [LW_QUESTION_INVERSE_DERIVATIVES] = square_table,
      [LW_QUESTION_FORWARD_DERIVATIVES] = square_table,
      [LW_QUESTION_INERTIA_INVERSE]     = square_table,
      [LW_QUESTION_CORIOLIS_MATRIX]     = square_table,
      [LW_QUESTION_CENTROIDAL]          = vector_table,
      [LW_QUESTION_JACOBIAN_RATE]       = vector_table,
      [LW_QUESTION_REGRESSOR]           = regressor_table};
  tables[answers->question](answers, values);
}
