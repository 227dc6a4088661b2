// SPDX-License-Identifier: MIT
#include "generate/function.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const lwAngle* lw_function_angle(const lwFunction* function, lwExpr angle)
{
  for (int k = 0; k < function->angles; ++k)
    if (function->angle[k].expr == angle) return &function->angle[k];
  return NULL;
}

// "23" for q2 + q3; false for all else
static bool name_sum(const lwGraph* graph, lwExpr angle, int joints, char* name, size_t size)
{
  const lwGraphNode* node = lw_expr_node(graph, angle);
  if (lw_expr_negative(angle) || size < 4) return false;
  if (node->kind == LW_GRAPH_NODE_INPUT && lw_input_argument(node) == LW_ARGUMENT_Q)
    return snprintf(name, size, "%d", lw_input_index(node) + 1) < (int)size;
  if (node->kind != LW_GRAPH_NODE_ADD || joints > 9) return false;
  if (!name_sum(graph, node->a, joints, name, size)) return false;
  size_t used = strlen(name);
  return name_sum(graph, node->b, joints, name + used, size - used);
}

// Joints in their order come first, so that neighbours are loaded at once; then sums.
static int angle_rank(const lwGraph* graph, lwExpr angle)
{
  const lwGraphNode* node = lw_expr_node(graph, angle);
  return node->kind == LW_GRAPH_NODE_INPUT ? lw_input_index(node) : INT_MAX;
}

bool lw_function_find_angles(lwFunction* function, int joints)
{
  const lwGraph* graph = &function->program.graph;
  function->angle      = calloc((size_t)graph->count, sizeof *function->angle);
  if (!function->angle) return false;
  for (int32_t i = 0; i < graph->count; ++i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    bool used               = lw_node_is_turn(node) && function->plan.uses[i];
    if (!used || lw_function_angle(function, node->a)) continue;
    lwAngle angle = {.expr = node->a};
    if (!name_sum(graph, node->a, joints, angle.name, sizeof angle.name))
      snprintf(angle.name, sizeof angle.name, "_%d", function->angles + 1);
    int rank = angle_rank(graph, angle.expr), at = function->angles++;
    for (; at > 0 && angle_rank(graph, function->angle[at - 1].expr) > rank; --at)
      function->angle[at] = function->angle[at - 1];
    function->angle[at] = angle;
  }
  return true;
}

void lw_function_free(lwFunction* function)
{
  lw_program_close(&function->program);
  lw_plan_free(&function->plan);
  free(function->angle);
  function->angle = NULL;
}

const lwTaken* lw_function_parameter(const lwFunction* function, lwArgument argument)
{
  for (int k = 0; k < function->parameters; ++k)
    if (function->parameter[k].argument == argument) return &function->parameter[k];
  return NULL;
}

const lwResult* lw_function_result(const lwFunction* function, int output, int* index)
{
  const lwResult* result = function->result;
  for (; output >= lw_result_size(result); ++result) output -= lw_result_size(result);
  *index = output;
  return result;
}

static bool is_read(const lwGraph* graph, lwExpr a, lwArgument argument)
{
  const lwGraphNode* node = lw_expr_node(graph, a);
  return node->kind == LW_GRAPH_NODE_INPUT && lw_input_argument(node) == argument;
}

bool lw_function_reads(const lwFunction* function, bool given_sines, lwArgument argument)
{
  const lwGraph* graph = &function->program.graph;
  for (int k = 0; k < function->program.output_count; ++k)
    if (is_read(graph, function->program.outputs[k], argument)) return true;
  for (int32_t i = 0; i < graph->count; ++i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    bool sine               = node->kind == LW_GRAPH_NODE_SIN;
    bool is_turn            = given_sines && lw_node_is_turn(node);
    if (!function->plan.uses[i]) continue;
    if (is_turn && argument == (sine ? LW_ARGUMENT_SINE : LW_ARGUMENT_COSINE)) return true;
    for (int k = 0; k < lw_node_operands(node) && !is_turn; ++k)
      if (is_read(graph, lw_node_operand(node, k), argument)) return true;
  }
  return false;
}
