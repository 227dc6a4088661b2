// SPDX-License-Identifier: MIT
#include "generate/emit.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "generate/fuse.h"

typedef struct Emitter
{
  const lwGenerated* generated;
  const lwFunction* function;
  const lwDialect* dialect;
  lwCodeText* text;
} Emitter;

// --- numbers and names

void lw_emit_number(const lwGenerated* generated, const lwDialect* dialect, double value,
                    lwCodeText* text)
{
  char digits[LW_NUMBER_SIZE];
  bool single = generated->def.precision == LW_PRECISION_SINGLE;
  bool suffix = single && *dialect->float_end;
  if (single)
    snprintf(digits, sizeof digits, "%.9g", (double)(float)value);
  else
    lw_number_write(value, digits);
  bool point = strpbrk(digits, ".en") != NULL;
  lw_code_put(text, "%s%s%s", digits, (dialect->point || suffix) && !point ? ".0" : "",
              suffix ? dialect->float_end : "");
}

static void put_element(const Emitter* emitter, const char* array, int index)
{
  lw_code_put(emitter->text, emitter->dialect->element, array, index + emitter->dialect->first);
}

static bool is_turn(const lwGraphNode* node)
{
  return node->kind == LW_GRAPH_NODE_SIN || node->kind == LW_GRAPH_NODE_COS;
}

// s2 and c23: sines and cosines of q2 and q2 + q3; s_4: those of the fourth angle, if another sum.
static void put_turn_name(const Emitter* emitter, const lwGraphNode* node)
{
  const lwFunction* function = emitter->function;
  const lwAngle* angle       = lw_function_angle(function, node->a);
  bool sine                  = node->kind == LW_GRAPH_NODE_SIN;
  if (emitter->generated->def.sines == LW_SINES_GIVEN)
    put_element(emitter, sine ? "sine" : "cosine",
                lw_input_index(lw_expr_node(&function->program.graph, node->a)));
  else
    lw_code_put(emitter->text, "%c%s", sine ? 's' : 'c', angle->name);
}

// Variables: k1.. are constants, s1 and c1 the sine and cosine of the first angle, x1.. all others.
static void put_name(const Emitter* emitter, int32_t number)
{
  const lwFunction* function = emitter->function;
  const lwGraphNode* node    = &function->program.graph.nodes[number];
  int name                   = function->plan.name[number];
  if (node->kind == LW_GRAPH_NODE_CONSTANT)
    lw_code_put(emitter->text, "k%d", name);
  else if (is_turn(node))
    put_turn_name(emitter, node);
  else
    lw_code_put(emitter->text, "x%d", name - function->plan.constants);
}

// --- expressions

static void put_expression(const Emitter* emitter, lwExpr a, bool in_product);

static void put_node(const Emitter* emitter, int32_t number, bool negative);

// An operand as a text of its own
static lwCodeText text_of(const Emitter* emitter, lwExpr a, bool in_product)
{
  lwCodeText text = {0};
  Emitter there   = *emitter;
  there.text      = &text;
  put_expression(&there, a, in_product);
  return text;
}

// A function of one operand.
static void put_call(const Emitter* emitter, const char* format, lwExpr a)
{
  lwCodeText inner = text_of(emitter, a, emitter->dialect->first == 0 && format[0] == '(');
  if (inner.at) lw_code_put(emitter->text, format, inner.at);
  emitter->text->failed = emitter->text->failed || inner.failed;
  lw_code_free(&inner);
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
  if (negative) lw_code_put(emitter->text, "-(");
  put_expression(emitter, first, false);
  bool minus = lw_expr_negative(second);
  lw_code_put(emitter->text, minus ? " - " : " + ");
  bool sum = lw_expr_kind(&emitter->function->program.graph, second) == LW_GRAPH_NODE_ADD;
  put_expression(emitter, second & ~1, minus && sum);
  if (negative) lw_code_put(emitter->text, ")");
}

// fma(a, b, c); what is called with a point, in Rust, stands in parentheses
static bool put_fused(const Emitter* emitter, int32_t number, bool negative)
{
  lwFused fused;
  const lwFunction* function = emitter->function;
  const char* format         = emitter->dialect->fused;
  if (!emitter->generated->def.fused ||
      !lw_fuse(&function->program, &function->plan, number, negative, &fused))
    return false;
  lwCodeText a = text_of(emitter, fused.a, false), b = text_of(emitter, fused.b, false);
  lwCodeText c = text_of(emitter, fused.c, false);
  if (a.at && b.at && c.at) lw_code_put(emitter->text, format, a.at, b.at, c.at);
  emitter->text->failed = emitter->text->failed || a.failed || b.failed || c.failed;
  lw_code_free(&a), lw_code_free(&b), lw_code_free(&c);
  return true;
}

static void put_node(const Emitter* emitter, int32_t number, bool negative)
{
  const lwGraph* graph    = &emitter->function->program.graph;
  const lwGraphNode* node = &graph->nodes[number];
  if (put_fused(emitter, number, negative)) return;
  if (node->kind == LW_GRAPH_NODE_ADD)
  {
    put_sum(emitter, node, negative);
    return;
  }
  if (negative) lw_code_put(emitter->text, "-");
  switch (node->kind)
  {
    case LW_GRAPH_NODE_CONSTANT:
      lw_emit_number(emitter->generated, emitter->dialect, node->value, emitter->text);
      break;
    case LW_GRAPH_NODE_INPUT:
      put_element(emitter, lw_function_parameter(emitter->function, lw_input_argument(node))->name,
                  lw_input_index(node));
      break;
    case LW_GRAPH_NODE_MUL:
    case LW_GRAPH_NODE_DIV:
      put_expression(emitter, node->a, true);
      lw_code_put(emitter->text, node->kind == LW_GRAPH_NODE_MUL ? " * " : " / ");
      if (node->kind == LW_GRAPH_NODE_DIV && lw_expr_kind(graph, node->b) == LW_GRAPH_NODE_MUL &&
          !emitter->function->plan.name[lw_expr_number(node->b)])
      {
        lw_code_put(emitter->text, "(");
        put_expression(emitter, node->b, false);
        lw_code_put(emitter->text, ")");
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
  if (parentheses || outer_minus) lw_code_put(emitter->text, "(");
  if (named)
  {
    if (lw_expr_negative(a)) lw_code_put(emitter->text, "-");
    put_name(emitter, number);
  }
  else
    put_node(emitter, number, lw_expr_negative(a));
  if (parentheses || outer_minus) lw_code_put(emitter->text, ")");
}

// --- statements

static void put_constants(const Emitter* emitter)
{
  const lwFunction* function = emitter->function;
  const lwGraph* graph       = &function->program.graph;
  for (int32_t i = 1; i < graph->count; ++i)
  {
    if (!function->plan.uses[i] || graph->nodes[i].kind != LW_GRAPH_NODE_CONSTANT) continue;
    char name[16];
    lwCodeText number = {0};
    snprintf(name, sizeof name, "k%d", function->plan.name[i]);
    lw_emit_number(emitter->generated, emitter->dialect, graph->nodes[i].value, &number);
    if (number.at) lw_code_put(emitter->text, emitter->dialect->constant, name, number.at);
    emitter->text->failed = emitter->text->failed || number.failed;
    lw_code_free(&number);
  }
}

// Roots of all lanes, one after the other: C has no vector roots.
static void put_root_of_lanes(const Emitter* emitter, int32_t number)
{
  const lwFunction* function   = emitter->function;
  const lwGenerated* generated = emitter->generated;
  int name                     = function->plan.name[number] - function->plan.constants;
  bool single                  = generated->def.precision == LW_PRECISION_SINGLE;
  lw_code_put(emitter->text, "  %s x%d = ", generated->lanes, name);
  put_expression(emitter, function->program.graph.nodes[number].a, false);
  lw_code_put(emitter->text,
              ";\n  for (int lane = 0; lane < %d; ++lane) x%d[lane] = sqrt%s(x%d[lane]);\n",
              generated->def.lanes, name, single ? "f" : "", name);
}

static void put_variable(const Emitter* emitter, int32_t number)
{
  lwGraphNodeKind kind = emitter->function->program.graph.nodes[number].kind;
  bool turn            = is_turn(&emitter->function->program.graph.nodes[number]);
  if (turn && emitter->generated->def.sines == LW_SINES_GIVEN) return;
  if (kind == LW_GRAPH_NODE_SQRT && emitter->generated->def.lanes > 1)
    return put_root_of_lanes(emitter, number);
  lwCodeText name = {0};
  Emitter there   = *emitter;
  there.text      = &name;
  put_name(&there, number);
  emitter->text->failed = emitter->text->failed || name.failed;
  if (name.at && emitter->generated->def.lanes > 1)
    lw_code_put(emitter->text, "  const %s %s = ", emitter->generated->lanes, name.at);
  else if (name.at)
    lw_code_put(emitter->text, emitter->dialect->local, name.at);
  lw_code_free(&name);
  put_node(emitter, number, false);
  lw_code_put(emitter->text, "%s\n", emitter->dialect->end);
}

static void put_output(const Emitter* emitter, int output)
{
  int index;
  const lwResult* result = lw_function_result(emitter->function, output, &index);
  lw_code_put(emitter->text, "%*s", (int)strspn(emitter->dialect->local, " "), "");
  put_element(emitter, result->name, index);
  lw_code_put(emitter->text, " = ");
  lwExpr value = emitter->function->program.outputs[output];
  if (emitter->generated->def.lanes > 1 &&
      lw_expr_is_constant(&emitter->function->program.graph, value))
    lw_code_put(emitter->text, "(%s){0} + ", emitter->generated->lanes);
  put_expression(emitter, value, false);
  lw_code_put(emitter->text, "%s\n", emitter->dialect->end);
}

// Names of the vectors that hold angles and their sines and cosines.
typedef struct TurnNames
{
  char angle[32], sine[32], cosine[32];
} TurnNames;

// Vector number k: a part of the angles of one state, or the same angle of all lanes.
static TurnNames turn_names(const Emitter* emitter, int k)
{
  TurnNames names;
  if (emitter->generated->def.lanes > 1)
  {
    const char* name = emitter->function->angle[k].name;
    snprintf(names.angle, sizeof names.angle, "a%s", name);
    snprintf(names.sine, sizeof names.sine, "s%s", name);
    snprintf(names.cosine, sizeof names.cosine, "c%s", name);
    return names;
  }
  snprintf(names.angle, sizeof names.angle, "angles%d", k + 1);
  snprintf(names.sine, sizeof names.sine, "sines%d", k + 1);
  snprintf(names.cosine, sizeof names.cosine, "cosines%d", k + 1);
  return names;
}

static int turn_vectors(const Emitter* emitter)
{
  int width = lw_emit_width(emitter->generated), angles = emitter->function->angles;
  return emitter->generated->def.lanes > 1 ? angles : (angles + width - 1) / width;
}

// Those of one state that are left over are 0.
static void put_turn_angles(const Emitter* emitter, int k)
{
  const lwFunction* function = emitter->function;
  int width                  = lw_emit_width(emitter->generated);
  if (emitter->generated->def.lanes > 1)
  {
    put_expression(emitter, function->angle[k].expr, false);
    return;
  }
  lw_code_put(emitter->text, "{");
  for (int i = k * width; i < (k + 1) * width && i < function->angles; ++i)
  {
    if (i > k * width) lw_code_put(emitter->text, ", ");
    put_expression(emitter, function->angle[i].expr, false);
  }
  lw_code_put(emitter->text, "}");
}

// All sines and cosines, in vectors; then those of angles that are too large for that.
static void put_turns(const Emitter* emitter)
{
  const char* prefix = emitter->generated->name;
  int vectors        = turn_vectors(emitter);
  lw_code_put(emitter->text, "  %s_mask far = {0};\n", prefix);
  for (int k = 0; k < vectors; ++k)
  {
    TurnNames names = turn_names(emitter, k);
    lw_code_put(emitter->text, "  const %s_vector %s = ", prefix, names.angle);
    put_turn_angles(emitter, k);
    lw_code_put(emitter->text, ";\n  %s_vector %s, %s;\n", prefix, names.sine, names.cosine);
    lw_code_put(emitter->text, "  %s_sincos(&%s, &%s, &%s, &far);\n", prefix, names.angle,
                names.sine, names.cosine);
  }
  lw_code_put(emitter->text, "  if (");
  for (int i = 0; i < lw_emit_width(emitter->generated); ++i)
    lw_code_put(emitter->text, "%sfar[%d]", i ? " | " : "", i);
  lw_code_put(emitter->text, ")\n  {\n");
  for (int k = 0; k < vectors; ++k)
  {
    TurnNames names = turn_names(emitter, k);
    lw_code_put(emitter->text, "    %s_far(&%s, &%s, &%s);\n", prefix, names.angle, names.sine,
                names.cosine);
  }
  lw_code_put(emitter->text, "  }\n");
}

// One entry of the vectors of sines.
static void put_turn_entry(const Emitter* emitter, int32_t number)
{
  const lwFunction* function = emitter->function;
  const lwGraphNode* node    = &function->program.graph.nodes[number];
  int width                  = lw_emit_width(emitter->generated);
  int at                     = (int)(lw_function_angle(function, node->a) - function->angle);
  lw_code_put(emitter->text, "  const %s ", lw_emit_scalar(emitter->generated));
  put_name(emitter, number);
  lw_code_put(emitter->text, " = %s%d[%d];\n",
              node->kind == LW_GRAPH_NODE_SIN ? "sines" : "cosines", at / width + 1, at % width);
}

static void put_statement(const Emitter* emitter, int32_t number, bool* turned)
{
  const lwGenerated* generated = emitter->generated;
  bool turn                    = is_turn(&emitter->function->program.graph.nodes[number]);
  if (!turn || !lw_emit_has_vectors(generated) || generated->def.sines == LW_SINES_GIVEN)
  {
    put_variable(emitter, number);
    return;
  }
  bool lanes = generated->def.lanes > 1;
  if (!*turned) put_turns(emitter);
  if (!lanes) put_turn_entry(emitter, number);
  *turned = true;
}

static void put_function(const Emitter* emitter)
{
  bool turned        = false;
  const lwPlan* plan = &emitter->function->plan;
  emitter->dialect->begin(emitter->generated, emitter->function, emitter->text);
  put_constants(emitter);
  for (int k = 0; k < plan->count; ++k)
    if (plan->statements[k].node >= 0)
      put_statement(emitter, plan->statements[k].node, &turned);
    else
      put_output(emitter, plan->statements[k].output);
  emitter->dialect->finish(emitter->generated, emitter->function, emitter->text);
}

void lw_emit(lwGenerated* generated)
{
  const lwDialect* dialect  = lw_dialect(generated->def.language, generated->def.precision);
  lwCodeText* text          = &generated->file[0].text;
  generated->file[0].suffix = dialect->suffix;
  generated->files          = 1;
  if (dialect->open) dialect->open(generated, text);
  for (int i = 0; i < generated->functions; ++i)
    put_function(&(Emitter){generated, &generated->function[i], dialect, text});
  if (dialect->close) dialect->close(generated, text);
}

// --- what people should know

void lw_emit_about(const lwGenerated* generated, const lwFunction* function, const char* comment,
                   lwCodeText* text)
{
  lwCount count = lw_program_count(&function->program, function->plan.uses);
  lw_code_put(text, "%s%s of %s, %d %s\n", comment, function->name, generated->title,
              generated->joints, generated->snake ? "links" : "moving joints");
  lw_code_put(text, "%smethod: %s\n", comment, function->method);
  lw_code_put(text, "%soperations: %ld multiplications, %ld additions", comment, count.mul,
              count.add);
  if (count.div) lw_code_put(text, ", %ld division%s", count.div, count.div > 1 ? "s" : "");
  if (count.sqrt) lw_code_put(text, ", %ld square root%s", count.sqrt, count.sqrt > 1 ? "s" : "");
  if (generated->def.fused)
    lw_code_put(text, "; %d pairs of them fused",
                lw_fuse_count(&function->program, &function->plan));
  lw_code_put(text, "; sines and cosines of %d angles\n", function->angles);
  lw_code_put(text, "%sSI units and radians. In this order:\n", comment);
  for (int k = 0; k < function->parameters; ++k)
    lw_code_put(text, "%s  %-8s (%d) %s\n", comment, function->parameter[k].name,
                function->parameter[k].size, function->parameter[k].meaning);
  for (int k = 0; k < function->results; ++k)
  {
    const lwResult* result = &function->result[k];
    lw_code_put(text, "%s  %-8s ", comment, result->name);
    if (result->columns > 1)
      lw_code_put(text, "(%d, %d) out, row by row: ", result->rows, result->columns);
    else
      lw_code_put(text, "(%d) out: ", result->rows);
    lw_code_put(text, "%s\n", result->meaning);
  }
}
