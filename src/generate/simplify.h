// SPDX-License-Identifier: MIT
#ifndef LW_GENERATE_SIMPLIFY_H
#define LW_GENERATE_SIMPLIFY_H

#include "generate/program.h"

// Rewrites a program so that it takes fewer operations. False if memory ran out.
bool lw_simplify(lwProgram* program);

#endif
