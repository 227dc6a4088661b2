// SPDX-License-Identifier: MIT
#include "generate/rewrite.h"

#include <stdlib.h>
#include <string.h>

// As in choose.h; sines and cosines cost a little, so that a new angle has to save something.
static long cost_of(lwGraphNodeKind kind)
{
  static const long cost[] = {
      [LW_GRAPH_NODE_ADD] = 5, [LW_GRAPH_NODE_MUL] = 8, [LW_GRAPH_NODE_DIV] = 40,
      [LW_GRAPH_NODE_SIN] = 2, [LW_GRAPH_NODE_COS] = 2, [LW_GRAPH_NODE_SQRT] = 40};
  return cost[kind];
}

static bool follow_graph(lwRewriter* rewriter)
{
  int32_t capacity = rewriter->graph->capacity;
  if (rewriter->capacity >= capacity) return true;
  int32_t* uses = realloc(rewriter->uses, (size_t)capacity * sizeof *uses);
  if (uses) rewriter->uses = uses;
  lwExpr* replaced = realloc(rewriter->replaced, (size_t)capacity * sizeof *replaced);
  if (replaced) rewriter->replaced = replaced;
  rewriter->failed = rewriter->failed || !uses || !replaced;
  if (rewriter->failed) return false;
  for (int32_t i = rewriter->capacity; i < capacity; ++i) uses[i] = 0, replaced[i] = 2 * i;
  rewriter->capacity = capacity;
  return true;
}

bool lw_rewrite_open(lwRewriter* rewriter, lwProgram* program)
{
  *rewriter     = (lwRewriter){.program = program, .graph = &program->graph};
  int32_t* uses = NULL;
  bool enough   = lw_program_uses(program, &uses) && follow_graph(rewriter);
  if (enough) memcpy(rewriter->uses, uses, (size_t)program->graph.count * sizeof *uses);
  free(uses);
  if (enough) return true;
  free(rewriter->uses);
  free(rewriter->replaced);
  return false;
}

lwExpr lw_rewrite_resolve(const lwRewriter* rewriter, lwExpr a)
{
  for (;;)
  {
    lwExpr by = rewriter->replaced[lw_expr_number(a)];
    if (by == (a & ~1)) return a;
    a = lw_expr_negative(a) ? lw_expr_negate(by) : by;
  }
}

int32_t lw_rewrite_uses(const lwRewriter* rewriter, lwExpr a)
{
  return rewriter->uses[lw_expr_number(a)];
}

// --- coming to life, and dying

static long change_operand_uses(lwRewriter* rewriter, const lwGraphNode* node, int change);

// One use more (change 1) or less (-1): what the nodes cost that come to life or die by it.
static long change_uses(lwRewriter* rewriter, lwExpr a, int change)
{
  int32_t number          = lw_expr_number(lw_rewrite_resolve(rewriter, a));
  const lwGraphNode* node = &rewriter->graph->nodes[number];
  rewriter->uses[number] += change;
  if (rewriter->uses[number] > (change > 0)) return 0;
  return cost_of(node->kind) + change_operand_uses(rewriter, node, change);
}

static long change_operand_uses(lwRewriter* rewriter, const lwGraphNode* node, int change)
{
  long cost = 0;
  for (int k = 0; k < lw_node_operands(node); ++k)
    cost += change_uses(rewriter, lw_node_operand(node, k), change);
  return cost;
}

bool lw_rewrite_try(lwRewriter* rewriter, int32_t number, lwExpr by, int32_t count)
{
  lwGraph* graph = rewriter->graph;
  if (graph->failed || !follow_graph(rewriter)) return false;
  by = lw_rewrite_resolve(rewriter, by);
  if (lw_expr_number(by) == number)
  {
    lw_graph_rewind(graph, count);
    return false;
  }
  int32_t uses            = rewriter->uses[number];
  long added              = change_uses(rewriter, by, 1);
  const lwGraphNode* node = &graph->nodes[number];
  // the node itself goes: its operands lose one use each
  rewriter->uses[number] = 0;
  long saved             = cost_of(node->kind) + change_operand_uses(rewriter, node, -1);
  if (saved > added)
  {
    rewriter->uses[lw_expr_number(by)] += uses - 1;
    rewriter->replaced[number] = by;
    return true;
  }
  change_operand_uses(rewriter, node, 1);
  rewriter->uses[number] = uses;
  change_uses(rewriter, by, -1);
  lw_graph_rewind(graph, count);
  return false;
}

// --- the end

typedef struct Rebuild
{
  const lwRewriter* rewriter;
  lwGraph fresh;
  lwExpr* copies;  // (nodes) in the fresh graph, -1: not yet
} Rebuild;

static lwExpr rebuilt(Rebuild* rebuild, lwExpr a)
{
  a                       = lw_rewrite_resolve(rebuild->rewriter, a);
  int32_t number          = lw_expr_number(a);
  const lwGraphNode* node = &rebuild->rewriter->graph->nodes[number];
  lwGraph* to             = &rebuild->fresh;
  if (rebuild->copies[number] < 0)
  {
    lwExpr operand[2] = {0};
    for (int k = 0; k < lw_node_operands(node); ++k)
      operand[k] = rebuilt(rebuild, lw_node_operand(node, k));
    rebuild->copies[number] = lw_graph_like(to, node, operand[0], operand[1]);
  }
  return lw_expr_negative(a) ? lw_expr_negate(rebuild->copies[number]) : rebuild->copies[number];
}

bool lw_rewrite_close(lwRewriter* rewriter)
{
  lwProgram* program = rewriter->program;
  Rebuild rebuild    = {.rewriter = rewriter};
  size_t count       = (size_t)program->graph.count;
  rebuild.copies     = malloc(count * sizeof *rebuild.copies);
  bool enough        = lw_graph_open(&rebuild.fresh) && rebuild.copies && !rewriter->failed &&
                !program->graph.failed;
  rebuild.fresh.split = program->graph.split;
  for (size_t i = 0; enough && i < count; ++i) rebuild.copies[i] = -1;
  for (int k = 0; enough && k < program->output_count; ++k)
    program->outputs[k] = rebuilt(&rebuild, program->outputs[k]);
  enough = lw_program_adopt(program, &rebuild.fresh, enough && !rebuild.fresh.failed) &&
           lw_program_compact(program);
  free(rebuild.copies);
  free(rewriter->uses);
  free(rewriter->replaced);
  return enough;
}
