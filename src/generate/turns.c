// SPDX-License-Identifier: MIT
// Sines and cosines of sums: joints with parallel axes turn by the sum of their angles.
#include "generate/terms.h"

#include <math.h>

// A factor that is the sine or cosine of an angle
static bool is_turn_of(const lwGraph* graph, lwExpr factor, lwGraphNodeKind kind, lwExpr angle)
{
  const lwGraphNode* node = lw_expr_node(graph, factor);
  return node->kind == kind && node->a == angle;
}

static lwGraphNodeKind other_turn(lwGraphNodeKind kind)
{
  return kind == LW_GRAPH_NODE_SIN ? LW_GRAPH_NODE_COS : LW_GRAPH_NODE_SIN;
}

// Whether b is a with the factors at i and j of a exchanged for sine instead of cosine and
// the other way round.
static bool is_partner(const lwGraph* graph, const lwSumTerm* a, int i, int j, const lwSumTerm* b)
{
  const lwGraphNode* first  = lw_expr_node(graph, a->factor[i]);
  const lwGraphNode* second = lw_expr_node(graph, a->factor[j]);
  if (a->count != b->count || fabs(fabs(a->k) - fabs(b->k)) > 4e-16 * fabs(a->k)) return false;
  bool used[LW_TERM_FACTORS] = {false};
  for (int f = 0; f < a->count; ++f)
  {
    int found = -1;
    for (int g = 0; g < b->count && found < 0; ++g)
    {
      if (used[g]) continue;
      bool fits = f == i   ? is_turn_of(graph, b->factor[g], other_turn(first->kind), first->a)
                  : f == j ? is_turn_of(graph, b->factor[g], other_turn(second->kind), second->a)
                           : b->factor[g] == a->factor[f];
      if (fits) found = g;
    }
    if (found < 0) return false;
    used[found] = true;
  }
  return true;
}

// What becomes of ka f(a) g(b) + kb of the partner: a turn of a + b or a - b, with its sign.
static lwExpr joined_turn(lwGraph* graph, const lwGraphNode* first, const lwGraphNode* second,
                          bool same)
{
  lwExpr a = first->a, b = second->a;
  bool mixed = first->kind != second->kind;
  if (mixed)
  {
    // sin a cos b + cos a sin b = sin(a + b), sin a cos b - cos a sin b = sin(a - b)
    lwExpr sine   = first->kind == LW_GRAPH_NODE_SIN ? a : b,
           cosine = first->kind == LW_GRAPH_NODE_SIN ? b : a;
    lwExpr angle  = lw_graph_add(graph, sine, same ? cosine : lw_expr_negate(cosine));
    return lw_graph_sin(graph, angle);
  }
  // cos a cos b + sin a sin b = cos(a - b), cos a cos b - sin a sin b = cos(a + b)
  lwExpr turn = lw_graph_cos(graph, lw_graph_add(graph, a, same ? lw_expr_negate(b) : b));
  bool negate = !same && first->kind == LW_GRAPH_NODE_SIN;
  return negate ? lw_expr_negate(turn) : turn;
}

static bool join_pair(lwGraph* graph, lwTerms* terms, int t, int i, int j)
{
  lwSumTerm* a = &terms->term[t];
  if (!lw_node_is_turn(lw_expr_node(graph, a->factor[i])) ||
      !lw_node_is_turn(lw_expr_node(graph, a->factor[j])))
    return false;
  for (int u = t + 1; u < terms->count; ++u)
  {
    if (!is_partner(graph, a, i, j, &terms->term[u])) continue;
    lwGraphNode first  = *lw_expr_node(graph, a->factor[i]),
                second = *lw_expr_node(graph, a->factor[j]);
    bool same          = (a->k < 0) == (terms->term[u].k < 0);
    lwExpr turn        = joined_turn(graph, &first, &second, same);
    lw_term_remove(a, j);  // j > i
    lw_term_remove(a, i);
    if (lw_expr_negative(turn)) a->k = -a->k;
    if (lw_expr_is_constant(graph, turn))
      a->k *= lw_expr_node(graph, turn)->value;
    else
      lw_term_add(terms, a, turn & ~1);
    terms->term[u] = terms->term[--terms->count];
    return true;
  }
  return false;
}

static bool join_any(lwGraph* graph, lwTerms* terms)
{
  for (int t = 0; t < terms->count; ++t)
    for (int i = 0; i < terms->term[t].count; ++i)
      for (int j = i + 1; j < terms->term[t].count; ++j)
        if (join_pair(graph, terms, t, i, j)) return true;
  return false;
}

bool lw_terms_turn(lwGraph* graph, lwTerms* terms)
{
  bool any = false;
  while (join_any(graph, terms)) any = true;
  if (any) lw_terms_merge(terms);
  return any;
}
