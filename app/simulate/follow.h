// SPDX-License-Identifier: MIT
// An arm that follows a trajectory, without a scenario file: --control, --kp, --kd.
#ifndef APP_SIMULATE_FOLLOW_H
#define APP_SIMULATE_FOLLOW_H

#include "app.h"
#include "linkwork/trajectory.h"

// Simulates the robot along the trajectory and writes the recording. dt: s from record to record
// unless --dt is given. The exit code.
int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt);

// What `simulate ROBOT --in FILE` does.
int simulate_robot(const Options* options);

#endif
