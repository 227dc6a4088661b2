// SPDX-License-Identifier: MIT
// Quintic pieces: position, velocity and acceleration are given at both ends of each, six numbers
// for six coefficients. On the way, velocity and acceleration are those of the clamped cubic
// through the same points, so that both are continuous; between rest and rest this is q0 + (q1 -
// q0) (10 s^3 - 15 s^4 + 6 s^5), s = t / T.
#include "trajectory/waypoints.h"

// Acceleration of the cubic that begins at point k with these velocities.
static double cubic_acceleration(const lwWaypoints* waypoints, int joint, int k, const double* v)
{
  double h = waypoints->t[k + 1] - waypoints->t[k];
  double d =
      (lw_waypoints_point(waypoints, k + 1, joint) - lw_waypoints_point(waypoints, k, joint)) / h;
  return 2 * (3 * d - 2 * v[k] - v[k + 1]) / h;
}

// Position, velocity and acceleration at point k.
static void state_at(const lwWaypoints* waypoints, int joint, int k, const double* v,
                     double state[3])
{
  const lwWaypointsDef* def = waypoints->def;
  state[0]                  = lw_waypoints_point(waypoints, k, joint);
  state[1]                  = v[k];
  state[2]                  = k == 0                 ? lw_given(def->start_acceleration, joint)
                              : k == waypoints->legs ? lw_given(def->end_acceleration, joint)
                                                     : cubic_acceleration(waypoints, joint, k, v);
}

static void fill_joint(lwWaypoints* waypoints, int joint, const double* v, lwSegment* pieces)
{
  for (int k = 0; k < waypoints->legs; ++k)
  {
    double from[3], to[3];
    state_at(waypoints, joint, k, v, from);
    state_at(waypoints, joint, k + 1, v, to);
    pieces[k] =
        lw_segment_quintic(from, to, waypoints->t[k], waypoints->t[k + 1] - waypoints->t[k]);
  }
}

static bool fill_quintic(lwWaypoints* waypoints)
{
  return lw_waypoints_fill(waypoints, LW_JOIN_CLAMPED, fill_joint);
}

lwStatus lw_trajectory_create_quintic(const lwModel* model, const lwWaypointsDef* waypoints,
                                      lwDiag* diag, lwTrajectory** trajectory)
{
  return lw_waypoints_make(model, waypoints, diag, fill_quintic, trajectory);
}
