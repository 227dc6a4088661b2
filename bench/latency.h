// SPDX-License-Identifier: MIT
// Latency of single calls, which matters to a controller with a deadline. See README.md.
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdbool.h>

#include "linkwork/linkwork.h"

// Resolution and cost of the clock.
typedef struct LatencyClock
{
  double cost;        // ns from one reading to the next, median
  double resolution;  // ns, the smallest step that was seen
} LatencyClock;

typedef struct Latency
{
  // what is measured
  const lwModel* model;
  lwQuestion question;
  lwPrecision precision;
  long calls;

  // the result; times in ns, each including one reading of the clock
  const char* method;  // lives as long as the program
  const char* isa;
  double mean, p50, p99, p9999, max;
  long page_faults;  // minor and major, of the process during the calls
  long allocations;  // allocator calls during them; -1: not counted in this build
  long preemptions;  // times that the system preempted the process

  // a loop that only reads the clock for p50, as often: the delays that the machine
  // adds
  double idle_p99, idle_p9999, idle_max;
} Latency;

LatencyClock latency_clock(void);

// Makes the calls, with states in turn from a ring, and fills in the result. Percentiles are upper
// edges of bins less than 1 % wide; the largest time is exact. Returns LW_ERROR_MEMORY or the
// status of lw_workspace_create().
lwStatus latency_run(Latency* latency);

// Locks all pages of the process in memory from now on. False: the system does not allow it.
bool latency_lock_memory(void);

#endif
