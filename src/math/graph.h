// SPDX-License-Identifier: MIT
// A graph of expressions in which equal expressions are one node.
//
// An expression is named by a handle: twice the number of its node, plus 1 if it is the negative of
// the node. So signs are pulled out of products and sums, and x and -x share all their parts. A sum
// is kept with its lower-numbered operand first and positive, a product with positive operands in
// order, so that a b and b a, a - b and b - a are recognised as equal. Constants, and arithmetic
// with 0 and +-1, are computed at once.
#ifndef LW_MATH_GRAPH_H
#define LW_MATH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t lwExpr;  // a handle

typedef enum lwGraphNodeKind
{
  LW_GRAPH_NODE_CONSTANT,  // a number, never negative
  LW_GRAPH_NODE_INPUT,     // number `a` of the inputs
  LW_GRAPH_NODE_ADD,       // a + b, a positive
  LW_GRAPH_NODE_MUL,       // a b, both positive; a constant comes first
  LW_GRAPH_NODE_DIV,       // a / b, both positive
  LW_GRAPH_NODE_SIN,       // of a, which is positive
  LW_GRAPH_NODE_COS,
  LW_GRAPH_NODE_SQRT  // of a, which is positive
} lwGraphNodeKind;

typedef struct lwGraphNode
{
  lwGraphNodeKind kind;
  lwExpr a, b;   // 0 where there is none
  double value;  // of a constant
} lwGraphNode;

typedef struct lwGraph
{
  lwGraphNode* nodes;  // operands stand before what is made of them
  int32_t count, capacity;
  int32_t* table;  // node + 1 by hash, 0: empty
  uint32_t mask;   // of the table
  bool split;      // sines of sums are written with sines of their parts
  bool failed;     // memory ran out; answers mean nothing
} lwGraph;

// An empty graph; false if memory ran out. Node 0 is the constant 0.
bool lw_graph_open(lwGraph* graph);
void lw_graph_close(lwGraph* graph);

lwExpr lw_graph_constant(lwGraph* graph, double value);
lwExpr lw_graph_input(lwGraph* graph, int number);
lwExpr lw_graph_add(lwGraph* graph, lwExpr a, lwExpr b);
lwExpr lw_graph_mul(lwGraph* graph, lwExpr a, lwExpr b);
lwExpr lw_graph_div(lwGraph* graph, lwExpr a, lwExpr b);
lwExpr lw_graph_sin(lwGraph* graph, lwExpr angle);
lwExpr lw_graph_cos(lwGraph* graph, lwExpr angle);
lwExpr lw_graph_sqrt(lwGraph* graph, lwExpr a);

// The node of another graph with operands of this one.
lwExpr lw_graph_like(lwGraph* graph, const lwGraphNode* node, lwExpr a, lwExpr b);

// Forgets all nodes from number `count` on, which no others are made of.
void lw_graph_rewind(lwGraph* graph, int32_t count);

// a + b or a b if there is such an expression that needs no new node, or else -1.
lwExpr lw_graph_find_add(const lwGraph* graph, lwExpr a, lwExpr b);
lwExpr lw_graph_find_mul(const lwGraph* graph, lwExpr a, lwExpr b);

static inline lwExpr lw_expr_negate(lwExpr a)
{
  return a ? a ^ 1 : 0;
}

static inline bool lw_expr_negative(lwExpr a)
{
  return a & 1;
}

static inline int32_t lw_expr_number(lwExpr a)
{
  return a >> 1;
}

static inline const lwGraphNode* lw_expr_node(const lwGraph* graph, lwExpr a)
{
  return &graph->nodes[a >> 1];
}

static inline lwGraphNodeKind lw_expr_kind(const lwGraph* graph, lwExpr a)
{
  return graph->nodes[a >> 1].kind;
}

static inline bool lw_expr_is_constant(const lwGraph* graph, lwExpr a)
{
  return lw_expr_kind(graph, a) == LW_GRAPH_NODE_CONSTANT;
}

// The number that a constant stands for.
static inline double lw_expr_value(const lwGraph* graph, lwExpr a)
{
  double value = graph->nodes[a >> 1].value;
  return lw_expr_negative(a) ? -value : value;
}

#endif
