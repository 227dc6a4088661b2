// SPDX-License-Identifier: MIT
// What the commands about studies share.
#ifndef APP_STUDY_STUDY_COMMAND_H
#define APP_STUDY_STUDY_COMMAND_H

#include "app.h"
#include "linkwork/study.h"

// --part: "K/N" into two numbers; 1/1 without the option.
void part_of(const Options* options, int part[2]);

// Says how many samples have no results, if any.
void warn_faults(const lwResults* results, const char* path);

// Reads the study of the command line, with --samples. A study that starts programs needs
// --allow-commands; program, or NULL: what the word `linkwork` stands for there.
lwStudy* study_of(const Options* options, const char* program);

// Prints what is wrong and returns the exit code of a status.
int study_refused(const lwDiag* diag, const char* path, lwStatus status);

#endif
