// SPDX-License-Identifier: MIT
#include "paper/papers.h"

void paper_swartz1982(Page* page)
{
  (void)page;
}
