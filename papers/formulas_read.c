// SPDX-License-Identifier: MIT
// Reads equations.txt: lines, terms by descent, symbols.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulas.h"

typedef struct FormulaReader
{
  Formulas* to;
  const char* file;
  const char* at;
  int line;
} FormulaReader;

static void* wrong_equation(FormulaReader* reader, const char* what)
{
  if (!reader->to->wrong[0])
    snprintf(reader->to->wrong, sizeof reader->to->wrong, "%s:%d: %s at '%.30s'", reader->file,
             reader->line, what, reader->at);
  return NULL;
}

static void skip_blanks(FormulaReader* reader)
{
  while (*reader->at == ' ') ++reader->at;
}

// Takes the word if it comes next.
static bool take_text(FormulaReader* reader, const char* word)
{
  size_t length = strlen(word);
  skip_blanks(reader);
  if (strncmp(reader->at, word, length) != 0) return false;
  reader->at += length;
  return true;
}

static FormulaTerm* new_term(FormulaReader* reader, TermKind kind, FormulaTerm* left,
                             FormulaTerm* right)
{
  FormulaTerm* term = lw_arena_take(&reader->to->arena, 1, sizeof *term);
  if (!term) return wrong_equation(reader, "no memory");
  *term = (FormulaTerm){.kind = kind, .left = left, .right = right};
  return term;
}

static const char* take_formula_name(FormulaReader* reader)
{
  skip_blanks(reader);
  size_t length = 0;
  while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_') ++length;
  if (length == 0 || isdigit((unsigned char)*reader->at))
    return wrong_equation(reader, "expected a name");
  const char* name = lw_arena_text(&reader->to->arena, reader->at, length);
  reader->at += length;
  return name;
}

static FormulaTerm* read_sum(FormulaReader* reader);

// sum(i, FIRST, LAST, TERM), after the parenthesis
static FormulaTerm* read_series(FormulaReader* reader)
{
  FormulaTerm* term = new_term(reader, TERM_SUM, NULL, NULL);
  if (!term) return NULL;
  term->name = take_formula_name(reader);
  for (int k = 0; k < 2 && term->name; ++k)
  {
    if (!take_text(reader, ",")) return wrong_equation(reader, "expected ,");
    term->index[k] = read_sum(reader);
    if (!term->index[k]) return NULL;
  }
  if (!take_text(reader, ",")) return wrong_equation(reader, "expected ,");
  term->left = read_sum(reader);
  if (!take_text(reader, ")")) return wrong_equation(reader, "expected )");
  return term->left ? term : NULL;
}

static FormulaTerm* read_indices(FormulaReader* reader, FormulaTerm* term)
{
  if (!take_text(reader, "[")) return term;
  do
  {
    if (term->indices == FORMULA_INDICES) return wrong_equation(reader, "too many indices");
    term->index[term->indices] = read_sum(reader);
    if (!term->index[term->indices++]) return NULL;
  } while (take_text(reader, ","));
  return take_text(reader, "]") ? term : wrong_equation(reader, "expected ]");
}

static FormulaTerm* read_bracket(FormulaReader* reader, TermKind kind)
{
  FormulaTerm *inside = read_sum(reader), *by = NULL;
  if (!inside) return NULL;
  if (kind == TERM_PARTIAL)
  {
    if (!take_text(reader, ",")) return wrong_equation(reader, "expected ,");
    by = read_sum(reader);
    if (!by || by->kind != TERM_NAME || by->indices != 1)
      return wrong_equation(reader, "expected a name with one index before");
  }
  if (kind == TERM_PARTIAL || kind == TERM_RATE) reader->to->derivatives = true;
  if (!take_text(reader, ")")) return wrong_equation(reader, "expected )");
  return new_term(reader, kind, inside, by);
}

// ( TERM ), tilde( TERM ) and so on; NULL and `*found` false: something else comes next.
static FormulaTerm* read_function(FormulaReader* reader, bool* found)
{
  static const struct
  {
    const char* name;
    TermKind kind;
  } functions[] = {{"(", TERM_BRACKET},    {"tilde(", TERM_TILDE}, {"axial(", TERM_AXIAL},
                   {"trace(", TERM_TRACE}, {"dt(", TERM_RATE},     {"d(", TERM_PARTIAL}};
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k)
  {
    *found = take_text(reader, functions[k].name);
    if (*found) return read_bracket(reader, functions[k].kind);
  }
  *found = take_text(reader, "sum(");
  return *found ? read_series(reader) : NULL;
}

static FormulaTerm* read_factor(FormulaReader* reader)
{
  bool found        = false;
  FormulaTerm* term = read_function(reader, &found);
  skip_blanks(reader);
  if (!found && isdigit((unsigned char)*reader->at))
  {
    char* end;
    term = new_term(reader, TERM_NUMBER, NULL, NULL);
    if (term) term->number = strtod(reader->at, &end);
    if (term) reader->at = reader->at[1] == '.' && reader->at[2] == '.' ? reader->at + 1 : end;
  }
  else if (!found && take_text(reader, "-"))
    return new_term(reader, TERM_NEGATE, read_factor(reader), NULL);
  else if (!found)
  {
    term = new_term(reader, TERM_NAME, NULL, NULL);
    if (term) term->name = take_formula_name(reader);
    term = term && term->name ? read_indices(reader, term) : NULL;
  }
  while (term && take_text(reader, "'")) term = new_term(reader, TERM_TRANSPOSE, term, NULL);
  return term;
}

static FormulaTerm* read_product(FormulaReader* reader)
{
  static const struct
  {
    const char* sign;
    TermKind kind;
  } signs[] = {{"*", TERM_MULTIPLY}, {"/", TERM_DIVIDE}, {"×", TERM_CROSS}, {"·", TERM_DOT}};
  FormulaTerm* left = read_factor(reader);
  for (size_t k = 0; k < sizeof signs / sizeof *signs && left; ++k)
    if (take_text(reader, signs[k].sign))
    {
      FormulaTerm* right = read_factor(reader);
      left               = right ? new_term(reader, signs[k].kind, left, right) : NULL;
      k                  = (size_t)-1;
    }
  return left;
}

static FormulaTerm* read_sum(FormulaReader* reader)
{
  FormulaTerm* left = read_product(reader);
  while (left)
  {
    TermKind kind = TERM_ADD;
    if (take_text(reader, "-"))
      kind = TERM_SUBTRACT;
    else if (!take_text(reader, "+"))
      break;
    FormulaTerm* right = read_product(reader);
    left               = right ? new_term(reader, kind, left, right) : NULL;
  }
  return left;
}

static bool wrong_range(FormulaReader* reader)
{
  wrong_equation(reader, "expected NAME = FIRST..LAST, twice at most,");
  return false;
}

static bool read_ranges(FormulaReader* reader, Formula* equation)
{
  while (take_text(reader, ","))
  {
    if (take_text(reader, "down"))
    {
      equation->down = true;
      continue;
    }
    if (equation->ranges == FORMULA_RANGES) return wrong_range(reader);
    FormulaRange* range = &equation->range[equation->ranges++];
    range->name         = take_formula_name(reader);
    if (!range->name || !take_text(reader, "=")) return wrong_range(reader);
    range->first = read_sum(reader);
    if (!range->first || !take_text(reader, "..")) return wrong_range(reader);
    range->last = read_sum(reader);
    if (!range->last) return false;
  }
  skip_blanks(reader);
  if (*reader->at) wrong_equation(reader, "expected the end of the line");
  return !*reader->at;
}

static bool read_equation(FormulaReader* reader, const char* erratum)
{
  Formula* equation = &reader->to->equation[reader->to->count];
  size_t length     = strcspn(reader->at, ":");
  *equation         = (Formula){.erratum = erratum, .line = reader->line};
  if (take_text(reader, "text "))
  {
    equation->text = lw_arena_text(&reader->to->arena, reader->at, strlen(reader->at));
    ++reader->to->count;
    return true;
  }
  equation->number = lw_arena_text(&reader->to->arena, reader->at, length);
  if (!reader->at[length]) return wrong_equation(reader, "expected NUMBER:") != NULL;
  reader->at += length + 1;
  equation->left  = read_sum(reader);
  equation->holds = equation->left && take_text(reader, "==");
  if (!equation->left || (!equation->holds && !take_text(reader, "=")))
    return wrong_equation(reader, "expected =") != NULL;
  if (!equation->holds && equation->left->kind != TERM_NAME)
    return wrong_equation(reader, "expected a name, or ==, before") != NULL;
  equation->right = read_sum(reader);
  if (!equation->right || !read_ranges(reader, equation)) return false;
  ++reader->to->count;
  return true;
}

static void read_symbol(FormulaReader* reader)
{
  FormulaSymbol* symbol = &reader->to->symbol[reader->to->symbols];
  symbol->name          = take_formula_name(reader);
  skip_blanks(reader);
  symbol->look = lw_arena_text(&reader->to->arena, reader->at, strlen(reader->at));
  if (symbol->name) ++reader->to->symbols;
}

bool formulas_read(Formulas* formulas, const char* name, const char* text, size_t length)
{
  FormulaReader reader = {.to = formulas, .file = name};
  const char *erratum = NULL, *end = text + length;
  int lines = 1;
  *formulas = (Formulas){.count = 0};
  for (const char* c = text; c < end; ++c) lines += *c == '\n';
  formulas->equation = lw_arena_take(&formulas->arena, (size_t)lines, sizeof(Formula));
  formulas->symbol   = lw_arena_take(&formulas->arena, (size_t)lines, sizeof(FormulaSymbol));
  if (!formulas->equation || !formulas->symbol) wrong_equation(&reader, "no memory");
  while (text < end && !formulas->wrong[0])
  {
    size_t width = strcspn(text, "\n");
    if (width > (size_t)(end - text)) width = (size_t)(end - text);
    reader.at = lw_arena_text(&formulas->arena, text, width);
    ++reader.line;
    text += width + 1;
    if (!reader.at || *reader.at == '#' || !*reader.at) continue;
    if (take_text(&reader, "symbol "))
      read_symbol(&reader);
    else if (take_text(&reader, "mark "))
      erratum = reader.at;
    else if (read_equation(&reader, erratum))
      erratum = NULL;
  }
  return !formulas->wrong[0];
}

void formulas_free(Formulas* formulas)
{
  lw_arena_free(&formulas->arena);
}
