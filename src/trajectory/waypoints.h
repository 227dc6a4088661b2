// SPDX-License-Identifier: MIT
// Points to pass and limits to keep: what all trajectories through points share.
//
//   lwWaypointsDef --check, limits--> lwWaypoints --times--> pieces --check--> lwTrajectory
#ifndef LW_TRAJECTORY_WAYPOINTS_H
#define LW_TRAJECTORY_WAYPOINTS_H

#include "base/diag.h"
#include "trajectory/trajectory_internal.h"

typedef struct lwWaypoints
{
  const lwModel* model;
  lwWaypointsDef given;  // as it came, but velocities and accelerations at the ends are those of
                         // the coordinates
  const lwWaypointsDef* def;  // that
  lwDiag* diag;
  int dof;
  int legs;          // def->count - 1
  double* limit[4];  // (dof) of the derivative of that order, infinite: none; [0] is not used
  double* points;    // (count, dof) their coordinates: q, or those of trajectory/turn.h
  double* t;         // (count) s, when each point is passed
  double* scratch;   // (5, count), for one joint
  lwTrajectory* trajectory;  // being made
} lwWaypoints;

// Fills pieces of all joints for the times of waypoints->t; false: out of memory.
typedef bool lwWaypointsFill(lwWaypoints* waypoints);

// Makes a trajectory whose shape scales with time: finds the times, fills the pieces, checks them.
lwStatus lw_waypoints_make(const lwModel* model, const lwWaypointsDef* given, lwDiag* diag,
                           lwWaypointsFill* fill, lwTrajectory** trajectory);

// The parts of it, for kinds that find their times themselves.
lwStatus lw_waypoints_open(lwWaypoints* waypoints, const lwModel* model, const lwWaypointsDef* def,
                           lwDiag* diag);
lwStatus lw_waypoints_close(lwWaypoints* waypoints, lwStatus status, lwTrajectory** trajectory);
lwStatus
lw_waypoints_check(lwWaypoints* waypoints);  // the trajectory against the limits, as LW_ERROR_INPUT

double lw_waypoints_point(const lwWaypoints* waypoints, int k, int joint);  // rad or m
const char* lw_waypoints_joint(const lwModel* model, int i);                // its name
const char* lw_waypoints_unit(const lwModel* model, int i);                 // "rad" or "m"
// Fills pieces of one joint, whose velocities at the points are v (count).
typedef void lwJointFill(lwWaypoints* waypoints, int joint, const double* v, lwSegment* pieces);

// Fills all joints with pieces from point to point. The velocities at the points are those that
// the join asks for, at the times of waypoints->t; false: out of memory.
bool lw_waypoints_fill(lwWaypoints* waypoints, lwJoin join, lwJointFill* fill);

static inline double lw_given(const double* values, int i)  // 0 if there are none
{
  return values ? values[i] : 0;
}

// Checks joint positions against the limits of the robot: what is, "the start", "point 2".
bool lw_waypoints_inside(const lwModel* model, lwDiag* diag, const double* q, const char* what);

#endif
