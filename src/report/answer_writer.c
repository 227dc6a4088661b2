// SPDX-License-Identifier: MIT
#include "report/answer_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/identify.h"
#include "linkwork/trajectory.h"
#include "report/answer_columns.h"

enum
{
  POSE_SIZE = 19  // columns: place, rotation matrix, roll pitch yaw, quaternion
};

// The force in a cut: f.pin.x, n.pin.x for a moment about x.
static const char* cut_column(const lwAnswers* answers, int k)
{
  lwLoopRowInfo row = lw_model_loop_row(answers->model, k);
  const char* name  = strncmp(row.name, "about ", 6) == 0 ? row.name + 6 : row.name;
  snprintf(answers->label, lw_answer_column_size(answers->model), "%s.%s.%s", row.turns ? "n" : "f",
           lw_model_robot(answers->model)->loops[row.loop].name, name);
  for (char* c = answers->label; *c; ++c)
    if (*c == ' ') *c = '_';
  return answers->label;
}

const char* lw_answers_column(const lwAnswers* answers, size_t k)
{
  if (answers->cuts > 0 && k >= (size_t)lw_model_dof(answers->model))
    return cut_column(answers, (int)k - lw_model_dof(answers->model));
  if (answers->terms)
    lw_regressor_column(answers->model, answers->terms, k, answers->label);
  else
    lw_answer_column(answers->model, answers->question, answers->names, k, answers->label);
  return answers->label;
}

static bool take_label(lwAnswers* answers)
{
  answers->label = malloc(lw_answer_column_size(answers->model));
  return answers->label != NULL;
}

static void row_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  snprintf(name, LW_ROW_NAME, "%s", lw_answers_column(context, k));
}

const char* lw_answers_unit(const void* context, size_t k)
{
  const lwAnswers* answers = context;
  size_t n                 = (size_t)lw_model_dof(answers->model);
  if (answers->cuts > 0 && k >= n)
    return lw_model_loop_row(answers->model, (int)(k - n)).turns ? "N m" : "N";
  if (answers->terms) return lw_regressor_unit(answers->model, answers->terms, k);
  return lw_answer_unit(answers->model, answers->question, k);
}

static void write_answer_title(const lwAnswers* answers)
{
  lw_out_format(answers->out, "%s: %s", lw_model_name(answers->model),
                lw_question_info(answers->question)->name);
  if (answers->method) lw_out_format(answers->out, " by %s", answers->method);
  lw_out_format(answers->out, ", %s precision%s%s\n",
                answers->quad     ? "quad"
                : answers->single ? "single"
                                  : "double",
                answers->rotors ? ", with rotor inertia" : "",
                answers->cuts > 0 ? ", loops closed; f and n act in the cuts on the second link"
                                  : "");
}

bool lw_answers_begin(lwAnswers* answers)
{
  answers->columns = lw_question_outputs(answers->model, answers->question) + (size_t)answers->cuts;
  if (answers->question == LW_QUESTION_POSE) answers->columns = POSE_SIZE;
  if (answers->terms)
    answers->columns =
        (size_t)lw_model_dof(answers->model) * lw_regressor_columns(answers->model, answers->terms);
  if (!take_label(answers)) return false;
  answers->rows = (lwRows){.out       = answers->out,
                           .format    = answers->format,
                           .columns   = answers->columns,
                           .name      = row_name,
                           .unit      = lw_answers_unit,
                           .context   = answers,
                           .kept      = answers->kept,
                           .kept_time = answers->kept_time,
                           .numbered  = answers->format == LW_FORMAT_TABLE};
  if (answers->format == LW_FORMAT_TABLE) write_answer_title(answers);
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
  if (answers->format == LW_FORMAT_TABLE && !answers->many) return lw_answer_table(answers, values);
  lw_rows_add_kept(&answers->rows, line, values);
}

void lw_answers_end(lwAnswers* answers)
{
  lw_rows_end(&answers->rows);
  free(answers->label);
}
