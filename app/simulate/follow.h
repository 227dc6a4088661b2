// SPDX-License-Identifier: MIT
// An arm that follows a trajectory, without a scenario file: --control, --kp, --kd.
#ifndef APP_SIMULATE_FOLLOW_H
#define APP_SIMULATE_FOLLOW_H

#include "app.h"
#include "linkwork/trajectory.h"

// Reads a trajectory from a CSV file: t, q.., and perhaps qd.., qdd... Prints what is wrong and
// returns INPUT, or DONE.
int trajectory_from_file(const char* path, const lwModel* model, lwTrajectory** trajectory);

// Simulates the robot along the trajectory and writes the recording. dt: s from record to record
// unless --dt is given. The exit code.
int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt);

// What `simulate ROBOT --in FILE` does.
int simulate_robot(const Options* options);

#endif
