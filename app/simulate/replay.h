// SPDX-License-Identifier: MIT
// --trace and --replay of a run over time. A trace is a text: what the run was computed from, then a
// line for each record. A replay makes the same lines and compares them with those of a file.
//
//   linkwork replay 1
//   version 1.0.0
//   file puma_voltage.yaml 93d1b0d3f2a8c1e4    hash of each file that was read, without its folder
//   option --duration 0.5
//   columns t q1 .. tau1 ..
//   0.01 5c0e91aa .. 12.5 ..                   t and tau, v as numbers, hashes of the others' bits
//   end 50
#ifndef APP_SIMULATE_REPLAY_H
#define APP_SIMULATE_REPLAY_H

#include "app.h"

typedef struct Replay
{
  const lwRows* rows;
  lwOut* out;        // of --trace, or NULL
  const char* path;  // of --replay, or NULL
  const char* next;  // line of its text
  char* line;        // the one that was made
  size_t used;       // of it
  bool* input;       // (columns) a number, not a hash
  long records;      // that are the same
  bool differs;
} Replay;

// Writes or compares what stands above the records. Ends the command if that differs.
void replay_begin(Replay* replay, const Options* options, const lwRows* rows);
void replay_record(Replay* replay, const double* values);

// Closes the trace, of a run that ended early as a partial file; says what the comparison found.
// The exit code: status, if there is nothing else to report.
int replay_end(Replay* replay, bool partial, int status);

#endif
