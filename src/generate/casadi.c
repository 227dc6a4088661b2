// SPDX-License-Identifier: MIT
// Functions as CasADi's external() looks them up: NAME evaluates, jac_NAME its Jacobian; NAME_n_in
// and so on describe arguments, results and their sparsity.
//
//   int NAME(const double** arg, double** res, long long* iw, double* w, int mem)
//
// arg[i] may be NULL, for zeros, and res[i] if it is not wanted. A matrix is an array of the entries
// that are not zero, column by column: {rows, columns, begin of every column and end, row of every
// entry}. The Jacobian takes the results as well, which it does not need (no entries), and gives
// d result / d argument for each result and, of each, for each argument.
#include "generate/casadi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/derive.h"
#include "generate/emit.h"

// Entries that are not zero of a matrix, in order.
typedef struct CasadiPattern
{
  int rows, columns, count;
  int* row;     // (count)
  int* column;  // (count)
  int* from;    // (count) where the value stands among those that are computed
} CasadiPattern;

static void close_pattern(CasadiPattern* pattern)
{
  free(pattern->row);
  free(pattern->column);
  free(pattern->from);
}

static bool open_pattern(CasadiPattern* pattern, int rows, int columns)
{
  size_t most = (size_t)rows * (size_t)columns + 1;
  *pattern    = (CasadiPattern){rows,
                                columns,
                                0,
                                calloc(most, sizeof(int)),
                                calloc(most, sizeof(int)),
                                calloc(most, sizeof(int))};
  if (pattern->row && pattern->column && pattern->from) return true;
  close_pattern(pattern);
  return false;
}

static void add_entry(CasadiPattern* pattern, int row, int column, int from)
{
  pattern->row[pattern->count]    = row;
  pattern->column[pattern->count] = column;
  pattern->from[pattern->count++] = from;
}

// --- text

static void put_item(lwOut* text, int* written, int value)
{
  lw_out_format(text, "%s%d", *written == 0 ? "" : *written % 20 ? ", " : ",\n    ", value);
  ++*written;
}

static void put_pattern(lwOut* text, const char* name, const char* side, int number,
                        const CasadiPattern* pattern)
{
  int written = 0, at = 0;
  lw_out_format(text, "static const long long %s_%s%d[] = {", name, side, number);
  put_item(text, &written, pattern->rows);
  put_item(text, &written, pattern->columns);
  for (int c = 0; c <= pattern->columns; ++c)
  {
    put_item(text, &written, at);
    while (at < pattern->count && pattern->column[at] == c) ++at;
  }
  for (int k = 0; k < pattern->count; ++k) put_item(text, &written, pattern->row[k]);
  lw_out_text(text, "};\n");
}

static void put_places(lwOut* text, const char* name, int number, const CasadiPattern* pattern)
{
  int written = 0;
  lw_out_format(text, "static const int %s_from%d[] = {", name, number);
  for (int k = 0; k < pattern->count; ++k) put_item(text, &written, pattern->from[k]);
  lw_out_text(text, pattern->count ? "};\n" : "0};\n");
}

// One function for CasADi: what it takes and gives.
typedef struct CasadiEntry
{
  const lwGenerated* generated;
  const lwFunction* function;  // whose arguments and results these are
  const char* name;            // as CasADi knows it
  const char* values;          // the function that computes
  bool jacobian;
  int computed;  // numbers that it computes
  lwOut* text;
} CasadiEntry;

static int inputs_of(const CasadiEntry* entry)
{
  return entry->function->parameters + (entry->jacobian ? entry->function->results : 0);
}

static int outputs_of(const CasadiEntry* entry)
{
  return entry->function->results * (entry->jacobian ? entry->function->parameters : 1);
}

static void put_input_name(const CasadiEntry* entry, int i)
{
  int taken = entry->function->parameters;
  if (i < taken)
    lw_out_text(entry->text, entry->function->parameter[i].name);
  else
    lw_out_format(entry->text, "out_%s", entry->function->result[i - taken].name);
}

static void put_output_name(const CasadiEntry* entry, int i)
{
  int taken = entry->function->parameters;
  if (entry->jacobian)
    lw_out_format(entry->text, "jac_%s_%s", entry->function->result[i / taken].name,
                  entry->function->parameter[i % taken].name);
  else
    lw_out_text(entry->text, entry->function->result[i].name);
}

static void put_names(const CasadiEntry* entry, const char* side, int count,
                      void put(const CasadiEntry* entry, int i))
{
  lwOut* text = entry->text;
  lw_out_format(text, "const char* %s_name_%s(long long i);\n", entry->name, side);
  lw_out_format(text,
                "const char* %s_name_%s(long long i)\n{\n  static const char* const names[] = {",
                entry->name, side);
  for (int i = 0; i < count; ++i)
  {
    lw_out_text(text, i ? ", \"" : "\"");
    put(entry, i);
    lw_out_text(text, "\"");
  }
  lw_out_format(text, "};\n  return i >= 0 && i < %d ? names[i] : 0;\n}\n\n", count);
}

static void put_sparsity(const CasadiEntry* entry, const char* side, int count)
{
  lwOut* text = entry->text;
  lw_out_format(text, "const long long* %s_sparsity_%s(long long i);\n", entry->name, side);
  lw_out_format(text,
                "const long long* %s_sparsity_%s(long long i)\n{\n"
                "  static const long long* const patterns[] = {",
                entry->name, side);
  for (int i = 0; i < count; ++i)
    lw_out_format(text, "%s%s_%s%d", i ? ", " : "", entry->name, side, i);
  lw_out_format(text, "};\n  return i >= 0 && i < %d ? patterns[i] : 0;\n}\n\n", count);
}

static void put_count(const CasadiEntry* entry, const char* side, int count)
{
  lw_out_format(entry->text,
                "long long %s_n_%s(void);\nlong long %s_n_%s(void)\n{\n  return %d;\n}\n\n",
                entry->name, side, entry->name, side, count);
}

// Longest argument: as many zeros stand for one that is not given.
static int zeros_of(const lwFunction* function)
{
  int most = 0;
  for (int p = 0; p < function->parameters; ++p)
    if (function->parameter[p].size > most) most = function->parameter[p].size;
  return most;
}

static void put_work(const CasadiEntry* entry)
{
  static const char arguments[] =
      "(long long* sz_arg, long long* sz_res, long long* sz_iw, long long* sz_w)";
  lw_out_format(entry->text, "int %s_work%s;\nint %s_work%s\n{\n", entry->name, arguments,
                entry->name, arguments);
  lw_out_format(entry->text,
                "  if (sz_arg) *sz_arg = %d;\n  if (sz_res) *sz_res = %d;\n"
                "  if (sz_iw) *sz_iw = 0;\n  if (sz_w) *sz_w = %d;\n  return 0;\n}\n\n",
                inputs_of(entry), outputs_of(entry), zeros_of(entry->function) + entry->computed);
}

// The function itself. counts (outputs): entries of each result that are not zero.
static void put_evaluation(const CasadiEntry* entry, const int* counts)
{
  static const char arguments[] =
      "(const double** arg, double** res, long long* iw, double* w, int mem)";
  lwOut* text                = entry->text;
  const lwFunction* function = entry->function;
  int zeros                  = zeros_of(function);
  lw_out_format(text, "int %s%s;\nint %s%s\n{\n", entry->name, arguments, entry->name, arguments);
  lw_out_format(text, "  double* computed = w + %d;\n  (void)iw;\n  (void)mem;\n", zeros);
  lw_out_format(text, "  for (int k = 0; k < %d; ++k) w[k] = 0;\n  %s(", zeros, entry->values);
  for (int p = 0; p < function->parameters; ++p)
    lw_out_format(text, "%sarg[%d] ? arg[%d] : w", p ? ", " : "", p, p);
  for (int r = 0, at = 0; r < (entry->jacobian ? 1 : function->results); ++r)
  {
    lw_out_format(text, ", computed + %d", at);
    at += lw_result_size(&function->result[r]);
  }
  lw_out_text(text, ");\n");
  for (int o = 0; o < outputs_of(entry); ++o)
    lw_out_format(text,
                  "  if (res[%d])\n    for (int k = 0; k < %d; ++k) res[%d][k] = "
                  "computed[%s_from%d[k]];\n",
                  o, counts[o], o, entry->name, o);
  lw_out_text(text, "  return 0;\n}\n\n");
}

// --- patterns

// All entries of a matrix, or none.
static bool put_whole(const CasadiEntry* entry, int number, int rows, int columns, bool filled)
{
  CasadiPattern pattern;
  if (!open_pattern(&pattern, rows, columns)) return false;
  for (int c = 0; filled && c < columns; ++c)
    for (int r = 0; r < rows; ++r) add_entry(&pattern, r, c, 0);
  put_pattern(entry->text, entry->name, "in", number, &pattern);
  close_pattern(&pattern);
  return true;
}

static bool put_inputs(const CasadiEntry* entry)
{
  const lwFunction* function = entry->function;
  bool enough                = true;
  for (int i = 0; i < inputs_of(entry) && enough; ++i)
    if (i < function->parameters)
      enough = put_whole(entry, i, function->parameter[i].size, 1, true);
    else
      enough = put_whole(entry, i, function->result[i - function->parameters].rows,
                         function->result[i - function->parameters].columns, false);
  return enough;
}

static int finish_output(const CasadiEntry* entry, int number, CasadiPattern* pattern)
{
  put_pattern(entry->text, entry->name, "out", number, pattern);
  put_places(entry->text, entry->name, number, pattern);
  close_pattern(pattern);
  return pattern->count;
}

// Results without the entries that are always zero.
static bool put_results(const CasadiEntry* entry, int* counts)
{
  const lwFunction* function = entry->function;
  for (int o = 0, first = 0; o < function->results; ++o)
  {
    const lwResult* result = &function->result[o];
    CasadiPattern pattern;
    if (!open_pattern(&pattern, result->rows, result->columns)) return false;
    for (int c = 0; c < result->columns; ++c)
      for (int r = 0; r < result->rows; ++r)
        if (function->program.outputs[first + r * result->columns + c])
          add_entry(&pattern, r, c, first + r * result->columns + c);
    counts[o] = finish_output(entry, o, &pattern);
    first += lw_result_size(result);
  }
  return true;
}

static bool put_blocks(const CasadiEntry* entry, const lwJacobianEntry* places, int* counts)
{
  const lwFunction* function = entry->function;
  for (int o = 0, k = 0; o < outputs_of(entry); ++o)
  {
    int r = o / function->parameters, p = o % function->parameters;
    CasadiPattern pattern;
    if (!open_pattern(&pattern, lw_result_size(&function->result[r]), function->parameter[p].size))
      return false;
    for (; k < entry->computed && places[k].result == r && places[k].parameter == p; ++k)
      add_entry(&pattern, places[k].row, places[k].column, k);
    counts[o] = finish_output(entry, o, &pattern);
  }
  return true;
}

// places: of a Jacobian, else NULL.
static bool put_described(const CasadiEntry* entry, const lwJacobianEntry* places)
{
  int* counts = calloc((size_t)outputs_of(entry) + 1, sizeof *counts);
  bool enough = counts && put_inputs(entry) &&
                (places ? put_blocks(entry, places, counts) : put_results(entry, counts));
  lw_out_text(entry->text, "\n");
  if (enough)
  {
    put_evaluation(entry, counts);
    put_count(entry, "in", inputs_of(entry));
    put_count(entry, "out", outputs_of(entry));
    put_names(entry, "in", inputs_of(entry), put_input_name);
    put_names(entry, "out", outputs_of(entry), put_output_name);
    put_sparsity(entry, "in", inputs_of(entry));
    put_sparsity(entry, "out", outputs_of(entry));
    put_work(entry);
  }
  free(counts);
  return enough;
}

// --- one function and its Jacobian

static bool put_jacobian(lwGenerated* made, const lwFunction* function, const char* name,
                         lwOut* text)
{
  char entry_name[LW_FUNCTION_NAME + 16];
  lwJacobianEntry* places = NULL;
  lwFunction jacobian     = *function;
  lwFunction* of          = &jacobian;
  jacobian.angle          = NULL;
  jacobian.angles         = 0;
  jacobian.plan           = (lwPlan){0};
  jacobian.results        = 1;
  snprintf(jacobian.method, sizeof jacobian.method, "%.230s, differentiated", function->method);
  jacobian.result[0] =
      (lwResult){.name = "entries", .columns = 1, .meaning = "entries that are not zero"};
  snprintf(entry_name, sizeof entry_name, "jac_%s", name);
  snprintf(jacobian.name, sizeof jacobian.name, "%.200s_jacobian", name);
  bool enough             = lw_derive(function, &jacobian.program, &places);
  jacobian.result[0].rows = jacobian.program.output_count;
  enough                  = enough && lw_plan_create(&jacobian.program, &jacobian.plan) &&
           lw_function_find_angles(of, made->nq);
  if (enough) lw_emit_form(made, of, "\nvoid $n($pconst $T* $n$;, $r$T* $n$;);\n", text);
  if (enough) lw_emit_function(made, of, text);
  lw_out_text(text, "\n");
  const CasadiEntry entry = {
      made, function, entry_name, jacobian.name, true, jacobian.program.output_count, text};
  enough = enough && put_described(&entry, places);
  lw_function_free(of);
  free(places);
  return enough;
}

bool lw_emit_casadi(lwGenerated* made, lwOut* text)
{
  bool enough = true;
  for (int i = 0; i < made->functions && enough; ++i)
  {
    char name[LW_FUNCTION_NAME];
    const lwFunction* function = &made->function[i];
    size_t length              = strlen(function->name) - strlen(LW_CASADI_VALUES);
    snprintf(name, sizeof name, "%.*s", (int)length, function->name);
    lw_out_format(text, "\n/* CasADi: external(\"%s\", \"./FILE.so\") */\n", name);
    const CasadiEntry entry = {
        made, function, name, function->name, false, function->program.output_count, text};
    enough = put_described(&entry, NULL) && put_jacobian(made, function, name, text);
  }
  return enough;
}
