// SPDX-License-Identifier: MIT
#include "answers.h"

#include <stdlib.h>
#include <string.h>

#include "io/text.h"

enum
{
  TABLE_WIDTH = 14,  // of a number in a table of many states, at least
  LABEL_SIZE  = 40   // room for the name of a column, but for the names of joints in it
};

// Columns of the questions whose answer does not depend on the number of joints.
static const char* const ENERGY_COLUMNS[] = {"kinetic", "potential"};
static const char* const POSE_COLUMNS[]   = {"x",   "y",   "z",   "r11", "r12", "r13",
                                             "r21", "r22", "r23", "r31", "r32", "r33"};

static const char* const* const FIXED_COLUMNS[LW_QUESTION_COUNT] = {
    [LW_QUESTION_ENERGY] = ENERGY_COLUMNS, [LW_QUESTION_POSE] = POSE_COLUMNS};

const char* const JACOBIAN_ROWS[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static const bool IS_MATRIX[LW_QUESTION_COUNT] = {
    [LW_QUESTION_INERTIA] = true, [LW_QUESTION_JACOBIAN] = true};

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

static char* put_joint(char* to, const Answers* answers, size_t i)
{
  *to++ = '.';
  return put_text(to, joint_name(answers->model, (int)i));
}

// Behind the symbol: the joint of an entry of a vector, row and column of one of a matrix.
static char* put_names(char* to, const Answers* answers, size_t k)
{
  size_t n = (size_t)lw_model_dof(answers->model);
  if (answers->question == LW_QUESTION_JACOBIAN)
  {
    *to++ = '.';
    to    = put_text(to, JACOBIAN_ROWS[k / n]);
  }
  else if (IS_MATRIX[answers->question])
    to = put_joint(to, answers, k / n);
  return put_joint(to, answers, k % n);
}

static char* put_numbers(char* to, const Answers* answers, size_t k)
{
  size_t n = (size_t)lw_model_dof(answers->model);
  if (!IS_MATRIX[answers->question]) return put_number(to, (int)k + 1);
  to = put_number(to, (int)(k / n) + 1);
  if (answers->columns / n > 9) *to++ = '_';  // M111: row 1 or row 11?
  return put_number(to, (int)(k % n) + 1);
}

const char* answers_column(const Answers* answers, size_t k)
{
  const char* const* fixed = FIXED_COLUMNS[answers->question];
  if (fixed) return fixed[k];
  char* end = put_text(answers->label, lw_question_info(answers->question)->symbol);
  end       = answers->names ? put_names(end, answers, k) : put_numbers(end, answers, k);
  *end      = 0;
  return answers->label;
}

static int take_label(Answers* answers)
{
  size_t longest = 0;
  for (int i = 0; i < lw_model_dof(answers->model); ++i)
  {
    size_t length = strlen(joint_name(answers->model, i));
    if (length > longest) longest = length;
  }
  answers->label = malloc(LABEL_SIZE + 2 * longest);
  if (!answers->label) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  for (size_t k = 0; k < answers->columns && answers->names; ++k)
  {
    int width = text_width(answers_column(answers, k));
    if (width > answers->width) answers->width = width;
  }
  if (answers->width < TABLE_WIDTH) answers->width = TABLE_WIDTH;
  return DONE;
}

static void csv_begin(Answers* answers)
{
  for (size_t k = 0; k < answers->columns; ++k)
  {
    if (k > 0) out_bytes(answers->out, ",", 1);
    out_csv(answers->out, answers_column(answers, k));
  }
  out_text(answers->out, "\n");
}

static void csv_row(Answers* answers, const double* values)
{
  for (size_t k = 0; k < answers->columns; ++k)
  {
    if (k > 0) out_bytes(answers->out, ",", 1);
    out_number(answers->out, values[k]);
  }
  out_bytes(answers->out, "\n", 1);
}

static void json_begin(Answers* answers)
{
  out_text(answers->out, "[");
}

static void json_row(Answers* answers, const double* values)
{
  Out* out = answers->out;
  out_text(out, answers->count > 0 ? ",\n {" : "\n {");
  for (size_t k = 0; k < answers->columns; ++k)
  {
    if (k > 0) out_text(out, ", ");
    out_json(out, answers_column(answers, k));
    out_text(out, ": ");
    out_number(out, values[k]);
  }
  out_text(out, "}");
}

static void json_end(Answers* answers)
{
  out_text(answers->out, answers->count > 0 ? "\n]\n" : "]\n");
}

static void out_title(const Answers* answers)
{
  const char* method = method_text(answers->ws, answers->question);
  out_format(answers->out, "%s: %s", lw_model_name(answers->model),
             lw_question_info(answers->question)->name);
  if (method) out_format(answers->out, " by %s", method);
  out_format(answers->out, ", %s precision%s\n", answers->single ? "single" : "double",
             answers->rotors ? ", with rotor inertia" : "");
}

static void table_begin(Answers* answers)
{
  out_title(answers);
  if (!answers->many) return;
  out_format(answers->out, "%8s", "state");
  for (size_t k = 0; k < answers->columns; ++k)
  {
    out_text(answers->out, " ");
    out_padded(answers->out, answers_column(answers, k), -answers->width);
  }
  out_text(answers->out, "\n");
}

static void table_row(Answers* answers, const double* values)
{
  if (!answers->many) return answer_table(answers, values);
  out_format(answers->out, "%8ld", answers->count + 1);
  for (size_t k = 0; k < answers->columns; ++k)
    out_format(answers->out, " %*.6g", answers->width, values[k]);
  out_text(answers->out, "\n");
}

static void table_end(Answers* answers)
{
  const char* unit = lw_question_info(answers->question)->unit;
  if (answers->many && unit && *unit) out_format(answers->out, "units: %s\n", unit);
}

static void csv_end(Answers* answers)
{
  (void)answers;
}

// How a format begins, continues and ends.
static const struct
{
  void (*begin)(Answers*);
  void (*row)(Answers*, const double*);
  void (*end)(Answers*);
} WRITERS[] = {[FORMAT_TABLE] = {table_begin, table_row, table_end},
               [FORMAT_CSV]   = {csv_begin, csv_row, csv_end},
               [FORMAT_JSON]  = {json_begin, json_row, json_end}};

int answers_begin(Answers* answers)
{
  int status = take_label(answers);
  if (status == DONE) WRITERS[answers->format].begin(answers);
  return status;
}

void answers_row(Answers* answers, const double* values)
{
  WRITERS[answers->format].row(answers, values);
  ++answers->count;
}

void answers_end(Answers* answers)
{
  WRITERS[answers->format].end(answers);
  free(answers->label);
}
