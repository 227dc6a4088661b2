// SPDX-License-Identifier: MIT
// A series as LaTeX, gathered as people write it: m_2 (l_1^2 + c_2^2 + 2 l_1 c_2 cos q_2).
#ifndef LW_GENERATE_EQUATION_H
#define LW_GENERATE_EQUATION_H

#include "generate/code_text.h"
#include "generate/letters.h"

// What the variables of a series are: letters (none where NULL), then dof of q, of qd and of qdd.
typedef struct lwEquation
{
  lwLetters* letters;  // those that are written become used
  int dof;
} lwEquation;

void lw_equation_put(const lwEquation* equation, const lwSeries* series, lwCodeText* text);

#endif
