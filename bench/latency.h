// SPDX-License-Identifier: MIT
// How long single calls take, one by one: what a controller with a deadline needs to know. See README.md.
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdbool.h>

#include "linkwork/linkwork.h"

// How finely, and at what price, the clock tells the time.
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

  // the result; times in ns, each with one reading of the clock
  const char* method;  // lives as long as the program
  const char* isa;
  double mean, p50, p99, p9999, max;
  long page_faults;  // minor and major, of the process during the calls
  long allocations;  // calls of the allocator during them, -1: not counted here
  long preemptions;  // times that the system took the processor away

  // a loop that does nothing but read the clock until p50 is over, as often: what the machine adds
  double idle_p99, idle_p9999, idle_max;
} Latency;

LatencyClock latency_clock(void);

// Makes the calls, states in turn from a ring, and fills the result. Percentiles are upper
// edges of bins that are less than 1 % wide; the largest time is exact. LW_ERROR_MEMORY,
// or what lw_workspace_create() says.
lwStatus latency_run(Latency* latency);

// Keeps all pages of the process in memory from now on. False: the system does not allow it.
bool latency_lock_memory(void);

#endif
