// SPDX-License-Identifier: MIT
#include "generate/simplify.h"

bool lw_simplify(lwProgram* program)
{
  return lw_program_compact(program);
}
