// SPDX-License-Identifier: MIT
// What drives the joints of a simulated snake: a law, a file of torques, or a gait.
#ifndef APP_SNAKE_SNAKE_DRIVE_H
#define APP_SNAKE_SNAKE_DRIVE_H

#include "linkwork/drive.h"
#include "snake.h"

// phi_k(t) = alpha sin(beta k + gamma t), phi_k = theta_k+1 - theta_k, k = 1..n-1.
typedef struct Gait
{
  double alpha;  // rad
  double beta;   // rad from joint to joint
  double gamma;  // rad/s
} Gait;

typedef struct Drive
{
  lwSnakeDrive* torques;  // to be called with the Drive as context; NULL: there are none
  const lwSnake* snake;
  lwSnakeWorkspace* ws;  // of the run
  int n;
  lwLaw* law;
  lwSchedule* schedule;  // of the file, N m
  Gait gait;
  double *wanted, *omega;  // (n) each, for the gait
} Drive;

// By --torque-law, --in or --gait; at most one is given. Prints what is wrong and
// returns USAGE or INPUT, or DONE.
int drive_create(Drive* drive, const Options* options, const lwSnake* snake, lwSnakeWorkspace* ws);
void drive_destroy(Drive* drive);

// Where the drive likes to begin: theta (n) and u (2) are written. The posture of the gait and the
// speeds nearest to it; Table II of nia2005 at rest otherwise.
void drive_initial(Drive* drive, double* theta, double u[2]);

// True if the torques in this state are finite numbers, then and up to `ahead` (s) later.
bool drive_is_finite(Drive* drive, const lwSnakeSample* sample, double ahead);

#endif
