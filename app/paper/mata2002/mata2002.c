// SPDX-License-Identifier: MIT
#include "paper/papers.h"

void paper_mata2002(Page* page)
{
  (void)page;
}
