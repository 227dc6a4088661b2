// SPDX-License-Identifier: MIT
// Measuring how long methods take, as `linkwork bench` does. See README.md.
//
//   Trial, Trial, .. --bench_run--> ns per state of each, all measured in turn
//
// A trial is one competitor: a method on a robot, in one precision, asked about one state per call or about many.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "linkwork/linkwork.h"

typedef enum TrialMode
{
  TRIAL_SINGLE,  // lw_answer(), one state per call
  TRIAL_BATCH,   // lw_answer_many()
  TRIAL_MODES
} TrialMode;

typedef struct Trial
{
  // what is measured
  const lwModel* model;
  int method;  // of the registry
  lwPrecision precision;
  TrialMode mode;

  // the result
  double best, median;  // ns per state
  int rounds;
  const char* isa;  // lives as long as the program

  struct Course* course;  // while it runs
} Trial;

typedef struct BenchLimits
{
  double seconds;  // for all trials of one bench_run()
  double call;     // s; a method that takes longer for one state is not worth waiting for
} BenchLimits;

// Measures all trials, one sample of each in every round, so that whatever else the machine does hits all alike.
lwStatus bench_run(const BenchLimits* limits, int count, Trial* trials);

// The smallest number of joints, up to that of the model, at which one call of the method was seen to take longer than
// limits->call; 0: none. Generic chains of 8, 16, 32.. joints are tried first, so that this itself takes no long time.
int bench_too_slow_from(const BenchLimits* limits, const lwModel* model, int method);

#endif
