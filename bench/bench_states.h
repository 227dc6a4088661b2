// SPDX-License-Identifier: MIT
// The states used by benchmarks.
#ifndef BENCH_BENCH_STATES_H
#define BENCH_BENCH_STATES_H

#include <stdbool.h>

#include "linkwork/linkwork.h"

// Random states without special values: positions over the full circle, and velocities,
// accelerations and torques of a moving arm. Equal for every robot with as many joints, on every
// machine.
typedef struct Ring
{
  int count;
  double* values;    // q of all states, then qd, qdd, tau
  lwStates* states;  // (count) one for each state; the first also describes all states, row by row
} Ring;

bool ring_fill(Ring* ring, const lwModel* model,
               int count);  // false: out of memory; free it in that case too
void ring_free(Ring* ring);

#endif
