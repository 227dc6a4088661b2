// SPDX-License-Identifier: MIT
// A run over time as people see it: records at equal intervals, progress on a terminal,
// signals that end it.
#ifndef IO_RUN_LOOP_H
#define IO_RUN_LOOP_H

#include "output.h"

#include <signal.h>

typedef struct RunLoop
{
  double duration, record;  // s
  double from;              // s, records up to here are left out
  double end;               // s, where the motion is to end; 0: at the duration
  double began;             // s, by the clock
} RunLoop;

// The signal that came, 0: none.
extern volatile sig_atomic_t run_loop_stop;

// From here on Ctrl-C and SIGTERM set run_loop_stop.
void run_loop_catch_signals(void);
void run_loop_catch_interrupt(void);  // Ctrl-C alone

// Goes to time t and records it; DONE, or why the run ends.
typedef int RunLoopStep(void* context, double t);

// From record to record until the duration, a step that is not DONE, or an output that cannot be
// written. Ctrl-C and SIGTERM set run_loop_stop from here on.
int run_loop_run(RunLoop* run_loop, const lwOut* out, RunLoopStep* step, void* context);

double run_loop_seconds(const RunLoop* run_loop);  // by the clock, since it began

#endif
