// SPDX-License-Identifier: MIT
// REAL as an expression of a graph (math/graph.h): records what a kernel computes, instead of
// the number. Included by real.h only.
//
// An expression knows its graph, so kernels need no state besides their arguments: an
// operation goes to the graph of its operands. Known numbers belong to no graph, and
// neither do results of known numbers alone.
#include <math.h>
#include <stdbool.h>

#include "math/elementary.h"
#include "math/graph.h"

#define LW_SCALAR_NAME symbol
#define LW_OWN_CONSTANTS  // the robot's numbers may be expressions as well

typedef double SCALAR;
typedef double CONST;

typedef struct
{
  lwGraph* graph;  // NULL: a known number
  lwExpr expr;
  double value;  // of a known number
} REAL;

enum
{
  LANES = 1
};

INLINE REAL constant(CONST x)
{
  return (REAL){.value = x};
}

// The expression of a in a graph
INLINE lwExpr expr_of(lwGraph* graph, REAL a)
{
  return a.graph ? a.expr : lw_graph_constant(graph, a.value);
}

// The expression as REAL again
INLINE REAL in_graph(lwGraph* graph, lwExpr expr)
{
  if (lw_expr_is_constant(graph, expr)) return constant(lw_expr_value(graph, expr));
  return (REAL){.graph = graph, .expr = expr};
}

INLINE REAL r_neg(REAL a)
{
  if (!a.graph) return constant(-a.value);
  return (REAL){.graph = a.graph, .expr = lw_expr_negate(a.expr)};
}

INLINE REAL r_add(REAL a, REAL b)
{
  lwGraph* graph = a.graph ? a.graph : b.graph;
  if (!graph) return constant(a.value + b.value);
  return in_graph(graph, lw_graph_add(graph, expr_of(graph, a), expr_of(graph, b)));
}

INLINE REAL r_sub(REAL a, REAL b)
{
  return r_add(a, r_neg(b));
}

INLINE REAL r_mul(REAL a, REAL b)
{
  lwGraph* graph = a.graph ? a.graph : b.graph;
  if (!graph) return constant(a.value * b.value);
  return in_graph(graph, lw_graph_mul(graph, expr_of(graph, a), expr_of(graph, b)));
}

INLINE REAL r_div(REAL a, REAL b)
{
  lwGraph* graph = a.graph ? a.graph : b.graph;
  if (!graph) return constant(a.value / b.value);
  return in_graph(graph, lw_graph_div(graph, expr_of(graph, a), expr_of(graph, b)));
}

INLINE void r_sincos(REAL angle, REAL* sine, REAL* cosine)
{
  if (!angle.graph)
  {
    *sine   = constant(lw_sin(angle.value));
    *cosine = constant(lw_cos(angle.value));
    return;
  }
  *sine   = in_graph(angle.graph, lw_graph_sin(angle.graph, angle.expr));
  *cosine = in_graph(angle.graph, lw_graph_cos(angle.graph, angle.expr));
}

// The angle a - b
INLINE REAL r_sqrt(REAL a)
{
  if (!a.graph) return constant(sqrt(a.value));
  return in_graph(a.graph, lw_graph_sqrt(a.graph, a.expr));
}

INLINE REAL angle_sub(REAL a, REAL b)
{
  return r_sub(a, b);
}
