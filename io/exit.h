// SPDX-License-Identifier: MIT
// How a program ends: its exit codes, and the error that is printed.
#ifndef IO_EXIT_H
#define IO_EXIT_H

#include "linkwork/base.h"

// Exit codes.
enum
{
  DONE      = 0,
  NO        = 1,  // the answer is "no"
  USAGE     = 2,  // the command line is wrong, or cannot be done with this robot, file or option
  INPUT     = 3,  // a file is wrong, or cannot be read or written
  NUMERICAL = 4   // the answer is not finite, not found or not to be trusted
};

// Prints `linkwork: error: ...` as one line and returns code.
int fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

int exit_of(lwStatus status);  // USAGE where a question, method, frame or lock is not possible

int no_memory(void);  // prints that there is not enough and returns INPUT

#endif
