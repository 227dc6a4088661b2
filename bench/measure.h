// SPDX-License-Identifier: MIT
// Measuring how long methods take, as `linkwork bench` does. See README.md.
//
//   Trial, Trial, .. --bench_run--> ns per state of each, all measured in turn
//
// A trial is one competitor: a method on a robot, in one precision, asked about one state per call
// or about many, by one thread or by several. A peer's method, of another program, is asked about
// one state per call.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "linkwork/generate.h"
#include "linkwork/linkwork.h"
#include "peer.h"

typedef enum TrialMode
{
  TRIAL_SINGLE,  // lw_answer(), one state per call
  TRIAL_BATCH,   // lw_answer_many(); with several threads lw_batch_answer()
  TRIAL_MODES,
  TRIAL_PACKED = TRIAL_MODES  // lw_inertia_matrix_packed(), beside peers that write one triangle
} TrialMode;

typedef struct BenchTrial
{
  // what is measured
  const lwModel* model;
  int method;  // of the registry; of a peer, one that answers the same question
  lwPrecision precision;
  TrialMode mode;
  int threads;             // 0 counts as 1; more only for TRIAL_BATCH
  const PeerMethod* peer;  // NULL: ours
  void* peer_arm;          // the same robot, as the peer has made it
  lwSpecialised* special;  // generated code, which answers instead of the method; or NULL

  // the result
  double best, median;  // ns per state
  int rounds;
  const char* isa;  // lives as long as the program

  struct MeasureCourse* course;  // while it runs
} BenchTrial;

typedef struct BenchLimits
{
  double seconds;  // for all trials of one bench_run()
  double call;     // s; a method that takes longer for one state is not worth waiting for
} BenchLimits;

// Measures all trials, one sample of each in every round, so that whatever else the machine does
// hits all alike. Those of several threads have rounds of their own, behind the others: their
// threads wait busily for a while.
lwStatus bench_run(const BenchLimits* limits, int count, BenchTrial* trials);

// The smallest number of joints, up to that of the model, at which one call of the method was seen
// to take longer than limits->call; 0: none. Generic chains of 8, 16, 32.. joints are tried first,
// so that this itself takes no long time.
int bench_too_slow_from(const BenchLimits* limits, const lwModel* model, int method);

// Seconds that one call of this trial takes, the better of two; negative: it cannot be made.
double bench_call_seconds(BenchTrial* trial);

// Threads that a batch has by default on this machine.
int bench_threads(void);

#endif
