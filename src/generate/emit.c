// SPDX-License-Identifier: MIT
#include "generate/emit.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "linkwork/loop.h"

typedef struct Emitter
{
  const lwGenerated* generated;
  const lwFunction* function;  // or NULL
  const lwDialect* dialect;
  lwOut* text;
  // what a form is about
  const char* name;  // of an array or of the function
  int size, rows, columns, index;
  int32_t node;
  lwExpr operand[3];
  bool in_product;  // operands are factors
} Emitter;

// --- numbers and names

static bool is_single(const lwGenerated* generated)
{
  return generated->def.precision == LW_PRECISION_SINGLE;
}

void lw_emit_number(const lwDialect* dialect, bool single, double value, lwOut* text)
{
  char digits[LW_NUMBER_SIZE];
  bool suffix = single && *dialect->float_end;
  if (single)
    snprintf(digits, sizeof digits, "%.9g", (double)(float)value);
  else
    lw_number_write(value, digits);
  bool point = strpbrk(digits, ".en") != NULL;
  lw_out_format(text, "%s%s%s", digits, (dialect->point || suffix) && !point ? ".0" : "",
                suffix ? dialect->float_end : "");
}

static void put_element(const Emitter* emitter, const char* array, int index)
{
  lw_out_format(emitter->text, emitter->dialect->element, array, index + emitter->dialect->first);
}

// Variables: k1.. are constants, s2 and c23 sines and cosines of q2 and q2 + q3, s_4 those of the
// fourth angle, if another sum; x1.. all others.
static void put_name(const Emitter* emitter, int32_t number)
{
  const lwFunction* function = emitter->function;
  const lwGraph* graph       = &function->program.graph;
  const lwGraphNode* node    = &graph->nodes[number];
  int name                   = function->plan.name[number];
  bool sine                  = node->kind == LW_GRAPH_NODE_SIN;
  if (node->kind == LW_GRAPH_NODE_CONSTANT)
    lw_out_format(emitter->text, "k%d", name);
  else if (!lw_node_is_turn(node))
    lw_out_format(emitter->text, "x%d", name - function->plan.constants);
  else if (emitter->generated->def.sines == LW_SINES_GIVEN)
    put_element(emitter, sine ? "sine" : "cosine", lw_input_index(lw_expr_node(graph, node->a)));
  else
    lw_out_format(emitter->text, "%c%s", sine ? 's' : 'c',
                  lw_function_angle(function, node->a)->name);
}

// --- fused multiply-adds: a b + c rounded once, for targets that have them

static bool is_product_here(const lwFunction* function, lwExpr a)
{
  int32_t number = lw_expr_number(a);
  return function->program.graph.nodes[number].kind == LW_GRAPH_NODE_MUL &&
         !function->plan.name[number] && function->plan.uses[number] == 1;
}

// Products and sums that are written in the place of use
static int written_length(const lwFunction* function, lwExpr a)
{
  int32_t number          = lw_expr_number(a);
  const lwGraphNode* node = &function->program.graph.nodes[number];
  bool binary             = node->kind == LW_GRAPH_NODE_MUL || node->kind == LW_GRAPH_NODE_ADD;
  if (function->plan.name[number] || !binary) return 0;
  return 1 + written_length(function, node->a) + written_length(function, node->b);
}

// The sum `number`, or its negative, as a fused multiply-add +-a b + c of operands a, b, c, if one
// of its operands is a product that is used only here; otherwise false. Of two products the longer
// one is fused, because the other is ready first.
static bool fuse_sum(const lwFunction* function, int32_t number, bool negative, lwExpr operand[3])
{
  const lwGraph* graph   = &function->program.graph;
  const lwGraphNode* sum = &graph->nodes[number];
  if (sum->kind != LW_GRAPH_NODE_ADD) return false;
  lwExpr product = sum->a, other = sum->b;
  bool first = is_product_here(function, product), second = is_product_here(function, other);
  if (!first && !second) return false;
  bool longer = written_length(function, other) > written_length(function, product);
  if (!first || (second && longer)) product = sum->b, other = sum->a;
  const lwGraphNode* factors = lw_expr_node(graph, product);
  bool minus                 = lw_expr_negative(product) != negative;
  operand[0]                 = minus ? lw_expr_negate(factors->a) : factors->a;
  operand[1]                 = factors->b;
  operand[2]                 = negative ? lw_expr_negate(other) : other;
  return true;
}

// --- expressions

static void put_expression(const Emitter* emitter, lwExpr a, bool in_product);

static void put_node(const Emitter* emitter, int32_t number, bool negative);

static void put_form(const Emitter* emitter, const char* form);

// A function of one operand.
static void put_call(const Emitter* emitter, const char* form, lwExpr a)
{
  Emitter call    = *emitter;
  call.operand[0] = a;
  call.in_product = emitter->dialect->first == 0 && form[0] == '(';
  put_form(&call, form);
}

// a + b, or -(a + b): as b - a if b is subtracted
static void put_sum(const Emitter* emitter, const lwGraphNode* node, bool negative)
{
  lwExpr first = node->a, second = node->b;
  if (negative && lw_expr_negative(second))
  {
    first    = lw_expr_negate(node->b);
    second   = lw_expr_negate(node->a);
    negative = false;
  }
  if (negative) lw_out_text(emitter->text, "-(");
  put_expression(emitter, first, false);
  bool minus = lw_expr_negative(second);
  lw_out_text(emitter->text, minus ? " - " : " + ");
  bool sum = lw_expr_kind(&emitter->function->program.graph, second) == LW_GRAPH_NODE_ADD;
  put_expression(emitter, second & ~1, minus && sum);
  if (negative) lw_out_text(emitter->text, ")");
}

// fma(a, b, c)
static bool put_fused(const Emitter* emitter, int32_t number, bool negative)
{
  Emitter call    = *emitter;
  call.in_product = false;
  if (!emitter->generated->def.fused ||
      !fuse_sum(emitter->function, number, negative, call.operand))
    return false;
  put_form(&call, emitter->dialect->fused);
  return true;
}

static void put_node(const Emitter* emitter, int32_t number, bool negative)
{
  const lwGraph* graph    = &emitter->function->program.graph;
  const lwGraphNode* node = &graph->nodes[number];
  if (put_fused(emitter, number, negative)) return;
  if (node->kind == LW_GRAPH_NODE_ADD) return put_sum(emitter, node, negative);
  if (negative) lw_out_text(emitter->text, "-");
  switch (node->kind)
  {
    case LW_GRAPH_NODE_CONSTANT:
      lw_emit_number(emitter->dialect, is_single(emitter->generated), node->value, emitter->text);
      break;
    case LW_GRAPH_NODE_INPUT:
      put_element(emitter, lw_function_parameter(emitter->function, lw_input_argument(node))->name,
                  lw_input_index(node));
      break;
    case LW_GRAPH_NODE_MUL:
    case LW_GRAPH_NODE_DIV:
      put_expression(emitter, node->a, true);
      lw_out_text(emitter->text, node->kind == LW_GRAPH_NODE_MUL ? " * " : " / ");
      if (node->kind == LW_GRAPH_NODE_DIV && lw_expr_kind(graph, node->b) == LW_GRAPH_NODE_MUL &&
          !emitter->function->plan.name[lw_expr_number(node->b)])
      {
        lw_out_text(emitter->text, "(");
        put_expression(emitter, node->b, false);
        lw_out_text(emitter->text, ")");
      }
      else
        put_expression(emitter, node->b, true);
      break;
    case LW_GRAPH_NODE_SQRT:
      put_call(emitter, emitter->dialect->root, node->a);
      break;
    default:
      put_call(emitter,
               node->kind == LW_GRAPH_NODE_SIN ? emitter->dialect->sine : emitter->dialect->cosine,
               node->a);
  }
}

// With parentheses around a sum where it is a factor.
static void put_expression(const Emitter* emitter, lwExpr a, bool in_product)
{
  int32_t number       = lw_expr_number(a);
  lwGraphNodeKind kind = lw_expr_kind(&emitter->function->program.graph, a);
  bool named           = emitter->function->plan.name[number] != 0;
  bool parentheses     = in_product && !named && kind == LW_GRAPH_NODE_ADD;
  bool outer_minus     = lw_expr_negative(a) && in_product;
  if (parentheses || outer_minus) lw_out_text(emitter->text, "(");
  if (named)
  {
    if (lw_expr_negative(a)) lw_out_text(emitter->text, "-");
    put_name(emitter, number);
  }
  else
    put_node(emitter, number, lw_expr_negative(a));
  if (parentheses || outer_minus) lw_out_text(emitter->text, ")");
}

// --- forms

static void put_about(const Emitter* emitter);

// From 1; 0 for a function that is not in the list.
static int function_number(const lwGenerated* generated, const lwFunction* function)
{
  for (int k = 0; k < generated->functions; ++k)
    if (&generated->function[k] == function) return k + 1;
  return 0;
}

// What stands for $ and a letter, where that is a word or a number.
static void put_value(const Emitter* emitter, char key)
{
  const lwGenerated* generated = emitter->generated;
  const lwFunction* function   = emitter->function;
  const char* name             = function ? function->name : generated->name;
  bool several                 = function && function->results > 1;
  const struct
  {
    char key;
    const char* word;
    int number;
  } values[] = {{'t', generated->title, 0},
                {'v', lw_version(), 0},
                {'o', generated->name, 0},
                {'T', lw_emit_type(generated), 0},
                {'S', lw_emit_scalar(generated), 0},
                {'f', is_single(generated) ? "f" : "", 0},
                {'n', emitter->name, 0},
                {'m', name, 0},
                {'q', function ? name + strlen(generated->name) + 1 : "", 0},
                {'<', several ? "{ " : "", 0},
                {'>', several ? " }" : "", 0},
                {'N', NULL, generated->def.lanes},
                {'s', NULL, emitter->size},
                {'w', NULL, emitter->rows},
                {'c', NULL, emitter->columns},
                {'i', NULL, emitter->index},
                {'k', NULL, function ? function->results : 0},
                {'#', NULL, function_number(generated, function)}};
  for (size_t k = 0; k < sizeof values / sizeof *values; ++k)
    if (values[k].key == key && values[k].word)
      lw_out_text(emitter->text, values[k].word);
    else if (values[k].key == key)
      lw_out_format(emitter->text, "%d", values[k].number);
}

static void put_key(const Emitter* emitter, char key)
{
  if (key >= '1' && key <= '3')
    put_expression(emitter, emitter->operand[key - '1'], emitter->in_product);
  else if (key == 'x')
    put_name(emitter, emitter->node);
  else if (key == '=')
    put_node(emitter, emitter->node, false);
  else if (key == 'y')
    put_element(emitter, emitter->name, emitter->index);
  else if (key == 'A')
    put_about(emitter);
  else if (key == 'I')
    lw_emit_c_includes(emitter->generated, emitter->text);
  else
    put_value(emitter, key);
}

// Entry k of a loop: what its form is about. False: the loop is not about it.
static bool set_entry(const Emitter* emitter, char loop, int k, Emitter* entry)
{
  const lwFunction* function = emitter->function;
  bool given                 = emitter->generated->def.sines == LW_SINES_GIVEN;
  if (strchr("gG", loop))
  {
    entry->function = &emitter->generated->function[k];
    entry->name     = entry->function->name;
  }
  else if (strchr("rRM", loop))
  {
    const lwResult* result = &function->result[k];
    entry->index += entry->size;
    entry->name    = result->name;
    entry->size    = lw_result_size(result);
    entry->rows    = result->rows;
    entry->columns = result->columns;
    return loop != 'M' || result->columns > 1;
  }
  else
  {
    entry->name = function->parameter[k].name;
    entry->size = function->parameter[k].size;
    return loop != 'u' || !lw_function_reads(function, given, function->parameter[k].argument);
  }
  return true;
}

static void put_part(const Emitter* emitter, const char* form, const char* end);

static void put_loop(const Emitter* emitter, char loop, const char* form, const char* end)
{
  const lwFunction* function = emitter->function;
  Emitter entry              = *emitter;
  int count                  = strchr("gG", loop)    ? emitter->generated->functions
                               : !function           ? 0
                               : strchr("rRM", loop) ? function->results
                                                     : function->parameters;
  entry.size = entry.index = 0;
  for (int k = 0; k < count; ++k)
  {
    if (!set_entry(emitter, loop, k, &entry)) continue;
    if (k && strchr("gpr", loop)) lw_out_text(emitter->text, ", ");
    put_part(&entry, form, end);
  }
}

static void put_part(const Emitter* emitter, const char* form, const char* end)
{
  while (form < end)
  {
    const char* key = memchr(form, '$', (size_t)(end - form));
    lw_out_format(emitter->text, "%.*s", (int)((key ? key : end) - form), form);
    if (!key) return;
    form                   = key + 2;
    const char* end_of_key = strchr("gGrRMpPue", key[1]) ? strstr(form, "$;") : NULL;
    if (!end_of_key)
      put_key(emitter, key[1]);
    else if (key[1] != 'e')
      put_loop(emitter, key[1], form, end_of_key);
    else if (is_single(emitter->generated))
      put_part(emitter, form, end_of_key);
    if (end_of_key) form = end_of_key + 2;
  }
}

static void put_form(const Emitter* emitter, const char* form)
{
  bool conditional = !strncmp(form, "$+", 2);
  if (conditional && emitter->generated->functions == 1) return;
  if (conditional) form += 2;
  put_part(emitter, form, form + strlen(form));
}

void lw_emit_form(const lwGenerated* generated, const lwFunction* function, const char* form,
                  lwOut* text)
{
  Emitter emitter = {.generated = generated,
                     .function  = function,
                     .dialect   = lw_dialect(generated->def.language),
                     .text      = text,
                     .name      = function ? function->name : generated->name};
  put_form(&emitter, form);
}

// --- statements

// The definition of a node.
static void put_definition(const Emitter* emitter, const char* form, int32_t number)
{
  Emitter statement    = *emitter;
  statement.node       = number;
  statement.operand[0] = emitter->function->program.graph.nodes[number].a;
  put_form(&statement, form);
}

static void put_variable(const Emitter* emitter, int32_t number)
{
  const lwGraphNode* node = &emitter->function->program.graph.nodes[number];
  if (lw_node_is_turn(node) && emitter->generated->def.sines == LW_SINES_GIVEN) return;
  put_definition(emitter, emitter->dialect->local, number);
}

static void put_output(const Emitter* emitter, int output)
{
  Emitter statement      = *emitter;
  const lwResult* result = lw_function_result(emitter->function, output, &statement.index);
  lwExpr value           = emitter->function->program.outputs[output];
  statement.name         = result->name;
  statement.operand[0]   = value;
  bool lanes             = emitter->generated->def.lanes > 1;
  bool known             = lw_expr_is_constant(&emitter->function->program.graph, value);
  put_form(&statement, lanes && known ? "  $y = ($T){0} + $1;\n" : emitter->dialect->output);
}

// Names of the vectors that hold angles and their sines and cosines.
typedef struct TurnNames
{
  char angle[32], sine[32], cosine[32];
} TurnNames;

// Vector number k: a part of the angles of one state, or the same angle of all lanes.
static TurnNames turn_names(const Emitter* emitter, int k)
{
  char number[16];
  TurnNames names;
  bool lanes       = emitter->generated->def.lanes > 1;
  const char* name = lanes ? emitter->function->angle[k].name : number;
  snprintf(number, sizeof number, "%d", k + 1);
  snprintf(names.angle, sizeof names.angle, "%s%s", lanes ? "a" : "angles", name);
  snprintf(names.sine, sizeof names.sine, "%s%s", lanes ? "s" : "sines", name);
  snprintf(names.cosine, sizeof names.cosine, "%s%s", lanes ? "c" : "cosines", name);
  return names;
}

// The angles of a vector; those of one state that are left over are 0.
static void put_turn_angles(const Emitter* emitter, int k)
{
  const lwFunction* function = emitter->function;
  int width                  = lw_emit_width(emitter->generated);
  if (emitter->generated->def.lanes > 1)
    return put_expression(emitter, function->angle[k].expr, false);
  for (int i = k * width; i < (k + 1) * width && i < function->angles; ++i)
  {
    lw_out_text(emitter->text, i > k * width ? ", " : "{");
    put_expression(emitter, function->angle[i].expr, false);
  }
  lw_out_text(emitter->text, "}");
}

// All sines and cosines, in vectors; then those of angles that are too large for that.
static void put_turns(const Emitter* emitter)
{
  const char* prefix = emitter->generated->name;
  int width = lw_emit_width(emitter->generated), angles = emitter->function->angles;
  int vectors = emitter->generated->def.lanes > 1 ? angles : (angles + width - 1) / width;
  lw_out_format(emitter->text, "  %s_mask far = {0};\n", prefix);
  for (int k = 0; k < vectors; ++k)
  {
    TurnNames names = turn_names(emitter, k);
    lw_out_format(emitter->text, "  const %s_vector %s = ", prefix, names.angle);
    put_turn_angles(emitter, k);
    lw_out_format(emitter->text, ";\n  %s_vector %s, %s;\n", prefix, names.sine, names.cosine);
    lw_out_format(emitter->text, "  %s_sincos(&%s, &%s, &%s, &far);\n", prefix, names.angle,
                  names.sine, names.cosine);
  }
  lw_out_text(emitter->text, "  if (");
  for (int i = 0; i < width; ++i) lw_out_format(emitter->text, "%sfar[%d]", i ? " | " : "", i);
  lw_out_text(emitter->text, ")\n  {\n");
  for (int k = 0; k < vectors; ++k)
  {
    TurnNames names = turn_names(emitter, k);
    lw_out_format(emitter->text, "    %s_far(&%s, &%s, &%s);\n", prefix, names.angle, names.sine,
                  names.cosine);
  }
  lw_out_text(emitter->text, "  }\n");
}

// Sines in vectors are computed all at once before the first of them; of one state, each is then an
// entry of a vector.
static void put_statement(const Emitter* emitter, int32_t number, bool* turned)
{
  const lwGenerated* generated = emitter->generated;
  const lwFunction* function   = emitter->function;
  const lwGraphNode* node      = &function->program.graph.nodes[number];
  if (!lw_node_is_turn(node) || !lw_emit_has_vectors(generated) ||
      generated->def.sines == LW_SINES_GIVEN)
    return put_variable(emitter, number);
  if (!*turned) put_turns(emitter);
  *turned = true;
  if (generated->def.lanes > 1) return;
  int width = lw_emit_width(generated);
  int at    = (int)(lw_function_angle(function, node->a) - function->angle);
  lw_out_format(emitter->text, "  const %s ", lw_emit_scalar(generated));
  put_name(emitter, number);
  lw_out_format(emitter->text, " = %s%d[%d];\n",
                node->kind == LW_GRAPH_NODE_SIN ? "sines" : "cosines", at / width + 1, at % width);
}

static void put_function(const Emitter* emitter)
{
  bool turned          = false;
  const lwPlan* plan   = &emitter->function->plan;
  const lwGraph* graph = &emitter->function->program.graph;
  put_form(emitter, emitter->dialect->begin);
  for (int32_t i = 1; i < graph->count; ++i)
    if (plan->uses[i] && graph->nodes[i].kind == LW_GRAPH_NODE_CONSTANT)
      put_definition(emitter, emitter->dialect->constant, i);
  for (int k = 0; k < plan->count; ++k)
    if (plan->statements[k].node >= 0)
      put_statement(emitter, plan->statements[k].node, &turned);
    else
      put_output(emitter, plan->statements[k].output);
  put_form(emitter, emitter->dialect->finish);
}

void lw_emit_function(const lwGenerated* generated, const lwFunction* function, lwOut* text)
{
  put_function(&(Emitter){.generated = generated,
                          .function  = function,
                          .dialect   = lw_dialect(generated->def.language),
                          .text      = text,
                          .name      = function->name});
}

void lw_emit(lwGenerated* generated)
{
  const lwDialect* dialect  = lw_dialect(generated->def.language);
  lwOut* text               = &generated->file[0].text;
  generated->file[0].suffix = dialect->suffix;
  generated->files          = 1;
  lw_emit_form(generated, NULL, dialect->open, text);
  for (const lwFunction* f = generated->function; f < generated->function + generated->functions;
       ++f)
    lw_emit_function(generated, f, text);
  if (dialect->close) lw_emit_form(generated, NULL, dialect->close, text);
}

// --- what people should know

static void put_about(const Emitter* emitter)
{
  const lwGenerated* generated = emitter->generated;
  const lwFunction* function   = emitter->function;
  const char* comment          = emitter->dialect->about;
  lwOut* text                  = emitter->text;
  lwCount count                = lw_program_count(&function->program, function->plan.uses);
  lw_out_format(text, "%s%s of %s, %d %s\n", comment, function->name, generated->title,
                generated->joints, generated->snake ? "links" : "moving joints");
  lw_out_format(text, "%smethod: %s\n", comment, function->method);
  lw_out_format(text, "%soperations: %ld multiplications, %ld additions", comment, count.mul,
                count.add);
  if (count.div) lw_out_format(text, ", %ld division%s", count.div, count.div > 1 ? "s" : "");
  int fused = 0;
  for (int32_t i = 0; i < function->program.graph.count && generated->def.fused; ++i)
    fused += function->plan.uses[i] > 0 && fuse_sum(function, i, false, (lwExpr[3]){0});
  if (generated->def.fused) lw_out_format(text, "; %d pairs of them fused", fused);
  lw_out_format(text, "; sines and cosines of %d angles\n", function->angles);
  const lwModel* model = generated->model;
  if (model && lw_model_loop_count(model) > 0)
  {
    lw_out_format(text, "%swith closed loops: q closes them; results are about the speeds of\n%s ",
                  comment, comment);
    for (int k = 0; k < lw_model_mobility(model); ++k)
      lw_out_format(text, " %s", lw_model_velocity(model, lw_model_speed(model, k)).name);
    lw_out_text(text, "\n");
  }
  lw_out_format(text, "%sSI units and radians. In this order:\n", comment);
  for (int k = 0; k < function->parameters; ++k)
    lw_out_format(text, "%s  %-8s (%d) %s\n", comment, function->parameter[k].name,
                  function->parameter[k].size, function->parameter[k].meaning);
  for (int k = 0; k < function->results; ++k)
  {
    const lwResult* result = &function->result[k];
    lw_out_format(text, "%s  %-8s ", comment, result->name);
    if (result->columns > 1)
      lw_out_format(text, "(%d, %d) out, row by row: ", result->rows, result->columns);
    else
      lw_out_format(text, "(%d) out: ", result->rows);
    lw_out_format(text, "%s\n", result->meaning);
  }
}
