// SPDX-License-Identifier: MIT
#include "generate/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- reading

void lw_term_add(lwTerms* terms, lwSumTerm* term, lwExpr factor)
{
  if (term->count == LW_TERM_FACTORS)
  {
    terms->full = true;
    return;
  }
  int at = term->count++;
  for (; at > 0 && term->factor[at - 1] > factor; --at) term->factor[at] = term->factor[at - 1];
  term->factor[at] = factor;
}

// Multiplies a term by an expression.
static void take_product(const lwRewriter* rewriter, lwTerms* terms, lwSumTerm* term, lwExpr a)
{
  a                       = lw_rewrite_resolve(rewriter, a);
  const lwGraphNode* node = lw_expr_node(rewriter->graph, a);
  if (lw_expr_negative(a)) term->k = -term->k;
  if (node->kind == LW_GRAPH_NODE_CONSTANT)
    term->k *= node->value;
  else if (node->kind == LW_GRAPH_NODE_MUL)
  {
    take_product(rewriter, terms, term, node->a);
    take_product(rewriter, terms, term, node->b);
  }
  else
    lw_term_add(terms, term, a & ~1);
}

static void put_term(lwTerms* terms, const lwSumTerm* term)
{
  if (terms->count == LW_TERMS)
    terms->full = true;
  else
    terms->term[terms->count++] = *term;
}

void lw_terms_copy(const lwTerms* from, lwTerms* to)
{
  memcpy(to->term, from->term, (size_t)from->count * sizeof *to->term);
  to->count = from->count;
  to->full  = from->full;
}

static void take_sum(const lwRewriter* rewriter, lwTerms* terms, double k, lwExpr a, bool top)
{
  a                       = lw_rewrite_resolve(rewriter, a);
  const lwGraphNode* node = lw_expr_node(rewriter->graph, a);
  bool open               = top || rewriter->uses[lw_expr_number(a)] == 1;
  if (lw_expr_negative(a)) k = -k;
  if (node->kind == LW_GRAPH_NODE_ADD && open)
  {
    take_sum(rewriter, terms, k, node->a, false);
    return take_sum(rewriter, terms, k, node->b, false);
  }
  lwSumTerm term = {.k = k};
  take_product(rewriter, terms, &term, a & ~1);
  put_term(terms, &term);
}

void lw_terms_of(const lwRewriter* rewriter, int32_t number, lwTerms* terms)
{
  terms->count = 0;
  terms->full  = false;
  take_sum(rewriter, terms, 1, 2 * number, true);
}

// --- multiplying out

void lw_term_remove(lwSumTerm* term, int at)
{
  memmove(&term->factor[at], &term->factor[at + 1],
          (size_t)(term->count - at - 1) * sizeof *term->factor);
  --term->count;
}

// Index of a factor that is a sum, or -1.
static int sum_factor(const lwRewriter* rewriter, const lwSumTerm* term)
{
  for (int i = 0; i < term->count; ++i)
    if (lw_expr_kind(rewriter->graph, term->factor[i]) == LW_GRAPH_NODE_ADD) return i;
  return -1;
}

static void expand_term(const lwRewriter* rewriter, const lwSumTerm* term, lwTerms* out)
{
  int at = sum_factor(rewriter, term);
  if (at < 0) return put_term(out, term);
  lwTerms* inner = malloc(sizeof *inner);
  if (!inner)
  {
    out->full = rewriter->graph->failed = true;
    return;
  }
  lw_terms_of(rewriter, lw_expr_number(term->factor[at]), inner);
  out->full = out->full || inner->full;
  for (int i = 0; i < inner->count && !out->full; ++i)
  {
    lwSumTerm product = *term;
    lw_term_remove(&product, at);
    product.k *= inner->term[i].k;
    for (int f = 0; f < inner->term[i].count; ++f)
      lw_term_add(out, &product, inner->term[i].factor[f]);
    put_term(out, &product);
  }
  free(inner);
}

bool lw_terms_expand(const lwRewriter* rewriter, int which, lwTerms* terms)
{
  bool any = false;
  for (int i = 0; i < terms->count; ++i)
    any = any || ((which < 0 || which == i) && sum_factor(rewriter, &terms->term[i]) >= 0);
  if (!any) return false;
  lwTerms* out = malloc(sizeof *out);
  if (!out)
  {
    terms->full = rewriter->graph->failed = true;
    return false;
  }
  out->count = 0;
  out->full  = terms->full;
  for (int i = 0; i < terms->count && !out->full; ++i)
  {
    if (which < 0 || which == i)
      expand_term(rewriter, &terms->term[i], out);
    else
      put_term(out, &terms->term[i]);
  }
  lw_terms_copy(out, terms);
  free(out);
  if (!terms->full) lw_terms_merge(terms);
  return true;
}

static bool same_factors(const lwSumTerm* a, const lwSumTerm* b)
{
  return a->count == b->count &&
         memcmp(a->factor, b->factor, (size_t)a->count * sizeof *a->factor) == 0;
}

// What rounding leaves of terms that cancel is none.
static const double CANCELLED = 1e-14;

void lw_terms_merge(lwTerms* terms)
{
  int kept = 0;
  for (int i = 0; i < terms->count; ++i)
  {
    int same = 0;
    while (same < kept && !same_factors(&terms->term[same], &terms->term[i])) ++same;
    if (same < kept)
    {
      double before = fabs(terms->term[same].k);
      terms->term[same].k += terms->term[i].k;
      if (fabs(terms->term[same].k) <= CANCELLED * before) terms->term[same].k = 0;
    }
    else
      terms->term[kept++] = terms->term[i];
  }
  terms->count = 0;
  for (int i = 0; i < kept; ++i)
    if (terms->term[i].k != 0) terms->term[terms->count++] = terms->term[i];
}

// --- building

// Parts of a product or sum that are being joined. Pairs that were
// not found are not looked for again.
typedef struct Joining
{
  const lwRewriter* rewriter;
  bool product;
  lwExpr* part;
  int count;
  int scanned;  // parts before this one make no pair with those behind them, but perhaps with
  int fresh;    // this one, the last that was joined
} Joining;

// Parts a and b joined, if the program computes that already, or else -1.
static lwExpr computed_pair(const Joining* joining, int a, int b)
{
  const lwRewriter* rewriter = joining->rewriter;
  const lwExpr* part         = joining->part;
  lwExpr found = joining->product ? lw_graph_find_mul(rewriter->graph, part[a], part[b])
                                  : lw_graph_find_add(rewriter->graph, part[a], part[b]);
  if (found < 0 || lw_expr_number(found) >= rewriter->capacity) return -1;
  bool live = lw_rewrite_resolve(rewriter, found) == found && lw_rewrite_uses(rewriter, found) > 0;
  return live ? found : -1;
}

// The first such pair, or -1; *i and *j are its places.
static lwExpr live_pair(const Joining* joining, int* i, int* j)
{
  for (int a = 0; a < joining->count; ++a)
  {
    bool once = a < joining->scanned && a != joining->fresh;
    int from  = !once ? a + 1 : joining->fresh > a ? joining->fresh : joining->count;
    int to    = !once ? joining->count : from + 1;
    for (int b = from; b < to && b < joining->count; ++b)
    {
      lwExpr found = computed_pair(joining, a, b);
      *i = a, *j = b;
      if (found >= 0) return found;
    }
  }
  return -1;
}

// The product or sum of all parts, pairs that are computed already first.
static lwExpr join_parts(const lwRewriter* rewriter, lwExpr* part, int count, bool product)
{
  lwGraph* graph  = rewriter->graph;
  Joining joining = {rewriter, product, part, count, 0, -1};
  while (joining.count > 1)
  {
    int i, j;
    lwExpr pair = live_pair(&joining, &i, &j);
    if (pair < 0)
    {
      i = 0, j = 1;
      joining.scanned = joining.count;
      pair =
          product ? lw_graph_mul(graph, part[0], part[1]) : lw_graph_add(graph, part[0], part[1]);
    }
    part[i] = pair;
    memmove(&part[j], &part[j + 1], (size_t)(joining.count - j - 1) * sizeof *part);
    --joining.count;
    joining.fresh = i;
    if (i >= joining.scanned)
      joining.scanned = i;
    else if (j < joining.scanned)
      --joining.scanned;
  }
  return part[0];
}

static lwExpr build_term(const lwRewriter* rewriter, const lwSumTerm* term)
{
  lwExpr part[LW_TERM_FACTORS + 1];
  int count = term->count;
  if (!count) return lw_graph_constant(rewriter->graph, term->k);
  memcpy(part, term->factor, (size_t)count * sizeof *part);
  if (fabs(term->k) != 1) part[count++] = lw_graph_constant(rewriter->graph, fabs(term->k));
  lwExpr product = join_parts(rewriter, part, count, true);
  return term->k < 0 ? lw_expr_negate(product) : product;
}

static lwExpr build_plain(const lwRewriter* rewriter, const lwTerms* terms)
{
  lwExpr part[LW_TERMS];
  for (int i = 0; i < terms->count; ++i) part[i] = build_term(rewriter, &terms->term[i]);
  return terms->count > 0 ? join_parts(rewriter, part, terms->count, false) : 0;
}

// k (a + b) from k a + k b, if all have the same k
static double common_scale(const lwTerms* terms)
{
  double k = fabs(terms->term[0].k);
  for (int i = 1; i < terms->count; ++i)
    if (fabs(terms->term[i].k) != k) return 1;
  return k;
}

// In how many terms each factor is; a factor that is in a term twice counts once.
enum
{
  TALLIES = 2048  // a power of two, above LW_TERMS * LW_TERM_FACTORS
};
_Static_assert(TALLIES > LW_TERMS * LW_TERM_FACTORS, "every factor has a place");

typedef struct Tally
{
  lwExpr factor[TALLIES];  // by hash, -1: none
  int count[TALLIES];
  int mask;  // of as many places as these terms need
} Tally;

static int* tally_of(Tally* tally, lwExpr factor)
{
  int at = (int)((uint32_t)factor * 2654435769u >> 8) & tally->mask;
  while (tally->factor[at] != factor && tally->factor[at] >= 0) at = (at + 1) & tally->mask;
  tally->factor[at] = factor;
  return &tally->count[at];
}

static void tally_terms(const lwTerms* terms, Tally* tally)
{
  int factors = 0;
  for (int i = 0; i < terms->count; ++i) factors += terms->term[i].count;
  tally->mask = 3;
  while (tally->mask < factors + factors / 2 && tally->mask < TALLIES - 1)
    tally->mask = 2 * tally->mask + 1;
  for (int k = 0; k <= tally->mask; ++k) tally->factor[k] = -1, tally->count[k] = 0;
  for (int i = 0; i < terms->count; ++i)
    for (int f = 0; f < terms->term[i].count; ++f)
      if (!f || terms->term[i].factor[f] != terms->term[i].factor[f - 1])
        ++*tally_of(tally, terms->term[i].factor[f]);
}

// How many terms have the number of term i; 0 if an earlier term had it.
static int terms_scaled_as(const lwTerms* terms, int i)
{
  int same = 0;
  double k = fabs(terms->term[i].k);
  for (int j = 0; j < terms->count; ++j)
  {
    if (fabs(terms->term[j].k) != k) continue;
    if (j < i) return 0;
    ++same;
  }
  return same;
}

// The factor that most terms share, at least two; *scale is set instead if more share a number.
static lwExpr best_factor(const lwTerms* terms, double* scale)
{
  Tally tally;
  lwExpr best = -1;
  int most    = 1;
  *scale      = 0;
  tally_terms(terms, &tally);
  for (int i = 0; i < terms->count; ++i)
  {
    for (int f = 0; f < terms->term[i].count; ++f)
    {
      int count = *tally_of(&tally, terms->term[i].factor[f]);
      if (count > most) most = count, best = terms->term[i].factor[f];
    }
    if (fabs(terms->term[i].k) == 1) continue;
    int same = terms_scaled_as(terms, i);
    if (same > most) most = same, *scale = fabs(terms->term[i].k);
  }
  return best;
}

lwExpr lw_terms_build(const lwRewriter* rewriter, const lwTerms* terms)
{
  lwGraph* graph = rewriter->graph;
  if (terms->count <= 0) return 0;
  if (terms->count == 1) return build_plain(rewriter, terms);
  double scale  = common_scale(terms);
  lwExpr factor = scale != 1 ? -1 : best_factor(terms, &scale);
  if (factor < 0 && (scale == 0 || scale == 1)) return build_plain(rewriter, terms);
  lwTerms* parts = malloc(2 * sizeof *parts);
  if (!parts)
  {
    graph->failed = true;
    return 0;
  }
  lwTerms *with = &parts[0], *without = &parts[1];
  with->count = without->count = 0;
  bool by_scale                = scale != 0 && scale != 1;
  for (int i = 0; i < terms->count; ++i)
  {
    lwSumTerm term = terms->term[i];
    int at         = 0;
    while (at < term.count && term.factor[at] != factor) ++at;
    bool has = by_scale ? fabs(term.k) == scale : at < term.count;
    if (has && by_scale) term.k /= scale;
    if (has && !by_scale) lw_term_remove(&term, at);
    put_term(has ? with : without, &term);
  }
  lwExpr taken  = by_scale ? lw_graph_constant(graph, scale) : factor;
  lwExpr inside = lw_graph_mul(graph, taken, lw_terms_build(rewriter, with));
  lwExpr sum    = lw_graph_add(graph, inside, lw_terms_build(rewriter, without));
  free(parts);
  return sum;
}
