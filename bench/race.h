// SPDX-License-Identifier: MIT
// A race: several pieces of code, timed in turn.
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include <stdbool.h>

#include "linkwork/base.h"

typedef struct Racer
{
  void (*run)(void* context, int calls);  // makes that many calls
  void* context;
  int states;  // answered by one call

  // the result
  double best, median;  // ns per state
  int rounds;

  // while it runs
  int calls;       // of a sample
  bool warm;       // make one untimed call before each sample
  double* ns;      // per state, one of each round that it took part in
  double seconds;  // that its samples took
} Racer;

// Seconds taken by that many calls.
double race_sample(const Racer* racer, int calls);

// Times all racers for about so many seconds in rounds, so that whatever else the machine does hits
// all alike: one sample of each in every round, but slow ones sit out some. LW_ERROR_MEMORY is the
// only failure.
lwStatus race_run(double seconds, int count, Racer* racers);

#endif
