// SPDX-License-Identifier: MIT
// linkwork plan: what its parts share.
#ifndef APP_MOTION_PLAN_COMMAND_H
#define APP_MOTION_PLAN_COMMAND_H

#include "app.h"
#include "linkwork/loop.h"
#include "linkwork/trajectory.h"

// The waypoints and limits of --from, --via, --to or --in, --from-qd .., --velocity,
// --acceleration, --jerk, --duration, --join.
lwWaypointsDef waypoints_of(const Options* options, const lwModel* model);

// One positive value for all joints, or one for each (dof); NULL if the option is not given.
const double* limits_of(const Options* options, Option option, const lwModel* model);

// A list of positions (nq) or rates (dof) of an option: for all joints, by name, or of a robot with
// loops for the driven ones.
void take_joints(const char* list, Option option, const lwModel* model, double* values);

// Prints why planning failed; exit 1 if there is no such motion.
void need_plan(lwStatus status, const lwDiag* diag);

// plan --fastest, with waypoints or --cycle. The exit code.
int plan_fastest(const Options* options, const lwModel* model);

// A plan of a robot that rolls, at times that grow. speeds: the trajectory is of speeds.
typedef struct Rolling Rolling;
Rolling* rolling_open(const lwModel* model, lwLoops* loops, const lwTrajectory* trajectory,
                      bool speeds);

// q (nq), qd and qdd (dof) at time t, one behind the other.
void rolling_at(Rolling* rolling, double t, double* q);

// The speeds of driven joints over time in --in.
lwStatus rolling_speeds(const Options* options, const lwModel* model, lwDiag* diag,
                        lwTrajectory** trajectory);

// A line by --from, --to or --pose, --velocity and so on.
lwLineDef line_of(const Options* options, const lwModel* model, lwWorkspace* ws);

// x,y,z or x,y,z,roll,pitch,yaw of --pose to position and rotation; true: it has a rotation.
bool pose_read(const Options* options, double position[3], double rotation[9]);

#endif
