// SPDX-License-Identifier: MIT
// One answer as a table for people: names of joints, units, frames.
#include "report/answer_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/questions.h"
#include "linkwork/identify.h"
#include "linkwork/trajectory.h"
#include "text/text_width.h"

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

// Columns of what stands before matrices: column, joint, value, unit.
static void numbers_table(const lwAnswers* answers, const lwQuantity* part, const double* values,
                          size_t count)
{
  size_t dof = lw_answer_joints(answers);
  bool named = !answers->names && part->shape == LW_QUANTITY_SHAPE_VECTOR;
  int names = 0, columns = 0, width = values_width(values, count, 1);
  for (size_t i = 0; i < dof && named; ++i)
    names = larger_width(names, lw_text_width(lw_answer_entry(answers, part->is_motion, i)));
  for (size_t k = 0; k < count; ++k)
    columns = larger_width(columns, lw_text_width(lw_answers_column(answers, k)));
  for (size_t k = 0; k < count; ++k)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, lw_answers_column(answers, k), columns);
    if (names > 0) lw_out_text(answers->out, "  ");
    const char* joint = k < dof && named ? lw_answer_entry(answers, part->is_motion, k) : "";
    if (names > 0) lw_out_padded(answers->out, joint, names);
    out_value(answers->out, values[k], width);
    lw_out_format(answers->out, " %s\n", lw_answers_unit(answers, k));
  }
}

// A line for each quantity, of a rotation for each of its rows.
static void labelled_table(const lwAnswers* answers, const lwQuantity* part, const double* values)
{
  int width = values_width(values, answers->columns, 1);
  lw_out_format(answers->out, "frame of %s in the base frame\n", answers->frame);
  for (; part->symbol; ++part)
    for (int k = 0; k < part->count; ++k)
    {
      int line = part->count > 4 ? 3 : part->count;
      if (k % line == 0) lw_out_text(answers->out, "  ");
      if (k % line == 0) lw_out_padded(answers->out, k == 0 ? part->label : "", 18);
      out_value(answers->out, *values++, width);
      if (k % line < line - 1) continue;
      bool unit = part->units[0][0] != '1';
      lw_out_format(answers->out, "%s%s\n", unit ? " " : "", unit ? part->units[0] : "");
    }
}

static bool is_by_joint(const lwQuantity* part)
{
  return part->shape == LW_QUANTITY_SHAPE_JOINTS || part->shape == LW_QUANTITY_SHAPE_LINKS;
}

static const char* matrix_row(const lwAnswers* answers, const lwQuantity* part, size_t i)
{
  if (part->shape == LW_QUANTITY_SHAPE_SQUARE) return lw_answer_entry(answers, part->is_motion, i);
  if (is_by_joint(part)) return lw_quantity_owner(answers->model, part, lw_answer_link(answers, i));
  if (part->shape == LW_QUANTITY_SHAPE_PARAMETERS)
  {
    lw_answer_parameter(answers, i, answers->label);
    return answers->label;
  }
  for (; i >= (size_t)part->count; ++part) i -= (size_t)part->count;
  return part->names[i];
}

// A matrix with a column for each joint, or with a line for each joint of the file. Columns are as
// wide as name and numbers need; those of joints are alike.
static void matrix_table(const lwAnswers* answers, const lwQuantity* part, const double* values,
                         size_t rows)
{
  bool by_joint = is_by_joint(part);
  size_t n      = by_joint ? (size_t)part->count : lw_answer_across(answers, part);
  int names = 0, all = by_joint ? values_width(values, rows * n, 1) : 0;
  int* widths = calloc(n + 1, sizeof *widths);
  if (!widths)
  {
    answers->out->error = ENOMEM;
    return;
  }
  for (size_t i = 0; i < rows; ++i)
    names = larger_width(names, lw_text_width(matrix_row(answers, part, i)));
  lw_out_padded(answers->out, "", names + 2);
  for (size_t j = 0; j < n; ++j)
  {
    const char* name = by_joint ? part->names[j] : lw_answer_column_entry(answers, part, j);
    widths[j] =
        larger_width(lw_text_width(name), by_joint ? all : values_width(values + j, rows, n));
    lw_out_padded(answers->out, name, -widths[j] - 2);
  }
  lw_out_text(answers->out, "\n");
  for (size_t i = 0; i < rows; ++i)
  {
    lw_out_text(answers->out, "  ");
    lw_out_padded(answers->out, matrix_row(answers, part, i), names);
    for (size_t j = 0; j < n; ++j) out_value(answers->out, values[i * n + j], widths[j]);
    lw_out_text(answers->out, "\n");
  }
  free(widths);
}

static void squares_table(const lwAnswers* answers, const lwQuantity* part, const double* values)
{
  size_t n      = lw_answer_joints(answers);
  bool has_unit = part->label && !part->by;
  for (; part->symbol; values += n * lw_answer_across(answers, part++))
  {
    if (part->label) lw_out_format(answers->out, "%s\n", part->label);
    matrix_table(answers, part, values, n);
  }
  if (!has_unit) lw_out_text(answers->out, "SI units, rad\n");
}

static void jacobian_table(const lwAnswers* answers, const lwQuantity* part, const double* values)
{
  lw_out_format(answers->out,
                "velocity of the frame of %s in the base frame: v m/s, w rad/s,\n"
                "per rad/s of a revolute or m/s of a prismatic joint\n",
                answers->frame);
  matrix_table(answers, part, values, 6);
}

// A line for each parameter, a column for each joint.
static void regressor_table(const lwAnswers* answers, const lwQuantity* part, const double* values)
{
  size_t n = lw_answer_joints(answers), width = answers->columns / n;
  double* turned = calloc(answers->columns + 1, sizeof *turned);
  if (!turned)
  {
    answers->out->error = ENOMEM;
    return;
  }
  for (size_t k = 0; k < answers->columns; ++k) turned[k % width * n + k / width] = values[k];
  lw_out_format(answers->out, "%s, SI units\n", part->meaning);
  matrix_table(answers, part, turned, width);
  free(turned);
}

// A line for each joint of the file, or for its link.
static void joints_table(const lwAnswers* answers, const lwQuantity* part, const double* values)
{
  if (part->shape == LW_QUANTITY_SHAPE_LINKS)
    lw_out_format(answers->out, "%s\n", part->meaning);
  else
    lw_out_format(
        answers->out,
        "what the parent exerts on the link of each joint, rf N, rn N m, in the axes of %s\n",
        answers->base_axes ? "the base" : "its frame");
  matrix_table(answers, part, values, lw_answer_links(answers));
}

static void answer_table(const lwAnswers* answers, const double* values)
{
  const lwQuantity *first = lw_question_info(answers->question)->quantities, *part = first;
  size_t numbers = (size_t)answers->cuts + lw_answer_verdicts(answers);
  if (first->shape == LW_QUANTITY_SHAPE_NUMBERS && first->label)
    return labelled_table(answers, first, values);
  for (; part->symbol &&
         (part->shape == LW_QUANTITY_SHAPE_NUMBERS || part->shape == LW_QUANTITY_SHAPE_VECTOR);
       ++part)
    numbers += lw_quantity_size(answers->model, (int)lw_answer_joints(answers), part);
  if (part > first) numbers_table(answers, first, values, numbers);
  if (!part->symbol) return;
  static void (*const tables[])(const lwAnswers*, const lwQuantity*,
                                const double*) = {[LW_QUANTITY_SHAPE_SQUARE]     = squares_table,
                                                  [LW_QUANTITY_SHAPE_ROWS]       = jacobian_table,
                                                  [LW_QUANTITY_SHAPE_JOINTS]     = joints_table,
                                                  [LW_QUANTITY_SHAPE_LINKS]      = joints_table,
                                                  [LW_QUANTITY_SHAPE_PARAMETERS] = regressor_table};
  for (bool first_rows = true; part->symbol; ++part)
  {
    bool rows = part->shape == LW_QUANTITY_SHAPE_ROWS;
    if (!rows || first_rows) tables[part->shape](answers, part, values + numbers);
    if (part->shape == LW_QUANTITY_SHAPE_SQUARE) break;  // they are all printed
    numbers += lw_quantity_size(answers->model, (int)lw_answer_joints(answers), part);
    first_rows = first_rows && !rows;
  }
}

enum
{
  POSE_SIZE = 19  // columns: place, rotation matrix, roll pitch yaw, quaternion
};

static void row_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  snprintf(name, LW_ROW_NAME, "%s", lw_answers_column(context, k));
}

bool lw_answers_begin(lwAnswers* answers)
{
  int joints       = (int)lw_answer_joints(answers);
  answers->columns = (size_t)answers->cuts + lw_answer_verdicts(answers);
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(answers->question, part));)
    answers->columns += lw_quantity_size(answers->model, joints, part);
  if (answers->question == LW_QUESTION_POSE) answers->columns = POSE_SIZE;
  if (answers->links)
    answers->columns =
        lw_answer_links(answers) * (size_t)lw_quantity_next(answers->question, NULL)->count;
  if (answers->terms)
    answers->columns = (size_t)joints * lw_regressor_columns(answers->model, answers->terms);
  answers->label = malloc(lw_answer_label_size(answers->model));
  if (!answers->label) return false;
  answers->rows = (lwRows){.out       = answers->out,
                           .format    = answers->format,
                           .columns   = answers->columns,
                           .name      = row_name,
                           .unit      = lw_answers_unit,
                           .context   = answers,
                           .kept      = answers->kept,
                           .kept_time = answers->kept_time,
                           .numbered  = answers->format == LW_FORMAT_TABLE};
  if (answers->format == LW_FORMAT_TABLE)
  {
    lw_out_format(answers->out, "%s: %s", lw_model_name(answers->model),
                  lw_question_info(answers->question)->name);
    if (answers->method) lw_out_format(answers->out, " by %s", answers->method);
    lw_out_format(answers->out, ", %s precision%s%s\n",
                  answers->quad     ? "quad"
                  : answers->single ? "single"
                                    : "double",
                  answers->rotors ? ", with rotor inertia" : "",
                  answers->contacts > 0 ? ", standing; f acts on the links at their points"
                  : answers->cuts > 0 ? ", loops closed; f and n act in the cuts on the second link"
                                      : "");
  }
  bool table_of_one = answers->format == LW_FORMAT_TABLE && !answers->many;
  if (!table_of_one) lw_rows_begin(&answers->rows);
  return true;
}

void lw_answers_row(lwAnswers* answers, const char* line, const double* values, const lwQuad* exact)
{
  double pose[POSE_SIZE];
  lwQuad exact_pose[POSE_SIZE];
  if (answers->question == LW_QUESTION_POSE)  // the rotation in the other ways of writing it, too
  {
    memcpy(pose, values, 12 * sizeof *pose);
    lw_rotation_to_rpy(values + 3, pose + 12);
    lw_rotation_to_quaternion(values + 3, pose + 15);
    values = pose;
  }
  if (answers->question == LW_QUESTION_POSE && exact)
  {
    memcpy(exact_pose, exact, 12 * sizeof *exact_pose);
    lw_quad_rotation(exact + 3, exact_pose + 12, exact_pose + 15);
    exact = exact_pose;
  }
  answers->rows.exact = exact;
  if (answers->format == LW_FORMAT_TABLE && !answers->many) return answer_table(answers, values);
  lw_rows_add_kept(&answers->rows, line, values);
}

void lw_answers_end(lwAnswers* answers)
{
  lw_rows_end(&answers->rows);
  free(answers->label);
}
