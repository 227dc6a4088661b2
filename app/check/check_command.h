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
void check_list_write(lwOut* out, const char* option, const double* values, int count);

// The arguments `--q .. --qd ..` that give the inputs of a question.
void check_state_write(lwOut* out, const lwRandomState* state, unsigned inputs);
void check_path_write(lwOut* out, const char* path);  // quoted for the shell if need be

int check_methods(const Options* options, lwFormat format, const lwModel* model);
int check_against(const Options* options, lwFormat format, const lwModel* model);

#endif
