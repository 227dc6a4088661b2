// SPDX-License-Identifier: MIT
// Statements of a straight-line program: which expressions get a name,
// and in which order they are computed.
#ifndef LW_GENERATE_PLAN_H
#define LW_GENERATE_PLAN_H

#include "generate/program.h"

typedef struct lwStatement
{
  int32_t node;  // computed here; -1: an output is written
  int output;
} lwStatement;

typedef struct lwPlan
{
  int32_t* uses;            // (nodes) of what the outputs need
  int* name;                // (nodes) number of the variable, from 1; 0: written where it is used
  lwStatement* statements;  // in order
  int count;
  int names;      // variables
  int constants;  // of these numbers; they come first
} lwPlan;

// Reorders the statements behind the first `fixed` ones for processors that compute several at a
// time. False if memory ran out.
bool lw_schedule(const lwProgram* program, lwPlan* plan, int fixed);

// False if memory ran out.
bool lw_plan_create(const lwProgram* program, lwPlan* plan);
void lw_plan_free(lwPlan* plan);

#endif
