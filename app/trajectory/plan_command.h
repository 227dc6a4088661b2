// SPDX-License-Identifier: MIT
// linkwork plan: what its parts share.
#ifndef APP_MOTION_PLAN_COMMAND_H
#define APP_MOTION_PLAN_COMMAND_H

#include "app.h"
#include "linkwork/trajectory.h"

// The waypoints and limits, as the options give them.
typedef struct WaypointOptions
{
  lwWaypointsDef def;
  double* values;  // owns points and times
  double* rates;   // owns limits, and velocities and accelerations at the ends
} WaypointOptions;

// From --from, --via, --to or --in, --from-qd .., --velocity, --acceleration, --jerk, --duration,
// --join. Prints what is wrong and returns USAGE or INPUT, or DONE.
int way_read(WaypointOptions* waypoints, const Options* options, const lwModel* model);
void way_free(WaypointOptions* waypoints);

// One positive value for all joints, or one for each, into room (dof); *values stays NULL if the
// option is not given. Prints what is wrong and returns USAGE, or DONE.
int limits_read(const Options* options, Option option, const lwModel* model, double* room,
                const double** values);

// A list of positions (nq) or rates (dof) of an option: for all joints, by name, or of a robot with
// loops for the driven ones. Prints what is wrong and returns USAGE, or DONE.
int take_joints(const char* list, Option option, const lwModel* model, double* values);

// A line by --from, --to or --pose, --velocity and so on, likewise. q (nq) is where it begins.
int line_read(lwLineDef* line, double* q, const Options* options, const lwModel* model,
              lwWorkspace* ws);

// x,y,z or x,y,z,roll,pitch,yaw of --pose to position and rotation; *orientation: has a rotation.
int pose_read(const Options* options, double position[3], double rotation[9], bool* orientation);

// Prints why planning failed and returns the exit code; NO if there is no such motion.
int plan_failed(lwStatus status, const lwDiag* diag);

#endif
