// SPDX-License-Identifier: MIT
// A program that a study starts, and what it prints. It is the leader of a process group of its
// own, which is ended with it, with the study, or when the study is stopped. It has no descriptors
// of ours.
#ifndef LW_STUDY_CHILD_H
#define LW_STUDY_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum
{
  LW_CHILD_ABOVE = 10  // descriptors of ours are above those that the program gets
};

typedef struct lwChild
{
  const char* program;  // searched for in PATH unless it has a slash
  char** words;         // its arguments, itself first, ended by NULL
  int stderr_text;      // descriptor for what it writes to stderr, LW_CHILD_ABOVE or more; -1: none
  const volatile sig_atomic_t* stop;  // or NULL
  // afterwards
  int error;      // errno if it could not be started
  bool too_long;  // it printed more than can be kept
  int code;       // exit code, or 128 + its signal
} lwChild;

// Runs it and gives what it printed, ended by a 0 and to be freed; NULL: `error`, `too_long` or
// `stop` says why.
char* lw_child_run(lwChild* child, size_t* length);

#endif
