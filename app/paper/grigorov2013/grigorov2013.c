// SPDX-License-Identifier: MIT
#include "paper/papers.h"

void paper_grigorov2013(Page* page)
{
  (void)page;
}
