// SPDX-License-Identifier: MIT
// silver1981: from the Lagrangian equations of Uicker and Kahn to those of Newton and Euler, rung by rung.
#include "silver1981.h"

#include "papers.h"

const char* const RUNGS[RUNG_COUNT] = {"lagrange-uicker-kahn", "lagrange-hollerbach-4x4",
                                       "lagrange-hollerbach-3x3", "lagrange-omega", "newton-euler"};

int arms_to_try(Page* page)
{
  Values arms = page_data(page, "arms");
  return arms.count == 2 ? (int)arms.at[page->quick] : 0;
}

void paper_silver1981(Page* page)
{
  const Series* operations = silver_ladder(page);
  silver_times(page, operations);
  silver_identities(page);
  silver_torques(page);
  silver_proof(page);
  silver_details(page);
}
