// SPDX-License-Identifier: MIT
// linkwork check: all formulations against each other, or a file of torques against ours.
//
//   seed --compare/random_state.c--> states --compare/method_checks.c--> gaps in units of rounding
//     --check_methods.c--> table
//   torques.csv --check_against.h--> difference, and what explains it
#ifndef APP_CHECK_CHECK_COMMAND_H
#define APP_CHECK_CHECK_COMMAND_H

#include "app.h"
#include "compare/random_state.h"
#include "io/output.h"

// " --q 0.1,0.2"
void check_list_write(Out* out, const char* option, const double* values, int count);

// The arguments `--q .. --qd ..` that give the inputs of a question.
void check_state_write(Out* out, const lwRandomState* state, unsigned inputs);
void check_path_write(Out* out, const char* path);  // quoted for the shell if need be

// The whole number of an option; *value stays if it is not given.
// Prints what is wrong and returns USAGE, or DONE.
int check_integer(const Options* options, Option option, long low, long high, long* value);

int check_methods(const Options* options, Format format, const lwModel* model);
int check_against(const Options* options, Format format, const lwModel* model);

#endif
