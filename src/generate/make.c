// SPDX-License-Identifier: MIT
#include "generate/make.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "generate/emit.h"

// --- what is asked for

static bool is_identifier(const char* name)
{
  static const char* const taken[] = {
      "auto",    "break",  "case",     "char",   "const",    "continue", "default",
      "do",      "double", "else",     "enum",   "extern",   "float",    "for",
      "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
      "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
      "typedef", "union",  "unsigned", "void",   "volatile", "while"};
  if (!isalpha((unsigned char)name[0]) && name[0] != '_') return false;
  for (const char* c = name; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  for (size_t k = 0; k < sizeof taken / sizeof *taken; ++k)
    if (!strcmp(name, taken[k])) return false;
  return strlen(name) <= 48;
}

lwStatus lw_generate_def_validate(const lwGenerateDef* def, lwDiag* diag)
{
  lwStatus status = lw_def_check(def->cookie, "lw_generate_def()", diag);
  if (status != LW_OK) return status;
  bool power = def->lanes >= 1 && def->lanes <= 16 && (def->lanes & (def->lanes - 1)) == 0;
  bool in_c  = def->language == LW_LANGUAGE_C;
  status     = LW_ERROR_INPUT;
  if ((unsigned)def->language >= LW_LANGUAGE_COUNT)
    LW_REFUSE(diag, NULL, "no such language");
  else if (!is_identifier(def->name))
    LW_REFUSE(
        diag, NULL,
        "'%.60s' cannot begin the names of functions: expected letters, digits and _, at most "
        "48, no digit first, no word of the language",
        def->name);
  else if (!power)
    LW_REFUSE(diag, NULL, "%d lanes are not possible, expected 1, 2, 4, 8 or 16", def->lanes);
  else if (!in_c && (def->lanes > 1 || def->test_states || def->sines == LW_SINES_VECTOR))
    LW_REFUSE(diag, NULL, "lanes, vectors of sines and test programs are made in C only");
  else if (def->precision == LW_PRECISION_SINGLE && !in_c && def->language != LW_LANGUAGE_RUST)
    LW_REFUSE(diag, NULL, "%s has no single precision; expected c or rust",
              lw_language_name(def->language));
  else if (def->fused && ((!in_c && def->language != LW_LANGUAGE_RUST) || def->lanes > 1))
    LW_REFUSE(diag, NULL, "fused multiply-adds are written in c, without lanes, and in rust");
  else if (def->symbols && def->language != LW_LANGUAGE_LATEX)
    LW_REFUSE(diag, NULL, "numbers as letters are for latex only");
  else
    status = LW_OK;
  return status;
}

// --- functions

// Nothing that ends a comment or a string of any language, no lines of its own.
static void copy_title(const char* name, char title[LW_FUNCTION_TITLE])
{
  size_t length = 0;
  for (; *name && length + 1 < LW_FUNCTION_TITLE; ++name)
  {
    bool control    = (unsigned char)*name < ' ' || *name == 127;
    bool slash      = *name == '/' || *name == '\\';
    bool comment    = slash && length > 0 && title[length - 1] == '*';
    bool opens      = *name == '*' && length > 0 && title[length - 1] == '/';
    char safe       = *name == '"' ? '\'' : slash ? '/' : *name;
    title[length++] = (char)(control || comment || opens ? ' ' : safe);
  }
  bool cut = *name != 0;  // no part of a character of UTF-8 stays
  while (cut && length > 0 && ((unsigned char)title[length - 1] & 0xC0) == 0x80) --length;
  if (cut && length > 0 && (unsigned char)title[length - 1] >= 0xC0) --length;
  title[length] = 0;
}

lwGenerated* lw_generated_open(const lwGenerateDef* def, const char* title)
{
  lwGenerated* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->def = *def;
  copy_title(title, made->title);
  snprintf(made->name, sizeof made->name, "%s", def->name);
  snprintf(made->lanes, sizeof made->lanes, "%s_lanes", def->name);
  return made;
}

lwStatus lw_function_open(lwGenerated* made, const char* words, lwDiag* diag, lwFunction** function)
{
  size_t capacity   = (size_t)(made->functions + 1) * sizeof *made->function;
  lwFunction* grown = realloc(made->function, capacity);
  if (!grown) return LW_ERROR_MEMORY;
  made->function   = grown;
  lwFunction* next = &grown[made->functions];
  *next            = (lwFunction){.program = {.graph = {.failed = true}}};
  size_t length = strcspn(words, ","), used = strlen(made->name);
  memcpy(next->name, made->name, used);
  next->name[used++] = '_';
  if (length > sizeof next->name - used - 1) length = sizeof next->name - used - 1;
  memcpy(next->name + used, words, length);
  for (char* c = next->name; *c; ++c)
    if (*c == '-' || *c == '+') *c = '_';
  for (int i = 0; i < made->functions; ++i)
    if (!strcmp(grown[i].name, next->name))
    {
      LW_REFUSE(diag, NULL, "the function '%s' is asked for twice", next->name);
      return LW_ERROR_INPUT;
    }
  *function = next;
  return LW_OK;
}

void lw_function_take(lwFunction* function, lwArgument argument, const char* name, int size,
                      const char* meaning)
{
  function->parameter[function->parameters++] = (lwTaken){argument, name, size, meaning};
}

void lw_function_take_sines(lwFunction* function, int size, const char* cosines, const char* sines)
{
  lw_function_take(function, LW_ARGUMENT_COSINE, "cosine", size, cosines);
  lw_function_take(function, LW_ARGUMENT_SINE, "sine", size, sines);
}

// Sines that are given are those of q, and of nothing else.
static lwStatus check_given(const lwFunction* function, lwDiag* diag)
{
  for (int k = 0; k < function->angles; ++k)
    if (lw_expr_kind(&function->program.graph, function->angle[k].expr) != LW_GRAPH_NODE_INPUT)
    {
      LW_REFUSE(diag, NULL,
                "sines cannot be given: a joint mimics another with a gain, so the "
                "sine of a multiple of its angle is needed");
      return LW_ERROR_INPUT;
    }
  return LW_OK;
}

lwStatus lw_function_finish(lwGenerated* made, lwFunction* function, int positions, lwDiag* diag)
{
  ++made->functions;
  if (!lw_plan_create(&function->program, &function->plan) ||
      !lw_function_find_angles(function, positions))
    return LW_ERROR_MEMORY;
  return made->def.sines == LW_SINES_GIVEN ? check_given(function, diag) : LW_OK;
}

lwStatus lw_write_sources(lwGenerated* made)
{
  lw_emit(made);
  if (made->def.language == LW_LANGUAGE_C && made->def.file)
  {
    lw_emit_header(made, &made->file[made->files].text);
    made->file[made->files++].suffix = ".h";
  }
  if (made->def.test_states > 0 && made->def.file)
  {
    if (!lw_emit_test(made, &made->file[made->files].text)) return LW_ERROR_MEMORY;
    made->file[made->files++].suffix = "_test.c";
  }
  for (int i = 0; i < made->files; ++i)
    if (made->file[i].text.failed) return LW_ERROR_MEMORY;
  return LW_OK;
}
