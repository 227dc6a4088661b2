// SPDX-License-Identifier: MIT
#include "generate/rewrite.h"

#include <stdlib.h>
#include <string.h>

// As in choose.h; sines and cosines cost a little, so that a new angle has to save something.
static long cost_of(lwGraphNodeKind kind)
{
  static const long cost[] = {
      [LW_GRAPH_NODE_ADD] = 5,   [LW_GRAPH_NODE_MUL] = 8, [LW_GRAPH_NODE_DIV] = 40,
      [LW_GRAPH_NODE_SQRT] = 40, [LW_GRAPH_NODE_SIN] = 2, [LW_GRAPH_NODE_COS] = 2};
  return cost[kind];
}

static bool has_operands(lwGraphNodeKind kind)
{
  return kind != LW_GRAPH_NODE_CONSTANT && kind != LW_GRAPH_NODE_INPUT;
}

static bool has_second(lwGraphNodeKind kind)
{
  return kind == LW_GRAPH_NODE_ADD || kind == LW_GRAPH_NODE_MUL || kind == LW_GRAPH_NODE_DIV;
}

static bool follow_graph(lwRewriter* rewriter)
{
  int32_t room = rewriter->graph->room;
  if (rewriter->room >= room) return true;
  int32_t* uses = realloc(rewriter->uses, (size_t)room * sizeof *uses);
  if (uses) rewriter->uses = uses;
  lwExpr* replaced = realloc(rewriter->replaced, (size_t)room * sizeof *replaced);
  if (replaced) rewriter->replaced = replaced;
  rewriter->failed = rewriter->failed || !uses || !replaced;
  if (rewriter->failed) return false;
  for (int32_t i = rewriter->room; i < room; ++i) uses[i] = 0, replaced[i] = 2 * i;
  rewriter->room = room;
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

static long acquire(lwRewriter* rewriter, lwExpr a)
{
  int32_t number          = lw_expr_number(lw_rewrite_resolve(rewriter, a));
  const lwGraphNode* node = &rewriter->graph->nodes[number];
  if (rewriter->uses[number]++ > 0) return 0;
  long cost = cost_of(node->kind);
  if (has_operands(node->kind)) cost += acquire(rewriter, node->a);
  if (has_second(node->kind)) cost += acquire(rewriter, node->b);
  return cost;
}

static long release(lwRewriter* rewriter, lwExpr a)
{
  int32_t number          = lw_expr_number(lw_rewrite_resolve(rewriter, a));
  const lwGraphNode* node = &rewriter->graph->nodes[number];
  if (--rewriter->uses[number] > 0) return 0;
  long cost = cost_of(node->kind);
  if (has_operands(node->kind)) cost += release(rewriter, node->a);
  if (has_second(node->kind)) cost += release(rewriter, node->b);
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
  long added              = acquire(rewriter, by);
  const lwGraphNode* node = &graph->nodes[number];
  long saved              = cost_of(node->kind);
  // the node itself goes: its operands lose one use each
  rewriter->uses[number] = 0;
  if (has_operands(node->kind)) saved += release(rewriter, node->a);
  if (has_second(node->kind)) saved += release(rewriter, node->b);
  if (saved > added)
  {
    rewriter->uses[lw_expr_number(by)] += uses - 1;
    rewriter->replaced[number] = by;
    return true;
  }
  if (has_operands(node->kind)) acquire(rewriter, node->a);
  if (has_second(node->kind)) acquire(rewriter, node->b);
  rewriter->uses[number] = uses;
  release(rewriter, by);
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
    lwExpr first            = has_operands(node->kind) ? rebuilt(rebuild, node->a) : 0;
    lwExpr second           = has_second(node->kind) ? rebuilt(rebuild, node->b) : 0;
    rebuild->copies[number] = lw_graph_like(to, node, first, second);
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
  enough = enough && !rebuild.fresh.failed;
  if (enough)
  {
    lw_graph_close(&program->graph);
    program->graph = rebuild.fresh;
    enough         = lw_program_compact(program);
  }
  else
    lw_graph_close(&rebuild.fresh);
  free(rebuild.copies);
  free(rewriter->uses);
  free(rewriter->replaced);
  return enough;
}
