// SPDX-License-Identifier: MIT
// When waypoints are passed, for motions whose shape scales with time.
//
// The legs are given times in proportion to what their slowest joint needs. If the arm rests at
// both ends, a trajectory that takes f times as long has velocities 1/f, accelerations 1/f^2 and
// jerks 1/f^3 of the first, so that the shortest time within the limits follows from one trial.
// Given velocities at the ends do not scale; then f is found by bisection.
#include <math.h>

#include "math/elementary.h"
#include "trajectory/waypoints.h"

enum
{
  MOST_DOUBLINGS = 60,
  BISECTIONS     = 60
};

// The time that the slowest joint needs for the leg from point k, up to a factor:
// s, or rad if no velocity is limited.
static double leg_effort(const lwWaypoints* waypoints, int k)
{
  double most  = 0;
  bool limited = false;
  for (int i = 0; i < waypoints->dof; ++i) limited = limited || isfinite(waypoints->limit[1][i]);
  for (int i = 0; i < waypoints->dof; ++i)
  {
    double distance =
        fabs(lw_waypoints_point(waypoints, k + 1, i) - lw_waypoints_point(waypoints, k, i));
    most = fmax(most, limited ? distance / waypoints->limit[1][i] : distance);
  }
  return most;
}

// Times from 0 to 1 in proportion to the legs.
static lwStatus default_times(lwWaypoints* waypoints)
{
  double sum = 0;
  for (int k = 0; k < waypoints->legs; ++k) sum += waypoints->t[k + 1] = leg_effort(waypoints, k);
  bool standing = sum == 0;
  for (int k = 0; k < waypoints->legs; ++k)
  {
    if (!standing && waypoints->t[k + 1] == 0)
      return lw_refuse(waypoints->diag, LW_ERROR_INPUT, "say when each point is passed",
                       "points %d and %d are the same, so there is no time between them", k + 1,
                       k + 2);
    waypoints->t[k + 1] = standing ? 1.0 / waypoints->legs : waypoints->t[k + 1] / sum;
  }
  waypoints->t[0] = 0;
  for (int k = 0; k < waypoints->legs; ++k) waypoints->t[k + 1] += waypoints->t[k];
  waypoints->t[waypoints->legs] = 1;
  return LW_OK;
}

static void scale_times(lwWaypoints* waypoints, double factor)
{
  for (int k = 0; k <= waypoints->legs; ++k) waypoints->t[k] *= factor;
}

// By how much the trajectory as filled is too fast: above 1, it breaks a limit.
static double haste(const lwWaypoints* waypoints)
{
  double most = 0;
  for (int i = 0; i < waypoints->dof; ++i)
    for (int order = 1; order <= 3; ++order)
    {
      double limit = waypoints->limit[order][i];
      if (!isfinite(limit)) continue;
      double peak = fabs(lw_segments_peak(&waypoints->trajectory->joints[i], order).value);
      most        = fmax(most, lw_pow(peak / limit, 1.0 / order));
    }
  return most;
}

static bool is_limited(const lwWaypoints* waypoints)
{
  for (int i = 0; i < waypoints->dof; ++i)
    for (int order = 1; order <= 3; ++order)
      if (isfinite(waypoints->limit[order][i])) return true;
  return false;
}

static bool rests_at_ends(const lwWaypointsDef* def)
{
  return !def->start_velocity && !def->end_velocity && !def->start_acceleration &&
         !def->end_acceleration;
}

static bool is_slow_enough(lwWaypoints* waypoints, lwWaypointsFill* fill, double from, double to,
                           bool* enough)
{
  scale_times(waypoints, to / from);
  *enough = fill(waypoints) && *enough;
  return haste(waypoints) <= 1;
}

// The shortest time by bisection; leaves the times there.
// The motion is filled with times of `total`.
static lwStatus bisect_time(lwWaypoints* waypoints, lwWaypointsFill* fill, double total)
{
  bool enough = true;
  double low = 0, high = total, now = total;
  for (int k = 0; k < MOST_DOUBLINGS && !is_slow_enough(waypoints, fill, now, high, &enough); ++k)
    now = low = high, high *= 2;
  now = high;
  if (!is_slow_enough(waypoints, fill, now, high, &enough))
    return lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
                     "no duration is long enough to keep the limits");
  for (int k = 0; k < BISECTIONS; ++k)
  {
    double middle          = 0.5 * (low + high);
    bool slow              = is_slow_enough(waypoints, fill, now, middle, &enough);
    now                    = middle;
    *(slow ? &high : &low) = middle;
  }
  is_slow_enough(waypoints, fill, now, high, &enough);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

// The shortest time that the limits allow.
static lwStatus choose_duration(lwWaypoints* waypoints, lwWaypointsFill* fill)
{
  if (!is_limited(waypoints))
    return lw_refuse(
        waypoints->diag, LW_ERROR_INPUT, "give a duration, times, or limits of velocity",
        "the robot has no limits of velocity, and neither a duration nor limits are given");
  if (!fill(waypoints)) return LW_ERROR_MEMORY;
  double factor = haste(waypoints);
  if (!(factor > 0))
    return lw_refuse(waypoints->diag, LW_ERROR_INPUT, "give a duration",
                     "start and goal are the same");
  if (!rests_at_ends(waypoints->def)) return bisect_time(waypoints, fill, 1);
  scale_times(waypoints, factor);
  return fill(waypoints) ? LW_OK : LW_ERROR_MEMORY;
}

// A given duration or given times may be too short: reports by how much.
static lwStatus check_times(const lwWaypoints* waypoints, lwStatus status)
{
  double factor = haste(waypoints), total = waypoints->t[waypoints->legs];
  bool given = waypoints->def->t || waypoints->def->duration > 0;
  if (status != LW_OK && given && factor > 1 && rests_at_ends(waypoints->def))
    LW_REFUSE(waypoints->diag, NULL,
              "%.6g s are too short within these limits, expected at least %.6g s", total,
              total * factor);
  return status;
}

lwStatus lw_waypoints_make(const lwModel* model, const lwWaypointsDef* given, lwDiag* diag,
                           lwWaypointsFill* fill, lwTrajectory** trajectory)
{
  lwWaypoints waypoints;
  lwStatus status           = lw_waypoints_open(&waypoints, model, given, diag);
  const lwWaypointsDef* def = waypoints.def;
  for (int k = 0; status == LW_OK && def->t && k <= waypoints.legs; ++k)
    waypoints.t[k] = def->t[k] - def->t[0];
  if (status == LW_OK && !def->t) status = default_times(&waypoints);
  if (status == LW_OK && !def->t && def->duration == 0)
    status = choose_duration(&waypoints, fill);
  else if (status == LW_OK)
  {
    if (!def->t) scale_times(&waypoints, def->duration);
    status = fill(&waypoints) ? LW_OK : LW_ERROR_MEMORY;
  }
  if (status == LW_OK) status = check_times(&waypoints, lw_waypoints_check(&waypoints));
  return lw_waypoints_close(&waypoints, status, trajectory);
}
