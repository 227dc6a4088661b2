// SPDX-License-Identifier: MIT
// Points to pass and limits to keep: what all motions through points share.
//
//   lwWayDef --check, limits--> lwWay --times--> pieces of a kind --check--> lwMotion
#ifndef LW_MOTION_WAY_H
#define LW_MOTION_WAY_H

#include "trajectory/trajectory.h"

typedef struct lwWay
{
  const lwModel* model;
  const lwWayDef* def;
  lwDiag* diag;
  int dof;
  int legs;          // def->count - 1
  double* limit[4];  // (dof) of the derivative of that order, infinite: none; [0] is not used
  double* t;         // (count) s, when each point is passed
  double* scratch;   // (5, count), for one joint
  lwMotion* motion;  // being made
} lwWay;

// Fills pieces of all joints for the times of way->t; false: out of memory.
typedef bool lwWayFill(lwWay* way);

// Makes a motion of a kind whose shape scales with time: finds the times, fills the pieces, checks them.
lwStatus lw_way_make(const lwModel* model, const lwWayDef* def, lwDiag* diag, lwWayFill* fill,
                     lwMotion** motion);

// The parts of it, for kinds that find their times themselves.
lwStatus lw_way_open(lwWay* way, const lwModel* model, const lwWayDef* def, lwDiag* diag);
lwStatus lw_way_close(lwWay* way, lwStatus status, lwMotion** motion);
lwStatus lw_way_check(lwWay* way);  // the motion against the limits, as LW_ERROR_INPUT

double lw_way_point(const lwWay* way, int k, int joint);  // rad or m
const char* lw_way_joint(const lwModel* model, int i);    // its name
const char* lw_way_unit(const lwModel* model, int i);     // "rad" or "m"
lwStatus lw_way_refuse(lwWay* way, const char* hint, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Checks joint positions against the limits of the robot: what is, "the start", "point 2".
bool lw_way_inside(const lwModel* model, lwDiag* diag, const double* q, const char* what);

#endif
