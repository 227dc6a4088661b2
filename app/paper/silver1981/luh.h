// SPDX-License-Identifier: MIT
// "Luh's formulation", which the memo compares with: the Newton-Euler equations in the frames of the links.
#ifndef APP_PAPER_SILVER1981_LUH_H
#define APP_PAPER_SILVER1981_LUH_H

#include "arm.h"

typedef struct Tally
{
  long mul, add;
} Tally;

// How gravity gets in: the memo's section 3.2 knows three ways.
typedef enum LuhGravity
{
  LUH_BASE_UP,    // the base accelerates with minus the vector of gravity
  LUH_BASE_DOWN,  // with the vector itself, which is what the words of the memo say
  LUH_WEIGHTS     // the weight of each link is one of the forces on it, step 3 of section 1.3
} LuhGravity;

// Torques, N m or N, and the operations that they take when every product is formed in full.
void luh_torques(const Arm* arm, LuhGravity gravity, double* tau, Tally* tally);

#endif
