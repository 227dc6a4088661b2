// SPDX-License-Identifier: MIT
// What methods and steps of nia2005 cost, as polynomials in the number of links.
#ifndef PAPERS_NIA2005_COSTS_H
#define PAPERS_NIA2005_COSTS_H

#include "paper_page.h"
#include "report/polynomial.h"
#include "steps.h"

enum
{
  COSTS_FEWEST = 2,   // snakes of so many links
  COSTS_MOST   = 14,  // up to so many give a polynomial
  COSTS_SNAKES = COSTS_MOST - COSTS_FEWEST + 1,
  COSTS_POWERS = 4  // columns of a section about polynomials: n^3, n^2, n, 1
};

typedef struct Costs
{
  lwPolynomial mul, add, div;
} Costs;

// Through the counts for COSTS_FEWEST .. COSTS_MOST links.
Costs costs_fit(const lwCount counts[COSTS_SNAKES]);

double costs_at(const lwPolynomial* polynomial, int n);
void costs_powers(const lwPolynomial* polynomial, double powers[COSTS_POWERS]);

// Of a method of the library, on generic snakes, folded as papers count.
int costs_of_method(Page* page, const char* method, Costs* costs);

// Of the steps as printed, every operation.
int costs_of_steps(Page* page, Costs costs[STEP_COUNT]);
Costs costs_sum(const Costs* costs, int count);

#endif
