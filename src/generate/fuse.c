// SPDX-License-Identifier: MIT
#include "generate/fuse.h"

static bool is_product_here(const lwProgram* program, const lwPlan* plan, lwExpr a)
{
  int32_t number = lw_expr_number(a);
  return program->graph.nodes[number].kind == LW_GRAPH_NODE_MUL && !plan->name[number] &&
         plan->uses[number] == 1;
}

// Products and sums that are written in the place of use
static int written_length(const lwProgram* program, const lwPlan* plan, lwExpr a)
{
  int32_t number          = lw_expr_number(a);
  const lwGraphNode* node = &program->graph.nodes[number];
  bool binary             = node->kind == LW_GRAPH_NODE_MUL || node->kind == LW_GRAPH_NODE_ADD;
  if (plan->name[number] || !binary) return 0;
  return 1 + written_length(program, plan, node->a) + written_length(program, plan, node->b);
}

bool lw_fuse(const lwProgram* program, const lwPlan* plan, int32_t number, bool negative,
             lwFused* fused)
{
  const lwGraphNode* sum = &program->graph.nodes[number];
  if (sum->kind != LW_GRAPH_NODE_ADD) return false;
  lwExpr product = sum->a, other = sum->b;
  bool first  = is_product_here(program, plan, product);
  bool second = is_product_here(program, plan, other);
  if (!first && !second) return false;
  bool longer = written_length(program, plan, other) > written_length(program, plan, product);
  if (!first || (second && longer)) product = sum->b, other = sum->a;
  const lwGraphNode* factors = lw_expr_node(&program->graph, product);
  bool minus                 = lw_expr_negative(product) != negative;
  fused->a                   = minus ? lw_expr_negate(factors->a) : factors->a;
  fused->b                   = factors->b;
  fused->c                   = negative ? lw_expr_negate(other) : other;
  return true;
}

int lw_fuse_count(const lwProgram* program, const lwPlan* plan)
{
  int count = 0;
  lwFused fused;
  for (int32_t i = 0; i < program->graph.count; ++i)
    count += plan->uses[i] > 0 && lw_fuse(program, plan, i, false, &fused);
  return count;
}
