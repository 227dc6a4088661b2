// SPDX-License-Identifier: MIT
// Sums are rewritten in several ways, and the cheapest is kept: with common factors taken out,
// with sines of sums, with one product or all of them multiplied out, once and twice, so that
// terms cancel and constants combine.
#include <stdlib.h>

#include "generate/terms.h"

enum
{
  ROUNDS      = 6,     // over all sums, at most
  MANY_TERMS  = 12,    // of longer sums single products are not multiplied out one by one
  SPARE_NODES = 60000  // programs with more nodes are left as they are: one round takes too long
};

typedef struct Simplifier
{
  lwRewriter rewriter;
  lwTerms* original;
  lwTerms* changed;
  lwTerms* turned;  // terms with sines of sums
} Simplifier;

static bool try_terms(Simplifier* simplifier, int32_t number, const lwTerms* terms, int32_t count)
{
  return lw_rewrite_try(&simplifier->rewriter, number, lw_terms_build(&simplifier->rewriter, terms),
                        count);
}

// The sum with sines of sums of angles first, then without.
static bool try_changed(Simplifier* simplifier, int32_t number)
{
  lwGraph* graph = simplifier->rewriter.graph;
  int32_t count  = graph->count;
  if (simplifier->changed->full) return false;
  if (!graph->split)
  {
    lw_terms_copy(simplifier->changed, simplifier->turned);
    if (lw_terms_turn(graph, simplifier->turned) &&
        try_terms(simplifier, number, simplifier->turned, count))
      return true;
    lw_graph_rewind(graph, count);
  }
  return try_terms(simplifier, number, simplifier->changed, count);
}

// A way to rewrite the sum: the terms as they are, one
// multiplied out, or all of them `times` times.
static bool try_way(Simplifier* simplifier, int32_t number, int which, int times)
{
  lw_terms_copy(simplifier->original, simplifier->changed);
  bool any = times == 0;
  for (int k = 0; k < times; ++k)
    any = lw_terms_expand(&simplifier->rewriter, which, simplifier->changed) || any;
  return any && try_changed(simplifier, number);
}

static bool simplify_sum(Simplifier* simplifier, int32_t number)
{
  lw_terms_of(&simplifier->rewriter, number, simplifier->original);
  if (simplifier->original->full) return false;
  int count = simplifier->original->count;
  if (try_way(simplifier, number, 0, 0)) return true;
  if (try_way(simplifier, number, -1, 1)) return true;
  if (try_way(simplifier, number, -1, 2)) return true;
  for (int which = 0; which < count && count <= MANY_TERMS; ++which)
    if (try_way(simplifier, number, which, 1)) return true;
  return false;
}

// One round over all sums, operands first; tells how many were replaced, or -1 if memory ran out.
static int simplify_round(Simplifier* simplifier, lwProgram* program)
{
  lwRewriter* rewriter = &simplifier->rewriter;
  int replaced         = 0;
  if (!lw_rewrite_open(rewriter, program)) return -1;
  int32_t count = program->graph.count;
  for (int32_t i = 0; i < count && !program->graph.failed; ++i)
  {
    lwGraphNodeKind kind = program->graph.nodes[i].kind;
    if ((kind == LW_GRAPH_NODE_ADD || kind == LW_GRAPH_NODE_MUL) && rewriter->uses[i] > 0 &&
        rewriter->replaced[i] == 2 * i)
      replaced += simplify_sum(simplifier, i);
  }
  return lw_rewrite_close(rewriter) ? replaced : -1;
}

bool lw_simplify(lwProgram* program)
{
  lwTerms* capacity     = malloc(3 * sizeof *capacity);
  Simplifier simplifier = {.original = capacity, .changed = capacity + 1, .turned = capacity + 2};
  bool enough           = capacity && lw_program_compact(program);
  int changed           = 1;
  for (int k = 0; k < ROUNDS && enough && changed > 0 && program->graph.count < SPARE_NODES; ++k)
  {
    changed = simplify_round(&simplifier, program);
    enough  = changed >= 0;
  }
  free(capacity);
  return enough;
}
