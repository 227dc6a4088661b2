// SPDX-License-Identifier: MIT
// The parts of the page about nia2005. Each measures the claims of its sections.
#ifndef PAPERS_NIA2005_NIA2005_H
#define PAPERS_NIA2005_NIA2005_H

#include "paper_page.h"

void nia2005_equations(Page* page);  // section equations, but for
void nia2005_energy(Page* page);     // the energy function
void nia2005_steps(Page* page);      // sections kane-steps, lagrange-steps, newton-euler-steps
void nia2005_table1(Page* page);     // sections table-1, order
void nia2005_times(Page* page);      // sections figure-2, figure-3
void nia2005_responses(Page* page);
void nia2005_drift(
    Page* page);  // of section figure-6, cause and cost  // sections figure-4-5, figure-6

#endif
