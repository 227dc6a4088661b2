// SPDX-License-Identifier: MIT
// One of two versions of the library, as `race.c` sees it: a shared object with this table.
#ifndef BENCH_AGAINST_SIDE_H
#define BENCH_AGAINST_SIDE_H

#include <stdbool.h>

// One case to time.
typedef struct Case
{
  const char* robot;     // a robot file, or NULL: the generic chain
  int joints;            // of the generic chain
  bool floating;         // the robot is on a floating base
  const char* question;  // "inverse"
  const char* method;    // or NULL: the default
  bool single_precision;
  bool by_entry;   // arrays of many states
  bool generated;  // code for this robot in the new version, kernels in the old one
  int states;      // 0: one state per call, taken in turn from a ring; else that many per call
} Case;

typedef struct Timed Timed;  // a case with its model, workspace and states

typedef struct Side
{
  Timed* (*open)(const Case* wanted);  // NULL: this version cannot answer it
  void (*run)(Timed* timed, int calls);
  long (*outputs)(const Timed* timed);         // numbers per call, for all its states
  void (*answers)(Timed* timed, double* out);  // for all states of a call, or of the ring
  void (*close)(Timed* timed);
} Side;

#define SIDE_RING 64  // states asked about in turn, one per call

#endif
