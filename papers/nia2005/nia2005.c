// SPDX-License-Identifier: MIT
// Nia, Pishkenari & Meghdari, "A recursive approach for the analysis of snake robots using Kane's equations", regenerated.
#include "nia2005.h"

#include "papers.h"

void paper_nia2005(Page* page)
{
  nia2005_equations(page);
  nia2005_energy(page);
  nia2005_steps(page);
  nia2005_table1(page);
  nia2005_times(page);
  nia2005_responses(page);
}
