// SPDX-License-Identifier: MIT
// The parts of the page, each of which measures the claims of some sections.
#ifndef PAPERS_SILVER1981_SILVER1981_H
#define PAPERS_SILVER1981_SILVER1981_H

#include "paper_page.h"

// The rungs of the ladder, from the first Lagrangian formulation to Newton's and Euler's.
typedef enum Rung
{
  RUNG_DIRECT,
  RUNG_4X4,
  RUNG_3X3,
  RUNG_OMEGA,
  RUNG_NEWTON_EULER,
  RUNG_COUNT
} Rung;

extern const char* const RUNGS[RUNG_COUNT];  // names in the registry

PageSeries* silver_ladder(Page* page);                        // operations, their ratios and growth
void silver_times(Page* page, const PageSeries* operations);  // time, and the figure of both
void silver_identities(Page* page);                           // chapters 2 and 3
void silver_torques(Page* page);  // all formulations give the same numbers
void silver_proof(Page* page);    // they are the same functions, exactly
void silver_details(Page* page);  // the end of section 3.2: gravity, the hand, wrists

// How many random arms are tried.
int arms_to_try(Page* page);

#endif
