// SPDX-License-Identifier: MIT
// How a program ends: its exit codes, and the error that is printed.
#ifndef IO_EXIT_H
#define IO_EXIT_H

// Exit codes.
enum
{
  DONE      = 0,
  NO        = 1,  // the answer is "no"
  USAGE     = 2,  // the command line is wrong
  INPUT     = 3,  // a file is wrong, or cannot be read or written
  NUMERICAL = 4   // the answer is not finite
};

// Prints `linkwork: error: ...` as one line and returns code.
int fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

int no_memory(void);  // prints that there is not enough and returns INPUT

#endif
