// SPDX-License-Identifier: MIT
#ifndef LW_GENERATE_DERIVE_H
#define LW_GENERATE_DERIVE_H

#include "generate/function.h"

// Where an entry of a Jacobian stands that is not zero: the derivative of entry `row` of a result,
// its matrix taken column by column, by entry `column` of a parameter.
typedef struct lwJacobianEntry
{
  int result, parameter, row, column;
} lwJacobianEntry;

// The program of the Jacobian of all results by all parameters: its outputs are the entries that
// are not zero, block by block, column by column. places (outputs): free() it. False if memory ran
// out.
bool lw_derive(const lwFunction* function, lwProgram* made, lwJacobianEntry** places);

#endif
