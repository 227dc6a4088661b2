// SPDX-License-Identifier: MIT
// What drives the joints of a simulated snake: a law, a file of torques, or a gait.
#ifndef APP_SNAKE_SNAKE_DRIVE_H
#define APP_SNAKE_SNAKE_DRIVE_H

#include "linkwork/arm.h"
#include "linkwork/drive.h"
#include "snake_command.h"

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
