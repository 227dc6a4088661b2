// SPDX-License-Identifier: MIT
// Formulations of the memo that the library does not have, because it has better ones. All give
// torques, N m or N, and the number of operations with every product in full.
#ifndef PAPERS_SILVER1981_FORMULATIONS_H
#define PAPERS_SILVER1981_FORMULATIONS_H

#include "random_arm.h"

typedef struct FormulationTally
{
  long mul, add;
} FormulationTally;

// The three ways of section 3.2 to include gravity.
typedef enum LuhGravity
{
  LUH_BASE_UP,    // the base accelerates with minus the vector of gravity
  LUH_BASE_DOWN,  // with the gravity vector itself, as the text of the memo says
  LUH_WEIGHTS     // the weight of each link is one of the forces on it, step 3 of section 1.3
} LuhGravity;

// "Luh's formulation", which the memo compares with:
// the Newton-Euler equations in the frames of the links.
void luh_torques(const Arm* arm, LuhGravity gravity, double* tau, FormulationTally* tally);

// The same equations in the axes of the base, as they were before.
void fixed_torques(const Arm* arm, double* tau, FormulationTally* tally);

// The memo's own, (3.11)-(3.16), without recursion:
// sums over all pairs of a joint and a link, in fixed axes.
void direct_torques(const Arm* arm, double* tau, FormulationTally* tally);

#endif
