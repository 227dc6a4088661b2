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
#include "linkwork/drive.h"
#include "snake_command.h"
#include "text/table_writer.h"

// Reads a snake file, which the scope holds. Errors and warnings are printed in full.
lwSnake* snake_read(const Options* options, const char* path);
lwSnake* snake_of(const Options* options);  // of the command line

lwSnakeWorkspaceDef snake_method_of(const Options* options);  // --method alone

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

// --- what drives the joints of a simulated snake: a law, a file of torques, or a gait

typedef struct SnakeDrive
{
  lwSnakeDrive* torques;  // to be called with `context`; NULL: there are none
  void* context;
  const lwSnake* snake;
  lwSnakeWorkspace* ws;  // of the run
  int n;
  lwLaw* law;
  lwSchedule* schedule;  // of the file, N m
  lwSerpenoidDrive* gait;
} SnakeDrive;

// By --torque-law, --in or --gait; at most one is given. Ends the command if something is wrong.
void drive_create(SnakeDrive* drive, const Options* options, const lwSnake* snake,
                  lwSnakeWorkspace* ws);

// The preferred start of the drive, into theta (n) and u (2): the posture of the gait and the
// speeds nearest to it; otherwise Table II of nia2005 at rest.
void drive_initial(SnakeDrive* drive, double* theta, double u[2]);

// True if the torques in this state are finite numbers, then and up to `ahead` (s) later.
bool drive_is_finite(SnakeDrive* drive, const lwSnakeSample* sample, double ahead);

#endif
