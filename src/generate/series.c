// SPDX-License-Identifier: MIT
#include "generate/series.h"

#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- terms

// No angle first, then by angles; letters of small numbers first.
static int compare_terms(const void* first, const void* second)
{
  const lwSeriesTerm *a = first, *b = second;
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
    if (a->angle[k] != b->angle[k]) return a->angle[k] < b->angle[k] ? -1 : 1;
  if (a->sine != b->sine) return a->sine < b->sine ? -1 : 1;
  return memcmp(b->power, a->power, sizeof a->power);
}

// cos(-x) = cos x, sin(-x) = -sin x, sin 0 = 0
static void set_upright(lwSeriesTerm* term)
{
  int first = 0;
  for (int k = 0; k < LW_SERIES_ANGLES && !first; ++k)
    first = (term->angle[k] > 0) - (term->angle[k] < 0);
  if (first == 0 && term->sine) term->coefficient = 0;
  if (first == 0) term->sine = 0;
  if (first >= 0) return;
  for (int k = 0; k < LW_SERIES_ANGLES; ++k) term->angle[k] = (int8_t)-term->angle[k];
  if (term->sine) term->coefficient = -term->coefficient;
}

// Sorts, adds equal terms, and drops those that are rounding compared with the largest coefficient.
static void tidy(lwSeries* series)
{
  const double rounding = 1e-13;
  double largest        = 0;
  int kept              = 0;
  if (series->count > 1)
    qsort(series->term, (size_t)series->count, sizeof *series->term, compare_terms);
  for (int i = 0; i < series->count; ++i)
  {
    lwSeriesTerm* term = &series->term[i];
    if (kept > 0 && compare_terms(&series->term[kept - 1], term) == 0)
      series->term[kept - 1].coefficient += term->coefficient;
    else
      series->term[kept++] = *term;
  }
  series->count = kept;
  for (int i = 0; i < kept; ++i) largest = fmax(largest, fabs(series->term[i].coefficient));
  kept = 0;
  for (int i = 0; i < series->count; ++i)
    if (fabs(series->term[i].coefficient) > rounding * largest)
      series->term[kept++] = series->term[i];
  series->count = kept;
}

// Memory for `most` terms.
static lwStatus open_series(size_t most, lwSeries* out)
{
  *out = (lwSeries){.term = calloc(most + 1, sizeof *out->term)};
  return out->term ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus close_series(lwSeries* series)
{
  tidy(series);
  if (series->count <= LW_SERIES_TERMS)
  {
    // a product takes memory for all of its terms, of which few are left
    lwSeriesTerm* less = realloc(series->term, ((size_t)series->count + 1) * sizeof *series->term);
    if (less) series->term = less;
    return LW_OK;
  }
  lw_series_free(series);
  return LW_ERROR_INPUT;
}

void lw_series_free(lwSeries* series)
{
  free(series->term);
  *series = (lwSeries){.term = NULL};
}

// --- arithmetic

lwStatus lw_series_constant(double value, lwSeries* out)
{
  lwStatus status = open_series(1, out);
  if (status != LW_OK || value == 0) return status;
  out->term[out->count++].coefficient = value;
  return LW_OK;
}

lwStatus lw_series_variable(int variable, lwSeries* out)
{
  lwStatus status = lw_series_constant(1, out);
  if (status == LW_OK) out->term[0].power[variable] = 1;
  return status;
}

// a + factor b
lwStatus lw_series_add(const lwSeries* a, double factor, const lwSeries* b, lwSeries* out)
{
  lwStatus status = open_series((size_t)a->count + (size_t)b->count, out);
  if (status != LW_OK) return status;
  for (int i = 0; i < a->count; ++i) out->term[out->count++] = a->term[i];
  for (int i = 0; i < b->count; ++i)
  {
    out->term[out->count] = b->term[i];
    out->term[out->count++].coefficient *= factor;
  }
  return close_series(out);
}

// The two terms of a product; side +1: of the sum of the angles, -1: of their difference
//   2 cos x cos y = cos(x + y) + cos(x - y)     2 sin x sin y = -cos(x + y) + cos(x - y)
//   2 sin x cos y = sin(x + y) + sin(x - y)     2 cos x sin y =  sin(x + y) - sin(x - y)
static lwSeriesTerm half_product(const lwSeriesTerm* a, const lwSeriesTerm* b, int side)
{
  lwSeriesTerm out = {.coefficient = a->coefficient * b->coefficient / 2,
                      .sine        = a->sine ^ b->sine};
  if ((a->sine && b->sine && side > 0) || (!a->sine && b->sine && side < 0))
    out.coefficient = -out.coefficient;
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
    out.angle[k] = (int8_t)(a->angle[k] + side * b->angle[k]);
  for (int k = 0; k < LW_SERIES_VARIABLES; ++k) out.power[k] = (uint8_t)(a->power[k] + b->power[k]);
  set_upright(&out);
  return out;
}

lwStatus lw_series_multiply(const lwSeries* a, const lwSeries* b, lwSeries* out)
{
  const size_t most = 64 * (size_t)LW_SERIES_TERMS;
  size_t products   = 2 * (size_t)a->count * (size_t)b->count;
  if (products > most) return LW_ERROR_INPUT;
  lwStatus status = open_series(products, out);
  if (status != LW_OK) return status;
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j)
      for (int side = -1; side <= 1; side += 2)
        out->term[out->count++] = half_product(&a->term[i], &b->term[j], side);
  return close_series(out);
}

lwStatus lw_series_slope(const lwSeries* a, int angle, int variable, lwSeries* out)
{
  lwStatus status = open_series((size_t)a->count, out);
  if (status != LW_OK) return status;
  for (int i = 0; i < a->count; ++i)
  {
    lwSeriesTerm term = a->term[i];
    int turns = angle < 0 ? 0 : term.angle[angle], power = variable < 0 ? 0 : term.power[variable];
    if (!turns && !power) continue;
    term.coefficient *= power ? power : term.sine ? turns : -turns;
    if (power) --term.power[variable];
    if (turns) term.sine = !term.sine;
    out->term[out->count++] = term;
  }
  return close_series(out);
}

// --- programs

typedef struct SeriesReader
{
  const lwGraph* graph;
  lwVariableOf* variable_of;
  const void* context;
  lwSeries* of_node;  // (graph.count)
} SeriesReader;

// 0 and +-1 exactly: right angles are what most robots have
static double cleaned(double x)
{
  const double rounding = 1e-15;
  return fabs(x - nearbyint(x)) < rounding ? nearbyint(x) : x;
}

// expr += factor (k1 q1 + ..) + constant; false if it is something else
static bool read_angle(const lwGraph* graph, lwExpr expr, double factor, double* angle,
                       double* constant)
{
  const lwGraphNode* node = lw_expr_node(graph, expr);
  if (lw_expr_negative(expr)) factor = -factor;
  if (node->kind == LW_GRAPH_NODE_CONSTANT) *constant += factor * node->value;
  if (node->kind == LW_GRAPH_NODE_CONSTANT) return true;
  if (node->kind == LW_GRAPH_NODE_ADD)
    return read_angle(graph, node->a, factor, angle, constant) &&
           read_angle(graph, node->b, factor, angle, constant);
  if (node->kind == LW_GRAPH_NODE_MUL && lw_expr_is_constant(graph, node->a))
    return read_angle(graph, node->b, factor * lw_expr_value(graph, node->a), angle, constant);
  if (node->kind != LW_GRAPH_NODE_INPUT || lw_input_argument(node) != LW_ARGUMENT_Q) return false;
  angle[lw_input_index(node)] += factor;
  return true;
}

// sin(k q + c) = cos c sin(k q) + sin c cos(k q), cos(k q + c) = cos c cos(k q) - sin c sin(k q)
static lwStatus read_turn(const SeriesReader* reader, const lwGraphNode* node, lwSeries* out)
{
  double angle[LW_SERIES_ANGLES] = {0}, constant = 0;
  bool sine = node->kind == LW_GRAPH_NODE_SIN;
  if (!read_angle(reader->graph, node->a, 1, angle, &constant)) return LW_ERROR_METHOD;
  lwStatus status = open_series(2, out);
  if (status != LW_OK) return status;
  lwSeriesTerm straight = {.coefficient = cleaned(lw_cos(constant)), .sine = sine};
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
  {
    if (angle[k] != nearbyint(angle[k]) || fabs(angle[k]) > 15)
    {
      lw_series_free(out);
      return LW_ERROR_METHOD;
    }
    straight.angle[k] = (int8_t)angle[k];
  }
  lwSeriesTerm across = straight;
  across.sine         = !sine;
  across.coefficient  = sine ? cleaned(lw_sin(constant)) : -cleaned(lw_sin(constant));
  set_upright(&straight);
  set_upright(&across);
  out->term[0] = straight, out->term[1] = across;
  out->count = 2;
  return close_series(out);
}

// The series of an operand with its sign, as factor and series
static const lwSeries* operand(const SeriesReader* reader, lwExpr expr, double* sign)
{
  *sign = lw_expr_negative(expr) ? -1 : 1;
  return &reader->of_node[lw_expr_number(expr)];
}

// The first of a sum or a product, and the second of a product, are positive.
static lwStatus read_node(const SeriesReader* reader, const lwGraphNode* node, lwSeries* out)
{
  const lwSeries none = {.term = NULL};
  double first = 1, second = 1;
  switch (node->kind)
  {
    case LW_GRAPH_NODE_CONSTANT:
      return lw_series_constant(node->value, out);
    case LW_GRAPH_NODE_INPUT:
      return lw_series_variable(reader->variable_of(reader->context, node), out);
    case LW_GRAPH_NODE_ADD:
    {
      const lwSeries* b = operand(reader, node->b, &second);
      return lw_series_add(operand(reader, node->a, &first), second, b, out);
    }
    case LW_GRAPH_NODE_MUL:
      return lw_series_multiply(operand(reader, node->a, &first), operand(reader, node->b, &second),
                                out);
    case LW_GRAPH_NODE_DIV:
    {
      const lwSeries* a = operand(reader, node->a, &first);
      if (!lw_expr_is_constant(reader->graph, node->b)) return LW_ERROR_METHOD;
      return lw_series_add(&none, first / lw_expr_value(reader->graph, node->b), a, out);
    }
    case LW_GRAPH_NODE_SIN:
    case LW_GRAPH_NODE_COS:
      return read_turn(reader, node, out);
    case LW_GRAPH_NODE_SQRT:
      return LW_ERROR_METHOD;
  }
  return LW_ERROR_METHOD;
}

lwStatus lw_series_of_program(const lwProgram* program, lwVariableOf* variable_of,
                              const void* context, lwSeries* outputs)
{
  const lwGraph* graph = &program->graph;
  int32_t* uses        = NULL;
  SeriesReader reader  = {graph, variable_of, context,
                          calloc((size_t)graph->count + 1, sizeof(lwSeries))};
  lwStatus status = reader.of_node && lw_program_uses(program, &uses) ? LW_OK : LW_ERROR_MEMORY;
  for (int k = 0; k < program->output_count; ++k) outputs[k] = (lwSeries){.term = NULL};
  for (int32_t k = 0; k < graph->count && status == LW_OK; ++k)
    if (uses[k] > 0) status = read_node(&reader, &graph->nodes[k], &reader.of_node[k]);
  for (int k = 0; k < program->output_count && status == LW_OK; ++k)
  {
    double sign       = 1;
    const lwSeries* a = operand(&reader, program->outputs[k], &sign);
    status            = lw_series_add(&(lwSeries){.term = NULL}, sign, a, &outputs[k]);
  }
  for (int32_t k = 0; reader.of_node && k < graph->count; ++k) lw_series_free(&reader.of_node[k]);
  if (status != LW_OK)
    for (int k = 0; k < program->output_count; ++k) lw_series_free(&outputs[k]);
  free(reader.of_node);
  free(uses);
  return status;
}
