// SPDX-License-Identifier: MIT
// Measures how long methods take, for `linkwork bench`. See README.md.
//
//   Trial, Trial, .. --bench_run--> ns per state of each, all measured in turn
//
// A trial is one competitor: a method on a robot, in one precision, with one state per call or
// many, on one thread or several. A peer's method, of another program, gets one state per call.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "linkwork/generate.h"
#include "linkwork/linkwork.h"
#include "linkwork/loop.h"
#include "linkwork/snake.h"
#include "peer.h"

typedef enum TrialMode
{
  TRIAL_SINGLE,  // lw_answer(), lw_snake_answer(), one state per call
  TRIAL_BATCH,   // lw_answer_many(), lw_snake_answer_many(); with several threads lw_batch_answer()
  TRIAL_MODES,
  TRIAL_PACKED = TRIAL_MODES  // lw_inertia_matrix_packed(), beside peers that write one triangle
} TrialMode;

typedef struct BenchTrial
{
  // what is measured
  const lwModel* model;
  const lwSnake* snake;  // instead of a robot; or NULL
  bool closed;           // forward dynamics with closed loops by a formulation
  // of the registry, or for snakes, or a formulation, -1 being lw_loops_forward(); for a peer, one
  // that answers the same question
  int method;
  lwPrecision precision;
  TrialMode mode;
  int threads;             // 0 counts as 1; more only for TRIAL_BATCH
  const PeerMethod* peer;  // NULL: ours
  void* peer_arm;          // the same robot, created by the peer
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
  double call;     // s; methods that take longer for one state are skipped
} BenchLimits;

// Measures all trials, one sample of each in every round, so that other load on the machine affects
// all alike. Multi-threaded trials get separate rounds after the others, because their threads spin
// for a while.
lwStatus bench_run(const BenchLimits* limits, int count, BenchTrial* trials);

// The smallest number of joints, up to that of the model, at which one call of the method takes
// longer than limits->call; 0: none. Tries generic chains of 8, 16, 32.. joints first, so that this
// search itself is short.
int bench_too_slow_from(const BenchLimits* limits, const lwModel* model, int method);

// Seconds per call of this trial, the better of two; negative: the call failed.
double bench_call_seconds(BenchTrial* trial);

// Default number of threads of a batch on this machine.
int bench_threads(void);

#endif
