// SPDX-License-Identifier: MIT
// Quintic pieces: position, velocity and acceleration are given at both ends of each, six numbers
// for six coefficients. On the way, velocity and acceleration are those of the clamped cubic
// through the same points, so that both are continuous; between rest and rest this is q0 + (q1 -
// q0) (10 s^3 - 15 s^4 + 6 s^5), s = t / T.
#include "trajectory/spline.h"

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
  double a;
  if (k == 0)
    a = lw_given(def->start_acceleration, joint);
  else if (k == waypoints->legs)
    a = lw_given(def->end_acceleration, joint);
  else
    a = cubic_acceleration(waypoints, joint, k, v);
  state[0] = lw_waypoints_point(waypoints, k, joint);
  state[1] = v[k];
  state[2] = a;
}

static bool fill_quintic(lwWaypoints* waypoints)
{
  double* v = waypoints->scratch;
  for (int i = 0; i < waypoints->dof; ++i)
  {
    lwSegments* pieces = &waypoints->trajectory->joints[i];
    if (!pieces->piece && !lw_segments_take(pieces, &waypoints->trajectory->arena, waypoints->legs))
      return false;
    lw_spline_velocities(waypoints, i, LW_JOIN_CLAMPED, v, v + waypoints->def->count);
    for (int k = 0; k < waypoints->legs; ++k)
    {
      double from[3], to[3];
      state_at(waypoints, i, k, v, from);
      state_at(waypoints, i, k + 1, v, to);
      pieces->piece[k] =
          lw_segment_quintic(from, to, waypoints->t[k], waypoints->t[k + 1] - waypoints->t[k]);
    }
    pieces->count = waypoints->legs;
  }
  return true;
}

lwStatus lw_trajectory_create_quintic(const lwModel* model, const lwWaypointsDef* waypoints,
                                      lwDiag* diag, lwTrajectory** trajectory)
{
  return lw_waypoints_make(model, waypoints, diag, fill_quintic, trajectory);
}
