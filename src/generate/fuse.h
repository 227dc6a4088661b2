// SPDX-License-Identifier: MIT
// Which sums are written as fused multiply-adds, for targets that have them: a b + c rounded once.
#ifndef LW_GENERATE_FUSE_H
#define LW_GENERATE_FUSE_H

#include "generate/plan.h"

// A sum of a product and something else, sign and all: +-a b + c
typedef struct lwFused
{
  lwExpr a, b, c;
} lwFused;

// The sum `number`, or its negative, as a fused multiply-add, if one of its operands is a
// product that is used only here; otherwise false. Of two products the longer one is
// fused, because the other is ready first.
bool lw_fuse(const lwProgram* program, const lwPlan* plan, int32_t number, bool negative,
             lwFused* fused);

// Fused multiply-adds of a program.
int lw_fuse_count(const lwProgram* program, const lwPlan* plan);

#endif
