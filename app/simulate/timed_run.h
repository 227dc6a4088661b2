// SPDX-License-Identifier: MIT
// Runs over time of arms and of snakes: --integrator, --duration, --dt, and how a command writes
// records, picture and audit.
#ifndef APP_SIMULATE_TIMED_RUN_H
#define APP_SIMULATE_TIMED_RUN_H

#include "app.h"
#include "io/run_loop.h"
#include "linkwork/ode.h"
#include "replay.h"
#include "report/audit/audit.h"

typedef struct RunWriter
{
  const Options* options;
  lwFormat format;
  RunLoop loop;
  lwRows rows;  // of the records; format, out and context are set by run_write()
  Replay replay;
  lwOut* out;
  void* context;  // of the functions:
  RunLoopStep* step;
  void (*title)(const void* context, lwOut* out);  // above a table
  bool (*is_partial)(const void* context);         // the run ended early, other than as asked
  void (*audit_text)(const void* context, lwPrint* print, void* to);
  void (*audit_json)(const void* context, lwOut* out);
  int (*draw)(void* context, const char* path);  // --plot; DONE, or why not
  int output_error;  // errno, where the output could not be written; EPIPE: its reader closed it
  double seconds;    // by the clock
} RunWriter;

// Runs it and writes all that the options ask for. The exit code.
int run_write(RunWriter* run);

// A record, for the output and for --trace and --replay.
void run_keep(RunWriter* run, const double* values);

// "kutta3:1e-3", "dop853:1e-9", "dop853:1e-9,1e-12", or the name alone; *def keeps what is not
// given.
void integrator_choose(const Options* options, lwIntegratorDef* def);

// --duration, --dt and --integrator of a run over time. Ends the command if something is wrong, or
// would never end.
void run_options(const Options* options, RunLoop* loop, lwIntegratorDef* def);

// The run as --save and --from see it.
typedef struct RunState
{
  void* run;
  size_t (*save)(const void* run, void* state, size_t capacity);
  lwStatus (*restore)(void* run, const void* state, size_t size, lwDiag* diag);
  double (*time)(const void* run);
} RunState;

// --from: puts the run into the state of the file; records begin behind it.
void run_from(const Options* options, const RunState* state, RunLoop* loop);

// --save: writes the state that the run has reached. The exit code.
int run_save(const Options* options, const RunState* state);

// Says that a signal ended the run at time t, and how many records there are. The exit code.
int run_interrupted(const RunLoop* loop, double t, long records);

// Warns of a run whose S went beyond its bound: NUMERICAL, or DONE.
int run_trusted(bool trusted, double S, double bound);

#endif
