// SPDX-License-Identifier: MIT
#include "paper/papers.h"

void paper_silver1981(Page* page)
{
  (void)page;
}
