// SPDX-License-Identifier: MIT
#include "report/answer_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/identify.h"
#include "linkwork/trajectory.h"

enum
{
  POSE_SIZE = 19  // columns: place, rotation matrix, roll pitch yaw, quaternion
};

static void row_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  snprintf(name, LW_ROW_NAME, "%s", lw_answers_column(context, k));
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
