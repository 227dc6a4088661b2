// SPDX-License-Identifier: MIT
// Expressions of xacro: the part of Python that robot descriptions use. A fault is a value, which
// operations pass on, so that `a if b else c` and `and` may leave it behind.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "math/elementary.h"
#include "read/xacro/xacro.h"

enum
{
  MOST_NESTED    = 60,
  MOST_ARGUMENTS = 16,
  LONGEST_NAME   = 100,
  MOST_PIECES    = 1000,  // expressions in one text
  LONGEST_TEXT   = 1 << 16
};

typedef struct Parser
{
  lwXacro* xacro;
  lwXacroScope* scope;
  const char *at, *end;
  int depth;
} Parser;

static lwXacroValue parse_choice(Parser* p);

lwXacroValue lw_xacro_fault(lwXacro* xacro, const char* format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char* kept = lw_xacro_take(xacro, strlen(text) + 1);
  if (kept) memcpy(kept, text, strlen(text) + 1);
  return (lwXacroValue){.kind = LW_XACRO_FAULT, .text = kept ? kept : "out of memory"};
}

static lwXacroValue number_value(lwXacroKind kind, double number)
{
  return (lwXacroValue){.kind = kind, .number = number};
}

static bool is_number(const lwXacroValue* v)
{
  return v->kind == LW_XACRO_BOOL || v->kind == LW_XACRO_INT || v->kind == LW_XACRO_FLOAT;
}

static bool is_fault(const lwXacroValue* v)
{
  return v->kind == LW_XACRO_FAULT;
}

int lw_xacro_truth(const lwXacroValue* v)
{
  if (is_number(v)) return v->number != 0;
  if (v->kind == LW_XACRO_NONE) return 0;
  if (v->kind == LW_XACRO_NODE) return v->node->count > 0;
  return v->kind == LW_XACRO_TEXT ? v->text[0] != 0 : -1;
}

lwXacroValue lw_xacro_literal(const char* text)
{
  const char* at = text + strspn(text, " \t\r\n");
  double x;
  static const char* const words[] = {"false", "False", "true", "True"};
  for (int i = 0; i < 4; ++i)
    if (strcmp(text, words[i]) == 0) return number_value(LW_XACRO_BOOL, i >= 2);
  at += *at == '+';
  const char* begin = at;
  if (lw_number_read(&at, &x) && at[strspn(at, " \t\r\n")] == 0)
  {
    bool whole = true;
    for (const char* c = begin; c < at; ++c)
      whole = whole && (*c == '-' || (*c >= '0' && *c <= '9'));
    return number_value(whole && fabs(x) < 1e15 ? LW_XACRO_INT : LW_XACRO_FLOAT, x);
  }
  return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = text};
}

const char* lw_xacro_print(lwXacro* xacro, const lwXacroValue* v)
{
  char digits[LW_NUMBER_SIZE + 4];
  const char* text = v->text;
  if (v->kind == LW_XACRO_FAULT) return NULL;
  if (v->kind == LW_XACRO_NONE) text = "None";
  if (v->kind == LW_XACRO_NODE) text = v->node->kind == LW_NODE_SCALAR ? v->node->text : "";
  if (v->kind == LW_XACRO_BOOL) text = v->number != 0 ? "True" : "False";
  if (v->kind != LW_XACRO_INT && v->kind != LW_XACRO_FLOAT) return text;
  lw_number_write(v->number, digits);
  if (v->kind == LW_XACRO_FLOAT && !strpbrk(digits, ".en")) strcat(digits, ".0");
  char* kept = lw_xacro_take(xacro, strlen(digits) + 1);
  if (kept) memcpy(kept, digits, strlen(digits) + 1);
  return kept;
}

// --- words

static void skip_spaces(Parser* p)
{
  while (p->at < p->end && strchr(" \t\r\n", *p->at)) ++p->at;
}

static bool is_name_byte(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Takes an operator or a word, if it comes next.
static bool take_token(Parser* p, const char* token)
{
  size_t length = strlen(token);
  skip_spaces(p);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, token, length) != 0) return false;
  if (is_name_byte(token[0]) && p->at + length < p->end && is_name_byte(p->at[length]))
    return false;
  p->at += length;
  return true;
}

static bool take_name(Parser* p, char name[LONGEST_NAME])
{
  int length = 0;
  skip_spaces(p);
  if (p->at < p->end && *p->at >= '0' && *p->at <= '9') return false;
  while (p->at < p->end && is_name_byte(*p->at) && length < LONGEST_NAME - 1)
    name[length++] = *p->at++;
  name[length] = 0;
  return length > 0;
}

// --- functions

static double arcsine(double x)
{
  return lw_atan2(x, sqrt((1 - x) * (1 + x)));
}

static double arctangent(double x)
{
  return lw_atan2(x, 1);
}

static lwXacroValue one_number(const char* name, double x)
{
  static const struct
  {
    const char* name;
    double (*function)(double);
  } functions[] = {{"sin", lw_sin},   {"cos", lw_cos},      {"tan", lw_tan}, {"asin", arcsine},
                   {"acos", lw_acos}, {"atan", arctangent}, {"sqrt", sqrt},  {"fabs", fabs},
                   {"exp", lw_exp},   {"log", lw_log},      {"ceil", ceil},  {"floor", floor},
                   {"float", NULL}};
  bool whole    = !strcmp(name, "ceil") || !strcmp(name, "floor");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (strcmp(name, functions[i].name) == 0)
      return number_value(whole ? LW_XACRO_INT : LW_XACRO_FLOAT,
                          functions[i].function ? functions[i].function(x) : x);
  if (!strcmp(name, "radians")) return number_value(LW_XACRO_FLOAT, x * (LW_PI / 180));
  if (!strcmp(name, "degrees")) return number_value(LW_XACRO_FLOAT, x * (180 / LW_PI));
  if (!strcmp(name, "int")) return number_value(LW_XACRO_INT, trunc(x));
  if (!strcmp(name, "round")) return number_value(LW_XACRO_INT, nearbyint(x));
  return number_value(LW_XACRO_NONE, 0);
}

static lwXacroValue least_of(const lwXacroValue* v, int count, bool most)
{
  lwXacroValue best = v[0];
  for (int i = 1; i < count; ++i)
    if (most ? v[i].number > best.number : v[i].number < best.number) best = v[i];
  return best;
}

static lwXacroValue call(Parser* p, const char* name, lwXacroValue* v, int count)
{
  bool numbers = count > 0;
  for (int i = 0; i < count; ++i)
  {
    if (is_fault(&v[i])) return v[i];
    if (!strcmp(name, "float") || !strcmp(name, "int"))
      if (v[i].kind == LW_XACRO_TEXT) v[i] = lw_xacro_literal(v[i].text);
    numbers = numbers && is_number(&v[i]);
  }
  if (count == 1 && !strcmp(name, "str"))
    return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = lw_xacro_print(p->xacro, &v[0])};
  if (count == 1 && !strcmp(name, "bool"))
    return number_value(LW_XACRO_BOOL, lw_xacro_truth(&v[0]));
  if (count == 1 && !strcmp(name, "len") && v[0].kind == LW_XACRO_NODE)
    return number_value(LW_XACRO_INT, v[0].node->count);
  if (count == 1 && !strcmp(name, "load_yaml") && v[0].kind == LW_XACRO_TEXT)
    return lw_xacro_load(p->xacro, v[0].text);
  if (!numbers)
    return lw_xacro_fault(p->xacro, "function '%.60s' of these arguments is not known", name);
  double x = v[0].number, y = count > 1 ? v[1].number : 0;
  if (count == 1 && !strcmp(name, "abs")) return number_value(v[0].kind, fabs(x));
  if (!strcmp(name, "min") || !strcmp(name, "max")) return least_of(v, count, name[1] == 'a');
  if (count == 2 && !strcmp(name, "pow")) return number_value(LW_XACRO_FLOAT, lw_pow(x, y));
  if (count == 2 && !strcmp(name, "atan2")) return number_value(LW_XACRO_FLOAT, lw_atan2(x, y));
  if (count == 2 && !strcmp(name, "hypot")) return number_value(LW_XACRO_FLOAT, lw_hypot(x, y));
  lwXacroValue one = count == 1 ? one_number(name, x) : number_value(LW_XACRO_NONE, 0);
  if (one.kind != LW_XACRO_NONE) return one;
  return lw_xacro_fault(p->xacro, "function '%.60s' of %d numbers is not known", name, count);
}

static lwXacroValue parse_call(Parser* p, const char* name)
{
  lwXacroValue v[MOST_ARGUMENTS];
  int count = 0;
  while (!take_token(p, ")"))
  {
    if (count == MOST_ARGUMENTS || p->at >= p->end)
      return lw_xacro_fault(p->xacro, "'%.60s(': a parenthesis is missing", name);
    v[count++] = parse_choice(p);
    if (!take_token(p, ",") && !(p->at < p->end && *p->at == ')'))
      return lw_xacro_fault(p->xacro, "'%.60s(': expected , or )", name);
  }
  return call(p, name, v, count);
}

// --- atoms

// A property by its name: evaluated where it is defined, once.
static lwXacroValue look_up(Parser* p, const char* name)
{
  for (lwXacroScope* scope = p->scope; scope; scope = scope->parent)
    for (lwXacroProperty* property = scope->properties; property; property = property->next)
    {
      if (strcmp(property->name, name) != 0 || property->block) continue;
      if (property->known) return property->value;
      if (property->busy)
        return lw_xacro_fault(p->xacro, "property '%.60s' is defined by itself", name);
      property->busy  = true;
      property->value = lw_xacro_text(p->xacro, property->text, scope);
      property->busy  = false;
      property->known = true;
      return property->value;
    }
  if (!strcmp(name, "pi")) return number_value(LW_XACRO_FLOAT, LW_PI);
  if (!strcmp(name, "None")) return number_value(LW_XACRO_NONE, 0);
  lwXacroValue word = lw_xacro_literal(name);
  if (word.kind == LW_XACRO_BOOL) return word;
  return lw_xacro_fault(p->xacro, "there is no property '%.60s'", name);
}

static lwXacroValue parse_quoted(Parser* p)
{
  char quote       = *p->at++;
  const char* from = p->at;
  while (p->at < p->end && *p->at != quote) ++p->at;
  if (p->at >= p->end) return lw_xacro_fault(p->xacro, "a quotation mark is missing");
  size_t length = (size_t)(p->at++ - from);
  char* text    = lw_xacro_take(p->xacro, length + 1);
  if (!text) return lw_xacro_fault(p->xacro, "out of memory");
  memcpy(text, from, length);
  text[length] = 0;
  return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = text};
}

static lwXacroValue parse_number(Parser* p)
{
  char text[LONGEST_NAME];
  size_t length = 0;
  for (; p->at < p->end && length < sizeof text - 1; text[length++] = *p->at++)
    if (!((*p->at >= '0' && *p->at <= '9') || *p->at == '.' || *p->at == 'e' || *p->at == 'E' ||
          ((*p->at == '-' || *p->at == '+') && (p->at[-1] == 'e' || p->at[-1] == 'E'))))
      break;
  text[length]    = 0;
  const char* end = text;
  double x;
  char* dot = text + length;
  if (length > 0 && dot[-1] == '.') *--dot = 0;  // as in 2.
  if (!lw_number_read(&end, &x) || *end)
    return lw_xacro_fault(p->xacro, "'%.60s' is no number", text);
  bool whole = strspn(text, "0123456789") == length;
  return number_value(whole ? LW_XACRO_INT : LW_XACRO_FLOAT, x);
}

static lwXacroValue of_node(const lwNode* node)
{
  if (node->kind == LW_NODE_SCALAR && node->degrees)
  {
    lwXacroValue angle = lw_xacro_literal(node->text);
    return is_number(&angle) ? number_value(LW_XACRO_FLOAT, angle.number * (LW_PI / 180)) : angle;
  }
  if (node->kind == LW_NODE_SCALAR && node->plain) return lw_xacro_literal(node->text);
  if (node->kind == LW_NODE_SCALAR)
    return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = node->text};
  return (lwXacroValue){.kind = LW_XACRO_NODE, .node = node};
}

// An entry of a mapping, or an item of a list.
static lwXacroValue entry_at(Parser* p, const lwXacroValue* v, const lwXacroValue* key)
{
  if (is_fault(v)) return *v;
  if (is_fault(key)) return *key;
  if (v->kind == LW_XACRO_NODE && v->node->kind == LW_NODE_MAPPING && key->kind == LW_XACRO_TEXT)
  {
    const lwNode* found = NULL;  // the last of that name, as YAML readers of Python take it
    for (const lwItem* item = v->node->items; item; item = item->next)
      if (lw_node_is_word(item->key, key->text)) found = item->value;
    return found ? of_node(found) : lw_xacro_fault(p->xacro, "there is no key '%.60s'", key->text);
  }
  int index = key->kind == LW_XACRO_INT && fabs(key->number) < 1e9 ? (int)key->number : -1;
  if (v->kind == LW_XACRO_NODE && v->node->kind == LW_NODE_LIST && index >= 0 &&
      index < v->node->count)
  {
    const lwItem* item = v->node->items;
    while (index-- > 0) item = item->next;
    return of_node(item->value);
  }
  return lw_xacro_fault(p->xacro, "only mappings and lists of YAML files have entries");
}

static lwXacroValue parse_name(Parser* p)
{
  char name[LONGEST_NAME];
  if (!take_name(p, name)) return lw_xacro_fault(p->xacro, "expected a value at '%.20s'", p->at);
  while ((!strcmp(name, "math") || !strcmp(name, "xacro")) && p->at < p->end && *p->at == '.')
  {
    ++p->at;
    if (!take_name(p, name)) return lw_xacro_fault(p->xacro, "expected a name behind '.'");
  }
  return take_token(p, "(") ? parse_call(p, name) : look_up(p, name);
}

static lwXacroValue parse_atom(Parser* p)
{
  lwXacroValue v;
  skip_spaces(p);
  if (p->at >= p->end) return lw_xacro_fault(p->xacro, "an expression ends too early");
  if (*p->at == '\'' || *p->at == '"')
    v = parse_quoted(p);
  else if ((*p->at >= '0' && *p->at <= '9') || *p->at == '.')
    v = parse_number(p);
  else if (take_token(p, "("))
  {
    v = parse_choice(p);
    if (!take_token(p, ")") && !is_fault(&v))
      v = lw_xacro_fault(p->xacro, "a parenthesis is missing");
  }
  else
    v = parse_name(p);
  for (;;)
  {
    char name[LONGEST_NAME];
    lwXacroValue key = {.kind = LW_XACRO_TEXT, .text = name};
    if (take_token(p, "["))
    {
      key = parse_choice(p);
      v   = entry_at(p, &v, &key);
      if (!take_token(p, "]") && !is_fault(&v))
        return lw_xacro_fault(p->xacro, "a bracket is missing");
    }
    else if (v.kind == LW_XACRO_NODE && take_token(p, ".") && take_name(p, name))
      v = entry_at(p, &v, &key);
    else
      return v;
  }
}

// --- operators, from those that bind most

static lwXacroValue arithmetic(Parser* p, char op, const lwXacroValue* a, const lwXacroValue* b)
{
  double x = a->number, y = b->number, result = 0;
  if (is_fault(a)) return *a;
  if (is_fault(b)) return *b;
  if (op == '+' && a->kind == LW_XACRO_TEXT && b->kind == LW_XACRO_TEXT)
  {
    size_t before = strlen(a->text), after = strlen(b->text);
    char* text = lw_xacro_take(p->xacro, before + after + 1);
    if (!text) return lw_xacro_fault(p->xacro, "out of memory");
    memcpy(text, a->text, before);
    memcpy(text + before, b->text, after + 1);
    return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = text};
  }
  if (!is_number(a) || !is_number(b))
    return lw_xacro_fault(p->xacro, "'%c' needs two numbers, or two texts for '+'",
                          op == 'd' ? '/' : op);
  if ((op == '/' || op == 'd' || op == '%') && y == 0)
    return lw_xacro_fault(p->xacro, "a division by 0");
  bool whole = a->kind != LW_XACRO_FLOAT && b->kind != LW_XACRO_FLOAT;
  if (op == '+') result = x + y;
  if (op == '-') result = x - y;
  if (op == '*') result = x * y;
  if (op == '/') result = x / y;
  if (op == 'd') result = floor(x / y);
  if (op == '%') result = x - y * floor(x / y);
  if (op == '^') result = lw_pow(x, y);
  if (op == '/' || (op == '^' && y < 0)) whole = false;
  return number_value(whole ? LW_XACRO_INT : LW_XACRO_FLOAT, result);
}

static lwXacroValue parse_signed(Parser* p)
{
  lwXacroValue zero = number_value(LW_XACRO_INT, 0);
  if (++p->depth > MOST_NESTED)
  {
    p->at = p->end;
    return lw_xacro_fault(p->xacro, "an expression is nested too deeply");
  }
  lwXacroValue v;
  if (take_token(p, "-"))
  {
    v = parse_signed(p);
    v = arithmetic(p, '-', &zero, &v);
  }
  else if (take_token(p, "+"))
    v = parse_signed(p);
  else
    v = parse_atom(p);
  if (take_token(p, "**"))
  {
    lwXacroValue power = parse_signed(p);
    v                  = arithmetic(p, '^', &v, &power);
  }
  --p->depth;
  return v;
}

static lwXacroValue parse_product(Parser* p)
{
  lwXacroValue v = parse_signed(p);
  for (;;)
  {
    char op = take_token(p, "//")  ? 'd'
              : take_token(p, "*") ? '*'
              : take_token(p, "/") ? '/'
              : take_token(p, "%") ? '%'
                                   : 0;
    if (!op) return v;
    lwXacroValue other = parse_signed(p);
    v                  = arithmetic(p, op, &v, &other);
  }
}

static lwXacroValue parse_sum(Parser* p)
{
  lwXacroValue v = parse_product(p);
  for (;;)
  {
    char op = take_token(p, "+") ? '+' : take_token(p, "-") ? '-' : 0;
    if (!op) return v;
    lwXacroValue other = parse_product(p);
    v                  = arithmetic(p, op, &v, &other);
  }
}

static const char* const comparisons[] = {"==", "!=", "<=", ">=", "<", ">", "in", NULL};

static lwXacroValue compare(Parser* p, int op, const lwXacroValue* a, const lwXacroValue* b)
{
  if (is_fault(a)) return *a;
  if (is_fault(b)) return *b;
  bool texts = a->kind == LW_XACRO_TEXT && b->kind == LW_XACRO_TEXT;
  if (op == 6 && a->kind == LW_XACRO_TEXT && b->kind == LW_XACRO_NODE)
    return number_value(LW_XACRO_BOOL, lw_node_find(b->node, a->text) != NULL);
  if (op == 6 && texts) return number_value(LW_XACRO_BOOL, strstr(b->text, a->text) != NULL);
  if (op < 2 && !texts && !(is_number(a) && is_number(b)))
    return number_value(LW_XACRO_BOOL, (op == 1) ^ (a->kind == b->kind && a->node == b->node));
  if (op == 6 || !(texts || (is_number(a) && is_number(b))))
    return lw_xacro_fault(p->xacro, "'%s' does not compare these values", comparisons[op]);
  double order = texts ? (double)strcmp(a->text, b->text) : a->number - b->number;
  bool holds   = op == 0   ? order == 0
                 : op == 1 ? order != 0
                 : op == 2 ? order <= 0
                 : op == 3 ? order >= 0
                 : op == 4 ? order < 0
                           : order > 0;
  return number_value(LW_XACRO_BOOL, holds);
}

static lwXacroValue parse_comparison(Parser* p)
{
  bool negated   = take_token(p, "not");
  lwXacroValue v = parse_sum(p);
  for (int op = 0; comparisons[op]; ++op)
  {
    if (!take_token(p, comparisons[op])) continue;
    lwXacroValue other = parse_sum(p);
    v                  = compare(p, op, &v, &other);
    op                 = -1;
  }
  if (!negated || is_fault(&v)) return v;
  return number_value(LW_XACRO_BOOL, !lw_xacro_truth(&v));
}

static lwXacroValue parse_logic(Parser* p, bool either)
{
  lwXacroValue v = either ? parse_logic(p, false) : parse_comparison(p);
  while (take_token(p, either ? "or" : "and"))
  {
    lwXacroValue other = either ? parse_logic(p, false) : parse_comparison(p);
    bool keeps         = is_fault(&v) || lw_xacro_truth(&v) == either;
    if (!keeps) v = other;
  }
  return v;
}

static lwXacroValue parse_choice(Parser* p)
{
  lwXacroValue v = parse_logic(p, true);
  if (!take_token(p, "if")) return v;
  lwXacroValue condition = parse_logic(p, true);
  if (!take_token(p, "else")) return lw_xacro_fault(p->xacro, "'if' without 'else'");
  lwXacroValue other = parse_choice(p);
  if (is_fault(&condition)) return condition;
  return lw_xacro_truth(&condition) ? v : other;
}

lwXacroValue lw_xacro_expression(lwXacro* xacro, const char* text, size_t length,
                                 lwXacroScope* scope)
{
  Parser p       = {.xacro = xacro, .scope = scope, .at = text, .end = text + length};
  lwXacroValue v = parse_choice(&p);
  skip_spaces(&p);
  if (p.at < p.end && !is_fault(&v))
    return lw_xacro_fault(xacro, "'%.40s' is not understood", p.at);
  return v;
}

// --- texts

// The length of ${..} or $(..) at a place, or 0.
static size_t insertion(const char* at)
{
  if (at[0] != '$' || (at[1] != '{' && at[1] != '(')) return 0;
  const char* end = strchr(at, at[1] == '{' ? '}' : ')');
  return end ? (size_t)(end - at) + 1 : 0;
}

static lwXacroValue insert(lwXacro* xacro, const char* at, size_t length, lwXacroScope* scope)
{
  return at[1] == '{' ? lw_xacro_expression(xacro, at + 2, length - 3, scope)
                      : lw_xacro_substitute(xacro, at + 2, length - 3, scope);
}

static lwXacroValue joined(lwXacro* xacro, const char* before, size_t size, const char* more,
                           size_t length)
{
  char* text = lw_xacro_take(xacro, size + length + 1);
  if (!text) return lw_xacro_fault(xacro, "out of memory");
  memcpy(text, before, size);
  memcpy(text + size, more, length);
  text[size + length] = 0;
  return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = text};
}

lwXacroValue lw_xacro_text(lwXacro* xacro, const char* text, lwXacroScope* scope)
{
  size_t length = insertion(text);
  if (length > 0 && text[length] == 0)
  {
    lwXacroValue v = insert(xacro, text, length, scope);
    return text[1] == '(' && v.kind == LW_XACRO_TEXT ? lw_xacro_literal(v.text) : v;
  }
  if (!strchr(text, '$')) return lw_xacro_literal(text);
  lwXacroValue v = {.kind = LW_XACRO_TEXT, .text = ""};
  for (int pieces = 0; *text && !is_fault(&v); ++pieces)
  {
    if (pieces == MOST_PIECES || strlen(v.text) > LONGEST_TEXT)
      return lw_xacro_fault(xacro, "a text with too many expressions, or too long");
    bool escaped     = text[0] == '$' && text[1] == '$' && (text[2] == '{' || text[2] == '(');
    const char* more = text + escaped;
    length           = escaped ? 0 : insertion(text);
    size_t size;
    if (length > 0)
    {
      lwXacroValue part = insert(xacro, text, length, scope);
      more              = lw_xacro_print(xacro, &part);
      if (!more) return is_fault(&part) ? part : lw_xacro_fault(xacro, "out of memory");
      size = strlen(more);
    }
    else
      length = size = 1 + strcspn(more + 1, "$");
    v = joined(xacro, v.text, strlen(v.text), more, size);
    text += length + escaped;
  }
  return is_fault(&v) ? v : lw_xacro_literal(v.text);
}
