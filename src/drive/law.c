// SPDX-License-Identifier: MIT
// Torque laws: text to a program for a stack of numbers, read by precedence.
//
//   sum     = product { (+|-) product }
//   product = sign { (*|/) sign }
//   sign    = - sign | + sign | power
//   power   = atom [ ^ sign ]
//   atom    = number | name | function ( sum ) | ( sum )
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "linkwork/simulate.h"

enum
{
  MAX_CODES = 256,  // numbers, names and operations of a law
  MAX_DEPTH = 64,   // of nesting, and so of the stack
  MAX_STACK = 3 * MAX_DEPTH + 3
};

static const double PI = 3.14159265358979323846;

typedef enum Operation
{
  NUMBER,
  T,
  K,
  N,
  NEGATE,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  POWER,
  CALL
} Operation;

typedef struct Function
{
  const char* name;
  double (*of)(double);
} Function;

static const Function FUNCTIONS[] = {{"sin", sin}, {"cos", cos},   {"tan", tan},
                                     {"exp", exp}, {"sqrt", sqrt}, {"abs", fabs}};

enum
{
  FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0]
};

// One step of the program.
typedef struct Code
{
  Operation operation;
  double number;         // of a NUMBER
  double (*of)(double);  // of a CALL
  int length;            // of the part of the program that yields this value
  bool varies;           // with k
} Code;

struct lwLaw
{
  int count;
  Code code[MAX_CODES];
};

typedef struct Reader
{
  const char* text;
  const char* at;
  int depth;
  bool failed;
  lwSource source;
  lwDiag* diag;
  lwLaw* law;
} Reader;

// --- reading

static void fail_at(Reader* reader, const char* at, const char* what)
{
  int column = 1;
  for (const char* s = reader->text; s < at; ++s) column += ((unsigned char)*s & 0xC0) != 0x80;
  if (!reader->failed)
    lw_diag_report(reader->diag, LW_SEVERITY_ERROR, &reader->source, (lwPlace){1, column}, NULL,
                   "%s", what);
  reader->failed = true;
}

// What stands at a place, for a message.
static void fail_found(Reader* reader, const char* expected)
{
  char what[160];
  const char* at = reader->at;
  int length     = 1;
  while (at[0] && ((unsigned char)at[length] & 0xC0) == 0x80) ++length;
  if (*at)
    snprintf(what, sizeof what, "'%.*s' is not expected here, but %s", length, at, expected);
  else
    snprintf(what, sizeof what, "the law ends here, expected %s", expected);
  fail_at(reader, at, what);
}

static char peek(Reader* reader)
{
  while (*reader->at == ' ' || *reader->at == '\t') ++reader->at;
  return *reader->at;
}

static bool take(Reader* reader, char c)
{
  if (reader->failed || peek(reader) != c) return false;
  ++reader->at;
  return true;
}

static int operand_count(Operation operation)
{
  if (operation < NEGATE) return 0;
  return operation == NEGATE || operation == CALL ? 1 : 2;
}

// Appends a step, whose operands are the last values of the program.
static void emit(Reader* reader, Code code)
{
  lwLaw* law = reader->law;
  if (reader->failed) return;
  if (law->count == MAX_CODES) return fail_at(reader, reader->at, "the law is too long");
  code.length = 1;
  code.varies = code.operation == K;
  for (int i = 0; i < operand_count(code.operation); ++i)
  {
    const Code* operand = &law->code[law->count - code.length];
    code.varies         = code.varies || operand->varies;
    code.length += operand->length;
  }
  law->code[law->count++] = code;
}

static void read_sum(Reader* reader);

// Numbers are written with a point, whatever the locale of the program is.
static void read_number(Reader* reader)
{
  char* end    = NULL;
  locale_t c   = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t old = c ? uselocale(c) : (locale_t)0;
  Code code    = {.operation = NUMBER, .number = strtod(reader->at, &end)};
  if (c) uselocale(old);
  if (c) freelocale(c);
  bool decimal = reader->at[0] != '0' || (reader->at[1] | 0x20) != 'x';
  if (end == reader->at || !decimal || !isfinite(code.number))
    return fail_at(reader, reader->at, "this is no finite decimal number");
  reader->at = end;
  emit(reader, code);
}

static bool read_variable(Reader* reader, const char* name, size_t length)
{
  static const struct
  {
    const char* name;
    Operation operation;
  } names[] = {{"t", T}, {"k", K}, {"n", N}, {"pi", NUMBER}};
  for (int i = 0; i < 4; ++i)
  {
    if (strlen(names[i].name) != length || strncmp(names[i].name, name, length) != 0) continue;
    emit(reader, (Code){.operation = names[i].operation, .number = PI});
    return true;
  }
  return false;
}

static bool read_function(Reader* reader, const char* name, size_t length)
{
  for (int i = 0; i < FUNCTION_COUNT; ++i)
  {
    if (strlen(FUNCTIONS[i].name) != length || strncmp(FUNCTIONS[i].name, name, length) != 0)
      continue;
    if (!take(reader, '('))
      fail_found(reader, "'(' behind the name of a function");
    else
    {
      read_sum(reader);
      if (!take(reader, ')') && !reader->failed) fail_found(reader, "')'");
    }
    emit(reader, (Code){.operation = CALL, .of = FUNCTIONS[i].of});
    return true;
  }
  return false;
}

static void read_name(Reader* reader)
{
  const char* name = reader->at;
  size_t length    = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_') ++length;
  reader->at += length;
  if (read_variable(reader, name, length) || read_function(reader, name, length)) return;
  char what[160];
  snprintf(what, sizeof what,
           "unknown name '%.*s', expected t, k, n, pi, sin, cos, tan, exp, sqrt or abs",
           (int)(length < 40 ? length : 40), name);
  fail_at(reader, name, what);
}

static void read_atom(Reader* reader)
{
  char c = peek(reader);
  if (isalpha((unsigned char)c)) return read_name(reader);
  if (isdigit((unsigned char)c) || c == '.') return read_number(reader);
  if (!take(reader, '(')) return fail_found(reader, "a number, t, k, n, pi, a function or '('");
  read_sum(reader);
  if (!take(reader, ')') && !reader->failed) fail_found(reader, "')'");
}

// Goes one level deeper; false, with the error noted, if that is too deep.
static bool deeper(Reader* reader)
{
  if (reader->failed) return false;
  if (++reader->depth <= MAX_DEPTH) return true;
  fail_at(reader, reader->at, "the law is nested too deeply");
  return false;
}

static void read_sign(Reader* reader)
{
  if (!deeper(reader)) return;
  if (take(reader, '-'))
  {
    read_sign(reader);
    emit(reader, (Code){.operation = NEGATE});
  }
  else if (take(reader, '+'))
    read_sign(reader);
  else
  {
    read_atom(reader);
    if (take(reader, '^'))
    {
      read_sign(reader);
      emit(reader, (Code){.operation = POWER});
    }
  }
  --reader->depth;
}

static void read_product(Reader* reader)
{
  read_sign(reader);
  while (!reader->failed)
  {
    Operation operation = take(reader, '*') ? MULTIPLY : take(reader, '/') ? DIVIDE : NUMBER;
    if (operation == NUMBER) return;
    read_sign(reader);
    emit(reader, (Code){.operation = operation});
  }
}

static void read_sum(Reader* reader)
{
  read_product(reader);
  while (!reader->failed)
  {
    Operation operation = take(reader, '+') ? ADD : take(reader, '-') ? SUBTRACT : NUMBER;
    if (operation == NUMBER) return;
    read_product(reader);
    emit(reader, (Code){.operation = operation});
  }
}

lwStatus lw_law_create(const char* name, const char* text, lwDiag* diag, lwLaw** law)
{
  *law          = calloc(1, sizeof **law);
  lwSource of   = {name, text, strlen(text)};
  Reader reader = {.text = text, .at = text, .source = of, .diag = diag, .law = *law};
  if (!*law) return LW_ERROR_MEMORY;
  read_sum(&reader);
  if (!reader.failed && peek(&reader)) fail_found(&reader, "an operator or the end of the law");
  if (!reader.failed) return LW_OK;
  lw_law_destroy(*law);
  *law = NULL;
  return LW_ERROR_INPUT;
}

void lw_law_destroy(lwLaw* law)
{
  free(law);
}

// --- computing

// What the steps of a program are about.
typedef struct Point
{
  double t, k, n;
} Point;

// One step: takes its operands off the stack and puts its value there. Returns the new top.
static double* step(const Code* code, Point p, double* top)
{
  switch (code->operation)
  {
    case NUMBER:
      *top = code->number;
      return top + 1;
    case T:
      *top = p.t;
      return top + 1;
    case K:
      *top = p.k;
      return top + 1;
    case N:
      *top = p.n;
      return top + 1;
    case NEGATE:
      top[-1] = -top[-1];
      return top;
    case ADD:
      top[-2] += top[-1];
      break;
    case SUBTRACT:
      top[-2] -= top[-1];
      break;
    case MULTIPLY:
      top[-2] *= top[-1];
      break;
    case DIVIDE:
      top[-2] /= top[-1];
      break;
    case POWER:
      top[-2] = pow(top[-2], top[-1]);
      break;
    case CALL:
      top[-1] = code->of(top[-1]);
      return top;
  }
  return top - 1;
}

static double value(const Code* code, int count, Point p, double stack[MAX_STACK])
{
  double* top = stack;
  for (int i = 0; i < count; ++i) top = step(&code[i], p, top);
  return stack[0];
}

// The program with every part that does not vary with k replaced by its value.
static int fold(const lwLaw* law, Point p, Code folded[MAX_CODES])
{
  int count = 0;
  for (int i = 0; i < law->count; ++i)
  {
    const Code* code = &law->code[i];
    if (code->varies)
    {
      folded[count++] = *code;
      continue;
    }
    double stack[3] = {0};
    int operands    = operand_count(code->operation);
    count -= operands;  // all of them are numbers
    for (int j = 0; j < operands; ++j) stack[j] = folded[count + j].number;
    step(code, p, stack + operands);
    folded[count++] = (Code){.operation = NUMBER, .number = stack[0]};
  }
  return count;
}

void lw_law_values(const lwLaw* law, double t, int n, int count, double* values)
{
  Code folded[MAX_CODES]  = {{0}};
  double stack[MAX_STACK] = {0};
  int length              = fold(law, (Point){t, 0, n}, folded);
  for (int k = 0; k < count; ++k) values[k] = value(folded, length, (Point){t, k + 1, n}, stack);
}
