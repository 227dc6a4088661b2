// SPDX-License-Identifier: MIT
// The parts of mata2002.
#ifndef PAPERS_MATA2002_H
#define PAPERS_MATA2002_H

#include "mata_literal.h"
#include "paper_page.h"

enum
{
  COUNTED_TO = 14  // joints of the longest chain
};

// Chains that operations are counted on, by their number of joints; [0] is NULL.
typedef struct Chains
{
  lwModel* chain[COUNTED_TO + 1];
} Chains;

// Multiplications and additions of a method of the library on a chain of n joints;
// zero after a failure.
Operations kernel_operations(Page* page, const Chains* chains, int n, lwQuestion question,
                             const char* method);

// The equations as printed, on a chain of n joints.
Literal literal_of(Page* page, const Chains* chains, int n, LiteralKind kind);

// A formula of the page's data at n: c[0] + c[1] n + c[2] n^2 + c[3] n^3 for multiplications,
// then four for additions.
void formula_at(Page* page, const char* datum, double n, double values[2]);

// Sections 2 to 4: equations, Tables 1 to 4.
void mata2002_steps(Page* page, const Chains* chains);
void mata2002_methods(Page* page);
void mata2002_gibbs(Page* page);
void mata2002_loops(Page* page);
void mata2002_tables(Page* page, const Chains* chains);
void mata2002_growth(Page* page, const Chains* chains);

// Section 5.1: figure 2, Table 5.
void mata2002_stability(Page* page);

// Section 5.2: figure 3, Tables 6 and 7.
void mata2002_puma(Page* page, const Chains* chains);

#endif
