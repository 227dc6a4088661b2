// SPDX-License-Identifier: MIT
// Velocities of one joint at the waypoints.
#ifndef LW_TRAJECTORY_SPLINE_H
#define LW_TRAJECTORY_SPLINE_H

#include "trajectory/waypoints.h"

// Fills v (count) with the velocities that the join asks for, at the times of waypoints->t.
// rest (count) is scratch.
void lw_spline_velocities(const lwWaypoints* waypoints, int joint, lwJoin join, double* v,
                          double* rest);

double lw_given(const double* values, int i);  // values[i], or 0 if there are none

#endif
