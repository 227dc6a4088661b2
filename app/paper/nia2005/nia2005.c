// SPDX-License-Identifier: MIT
#include "paper/papers.h"

void paper_nia2005(Page* page)
{
  (void)page;
}
