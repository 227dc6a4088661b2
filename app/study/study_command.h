// SPDX-License-Identifier: MIT
// What the commands about studies share.
#ifndef APP_STUDY_STUDY_COMMAND_H
#define APP_STUDY_STUDY_COMMAND_H

#include <limits.h>

#include "app.h"
#include "linkwork/study.h"

// A whole number behind an option, at least `least`;
// *value stays if it is not given. DONE or USAGE.
int whole_option(const Options* options, Option option, long least, long* value);

// --part: "K/N" into two numbers; 1/1 without the option. Returns an exit code.
int part_option(const Options* options, int part[2]);

// Says how many samples have no results, if any.
void warn_faults(const lwResults* results, const char* path);

// Reads the study of the command line, with --samples. A study that starts programs needs
// --allow-commands; program, or NULL: what the word `linkwork` stands for there. DONE, or why not.
int study_load(const Options* options, const char* program, lwStudy** study);

// The path of this program, whatever its file is called; NULL: unknown.
const char* own_program(char path[PATH_MAX]);

// Prints what is wrong and returns the exit code of a status.
int study_refused(const lwDiag* diag, const char* path, lwStatus status);

#endif
