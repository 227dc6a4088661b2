// SPDX-License-Identifier: MIT
// The states that benchmarks ask about.
#ifndef BENCH_BENCH_STATES_H
#define BENCH_BENCH_STATES_H

#include <stdbool.h>

#include "linkwork/linkwork.h"

// States like any other: positions all around, velocities, accelerations and torques of a moving
// arm. The same for every robot of as many joints, on every machine.
typedef struct Ring
{
  int count;
  double* values;    // q of all states, then qd, qdd, tau
  lwStates* states;  // (count) each state by itself; the first one is also all of them, by state
} Ring;

bool ring_fill(Ring* ring, const lwModel* model,
               int count);  // false: out of memory; free it also then
void ring_free(Ring* ring);

#endif
