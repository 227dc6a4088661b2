// SPDX-License-Identifier: MIT
// When the points of a way are passed, for kinds of motion whose shape scales with time.
//
// The legs are given times in proportion to what their slowest joint needs. If the arm rests at both ends, a motion that
// takes f times as long has velocities 1/f, accelerations 1/f^2 and jerks 1/f^3 of the first, so that the shortest
// time within the limits follows from one trial. Given velocities at the ends do not scale; then f is found by
// bisection.
#include <math.h>

#include "trajectory/waypoints.h"

enum
{
  MOST_DOUBLINGS = 60,
  BISECTIONS     = 60
};

// What the leg from point k asks of its slowest joint, up to a factor: s, or rad where no velocity is limited.
static double leg_effort(const lwWay* way, int k)
{
  double most  = 0;
  bool limited = false;
  for (int i = 0; i < way->dof; ++i) limited = limited || isfinite(way->limit[1][i]);
  for (int i = 0; i < way->dof; ++i)
  {
    double distance = fabs(lw_way_point(way, k + 1, i) - lw_way_point(way, k, i));
    most            = fmax(most, limited ? distance / way->limit[1][i] : distance);
  }
  return most;
}

// Times from 0 to 1 in proportion to the legs.
static lwStatus spread_times(lwWay* way)
{
  double sum = 0;
  for (int k = 0; k < way->legs; ++k) sum += way->t[k + 1] = leg_effort(way, k);
  bool standing = sum == 0;
  for (int k = 0; k < way->legs; ++k)
  {
    if (!standing && way->t[k + 1] == 0)
      return lw_way_refuse(way, "say when each point is passed",
                           "points %d and %d are the same, so there is no time between them", k + 1,
                           k + 2);
    way->t[k + 1] = standing ? 1.0 / way->legs : way->t[k + 1] / sum;
  }
  way->t[0] = 0;
  for (int k = 0; k < way->legs; ++k) way->t[k + 1] += way->t[k];
  way->t[way->legs] = 1;
  return LW_OK;
}

static void scale_times(lwWay* way, double factor)
{
  for (int k = 0; k <= way->legs; ++k) way->t[k] *= factor;
}

// By how much the motion as filled is too fast: above 1, it breaks a limit.
static double haste(const lwWay* way)
{
  double most = 0;
  for (int i = 0; i < way->dof; ++i)
    for (int order = 1; order <= 3; ++order)
    {
      double limit = way->limit[order][i];
      if (!isfinite(limit)) continue;
      double peak = fabs(lw_pieces_peak(&way->motion->joints[i], order).value);
      most        = fmax(most, pow(peak / limit, 1.0 / order));
    }
  return most;
}

static bool is_limited(const lwWay* way)
{
  for (int i = 0; i < way->dof; ++i)
    for (int order = 1; order <= 3; ++order)
      if (isfinite(way->limit[order][i])) return true;
  return false;
}

static bool rests_at_ends(const lwWayDef* def)
{
  return !def->start_velocity && !def->end_velocity && !def->start_acceleration &&
         !def->end_acceleration;
}

static bool is_slow_enough(lwWay* way, lwWayFill* fill, double from, double to, bool* enough)
{
  scale_times(way, to / from);
  *enough = fill(way) && *enough;
  return haste(way) <= 1;
}

// The shortest time by bisection; leaves the times there. The motion is filled with times of `total`.
static lwStatus bisect_time(lwWay* way, lwWayFill* fill, double total)
{
  bool enough = true;
  double low = 0, high = total, now = total;
  for (int k = 0; k < MOST_DOUBLINGS && !is_slow_enough(way, fill, now, high, &enough); ++k)
    now = low = high, high *= 2;
  now = high;
  if (!is_slow_enough(way, fill, now, high, &enough))
    return lw_way_refuse(way, NULL, "no duration is long enough to keep the limits");
  for (int k = 0; k < BISECTIONS; ++k)
  {
    double middle          = 0.5 * (low + high);
    bool slow              = is_slow_enough(way, fill, now, middle, &enough);
    now                    = middle;
    *(slow ? &high : &low) = middle;
  }
  is_slow_enough(way, fill, now, high, &enough);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

// The shortest time that the limits allow.
static lwStatus choose_duration(lwWay* way, lwWayFill* fill)
{
  if (!is_limited(way))
    return lw_way_refuse(
        way, "give a duration, times, or limits of velocity",
        "the robot has no limits of velocity, and neither a duration nor limits are given");
  if (!fill(way)) return LW_ERROR_MEMORY;
  double factor = haste(way);
  if (!(factor > 0)) return lw_way_refuse(way, "give a duration", "start and goal are the same");
  if (!rests_at_ends(way->def)) return bisect_time(way, fill, 1);
  scale_times(way, factor);
  return fill(way) ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus find_times(lwWay* way, lwWayFill* fill)
{
  const lwWayDef* def = way->def;
  for (int k = 0; k <= way->legs && def->t; ++k) way->t[k] = def->t[k] - def->t[0];
  if (def->t) return fill(way) ? LW_OK : LW_ERROR_MEMORY;
  lwStatus status = spread_times(way);
  if (status != LW_OK) return status;
  if (def->duration == 0) return choose_duration(way, fill);
  scale_times(way, def->duration);
  return fill(way) ? LW_OK : LW_ERROR_MEMORY;
}

// A duration or times that are given may be too short: how much too short is said.
static lwStatus check(lwWay* way)
{
  lwStatus status = lw_way_check(way);
  double factor   = haste(way);
  bool given      = way->def->t || way->def->duration > 0;
  if (status != LW_OK && given && factor > 1 && rests_at_ends(way->def))
    lw_way_refuse(way, NULL, "%.6g s are too short within these limits, expected at least %.6g s",
                  way->t[way->legs], way->t[way->legs] * factor);
  return status;
}

lwStatus lw_way_make(const lwModel* model, const lwWayDef* def, lwDiag* diag, lwWayFill* fill,
                     lwMotion** motion)
{
  lwWay way;
  lwStatus status = lw_way_open(&way, model, def, diag);
  if (status == LW_OK) status = find_times(&way, fill);
  if (status == LW_OK) status = check(&way);
  return lw_way_close(&way, status, motion);
}
