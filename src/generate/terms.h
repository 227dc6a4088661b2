// SPDX-License-Identifier: MIT
// A sum as a list of products: k f g .. + ..
#ifndef LW_GENERATE_TERMS_H
#define LW_GENERATE_TERMS_H

#include "generate/rewrite.h"

enum
{
  LW_TERM_FACTORS = 12,
  LW_TERMS        = 96
};

typedef struct lwSumTerm
{
  double k;
  int count;
  lwExpr factor[LW_TERM_FACTORS];  // positive, in order
} lwSumTerm;

typedef struct lwTerms
{
  lwSumTerm term[LW_TERMS];
  int count;
  bool full;  // there are more than these
} lwTerms;

// One factor more, in order, or one less.
void lw_term_add(lwTerms* terms, lwSumTerm* term, lwExpr factor);
void lw_term_remove(lwSumTerm* term, int at);

// The terms of node `number`; sums that are used there only are taken apart.
// Products are always taken apart.
void lw_terms_of(const lwRewriter* rewriter, int32_t number, lwTerms* terms);

void lw_terms_copy(const lwTerms* from, lwTerms* to);

// Multiplies out sums that are factors of term `which`, or of all terms with -1.
// Tells whether there were any.
bool lw_terms_expand(const lwRewriter* rewriter, int which, lwTerms* terms);

// Adds terms of the same factors, and drops those that are 0.
void lw_terms_merge(lwTerms* terms);

// sin a cos b + cos a sin b and the like become sines and cosines of a + b and a - b, cos^2 + sin^2
// becomes 1. Tells whether there were any.
bool lw_terms_turn(lwGraph* graph, lwTerms* terms);

// The sum as an expression. Factors that several terms have in common are taken out, the most
// frequent first, and what the program computes already is used.
lwExpr lw_terms_build(const lwRewriter* rewriter, const lwTerms* terms);

#endif
