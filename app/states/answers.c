// SPDX-License-Identifier: MIT
#include "answers.h"

#include <stdio.h>
#include <string.h>

enum
{
  TABLE_WIDTH = 14  // of a number in a table of many states
};

// Columns of the questions whose answer does not depend on the number of joints.
static const char* const ENERGY_COLUMNS[] = {"kinetic", "potential"};
static const char* const POSE_COLUMNS[]   = {"x",   "y",   "z",   "r11", "r12", "r13",
                                             "r21", "r22", "r23", "r31", "r32", "r33"};

static const char* const* const FIXED_COLUMNS[LW_QUESTION_COUNT] = {
    [LW_ENERGY] = ENERGY_COLUMNS, [LW_POSE] = POSE_COLUMNS};

static const bool IS_MATRIX[LW_QUESTION_COUNT] = {[LW_INERTIA] = true, [LW_JACOBIAN] = true};

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

int answers_column(const Answers* answers, size_t k, char name[COLUMN_SIZE])
{
  const char* const* fixed = FIXED_COLUMNS[answers->question];
  size_t n                 = (size_t)lw_model_dof(answers->model);
  char* end = put_text(name, fixed ? fixed[k] : lw_question_info(answers->question)->symbol);
  if (!fixed && IS_MATRIX[answers->question])
  {
    end = put_number(end, (int)(k / n) + 1);
    if (answers->columns / n > 9) *end++ = '_';  // M111: row 1 or row 11?
    end = put_number(end, (int)(k % n) + 1);
  }
  else if (!fixed)
    end = put_number(end, (int)k + 1);
  *end = 0;
  return (int)(end - name);
}

static void csv_begin(Answers* answers)
{
  char name[COLUMN_SIZE];
  for (size_t k = 0; k < answers->columns; ++k)
  {
    if (k > 0) out_bytes(answers->out, ",", 1);
    out_bytes(answers->out, name, (size_t)answers_column(answers, k, name));
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
  char name[COLUMN_SIZE];
  Out* out = answers->out;
  out_text(out, answers->count > 0 ? ",\n {" : "\n {");
  for (size_t k = 0; k < answers->columns; ++k)
  {
    out_text(out, k > 0 ? ", \"" : "\"");
    out_bytes(out, name, (size_t)answers_column(answers, k, name));
    out_text(out, "\": ");
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
  const char* method = method_text(answers->work, answers->question);
  out_format(answers->out, "%s: %s", lw_model_name(answers->model),
             lw_question_info(answers->question)->name);
  if (method) out_format(answers->out, " by %s", method);
  out_format(answers->out, ", %s precision%s\n", answers->single ? "single" : "double",
             answers->rotors ? ", with rotor inertia" : "");
}

static void table_begin(Answers* answers)
{
  char name[COLUMN_SIZE];
  out_title(answers);
  if (!answers->many) return;
  out_format(answers->out, "%8s", "state");
  for (size_t k = 0; k < answers->columns; ++k)
  {
    answers_column(answers, k, name);
    out_format(answers->out, " %*s", TABLE_WIDTH, name);
  }
  out_text(answers->out, "\n");
}

static void table_row(Answers* answers, const double* values)
{
  if (!answers->many) return answer_table(answers, values);
  out_format(answers->out, "%8ld", answers->count + 1);
  for (size_t k = 0; k < answers->columns; ++k)
    out_format(answers->out, " %*.6g", TABLE_WIDTH, values[k]);
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

void answers_begin(Answers* answers)
{
  WRITERS[answers->format].begin(answers);
}

void answers_row(Answers* answers, const double* values)
{
  WRITERS[answers->format].row(answers, values);
  ++answers->count;
}

void answers_end(Answers* answers)
{
  WRITERS[answers->format].end(answers);
}
