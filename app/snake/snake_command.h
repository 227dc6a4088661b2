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
#include "text/table_writer.h"

// Reads the snake file of the command line. Errors and warnings are printed in full.
// DONE, or why not.
int snake_load(const Options* options, lwSnake** snake);
int snake_load_file(const Options* options, const char* path, lwSnake** snake);
lwSnake* snake_of(const Options* options);  // snake_load() in a scope

// --method alone. Prints what is wrong and returns USAGE, or DONE.
int snake_choose_method(const Options* options, lwSnakeWorkspaceDef* def);

// --- columns of rows

typedef enum SnakeColumnPer
{
  PER_SNAKE,
  PER_LINK,
  PER_JOINT,
  PER_FULL_RUN  // one, of runs in all coordinates only
} SnakeColumnPer;

typedef struct SnakeColumn
{
  const char *name, *unit;
  SnakeColumnPer per;
} SnakeColumn;

// The context of the functions below, which are those of an lwRows.
typedef struct SnakeColumns
{
  const SnakeColumn* list;  // ended by one without a name
  int n;                    // links
  bool full;                // a run in all coordinates
} SnakeColumns;

size_t snake_column_count(const SnakeColumns* columns);
void snake_column_name(const void* context, size_t k, char name[LW_ROW_NAME]);
const char* snake_column_unit(const void* context, size_t k);

#endif
