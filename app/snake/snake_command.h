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
#include "io/note.h"

#define FULL_METHOD "lagrange-full"  // not of the registry: it is about runs

// Reads a snake file, which the scope holds. Errors and warnings are printed in full.
lwSnake* snake_read(const Options* options, const char* path);
lwSnake* snake_of(const Options* options);  // of the command line

lwSnakeWorkspaceDef snake_method_of(const Options* options);  // --method alone
lwSnakeWorkspace* snake_workspace_of(const lwSnake* snake, const lwSnakeWorkspaceDef* def);

#endif
