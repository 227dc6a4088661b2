// SPDX-License-Identifier: MIT
// The equations of a document: papers/NAME/equations.txt as equations.svg, and tried.
#ifndef PAPERS_PAGE_FORMULAS_H
#define PAPERS_PAGE_FORMULAS_H

#include "formulas.h"
#include "paper_page.h"

typedef struct PageFormulas
{
  const char* section;  // that shows them
  const char* text;     // of the file
  size_t length;
  FormulaFrames frames;
  int count;
  const FormulaAnswer* answers;  // (count)
} PageFormulas;

// The run fails where the equations are not what the kernels compute.
void page_formulas(Page* page, const PageFormulas* def);

#endif
