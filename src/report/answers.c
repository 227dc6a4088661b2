// SPDX-License-Identifier: MIT
#include "report/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/drive.h"
#include "linkwork/trajectory.h"
#include "report/joint_units.h"

enum
{
  POSE_SIZE  = 19,  // columns: place, rotation matrix, roll pitch yaw, quaternion
  LABEL_SIZE = 40   // room for the name of a column without joint names
};

// Columns of the questions whose answer does not depend on the number of joints.
static const char* const ENERGY_COLUMNS[] = {"kinetic", "potential"};
static const char* const POSE_COLUMNS[]   = {"x",   "y",   "z",   "r11", "r12", "r13",  "r21",
                                             "r22", "r23", "r31", "r32", "r33", "roll", "pitch",
                                             "yaw", "qx",  "qy",  "qz",  "qw"};

static const char* const* const FIXED_COLUMNS[LW_QUESTION_COUNT] = {
    [LW_QUESTION_ENERGY] = ENERGY_COLUMNS, [LW_QUESTION_POSE] = POSE_COLUMNS};

const char* const lw_jacobian_rows[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static const bool IS_MATRIX[LW_QUESTION_COUNT] = {
    [LW_QUESTION_INERTIA] = true, [LW_QUESTION_JACOBIAN] = true, [LW_QUESTION_GIBBS] = true};

// Writes v > 0 in decimal and returns the end.
static char* put_number(char* to, int v)
{
  char digits[12];
  int count = 0;
  for (; v > 0; v /= 10) digits[count++] = (char)('0' + v % 10);
  while (count > 0) *to++ = digits[--count];
  return to;
}

static char* put_text(char* to, const char* text)
{
  size_t length = strlen(text);
  memcpy(to, text, length);
  return to + length;
}

static char* put_joint(char* to, const lwAnswers* answers, size_t i)
{
  *to++ = '.';
  bool moves =
      answers->question == LW_QUESTION_FORWARD || answers->question == LW_QUESTION_JACOBIAN;
  return put_text(to, (moves ? lw_model_velocity : lw_model_effort)(answers->model, (int)i).name);
}

// Behind the symbol: the joint of an entry of a vector, row and column of one of a matrix.
static char* put_names(char* to, const lwAnswers* answers, size_t k)
{
  size_t n = (size_t)lw_model_dof(answers->model);
  if (answers->question == LW_QUESTION_JACOBIAN)
  {
    *to++ = '.';
    to    = put_text(to, lw_jacobian_rows[k / n]);
  }
  else if (IS_MATRIX[answers->question])
    to = put_joint(to, answers, k / n);
  return put_joint(to, answers, k % n);
}

static char* put_numbers(char* to, const lwAnswers* answers, size_t k)
{
  size_t n = (size_t)lw_model_dof(answers->model);
  if (!IS_MATRIX[answers->question]) return put_number(to, (int)k + 1);
  to = put_number(to, (int)(k / n) + 1);
  if (answers->columns / n > 9) *to++ = '_';  // M111: row 1 or row 11?
  return put_number(to, (int)(k % n) + 1);
}

// Reactions are always named: fixed joints have no number.
static const char* reaction_column(const lwAnswers* answers, size_t k)
{
  const lwRobotDef* robot = lw_model_robot(answers->model);
  char* end               = put_text(answers->label, lw_reaction_name((lwReaction)(k % 6)));
  *end++                  = '.';
  *put_text(end, robot->joints[k / 6].name) = 0;
  return answers->label;
}

// The force in a cut: f.pin.x, n.pin.x for a moment about x.
static const char* cut_column(const lwAnswers* answers, int k)
{
  lwLoopRowInfo row = lw_model_loop_row(answers->model, k);
  const char* name  = strncmp(row.name, "about ", 6) == 0 ? row.name + 6 : row.name;
  char* end         = put_text(answers->label, row.turns ? "n." : "f.");
  end               = put_text(end, lw_model_robot(answers->model)->loops[row.loop].name);
  *end++            = '.';
  end               = put_text(end, name);
  *end              = 0;
  for (char* c = answers->label; *c; ++c)
    if (*c == ' ') *c = '_';
  return answers->label;
}

const char* lw_answers_column(const lwAnswers* answers, size_t k)
{
  if (answers->cuts > 0 && k >= (size_t)lw_model_dof(answers->model))
    return cut_column(answers, (int)k - lw_model_dof(answers->model));
  if (answers->question == LW_QUESTION_REACTIONS) return reaction_column(answers, k);
  if (answers->question == LW_QUESTION_GIBBS && k == 0) return "gibbs";
  const char* const* fixed = FIXED_COLUMNS[answers->question];
  if (fixed) return fixed[k];
  if (answers->question == LW_QUESTION_GIBBS) --k;  // behind the function its Hessian
  char* end = put_text(answers->label, lw_question_info(answers->question)->symbol);
  end       = answers->names ? put_names(end, answers, k) : put_numbers(end, answers, k);
  *end      = 0;
  return answers->label;
}

static bool take_label(lwAnswers* answers)
{
  size_t longest          = 0;
  const lwRobotDef* robot = lw_model_robot(answers->model);
  for (int i = 0; i < robot->count; ++i)
  {
    size_t length = strlen(robot->joints[i].name);
    if (length > longest) longest = length;
  }
  for (int i = 0; i < robot->loop_count; ++i)
  {
    size_t length = strlen(robot->loops[i].name);
    if (length > longest) longest = length;
  }
  answers->label = malloc(LABEL_SIZE + 2 * longest);
  return answers->label != NULL;
}

static void row_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  snprintf(name, LW_ROW_NAME, "%s", lw_answers_column(context, k));
}

// Entry (i, j) of a matrix about joints of these units.
static const char* inertia_unit(bool slides, bool other)
{
  if (slides && other) return "kg";
  return slides || other ? "kg m" : "kg m^2";
}

static bool entry_slides(const lwAnswers* answers, size_t i)
{
  return lw_model_velocity(answers->model, (int)i).slides;
}

const char* lw_answers_unit(const void* context, size_t k)
{
  const lwAnswers* answers = context;
  size_t n                 = (size_t)lw_model_dof(answers->model);
  if (answers->cuts > 0 && k >= n)
    return lw_model_loop_row(answers->model, (int)(k - n)).turns ? "N m" : "N";
  switch (answers->question)
  {
    case LW_QUESTION_ENERGY:
      return "J";
    case LW_QUESTION_POSE:
      return k < 3 ? "m" : k >= 12 && k < 15 ? "rad" : "1";
    case LW_QUESTION_INERTIA:
      return inertia_unit(entry_slides(answers, k / n), entry_slides(answers, k % n));
    case LW_QUESTION_JACOBIAN:
      return (k / n < 3) != entry_slides(answers, k % n) ? "m" : "1";
    case LW_QUESTION_GIBBS:
      return k == 0 ? "J/s^2"
                    : inertia_unit(entry_slides(answers, (k - 1) / n),
                                   entry_slides(answers, (k - 1) % n));
    case LW_QUESTION_REACTIONS:
      return lw_reaction_unit((lwReaction)(k % 6));
    default:
      return lw_joint_unit(answers->model,
                           answers->question == LW_QUESTION_FORWARD ? LW_JOINT_QUANTITY_ACCELERATION
                                                                    : LW_JOINT_QUANTITY_EFFORT,
                           (int)k);
  }
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
