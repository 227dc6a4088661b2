// SPDX-License-Identifier: MIT
// linkwork snake: what its subcommands share.
//
//   snake state     one state, or many from a file   --lw_snake_answer_many()--> rows
//   snake inverse   states, desired accelerations    --lw_snake_torque()-------> rows
//   snake simulate  initial state, drive             --lw_snake_run_to()-------> rows, plot
//   snake check     random states                    --every method------------> gaps in roundings
//   snake bench     random states                    --every method------------> ns per state
#ifndef APP_SNAKE_SNAKE_COMMAND_H
#define APP_SNAKE_SNAKE_COMMAND_H

#include "app.h"
#include "linkwork/arm.h"

// Reads the snake file of the command line. Errors and warnings are printed in full.
// DONE, or why not.
int snake_load(const Options* options, lwSnake** snake);
int snake_load_file(const Options* options, const char* path, lwSnake** snake);

// --method and --precision. Prints what is wrong and returns USAGE, or DONE.
int snake_choose(const Options* options, lwSnakeWorkspaceDef* def);

// --method alone.
int snake_choose_method(const Options* options, lwSnakeWorkspaceDef* def);

// "0.1, -0.2": exactly `needed` finite numbers of an option. Prints what is wrong and returns
// USAGE, or DONE; `each` names what each number is for.
int snake_list(Option option, const char* list, int needed, const char* each, double* values);

#endif
