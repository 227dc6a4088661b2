// SPDX-License-Identifier: MIT
// Rest to rest over a distance in the shortest time: seven phases of constant
// jerk; a trapezoid lacks four of them.
#ifndef LW_TRAJECTORY_RAMPS_H
#define LW_TRAJECTORY_RAMPS_H

#include "trajectory/segments.h"

enum
{
  LW_RAMP_PHASES = 7
};

typedef struct lwRamp
{
  double jerk;    // s, of each of the four phases in which the acceleration changes
  double steady;  // s, of each of the two of constant acceleration
  double cruise;  // s, of constant velocity
} lwRamp;

// The shortest ramp over a distance > 0. Any of the limits may be infinite,
// but not acceleration and jerk both.
lwRamp lw_ramp(double distance, double velocity, double acceleration, double jerk);

double lw_ramp_duration(const lwRamp* ramp);  // s

// Adds the phases, slowed down to last `duration`, from `from` to `to`,
// beginning at start. Room for LW_RAMP_PHASES.
void lw_ramp_fill(const lwRamp* ramp, double from, double to, double start, double duration,
                  lwSegments* pieces);

#endif
