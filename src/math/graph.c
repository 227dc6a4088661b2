// SPDX-License-Identifier: MIT
#include "math/graph.h"

#include "math/elementary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int FIRST_CAPACITY = 256;

// --- nodes

static uint32_t mix_word(uint32_t hash, uint32_t word)
{
  hash = (hash ^ word) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}

static uint32_t hash_of(const lwGraphNode* node)
{
  uint64_t bits;
  memcpy(&bits, &node->value, sizeof bits);
  uint32_t hash = mix_word(0x2545f491u, (uint32_t)node->kind);
  hash          = mix_word(mix_word(hash, (uint32_t)node->a), (uint32_t)node->b);
  return mix_word(mix_word(hash, (uint32_t)bits), (uint32_t)(bits >> 32));
}

static bool same_node(const lwGraphNode* a, const lwGraphNode* b)
{
  return a->kind == b->kind && a->a == b->a && a->b == b->b && a->value == b->value;
}

static void put_into_table(lwGraph* graph, int32_t number)
{
  uint32_t at = hash_of(&graph->nodes[number]) & graph->mask;
  while (graph->table[at]) at = (at + 1) & graph->mask;
  graph->table[at] = number + 1;
}

// Twice the capacity, and a table twice as large again.
static bool grow(lwGraph* graph)
{
  int32_t capacity   = graph->capacity ? 2 * graph->capacity : FIRST_CAPACITY;
  lwGraphNode* nodes = realloc(graph->nodes, (size_t)capacity * sizeof *nodes);
  int32_t* table     = calloc(2 * (size_t)capacity, sizeof *table);
  if (nodes) graph->nodes = nodes;
  if (!nodes || !table || capacity > INT32_MAX / 4)
  {
    free(table);
    return false;
  }
  free(graph->table);
  graph->capacity = capacity;
  graph->table    = table;
  graph->mask     = 2 * (uint32_t)capacity - 1;
  for (int32_t i = 0; i < graph->count; ++i) put_into_table(graph, i);
  return true;
}

// The node like this one, or -1.
static lwExpr find_node(const lwGraph* graph, const lwGraphNode* node)
{
  for (uint32_t at = hash_of(node) & graph->mask; graph->table[at]; at = (at + 1) & graph->mask)
    if (same_node(&graph->nodes[graph->table[at] - 1], node)) return 2 * (graph->table[at] - 1);
  return -1;
}

// The node like this one, made if there is none.
static lwExpr find_or_make(lwGraph* graph, lwGraphNode node)
{
  lwExpr found = find_node(graph, &node);
  if (found >= 0) return found;
  if (graph->count == graph->capacity && !grow(graph))
  {
    graph->failed = true;
    return 0;
  }
  graph->nodes[graph->count] = node;
  put_into_table(graph, graph->count);
  return 2 * graph->count++;
}

// The table is as it was before these nodes: they went into it last.
void lw_graph_rewind(lwGraph* graph, int32_t count)
{
  while (graph->count > count)
  {
    int32_t number = --graph->count;
    uint32_t at    = hash_of(&graph->nodes[number]) & graph->mask;
    while (graph->table[at] != number + 1) at = (at + 1) & graph->mask;
    graph->table[at] = 0;
  }
}

bool lw_graph_open(lwGraph* graph)
{
  *graph = (lwGraph){0};
  if (!grow(graph))
  {
    lw_graph_close(graph);
    return false;
  }
  lw_graph_constant(graph, 0);
  return true;
}

void lw_graph_close(lwGraph* graph)
{
  free(graph->nodes);
  free(graph->table);
  *graph = (lwGraph){.failed = true};
}

// --- expressions

static lwExpr with_sign(lwExpr a, bool negative)
{
  return negative ? lw_expr_negate(a) : a;
}

// A constant within two spacings of another one is that one: the same number, computed in another
// order. Else products with them would be computed twice.
lwExpr lw_graph_constant(lwGraph* graph, double value)
{
  bool negative    = value < 0;
  lwGraphNode node = {.kind = LW_GRAPH_NODE_CONSTANT, .value = negative ? -value : value + 0.0};
  lwExpr found     = find_node(graph, &node);
  double below = node.value, above = node.value;
  for (int i = 0; i < 2 && found < 0 && node.value > DBL_MIN && node.value < DBL_MAX; ++i)
  {
    below            = nextafter(below, 0);
    above            = nextafter(above, INFINITY);
    lwGraphNode less = node, more = node;
    less.value = below, more.value = above;
    found = find_node(graph, &less);
    if (found < 0) found = find_node(graph, &more);
  }
  return with_sign(found < 0 ? find_or_make(graph, node) : found, negative);
}

lwExpr lw_graph_input(lwGraph* graph, int number)
{
  return find_or_make(graph, (lwGraphNode){.kind = LW_GRAPH_NODE_INPUT, .a = number});
}

// k x as a number and an expression
typedef struct ScaledNode
{
  double k;
  lwExpr x;
} ScaledNode;

static ScaledNode scaled_of(const lwGraph* graph, lwExpr a)
{
  double sign             = lw_expr_negative(a) ? -1 : 1;
  const lwGraphNode* node = lw_expr_node(graph, a);
  if (node->kind == LW_GRAPH_NODE_MUL && lw_expr_is_constant(graph, node->a))
    return (ScaledNode){sign * lw_expr_value(graph, node->a), node->b};
  return (ScaledNode){sign, a & ~1};
}

// The node of a + b: the smaller handle first, and positive
static lwGraphNode sum_node(lwExpr a, lwExpr b, bool* negative)
{
  lwExpr first = a < b ? a : b, second = a < b ? b : a;
  *negative = lw_expr_negative(first);
  return (lwGraphNode){.kind = LW_GRAPH_NODE_ADD,
                       .a    = with_sign(first, *negative),
                       .b    = with_sign(second, *negative)};
}

static lwGraphNode product_node(lwExpr a, lwExpr b, bool* negative)
{
  *negative = lw_expr_negative(a) != lw_expr_negative(b);
  a &= ~1, b &= ~1;
  return (lwGraphNode){.kind = LW_GRAPH_NODE_MUL, .a = a < b ? a : b, .b = a < b ? b : a};
}

lwExpr lw_graph_find_add(const lwGraph* graph, lwExpr a, lwExpr b)
{
  bool negative;
  lwGraphNode node = sum_node(a, b, &negative);
  lwExpr found     = find_node(graph, &node);
  return found < 0 ? -1 : with_sign(found, negative);
}

lwExpr lw_graph_find_mul(const lwGraph* graph, lwExpr a, lwExpr b)
{
  bool negative;
  lwGraphNode node = product_node(a, b, &negative);
  if (lw_expr_is_constant(graph, node.b)) node.a = b & ~1, node.b = a & ~1;
  lwExpr found = find_node(graph, &node);
  return found < 0 ? -1 : with_sign(found, negative);
}

lwExpr lw_graph_add(lwGraph* graph, lwExpr a, lwExpr b)
{
  if (a == 0) return b;
  if (b == 0) return a;
  if (lw_expr_is_constant(graph, a) && lw_expr_is_constant(graph, b))
    return lw_graph_constant(graph, lw_expr_value(graph, a) + lw_expr_value(graph, b));
  ScaledNode left = scaled_of(graph, a), right = scaled_of(graph, b);
  if (left.x == right.x)
    return lw_graph_mul(graph, lw_graph_constant(graph, left.k + right.k), left.x);
  bool negative;
  lwGraphNode node = sum_node(a, b, &negative);
  return with_sign(find_or_make(graph, node), negative);
}

// a k for a constant k that is not 0
static lwExpr scale_by(lwGraph* graph, lwExpr k, lwExpr a)
{
  bool negative           = lw_expr_negative(k) != lw_expr_negative(a);
  const lwGraphNode* node = lw_expr_node(graph, a);
  double value            = graph->nodes[k >> 1].value;
  if (node->kind == LW_GRAPH_NODE_CONSTANT)
    return lw_graph_constant(graph, (negative ? -value : value) * node->value);
  if (node->kind == LW_GRAPH_NODE_MUL && lw_expr_is_constant(graph, node->a))
  {
    lwExpr rest = node->b;
    k           = lw_graph_constant(graph, value * lw_expr_value(graph, node->a));
    value       = lw_expr_value(graph, k);
    a           = rest;
  }
  a &= ~1;
  if (value == 1) return with_sign(a, negative);
  if (value == 0) return 0;
  return with_sign(
      find_or_make(graph, (lwGraphNode){.kind = LW_GRAPH_NODE_MUL, .a = k & ~1, .b = a}), negative);
}

lwExpr lw_graph_mul(lwGraph* graph, lwExpr a, lwExpr b)
{
  if (a == 0 || b == 0) return 0;
  if (lw_expr_is_constant(graph, a)) return scale_by(graph, a, b);
  if (lw_expr_is_constant(graph, b)) return scale_by(graph, b, a);
  bool negative;
  lwGraphNode node = product_node(a, b, &negative);
  return with_sign(find_or_make(graph, node), negative);
}

lwExpr lw_graph_div(lwGraph* graph, lwExpr a, lwExpr b)
{
  if (a == 0) return 0;
  if (lw_expr_is_constant(graph, b))
    return lw_graph_mul(graph, lw_graph_constant(graph, 1 / lw_expr_value(graph, b)), a);
  bool negative    = lw_expr_negative(a) != lw_expr_negative(b);
  lwGraphNode node = {.kind = LW_GRAPH_NODE_DIV, .a = a & ~1, .b = b & ~1};
  return with_sign(find_or_make(graph, node), negative);
}

// The number of quarter turns that an angle x + k has in k, or 0; x then is what is left.
static int quarter_turns(const lwGraph* graph, lwExpr* angle)
{
  static const double quarter = 1.5707963267948966;
  const lwGraphNode* node     = lw_expr_node(graph, *angle);
  if (node->kind != LW_GRAPH_NODE_ADD) return 0;
  bool first = lw_expr_is_constant(graph, node->a);
  lwExpr k   = first ? node->a : node->b;
  if (!lw_expr_is_constant(graph, k)) return 0;
  double turns = lw_expr_value(graph, k) / quarter, whole = nearbyint(turns);
  // as near as the sum of a file's numbers can be to it
  if (fabs(turns - whole) > 4e-16 * fabs(turns) || fabs(whole) > 1000) return 0;
  if (lw_expr_negative(*angle)) whole = -whole;
  *angle = with_sign(first ? node->b : node->a, lw_expr_negative(*angle));
  return (((int)whole % 4) + 4) % 4;
}

static lwExpr turned(lwGraph* graph, lwGraphNodeKind kind, lwExpr angle)
{
  if (lw_expr_is_constant(graph, angle))
  {
    double x = lw_expr_value(graph, angle);
    return lw_graph_constant(graph, kind == LW_GRAPH_NODE_SIN ? lw_sin(x) : lw_cos(x));
  }
  bool odd = kind == LW_GRAPH_NODE_SIN && lw_expr_negative(angle);
  return with_sign(find_or_make(graph, (lwGraphNode){.kind = kind, .a = angle & ~1}), odd);
}

// sin(a + b) = sin a cos b + cos a sin b, cos(a + b) = cos a cos b - sin a sin b
static lwExpr split_turn(lwGraph* graph, lwGraphNodeKind kind, lwExpr angle)
{
  bool negative = lw_expr_negative(angle);
  lwExpr a      = with_sign(lw_expr_node(graph, angle)->a, negative);
  lwExpr b      = with_sign(lw_expr_node(graph, angle)->b, negative);
  lwExpr sin_a = lw_graph_sin(graph, a), cos_a = lw_graph_cos(graph, a);
  lwExpr sin_b = lw_graph_sin(graph, b), cos_b = lw_graph_cos(graph, b);
  if (kind == LW_GRAPH_NODE_SIN)
    return lw_graph_add(graph, lw_graph_mul(graph, sin_a, cos_b),
                        lw_graph_mul(graph, cos_a, sin_b));
  return lw_graph_add(graph, lw_graph_mul(graph, cos_a, cos_b),
                      lw_expr_negate(lw_graph_mul(graph, sin_a, sin_b)));
}

static bool splits(const lwGraph* graph, lwExpr angle)
{
  return graph->split && lw_expr_kind(graph, angle) == LW_GRAPH_NODE_ADD;
}

lwExpr lw_graph_sin(lwGraph* graph, lwExpr angle)
{
  int quarters = quarter_turns(graph, &angle);
  if (!quarters && splits(graph, angle)) return split_turn(graph, LW_GRAPH_NODE_SIN, angle);
  return with_sign(turned(graph, quarters & 1 ? LW_GRAPH_NODE_COS : LW_GRAPH_NODE_SIN, angle),
                   quarters & 2);
}

lwExpr lw_graph_cos(lwGraph* graph, lwExpr angle)
{
  int quarters = quarter_turns(graph, &angle);
  if (!quarters && splits(graph, angle)) return split_turn(graph, LW_GRAPH_NODE_COS, angle);
  bool negative = quarters == 1 || quarters == 2;
  return with_sign(turned(graph, quarters & 1 ? LW_GRAPH_NODE_SIN : LW_GRAPH_NODE_COS, angle),
                   negative);
}

lwExpr lw_graph_sqrt(lwGraph* graph, lwExpr a)
{
  if (lw_expr_is_constant(graph, a)) return lw_graph_constant(graph, sqrt(lw_expr_value(graph, a)));
  return find_or_make(graph, (lwGraphNode){.kind = LW_GRAPH_NODE_SQRT, .a = a});
}

lwExpr lw_graph_like(lwGraph* graph, const lwGraphNode* node, lwExpr a, lwExpr b)
{
  switch (node->kind)
  {
    case LW_GRAPH_NODE_CONSTANT:
      return lw_graph_constant(graph, node->value);
    case LW_GRAPH_NODE_INPUT:
      return lw_graph_input(graph, node->a);
    case LW_GRAPH_NODE_ADD:
      return lw_graph_add(graph, a, b);
    case LW_GRAPH_NODE_MUL:
      return lw_graph_mul(graph, a, b);
    case LW_GRAPH_NODE_DIV:
      return lw_graph_div(graph, a, b);
    case LW_GRAPH_NODE_SIN:
      return lw_graph_sin(graph, a);
    case LW_GRAPH_NODE_SQRT:
      return lw_graph_sqrt(graph, a);
    default:
      return lw_graph_cos(graph, a);
  }
}
