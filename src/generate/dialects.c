// SPDX-License-Identifier: MIT
// How each language writes a straight line of arithmetic.
#include <string.h>

#include "generate/emit.h"

// --- C

const char* lw_emit_scalar(const lwGenerated* generated)
{
  return generated->def.precision == LW_PRECISION_SINGLE ? "float" : "double";
}

const char* lw_emit_type(const lwGenerated* generated)
{
  return generated->def.lanes > 1 ? generated->lanes : lw_emit_scalar(generated);
}

void lw_emit_c_parameters(const lwGenerated* generated, const lwFunction* function,
                          lwCodeText* text)
{
  const char* type = lw_emit_type(generated);
  for (int k = 0; k < function->parameters; ++k)
    lw_code_put(text, "%sconst %s* restrict %s", k ? ", " : "", type, function->parameter[k].name);
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "%s%s* restrict %s", k || function->parameters ? ", " : "", type,
                function->result[k].name);
}

void lw_emit_lanes(const lwGenerated* generated, lwCodeText* text)
{
  bool single = generated->def.precision == LW_PRECISION_SINGLE;
  lw_code_put(text, "\n/* The same number of %d states. */\n", generated->def.lanes);
  lw_code_put(text, "typedef %s %s __attribute__((vector_size(%d)));\n", lw_emit_scalar(generated),
              generated->lanes, generated->def.lanes * (single ? 4 : 8));
}

static bool is_read(const lwGraph* graph, lwExpr a, lwArgument argument)
{
  const lwGraphNode* node = lw_expr_node(graph, a);
  return node->kind == LW_GRAPH_NODE_INPUT && lw_input_argument(node) == argument;
}

// Whether the text has an entry of it: angles are not read where their sines are given.
static bool argument_is_used(const lwGenerated* generated, const lwFunction* function,
                             lwArgument argument)
{
  const lwGraph* graph = &function->program.graph;
  bool given           = generated->def.sines == LW_SINES_GIVEN;
  for (int k = 0; k < function->program.output_count; ++k)
    if (is_read(graph, function->program.outputs[k], argument)) return true;
  for (int32_t i = 0; i < graph->count; ++i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    bool sine = node->kind == LW_GRAPH_NODE_SIN, cosine = node->kind == LW_GRAPH_NODE_COS;
    bool leaf = node->kind == LW_GRAPH_NODE_INPUT || node->kind == LW_GRAPH_NODE_CONSTANT;
    if (!function->plan.uses[i] || leaf) continue;
    if (given &&
        ((sine && argument == LW_ARGUMENT_SINE) || (cosine && argument == LW_ARGUMENT_COSINE)))
      return true;
    if (given && (sine || cosine)) continue;
    bool binary = node->kind == LW_GRAPH_NODE_ADD || node->kind == LW_GRAPH_NODE_MUL ||
                  node->kind == LW_GRAPH_NODE_DIV;
    if (is_read(graph, node->a, argument) || (binary && is_read(graph, node->b, argument)))
      return true;
  }
  return false;
}

// Whether sines are computed in vectors.
static bool has_vector_sines(const lwGenerated* generated)
{
  if (!lw_emit_has_vectors(generated) || generated->def.sines == LW_SINES_GIVEN) return false;
  for (int i = 0; i < generated->functions; ++i)
    if (generated->function[i].angles > 0) return true;
  return false;
}

static bool has_roots(const lwGenerated* generated)
{
  for (int i = 0; i < generated->functions; ++i)
    if (lw_generated_count(generated, i).sqrt > 0) return true;
  return false;
}

static void c_open(const lwGenerated* generated, lwCodeText* text)
{
  lw_code_put(text, "/* %s: made by linkwork %s, to be made again rather than edited. */\n",
              generated->title, lw_version());
  if (generated->def.file) lw_code_put(text, "#include \"%s.h\"\n\n", generated->def.file);
  if (generated->def.sines != LW_SINES_GIVEN || generated->def.fused || has_roots(generated))
    lw_code_put(text, "#include <math.h>\n");
  if (!generated->def.file && generated->def.lanes > 1) lw_emit_lanes(generated, text);
  if (has_vector_sines(generated)) lw_emit_sincos(generated, text);
}

static void c_begin(const lwGenerated* generated, const lwFunction* function, lwCodeText* text)
{
  lw_code_put(text, "\n/**\n");
  lw_emit_about(generated, function, " * ", text);
  lw_code_put(text, " */\nvoid %s(", function->name);
  lw_emit_c_parameters(generated, function, text);
  lw_code_put(text, ")\n{\n");
  for (int k = 0; k < function->parameters; ++k)
    if (!argument_is_used(generated, function, function->parameter[k].argument))
      lw_code_put(text, "  (void)%s;\n", function->parameter[k].name);
}

static void brace_finish(const lwGenerated* generated, const lwFunction* function, lwCodeText* text)
{
  (void)generated;
  (void)function;
  lw_code_put(text, "}\n");
}

// --- Python

static void put_names(const lwFunction* function, lwCodeText* text)
{
  for (int k = 0; k < function->parameters; ++k)
    lw_code_put(text, "%s%s", k ? ", " : "", function->parameter[k].name);
}

static void python_open(const lwGenerated* generated, lwCodeText* text)
{
  lw_code_put(text, "# %s: made by linkwork %s, to be made again rather than edited.\n",
              generated->title, lw_version());
  lw_code_put(text, "from math import cos, sin, sqrt  # noqa: F401\n");
}

static void python_begin(const lwGenerated* generated, const lwFunction* function, lwCodeText* text)
{
  lw_code_put(text, "\n\ndef %s(", function->name);
  put_names(function, text);
  lw_code_put(text, "):\n    \"\"\"\n");
  lw_emit_about(generated, function, "    ", text);
  lw_code_put(text, "    \"\"\"\n");
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "    %s = [0.0] * %d\n", function->result[k].name,
                function->result[k].rows * function->result[k].columns);
}

static void python_finish(const lwGenerated* generated, const lwFunction* function,
                          lwCodeText* text)
{
  (void)generated;
  lw_code_put(text, "    return ");
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "%s%s", k ? ", " : "", function->result[k].name);
  lw_code_put(text, "\n");
}

// --- MATLAB and Octave

// With several functions, the first chooses by name: a file has one entry.
static void matlab_open(const lwGenerated* generated, lwCodeText* text)
{
  if (generated->functions == 1) return;
  lw_code_put(text, "function varargout = %s(what, varargin)\n", generated->name);
  lw_code_put(text, "%% %s: made by linkwork %s, to be made again rather than edited.\n",
              generated->title, lw_version());
  lw_code_put(text, "%% [out, ..] = %s('QUESTION', arguments ..)\n", generated->name);
  lw_code_put(text, "  switch what\n");
  for (int i = 0; i < generated->functions; ++i)
    lw_code_put(text, "    case '%s'\n      [varargout{1:%d}] = %s(varargin{:});\n",
                generated->function[i].name + strlen(generated->name) + 1,
                generated->function[i].results, generated->function[i].name);
  lw_code_put(text, "    otherwise\n      error('no question %%s', what);\n  end\nend\n\n");
}

static void matlab_begin(const lwGenerated* generated, const lwFunction* function, lwCodeText* text)
{
  lw_code_put(text, "function [");
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "%s%s", k ? ", " : "", function->result[k].name);
  lw_code_put(text, "] = %s(", function->name);
  put_names(function, text);
  lw_code_put(text, ")\n");
  lw_emit_about(generated, function, "% ", text);
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "  %s = zeros(%d, 1);\n", function->result[k].name,
                function->result[k].rows * function->result[k].columns);
}

// Entries were numbered row by row; MATLAB numbers them column by column.
static void matlab_finish(const lwGenerated* generated, const lwFunction* function,
                          lwCodeText* text)
{
  (void)generated;
  for (int k = 0; k < function->results; ++k)
  {
    const lwResult* result = &function->result[k];
    if (result->columns > 1)
      lw_code_put(text, "  %s = reshape(%s, %d, %d).';\n", result->name, result->name,
                  result->columns, result->rows);
  }
  lw_code_put(text, "end\n\n");
}

// --- JavaScript

static void javascript_open(const lwGenerated* generated, lwCodeText* text)
{
  lw_code_put(text, "// %s: made by linkwork %s, to be made again rather than edited.\n",
              generated->title, lw_version());
  lw_code_put(text, "\"use strict\";\n");
}

static void javascript_begin(const lwGenerated* generated, const lwFunction* function,
                             lwCodeText* text)
{
  lw_code_put(text, "\n/**\n");
  lw_emit_about(generated, function, " * ", text);
  lw_code_put(text, " */\nfunction %s(", function->name);
  put_names(function, text);
  lw_code_put(text, ") {\n");
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "  const %s = new Float64Array(%d);\n", function->result[k].name,
                function->result[k].rows * function->result[k].columns);
}

static void javascript_finish(const lwGenerated* generated, const lwFunction* function,
                              lwCodeText* text)
{
  (void)generated;
  bool several = function->results > 1;
  lw_code_put(text, "  return %s", several ? "{ " : "");
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "%s%s", k ? ", " : "", function->result[k].name);
  lw_code_put(text, "%s;\n}\n", several ? " }" : "");
}

static void javascript_close(const lwGenerated* generated, lwCodeText* text)
{
  lw_code_put(text, "\nif (typeof module !== \"undefined\") module.exports = { ");
  for (int i = 0; i < generated->functions; ++i)
    lw_code_put(text, "%s%s", i ? ", " : "", generated->function[i].name);
  lw_code_put(text, " };\n");
}

// --- Rust

static void rust_open(const lwGenerated* generated, lwCodeText* text)
{
  lw_code_put(text, "// %s: made by linkwork %s, to be made again rather than edited.\n",
              generated->title, lw_version());
  if (generated->def.precision == LW_PRECISION_SINGLE)
    lw_code_put(text, "#![allow(clippy::excessive_precision)]\n");
}

static void rust_begin(const lwGenerated* generated, const lwFunction* function, lwCodeText* text)
{
  const char* type = generated->def.precision == LW_PRECISION_SINGLE ? "f32" : "f64";
  lw_code_put(text, "\n");
  lw_emit_about(generated, function, "/// ", text);
  lw_code_put(text, "#[allow(unused_variables, unused_parens, non_snake_case, "
                    "non_upper_case_globals, dead_code)]\n");
  lw_code_put(text, "pub fn %s(", function->name);
  for (int k = 0; k < function->parameters; ++k)
    lw_code_put(text, "%s: &[%s; %d], ", function->parameter[k].name, type,
                function->parameter[k].size);
  for (int k = 0; k < function->results; ++k)
    lw_code_put(text, "%s%s: &mut [%s; %d]", k ? ", " : "", function->result[k].name, type,
                function->result[k].rows * function->result[k].columns);
  lw_code_put(text, ") {\n");
}

// --- the table

#define C_DIALECT(type, end_of_float)                                                              \
  {                                                                                                \
    .suffix = ".c", .comment = "// ", .constant = "  static const " type " %s = %s;\n",            \
    .local = "  const " type " %s = ", .end = ";", .element = "%s[%d]",                            \
    .sine = "sin" end_of_float "(%s)", .cosine = "cos" end_of_float "(%s)",                        \
    .root = "sqrt" end_of_float "(%s)", .fused = "fma" end_of_float "(%s, %s, %s)",                \
    .float_end = end_of_float, .point = true, .open = c_open, .begin = c_begin,                    \
    .finish = brace_finish                                                                         \
  }

#define RUST_DIALECT(type)                                                                         \
  {                                                                                                \
    .suffix = ".rs", .comment = "// ", .constant = "    const %s: " type " = %s;\n",               \
    .local = "    let %s = ", .end = ";", .element = "%s[%d]", .sine = "(%s).sin()",               \
    .cosine = "(%s).cos()", .root = "(%s).sqrt()", .fused = "(%s).mul_add(%s, %s)",                \
    .float_end = "", .point = true, .open = rust_open, .begin = rust_begin, .finish = brace_finish \
  }

static const lwDialect dialects[LW_LANGUAGE_LATEX] = {
    [LW_LANGUAGE_C]          = C_DIALECT("double", ""),
    [LW_LANGUAGE_PYTHON]     = {.suffix    = ".py",
                                .comment   = "# ",
                                .constant  = "    %s = %s\n",
                                .local     = "    %s = ",
                                .end       = "",
                                .element   = "%s[%d]",
                                .sine      = "sin(%s)",
                                .cosine    = "cos(%s)",
                                .root      = "sqrt(%s)",
                                .float_end = "",
                                .open      = python_open,
                                .begin     = python_begin,
                                .finish    = python_finish},
    [LW_LANGUAGE_MATLAB]     = {.suffix    = ".m",
                                .comment   = "% ",
                                .constant  = "  %s = %s;\n",
                                .local     = "  %s = ",
                                .end       = ";",
                                .element   = "%s(%d)",
                                .first     = 1,
                                .sine      = "sin(%s)",
                                .cosine    = "cos(%s)",
                                .root      = "sqrt(%s)",
                                .float_end = "",
                                .open      = matlab_open,
                                .begin     = matlab_begin,
                                .finish    = matlab_finish},
    [LW_LANGUAGE_JAVASCRIPT] = {.suffix    = ".js",
                                .comment   = "// ",
                                .constant  = "  const %s = %s;\n",
                                .local     = "  const %s = ",
                                .end       = ";",
                                .element   = "%s[%d]",
                                .sine      = "Math.sin(%s)",
                                .cosine    = "Math.cos(%s)",
                                .root      = "Math.sqrt(%s)",
                                .float_end = "",
                                .open      = javascript_open,
                                .begin     = javascript_begin,
                                .finish    = javascript_finish,
                                .close     = javascript_close},
    [LW_LANGUAGE_RUST]       = RUST_DIALECT("f64"),
};
static const lwDialect c_single    = C_DIALECT("float", "f");
static const lwDialect rust_single = RUST_DIALECT("f32");

const lwDialect* lw_dialect(lwLanguage language, lwPrecision precision)
{
  bool single = precision == LW_PRECISION_SINGLE;
  if (single && language == LW_LANGUAGE_C) return &c_single;
  if (single && language == LW_LANGUAGE_RUST) return &rust_single;
  return language < LW_LANGUAGE_LATEX ? &dialects[language] : NULL;
}
