// SPDX-License-Identifier: MIT
// Jacobians of straight-line programs: every node of the graph is differentiated once for each
// entry of the arguments (forward mode). Zeros of the structure stay zeros.
//
//   (a + b)' = a' + b'    (a b)' = a' b + a b'    (a / b)' = (a' - (a / b) b') / b
//   sin(a)' = cos(a) a'   cos(a)' = -sin(a) a'
#include "generate/derive.h"

#include <stdlib.h>

#include "generate/rewrite.h"

typedef struct Derivation
{
  const lwGraph* from;
  lwGraph* to;
  lwExpr* copy;    // (from->count) the nodes in `to`
  lwExpr* rate;    // (from->count) their derivatives by one input
  lwExpr* entry;   // (outputs, inputs) those of the outputs
  int32_t inputs;  // entries of all arguments
} Derivation;

static lwExpr taken_from(const lwExpr* list, lwExpr a)
{
  lwExpr made = list[lw_expr_number(a)];
  return lw_expr_negative(a) ? lw_expr_negate(made) : made;
}

// The derivative of node i by the input of that number.
static lwExpr rate_of(const Derivation* d, int32_t i, int input)
{
  const lwGraphNode* node = &d->from->nodes[i];
  int operands            = lw_node_operands(node);
  if (operands == 0)
    return node->kind == LW_GRAPH_NODE_INPUT && node->a == input ? lw_graph_constant(d->to, 1) : 0;
  lwExpr a = taken_from(d->copy, node->a), da = taken_from(d->rate, node->a);
  lwExpr b = 0, db = 0;
  if (operands == 2) b = taken_from(d->copy, node->b), db = taken_from(d->rate, node->b);
  if (!da && !db) return 0;
  switch (node->kind)
  {
    case LW_GRAPH_NODE_ADD:
      return lw_graph_add(d->to, da, db);
    case LW_GRAPH_NODE_MUL:
      return lw_graph_add(d->to, lw_graph_mul(d->to, da, b), lw_graph_mul(d->to, a, db));
    case LW_GRAPH_NODE_DIV:
      a = lw_graph_mul(d->to, d->copy[i], db);
      return lw_graph_div(d->to, lw_graph_add(d->to, da, lw_expr_negate(a)), b);
    case LW_GRAPH_NODE_SIN:
      return lw_graph_mul(d->to, lw_graph_cos(d->to, a), da);
    default:
      return lw_expr_negate(lw_graph_mul(d->to, lw_graph_sin(d->to, a), da));
  }
}

static void copy_nodes(const Derivation* d)
{
  for (int32_t i = 0; i < d->from->count; ++i)
  {
    const lwGraphNode* node = &d->from->nodes[i];
    lwExpr operand[2]       = {0};
    for (int k = 0; k < lw_node_operands(node); ++k)
      operand[k] = taken_from(d->copy, lw_node_operand(node, k));
    d->copy[i] = lw_graph_like(d->to, node, operand[0], operand[1]);
  }
}

// All derivatives, column by column of the Jacobian of all results by all arguments.
static void derive_all(const Derivation* d, const lwFunction* function)
{
  int32_t column = 0;
  for (int p = 0; p < function->parameters; ++p)
    for (int index = 0; index < function->parameter[p].size && !d->to->failed; ++index, ++column)
    {
      int input = lw_input_number(function->parameter[p].argument, index);
      for (int32_t i = 0; i < d->from->count; ++i) d->rate[i] = rate_of(d, i, input);
      for (int32_t o = 0; o < function->program.output_count; ++o)
        d->entry[o * d->inputs + column] = taken_from(d->rate, function->program.outputs[o]);
    }
}

// Fills in where the entries stand, or only counts them if outputs is NULL.
static int place_entries(const Derivation* d, const lwFunction* function, lwJacobianEntry* places,
                         lwExpr* outputs)
{
  int count = 0, first_row = 0;
  for (int r = 0; r < function->results; first_row += lw_result_size(&function->result[r++]))
    for (int p = 0, column = 0; p < function->parameters; column += function->parameter[p++].size)
      for (int index = 0; index < function->parameter[p].size; ++index)
        for (int at = 0; at < lw_result_size(&function->result[r]); ++at)
        {
          const lwResult* result = &function->result[r];  // CasADi keeps columns together
          int own                = at % result->rows * result->columns + at / result->rows;
          lwExpr rate            = d->entry[(first_row + own) * d->inputs + column + index];
          if (!rate) continue;
          if (outputs) outputs[count] = rate;
          if (outputs) places[count] = (lwJacobianEntry){r, p, at, index};
          ++count;
        }
  return count;
}

static bool collect_entries(const Derivation* d, const lwFunction* function, lwProgram* made,
                            lwJacobianEntry** places)
{
  int count     = place_entries(d, function, NULL, NULL);
  *places       = calloc((size_t)count + 1, sizeof **places);
  made->outputs = calloc((size_t)count + 1, sizeof *made->outputs);
  if (!*places || !made->outputs) return false;
  made->output_count = place_entries(d, function, *places, made->outputs);
  return !made->graph.failed && lw_simplify(made);
}

bool lw_derive(const lwFunction* function, lwProgram* made, lwJacobianEntry** places)
{
  const lwGraph* from = &function->program.graph;
  size_t nodes        = (size_t)from->count;
  Derivation d        = {.from = from, .to = &made->graph};
  for (int p = 0; p < function->parameters; ++p) d.inputs += function->parameter[p].size;
  *made   = (lwProgram){.graph = {.failed = true}};
  *places = NULL;
  d.copy  = calloc(nodes, sizeof *d.copy);
  d.rate  = calloc(nodes, sizeof *d.rate);
  d.entry = calloc((size_t)function->program.output_count * (size_t)d.inputs + 1, sizeof *d.entry);
  bool enough = d.copy && d.rate && d.entry && lw_graph_open(&made->graph);
  if (enough)
  {
    made->graph.split = from->split;
    copy_nodes(&d);
    derive_all(&d, function);
    enough = collect_entries(&d, function, made, places);
  }
  free(d.copy);
  free(d.rate);
  free(d.entry);
  return enough;
}
