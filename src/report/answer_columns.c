// SPDX-License-Identifier: MIT
// Names and units of the numbers in an answer, from the quantities of its question.
#include <stdio.h>
#include <string.h>

#include "kernels/questions.h"
#include "model/model_internal.h"
#include "report/answer_writer.h"
#include "report/robot/robot_names.h"

size_t lw_answer_label_size(const lwModel* model)
{
  size_t longest = 0;
  for (int i = 0; i < model->robot.count + model->robot.loop_count; ++i)
  {
    bool loop = i >= model->robot.count;
    const char* joint =
        loop ? model->robot.loops[i - model->robot.count].name : model->robot.joints[i].name;
    const char* link = loop ? joint : lw_link_name(&model->robot.joints[i]);
    if (strlen(joint) > longest) longest = strlen(joint);
    if (strlen(link) > longest) longest = strlen(link);
  }
  return 40 + 2 * longest;
}

// The quantity that number *k of a written answer belongs to; *k becomes its place in it, and *row
// the rows of those before.
static const lwQuantity* answer_quantity(const lwAnswers* answers, size_t* k, size_t* row)
{
  const lwQuantity* part = lw_question_info(answers->question)->quantities;
  int joints             = (int)lw_answer_joints(answers);
  *row                   = 0;
  for (size_t size; *k >= (size = lw_quantity_size(answers->model, joints, part));
       *k -= size, ++part)
    if (part->shape == LW_QUANTITY_SHAPE_ROWS) *row += (size_t)part->count;
  return part;
}

// --- names

static char* put_text(char* to, const char* text)
{
  size_t length = strlen(text);
  memcpy(to, text, length + 1);
  return to + length;
}

// Writes v > 0 in decimal and returns the end.
static char* put_number(char* to, size_t v)
{
  char digits[20];
  int count = 0;
  for (; v > 0; v /= 10) digits[count++] = (char)('0' + v % 10);
  while (count > 0) *to++ = digits[--count];
  *to = 0;
  return to;
}

size_t lw_answer_across(const lwAnswers* answers, const lwQuantity* part)
{
  return (size_t)lw_quantity_columns(answers->model, (int)lw_answer_joints(answers), part);
}

// The entry of qd that column i of a matrix is about.
static int column_joint(const lwAnswers* answers, const lwQuantity* part, size_t i)
{
  bool all = lw_answer_across(answers, part) > lw_answer_joints(answers);
  return all ? (int)i : lw_answer_joint(answers, i);
}

const char* lw_answer_column_entry(const lwAnswers* answers, const lwQuantity* part, size_t i)
{
  bool is_motion = part->by ? strcmp(part->by, "tau") != 0 : part->is_motion;
  int joint      = column_joint(answers, part, i);
  return (is_motion ? lw_model_velocity : lw_model_effort)(answers->model, joint).name;
}

const char* lw_answer_entry(const lwAnswers* answers, bool is_motion, size_t i)
{
  int joint = lw_answer_joint(answers, i);
  return (is_motion ? lw_model_velocity : lw_model_effort)(answers->model, joint).name;
}

// Degree of freedom i: 3, or .elbow
static char* put_entry(char* to, const lwAnswers* answers, bool is_motion, size_t i)
{
  if (!answers->names) return put_number(to, i + 1);
  return put_text(put_text(to, "."), lw_answer_entry(answers, is_motion, i));
}

// Which term a column behind those of the links belongs to.
static lwTerm term_of(const lwModel* model, unsigned terms, size_t column)
{
  int term = 0;
  for (size_t at = lw_regressor_columns(model, 0); term < LW_TERM_COUNT; ++term)
  {
    if (!(terms & LW_HAS_TERM(term))) continue;
    at += (size_t)model->dof;
    if (column < at) break;
  }
  return (lwTerm)term;
}

void lw_answer_parameter(const lwAnswers* answers, size_t column, char* name)
{
  const lwModel* model    = answers->model;
  const lwQuantity* links = lw_question_info(answers->question)->quantities;
  size_t count = (size_t)links->count, most = lw_regressor_columns(model, 0);
  bool of_link    = column < most;
  const char* who = of_link
                        ? lw_link_name(&model->robot.joints[column / count])
                        : lw_model_effort(model, (int)((column - most) % (size_t)model->dof)).name;
  put_text(put_text(put_text(name, who), "."),
           of_link ? links->names[column % count]
                   : lw_term_name(term_of(model, answers->terms, column)));
}

// M12, or M1_12 where there are more than 9 joints, M.waist.elbow, J.vx.elbow; derivatives
// dtau1_dq2, dtau.waist_dq.elbow. first: the number of its first row.
static void put_matrix_column(const lwAnswers* answers, const lwQuantity* part, size_t first,
                              size_t k, char* name)
{
  size_t n  = lw_answer_across(answers, part);
  bool rows = part->shape == LW_QUANTITY_SHAPE_ROWS;
  char* end = put_text(name, part->symbol);
  if (rows && answers->names)
    end = put_text(put_text(end, "."), part->names[k / n]);
  else
    end = put_entry(end, answers, part->is_motion, first + k / n);
  if (part->by)
    end = put_text(put_text(end, "_d"), part->by);
  else if (!rows && !answers->names && n > 9)
    end = put_text(end, "_");  // M111: row 1 or row 11?
  if (answers->names)
    put_text(put_text(end, "."), lw_answer_column_entry(answers, part, k % n));
  else
    put_number(end, k % n + 1);
}

static void put_regressor_column(const lwAnswers* answers, const lwQuantity* part, size_t k,
                                 char* name)
{
  size_t width      = lw_regressor_columns(answers->model, answers->terms);
  const char* joint = lw_answer_entry(answers, false, k / width);
  char* end         = put_text(put_text(put_text(put_text(name, part->symbol), "."), joint), ".");
  lw_answer_parameter(answers, k % width, end);
}

// The force in a cut: f.pin.x, n.pin.x for a moment about x.
static void put_cut_column(const lwAnswers* answers, int k, char* name)
{
  lwLoopRowInfo row = lw_model_loop_row(answers->model, k);
  const char* axis  = strncmp(row.name, "about ", 6) == 0 ? row.name + 6 : row.name;
  snprintf(name, lw_answer_label_size(answers->model), "%s.%s.%s", row.turns ? "n" : "f",
           answers->model->robot.loops[row.loop].name, axis);
  for (char* c = name; *c; ++c)
    if (*c == ' ') *c = '_';
}

// The sum of the forces of contacts, f.sum.x; then whether each is within its cone, within.foot.
static void put_verdict_column(const lwAnswers* answers, size_t k, char* name)
{
  const lwRobotDef* robot = &answers->model->robot;
  int first               = robot->loop_count - answers->contacts;
  size_t size             = lw_answer_label_size(answers->model);
  if (k < 3)
    snprintf(name, size, "f.sum.%c", "xyz"[k]);
  else
    snprintf(name, size, "within.%s", robot->loops[first + (int)k - 3].name);
}

// Numbers behind the quantities of a question: forces in cuts, terms of drives.
static bool is_cut(const lwAnswers* answers, size_t k)
{
  return answers->cuts > 0 && k >= lw_answer_joints(answers);
}

const char* lw_answers_column(const lwAnswers* answers, size_t k)
{
  const lwModel* model = answers->model;
  char* name           = answers->label;
  size_t row, entry = answers->terms ? 0 : k;
  size_t verdict = lw_answer_joints(answers) + (size_t)answers->cuts;
  if (is_cut(answers, k) && k >= verdict)
  {
    put_verdict_column(answers, k - verdict, name);
    return name;
  }
  if (is_cut(answers, k))
  {
    put_cut_column(answers, (int)(k - lw_answer_joints(answers)), name);
    return name;
  }
  const lwQuantity* part = answer_quantity(answers, &entry, &row);
  switch (part->shape)
  {
    case LW_QUANTITY_SHAPE_NUMBERS:
      put_text(name, part->names[entry]);
      break;
    case LW_QUANTITY_SHAPE_VECTOR:
      put_entry(put_text(name, part->symbol), answers, part->is_motion, entry);
      break;
    case LW_QUANTITY_SHAPE_SQUARE:
      put_matrix_column(answers, part, 0, entry, name);
      break;
    case LW_QUANTITY_SHAPE_ROWS:
      put_matrix_column(answers, part, row, entry, name);
      break;
    case LW_QUANTITY_SHAPE_JOINTS:
    case LW_QUANTITY_SHAPE_LINKS:
      put_text(
          put_text(put_text(name, part->names[entry % (size_t)part->count]), "."),
          lw_quantity_owner(model, part, lw_answer_link(answers, entry / (size_t)part->count)));
      break;
    case LW_QUANTITY_SHAPE_PARAMETERS:
      put_regressor_column(answers, part, k, name);
  }
  return name;
}

// --- units

static const char* regressor_unit(const lwAnswers* answers, const lwQuantity* part, size_t k)
{
  static const char* const of_terms[LW_TERM_COUNT][2] = {
      {"rad/s^2", "m/s^2"}, {"rad/s", "m/s"}, {"1", "1"}, {"1", "1"}};
  const lwModel* model = answers->model;
  size_t width = lw_regressor_columns(model, answers->terms), column = k % width;
  bool slides = lw_model_velocity(model, lw_answer_joint(answers, k / width)).slides;
  if (column >= lw_regressor_columns(model, 0))
    return of_terms[term_of(model, answers->terms, column)][slides];
  return part->units[2 * (column % (size_t)part->count) + slides];
}

const char* lw_answers_unit(const void* context, size_t k)
{
  const lwAnswers* answers = context;
  const lwModel* model     = answers->model;
  size_t n = lw_answer_joints(answers), row, entry = answers->terms ? 0 : k;
  if (is_cut(answers, k) && k >= n + (size_t)answers->cuts)
    return k < n + (size_t)answers->cuts + 3 ? "N" : "1";
  if (is_cut(answers, k)) return lw_model_loop_row(model, (int)(k - n)).turns ? "N m" : "N";
  const lwQuantity* part = answer_quantity(answers, &entry, &row);
  if (part->shape == LW_QUANTITY_SHAPE_NUMBERS) return part->units[0];
  if (part->shape == LW_QUANTITY_SHAPE_JOINTS || part->shape == LW_QUANTITY_SHAPE_LINKS)
    return part->units[entry % (size_t)part->count];
  if (part->shape == LW_QUANTITY_SHAPE_PARAMETERS) return regressor_unit(answers, part, k);
  size_t across = lw_answer_across(answers, part);
  bool slides   = lw_model_velocity(model, column_joint(answers, part, entry % across)).slides;
  if (part->shape != LW_QUANTITY_SHAPE_SQUARE) return part->units[slides];
  int by = lw_answer_joint(answers, entry / across);
  return part->units[2 * lw_model_velocity(model, by).slides + slides];
}
