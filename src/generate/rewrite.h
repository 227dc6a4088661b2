// SPDX-License-Identifier: MIT
// Replaces expressions of a program by equal ones where that saves operations. Costs and savings
// are exact: they count the nodes that come to life and those that are no longer needed.
#ifndef LW_GENERATE_REWRITE_H
#define LW_GENERATE_REWRITE_H

#include "generate/program.h"

typedef struct lwRewriter
{
  lwProgram* program;
  lwGraph* graph;
  int32_t* uses;     // (capacity) of live nodes
  lwExpr* replaced;  // (capacity) what stands for a node now; itself if it was not replaced
  int32_t capacity;
  bool failed;  // memory ran out
} lwRewriter;

// Begins with a compact program; false if memory ran out.
bool lw_rewrite_open(lwRewriter* rewriter, lwProgram* program);

// Ends: the program is the rewritten one, compact again. False if memory ran out.
bool lw_rewrite_close(lwRewriter* rewriter);

// What stands for an expression now.
lwExpr lw_rewrite_resolve(const lwRewriter* rewriter, lwExpr a);

// How often a node is used now.
int32_t lw_rewrite_uses(const lwRewriter* rewriter, lwExpr a);

// Replaces node `number` by `by`, which is equal to it, if that costs less; returns whether it did.
// Otherwise the graph is cut back to `count` nodes.
bool lw_rewrite_try(lwRewriter* rewriter, int32_t number, lwExpr by, int32_t count);

// Rewrites a program so that it takes fewer operations (simplify.c). False if memory ran out.
bool lw_simplify(lwProgram* program);

#endif
