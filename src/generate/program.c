// SPDX-License-Identifier: MIT
#include "generate/program.h"

#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>

bool lw_program_open(lwProgram* program, int output_count)
{
  *program         = (lwProgram){.output_count = output_count};
  program->outputs = calloc((size_t)output_count + 1, sizeof *program->outputs);
  bool opened      = lw_graph_open(&program->graph);
  if (program->outputs && opened) return true;
  lw_program_close(program);
  return false;
}

void lw_program_close(lwProgram* program)
{
  lw_graph_close(&program->graph);
  free(program->outputs);
  *program = (lwProgram){.graph = {.failed = true}};
}

bool lw_program_uses(const lwProgram* program, int32_t** uses)
{
  const lwGraph* graph = &program->graph;
  *uses                = calloc((size_t)graph->count, sizeof **uses);
  if (!*uses) return false;
  for (int k = 0; k < program->output_count; ++k) ++(*uses)[lw_expr_number(program->outputs[k])];
  for (int32_t i = graph->count - 1; i >= 0; --i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    for (int k = 0; (*uses)[i] && k < lw_node_operands(node); ++k)
      ++(*uses)[lw_expr_number(lw_node_operand(node, k))];
  }
  return true;
}

lwCount lw_program_count(const lwProgram* program, const int32_t* uses)
{
  lwCount count = {0};
  for (int32_t i = 0; i < program->graph.count; ++i)
  {
    lwGraphNodeKind kind = program->graph.nodes[i].kind;
    if (!uses[i]) continue;
    count.mul += kind == LW_GRAPH_NODE_MUL;
    count.add += kind == LW_GRAPH_NODE_ADD;
    count.div += kind == LW_GRAPH_NODE_DIV;
    count.sqrt += kind == LW_GRAPH_NODE_SQRT;
  }
  count.executed_mul = count.mul, count.executed_add = count.add;
  count.executed_div = count.div, count.executed_sqrt = count.sqrt;
  return count;
}

// --- copies

static lwExpr copied(const lwExpr* copies, lwExpr a)
{
  lwExpr copy = copies[lw_expr_number(a)];
  return lw_expr_negative(a) ? lw_expr_negate(copy) : copy;
}

bool lw_program_adopt(lwProgram* program, lwGraph* fresh, bool enough)
{
  lw_graph_close(enough ? &program->graph : fresh);
  if (enough) program->graph = *fresh;
  return enough;
}

bool lw_program_compact(lwProgram* program)
{
  lwGraph fresh;
  int32_t* uses = NULL;
  size_t count  = (size_t)program->graph.count;
  lwExpr* copy  = calloc(count, sizeof *copy);
  bool enough   = lw_graph_open(&fresh);
  fresh.split   = program->graph.split;
  enough        = copy && enough && lw_program_uses(program, &uses);
  for (size_t i = 0; i < count && enough; ++i)
  {
    const lwGraphNode* node = &program->graph.nodes[i];
    lwExpr operand[2]       = {0};
    for (int k = 0; uses[i] && k < lw_node_operands(node); ++k)
      operand[k] = copied(copy, lw_node_operand(node, k));
    if (uses[i]) copy[i] = lw_graph_like(&fresh, node, operand[0], operand[1]);
  }
  enough = enough && !fresh.failed && !program->graph.failed;
  for (int k = 0; k < program->output_count && enough; ++k)
    program->outputs[k] = copied(copy, program->outputs[k]);
  free(copy);
  free(uses);
  return lw_program_adopt(program, &fresh, enough);
}

// --- values

static double value_of(const double* values, lwExpr a)
{
  double value = values[lw_expr_number(a)];
  return lw_expr_negative(a) ? -value : value;
}

static double node_value(const lwGraphNode* node, const double* values,
                         const double* const* arguments)
{
  switch (node->kind)
  {
    case LW_GRAPH_NODE_CONSTANT:
      return node->value;
    case LW_GRAPH_NODE_INPUT:
    {
      const double* array = arguments[lw_input_argument(node)];
      return array ? array[lw_input_index(node)] : 0;
    }
    case LW_GRAPH_NODE_ADD:
      return value_of(values, node->a) + value_of(values, node->b);
    case LW_GRAPH_NODE_MUL:
      return value_of(values, node->a) * value_of(values, node->b);
    case LW_GRAPH_NODE_DIV:
      return value_of(values, node->a) / value_of(values, node->b);
    case LW_GRAPH_NODE_SIN:
      return lw_sin(value_of(values, node->a));
    case LW_GRAPH_NODE_SQRT:
      return sqrt(value_of(values, node->a));
    default:
      return lw_cos(value_of(values, node->a));
  }
}

bool lw_program_evaluate(const lwProgram* program, const double* const* arguments, double* out)
{
  double* values = calloc((size_t)program->graph.count + 1, sizeof *values);
  if (!values) return false;
  for (int32_t i = 0; i < program->graph.count; ++i)
    values[i] = node_value(&program->graph.nodes[i], values, arguments);
  for (int k = 0; k < program->output_count; ++k) out[k] = value_of(values, program->outputs[k]);
  free(values);
  return true;
}
