// SPDX-License-Identifier: MIT
// Torque laws: a recursive-descent parser that compiles the text to a program for a stack machine.
//
//   sum     = product { (+|-) product }
//   product = sign { (*|/) sign }
//   sign    = - sign | + sign | power
//   power   = atom [ ^ sign ]
//   atom    = number | name | function ( sum ) | ( sum )
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/law.h"
#include "math/elementary.h"

typedef struct LawReader
{
  const lwLawText* from;
  const char* at;
  int depth;
  bool failed;
  lwDiag* diag;
  lwLaw* law;
} LawReader;

// --- reading

static void fail_at(LawReader* reader, const char* at, const char* what)
{
  lwPlace place = reader->from->place;
  place.column += lw_text_characters(reader->from->text, (size_t)(at - reader->from->text));
  if (!reader->failed)
    lw_diag_report(reader->diag, LW_SEVERITY_ERROR, &reader->from->source, place, NULL, "%s", what);
  reader->failed = true;
}

// The text at a place, for a message.
static void fail_found(LawReader* reader, const char* expected)
{
  char what[160];
  const char* at = reader->at;
  uint32_t code;
  size_t decoded = lw_text_decode(at, strnlen(at, 4), &code);
  int length     = decoded > 0 ? (int)decoded : 1;
  if (*at)
    snprintf(what, sizeof what, "'%.*s' is not expected here, but %s", length, at, expected);
  else
    snprintf(what, sizeof what, "the law ends here, expected %s", expected);
  fail_at(reader, at, what);
}

static char peek_character(LawReader* reader)
{
  while (*reader->at == ' ' || *reader->at == '\t') ++reader->at;
  return *reader->at;
}

static bool take_character(LawReader* reader, char c)
{
  if (reader->failed || peek_character(reader) != c) return false;
  ++reader->at;
  return true;
}

static int operand_count(lwLawOperation operation)
{
  if (operation < LW_LAW_NEGATE) return 0;
  return operation == LW_LAW_NEGATE || operation == LW_LAW_CALL ? 1 : 2;
}

// Appends a step, whose operands are the last values of the program.
static void emit_code(LawReader* reader, lwLawCode code)
{
  lwLaw* law = reader->law;
  if (reader->failed) return;
  if (law->count == LW_LAW_MAX_CODES) return fail_at(reader, reader->at, "the law is too long");
  code.length = 1;
  code.varies =
      code.operation == LW_LAW_K || code.operation == LW_LAW_Q || code.operation == LW_LAW_QD;
  for (int i = 0; i < operand_count(code.operation); ++i)
  {
    const lwLawCode* operand = &law->code[law->count - code.length];
    code.varies              = code.varies || operand->varies;
    code.length += operand->length;
  }
  law->code[law->count++] = code;
}

static void read_sum(LawReader* reader);

static void read_law_number(LawReader* reader)
{
  const char* end = reader->at;
  lwLawCode code  = {.operation = LW_LAW_NUMBER};
  bool decimal    = reader->at[0] != '0' || (reader->at[1] | 0x20) != 'x';
  if (!lw_number_read(&end, &code.number) || !decimal || !isfinite(code.number))
    return fail_at(reader, reader->at, "this is no finite decimal number");
  reader->at = end;
  emit_code(reader, code);
}

static bool is_word(const char* word, const char* name, size_t length)
{
  return strlen(word) == length && strncmp(word, name, length) == 0;
}

static bool read_variable(LawReader* reader, const char* name, size_t length)
{
  static const struct
  {
    const char* name;
    lwLawOperation operation;
  } names[]             = {{"t", LW_LAW_T},       {"k", LW_LAW_K}, {"n", LW_LAW_N},
                           {"pi", LW_LAW_NUMBER}, {"q", LW_LAW_Q}, {"qd", LW_LAW_QD}};
  const lwLawText* from = reader->from;
  lwLawCode code        = {.operation = LW_LAW_CALL};
  for (int i = 0; from->names && i < from->name_count && code.operation == LW_LAW_CALL; ++i)
    if (is_word(from->names[i], name, length))
      code = (lwLawCode){.operation = LW_LAW_NAME, .number = i};
  for (int i = from->names ? 3 : 0; i < (from->names || !from->state ? 4 : 6); ++i)
    if (code.operation == LW_LAW_CALL && is_word(names[i].name, name, length))
      code = (lwLawCode){.operation = names[i].operation, .number = LW_PI};
  if (code.operation == LW_LAW_CALL) return false;
  emit_code(reader, code);
  return true;
}

static bool read_function(LawReader* reader, const char* name, size_t length)
{
  for (int i = 0; i < LW_LAW_FUNCTION_COUNT; ++i)
  {
    const lwLawFunction* function = &LW_LAW_FUNCTIONS[i];
    if (!is_word(function->name, name, length)) continue;
    if (!take_character(reader, '('))
      fail_found(reader, "'(' after the name of a function");
    else
    {
      read_sum(reader);
      if (!take_character(reader, ')') && !reader->failed) fail_found(reader, "')'");
    }
    emit_code(reader, (lwLawCode){.operation = LW_LAW_CALL, .function = function});
    return true;
  }
  return false;
}

static void fail_name(LawReader* reader, const char* name, size_t length)
{
  char what[160];
  lwNearest near = lw_nearest_part(name, length);
  for (int i = 0; i < reader->from->name_count; ++i) lw_nearest_try(&near, reader->from->names[i]);
  snprintf(what, sizeof what, "unknown name '%.*s'%s%.60s%s", (int)(length < 40 ? length : 40),
           name, near.best ? "; did you mean '" : "", near.best ? near.best : "",
           near.best ? "'?" : "");
  fail_at(reader, name, what);
}

static void read_name(LawReader* reader)
{
  const char* name = reader->at;
  size_t length    = 0;
  bool given       = reader->from->names != NULL;
  while (isalnum((unsigned char)name[length]) || name[length] == '_' ||
         (given && name[length] == '.'))
    ++length;
  reader->at += length;
  if (read_variable(reader, name, length) || read_function(reader, name, length)) return;
  if (given) return fail_name(reader, name, length);
  char what[160];
  snprintf(what, sizeof what,
           "unknown name '%.*s', expected t, k, n, %spi, sin, cos, tan, exp, sqrt or abs",
           (int)(length < 40 ? length : 40), name, reader->from->state ? "q, qd, " : "");
  fail_at(reader, name, what);
}

static void read_atom(LawReader* reader)
{
  char c = peek_character(reader);
  if (isalpha((unsigned char)c)) return read_name(reader);
  if (isdigit((unsigned char)c) || c == '.') return read_law_number(reader);
  if (!take_character(reader, '('))
    return fail_found(reader, reader->from->state
                                  ? "a number, t, k, n, q, qd, pi, a function or '('"
                                  : "a number, t, k, n, pi, a function or '('");
  read_sum(reader);
  if (!take_character(reader, ')') && !reader->failed) fail_found(reader, "')'");
}

static void read_sign(LawReader* reader)
{
  if (reader->failed) return;
  if (++reader->depth > LW_LAW_MAX_DEPTH)
    return fail_at(reader, reader->at, "the law is nested too deeply");
  if (take_character(reader, '-'))
  {
    read_sign(reader);
    emit_code(reader, (lwLawCode){.operation = LW_LAW_NEGATE});
  }
  else if (take_character(reader, '+'))
    read_sign(reader);
  else
  {
    read_atom(reader);
    if (take_character(reader, '^'))
    {
      read_sign(reader);
      emit_code(reader, (lwLawCode){.operation = LW_LAW_POWER});
    }
  }
  --reader->depth;
}

// Operands joined by either of two operators.
static void read_joined(LawReader* reader, void (*operand)(LawReader*), const char* signs,
                        lwLawOperation first, lwLawOperation second)
{
  operand(reader);
  while (!reader->failed)
  {
    lwLawOperation operation = take_character(reader, signs[0])   ? first
                               : take_character(reader, signs[1]) ? second
                                                                  : LW_LAW_NUMBER;
    if (operation == LW_LAW_NUMBER) return;
    operand(reader);
    emit_code(reader, (lwLawCode){.operation = operation});
  }
}

static void read_product(LawReader* reader)
{
  read_joined(reader, read_sign, "*/", LW_LAW_MULTIPLY, LW_LAW_DIVIDE);
}

static void read_sum(LawReader* reader)
{
  read_joined(reader, read_product, "+-", LW_LAW_ADD, LW_LAW_SUBTRACT);
}

lwStatus lw_law_read(const lwLawText* from, lwDiag* diag, lwLaw** law)
{
  *law             = calloc(1, sizeof **law);
  LawReader reader = {.from = from, .at = from->text, .diag = diag, .law = *law};
  if (!*law) return LW_ERROR_MEMORY;
  read_sum(&reader);
  if (!reader.failed && peek_character(&reader))
    fail_found(&reader, "an operator or the end of the law");
  for (int i = 0, depth = 0; i < (*law)->count; ++i)
  {
    depth += 1 - operand_count((*law)->code[i].operation);
    if (depth > (*law)->depth) (*law)->depth = depth;
  }
  if (!reader.failed) return LW_OK;
  lw_law_destroy(*law);
  *law = NULL;
  return LW_ERROR_INPUT;
}

static lwStatus create_law(const char* name, const char* text, bool state, lwDiag* diag,
                           lwLaw** law)
{
  lwLawText from = {
      .source = {name, text, strlen(text)}, .place = {1, 1}, .text = text, .state = state};
  return lw_law_read(&from, diag, law);
}

lwStatus lw_law_create(const char* name, const char* text, lwDiag* diag, lwLaw** law)
{
  return create_law(name, text, false, diag, law);
}

lwStatus lw_law_create_joint(const char* name, const char* text, lwDiag* diag, lwLaw** law)
{
  return create_law(name, text, true, diag, law);
}

void lw_law_destroy(lwLaw* law)
{
  free(law);
}

// --- computing

static double* push_value(double* top, double value)
{
  *top = value;
  return top + 1;
}

double* lw_law_step(const lwLawCode* code, const lwLawPoint* p, double* top)
{
  switch (code->operation)
  {
    case LW_LAW_NUMBER:
      return push_value(top, code->number);
    case LW_LAW_T:
      return push_value(top, p->t);
    case LW_LAW_K:
      return push_value(top, p->k);
    case LW_LAW_N:
      return push_value(top, p->n);
    case LW_LAW_Q:
      return push_value(top, p->q);
    case LW_LAW_QD:
      return push_value(top, p->qd);
    case LW_LAW_NAME:  // only those who know the names can tell
      return push_value(top, NAN);
    case LW_LAW_NEGATE:
      return push_value(top - 1, -top[-1]);
    case LW_LAW_ADD:
      return push_value(top - 2, top[-2] + top[-1]);
    case LW_LAW_SUBTRACT:
      return push_value(top - 2, top[-2] - top[-1]);
    case LW_LAW_MULTIPLY:
      return push_value(top - 2, top[-2] * top[-1]);
    case LW_LAW_DIVIDE:
      return push_value(top - 2, top[-2] / top[-1]);
    case LW_LAW_POWER:
      return push_value(top - 2, lw_pow(top[-2], top[-1]));
    case LW_LAW_CALL:
      return push_value(top - 1, code->function->of(top[-1]));
  }
  return top;
}

static double run_program(const lwLawCode* code, int count, const lwLawPoint* p, double* stack)
{
  double* top = stack;
  for (int i = 0; i < count; ++i) top = lw_law_step(&code[i], p, top);
  return stack[0];
}

// The program at one time: every part that is the same for all joints is replaced by its value.
static int fold_constants(const lwLaw* law, const lwLawPoint* p, lwLawCode folded[LW_LAW_MAX_CODES])
{
  int count = 0;
  for (int i = 0; i < law->count; ++i)
  {
    const lwLawCode* code = &law->code[i];
    if (code->varies)
    {
      folded[count++] = *code;
      continue;
    }
    double stack[3] = {0};
    int operands    = operand_count(code->operation);
    count -= operands;  // all of them are numbers
    for (int j = 0; j < operands; ++j) stack[j] = folded[count + j].number;
    lw_law_step(code, p, stack + operands);
    folded[count++] = (lwLawCode){.operation = LW_LAW_NUMBER, .number = stack[0]};
  }
  return count;
}

void lw_law_values(const lwLaw* law, double t, int n, int count, double* values)
{
  lwLawCode folded[LW_LAW_MAX_CODES] = {{0}};
  double stack[LW_LAW_MAX_STACK]     = {0};
  lwLawPoint p                       = {.t = t, .n = n};
  int length                         = fold_constants(law, &p, folded);
  for (int k = 0; k < count; ++k)
  {
    p.k       = k + 1;
    values[k] = run_program(folded, length, &p, stack);
  }
}

double lw_law_at(const lwLaw* law, const lwLawPoint* point)
{
  double usual[LW_LAW_USUAL] = {0};
  if (law->depth <= LW_LAW_USUAL) return run_program(law->code, law->count, point, usual);
  double stack[LW_LAW_MAX_STACK] = {0};
  return run_program(law->code, law->count, point, stack);
}
