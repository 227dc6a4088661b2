// SPDX-License-Identifier: MIT
// linkwork check ROBOT --in FILE, read, explained, written.
//
//   FILE --check_against.c--> CsvBlock, misfit --compare/torques/explain.c--> candidates
//     --check_report.c--> Out
#ifndef APP_CHECK_CHECK_AGAINST_H
#define APP_CHECK_CHECK_AGAINST_H

#include "check_command.h"
#include "compare/torques/suspects.h"
#include "states/states.h"

typedef struct Against
{
  const Options* options;
  const lwModel* model;
  double tolerance;
  const char* name;   // of the file
  lwCsvBlock file;    // all of it
  lwCsvBlock sample;  // rows that the suspects are tried on
  lwMisfit misfit;    // of all rows
  lwExplanation why;  // of the misfit of the sample
} Against;

// Writes the findings. DONE, NO if the torques disagree, or INPUT.
int against_print(const Against* against, lwFormat format);

#endif
