// SPDX-License-Identifier: MIT
// Trapezoidal and S-curve trajectories.
//
//   acceleration   ___                         j  phase of changing acceleration, "jerk"
//                 /   \                        s  steady acceleration
//               _/ j s \_____cruise____        speed-up takes Ta = 2 j + s
//                                      \    /
//                                       \__/
// With the highest acceleration A, the speed-up reaches A (Ta - j),
// and the whole goes A (Ta - j) (Ta + cruise).
#include "trajectory/ramps.h"

#include <math.h>

#include "math/elementary.h"
#include "trajectory/waypoints.h"

lwRamp lw_ramp(double distance, double velocity, double acceleration, double jerk)
{
  double a = acceleration, j = jerk;
  if (isfinite(velocity))
  {
    // the speed-up ends at this velocity; its acceleration may not come up to a
    lwRamp ramp = {a / j, velocity / a - a / j, 0};
    if (velocity * j < a * a) ramp = (lwRamp){sqrt(velocity / j), 0, 0};
    ramp.cruise = distance / velocity - (2 * ramp.jerk + ramp.steady);
    if (ramp.cruise >= 0) return ramp;
  }
  // the velocity is not reached: no cruise
  if (!(distance * j * j >= 2 * a * a * a)) return (lwRamp){lw_cbrt(distance / (2 * j)), 0, 0};
  double change = a / j;
  double whole  = 0.5 * change + sqrt(0.25 * change * change + distance / a);  // Ta
  return (lwRamp){change, whole - 2 * change, 0};
}

double lw_ramp_duration(const lwRamp* ramp)
{
  return 2 * (2 * ramp->jerk + ramp->steady) + ramp->cruise;
}

void lw_ramp_fill(const lwRamp* ramp, double from, double to, double start, double duration,
                  lwSegments* pieces)
{
  double slower = duration / lw_ramp_duration(ramp);
  double j = slower * ramp->jerk, s = slower * ramp->steady, cruise = slower * ramp->cruise;
  double A                                      = (to - from) / ((j + s) * (2 * j + s + cruise));
  const double lengths[LW_RAMP_PHASES]          = {j, s, j, cruise, j, s, j};
  const double accelerations[LW_RAMP_PHASES][2] = {{0, A},  {A, A},   {A, 0}, {0, 0},
                                                   {0, -A}, {-A, -A}, {-A, 0}};
  double t = start, q = from, v = 0;
  for (int k = 0; k < LW_RAMP_PHASES; ++k)
  {
    double h = lengths[k], a = accelerations[k][0], b = accelerations[k][1];
    if (!(h > 0)) continue;
    pieces->piece[pieces->count++] = (lwSegment){t, h, {q, v, 0.5 * a, (b - a) / (6 * h)}};
    q += h * (v + h * (2 * a + b) / 6);
    v += 0.5 * h * (a + b);
    t += h;
  }
}

// --- trajectories through points, at rest in each

static double distance_of(const lwWaypoints* waypoints, int leg, int joint)
{
  return fabs(lw_waypoints_point(waypoints, leg + 1, joint) -
              lw_waypoints_point(waypoints, leg, joint));
}

static lwRamp ramp_of(const lwWaypoints* waypoints, int leg, int joint)
{
  return lw_ramp(distance_of(waypoints, leg, joint), waypoints->limit[1][joint],
                 waypoints->limit[2][joint], waypoints->limit[3][joint]);
}

// The time that the slowest joint needs, s.
static double leg_time(const lwWaypoints* waypoints, int leg, int* slowest)
{
  double most = 0;
  *slowest    = -1;
  for (int i = 0; i < waypoints->dof; ++i)
  {
    if (distance_of(waypoints, leg, i) == 0) continue;
    lwRamp ramp = ramp_of(waypoints, leg, i);
    double time = lw_ramp_duration(&ramp);
    if (time <= most) continue;
    most     = time;
    *slowest = i;
  }
  return most;
}

static lwStatus too_short(lwWaypoints* waypoints, double given, double needed, int slowest)
{
  return lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
                   "%.6g s are too short within the limits of joint '%s', expected at least %.6g s",
                   given, lw_waypoints_joint(waypoints->model, slowest), needed);
}

static lwStatus find_times(lwWaypoints* waypoints)
{
  const double* given = waypoints->def->t;
  int slowest         = -1;
  waypoints->t[0]     = 0;
  for (int k = 0; k < waypoints->legs; ++k)
  {
    double needed = leg_time(waypoints, k, &slowest);
    double time   = given ? given[k + 1] - given[k] : needed;
    if (time < needed * (1 - 1e-12)) return too_short(waypoints, time, needed, slowest);
    waypoints->t[k + 1] = waypoints->t[k] + time;
  }
  double needed = waypoints->t[waypoints->legs], total = waypoints->def->duration;
  if (!given && total > 0)  // shared among the legs in proportion to what they need
  {
    if (total < needed * (1 - 1e-12)) return too_short(waypoints, total, needed, slowest);
    for (int k = 0; k <= waypoints->legs; ++k)
      waypoints->t[k] =
          needed > 0 ? waypoints->t[k] * (total / needed) : total * k / waypoints->legs;
    waypoints->t[waypoints->legs] = total;
    return LW_OK;
  }
  if (needed > 0) return LW_OK;
  return lw_refuse(waypoints->diag, LW_ERROR_INPUT, "give a duration",
                   "start and goal are the same");
}

static bool fill_ramps(lwWaypoints* waypoints)
{
  for (int i = 0; i < waypoints->dof; ++i)
  {
    lwSegments* pieces = &waypoints->trajectory->joints[i];
    if (!lw_segments_take(pieces, &waypoints->trajectory->arena, LW_RAMP_PHASES * waypoints->legs))
      return false;
    for (int k = 0; k < waypoints->legs; ++k)
    {
      double start = waypoints->t[k], length = waypoints->t[k + 1] - start;
      double from = lw_waypoints_point(waypoints, k, i),
             to   = lw_waypoints_point(waypoints, k + 1, i);
      if (from != to)
      {
        lwRamp ramp = ramp_of(waypoints, k, i);
        lw_ramp_fill(&ramp, from, to, start, length, pieces);
      }
      else if (length > 0)  // the joint has nowhere to go
        pieces->piece[pieces->count++] = (lwSegment){start, length, {from}};
    }
  }
  return true;
}

// A limit of this order keeps ramps from being infinitely steep.
static lwStatus create_ramps(const lwModel* model, const lwWaypointsDef* def, int order,
                             const char* what, lwDiag* diag, lwTrajectory** trajectory)
{
  lwWaypoints waypoints;
  lwStatus status = lw_waypoints_open(&waypoints, model, def, diag);
  for (int i = 0; i < waypoints.dof && status == LW_OK; ++i)
    if (!isfinite(waypoints.limit[order][i]))
      status =
          lw_refuse(diag, LW_ERROR_INPUT, NULL, "a limit of %s is needed for this profile", what);
  if (status == LW_OK) status = find_times(&waypoints);
  if (status == LW_OK && !fill_ramps(&waypoints)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_waypoints_check(&waypoints);
  return lw_waypoints_close(&waypoints, status, trajectory);
}

lwStatus lw_trajectory_create_trapezoid(const lwModel* model, const lwWaypointsDef* def,
                                        lwDiag* diag, lwTrajectory** trajectory)
{
  lwWaypointsDef plain = *def;
  plain.jerk           = NULL;  // it is not limited
  return create_ramps(model, &plain, 2, "acceleration", diag, trajectory);
}

lwStatus lw_trajectory_create_s_curve(const lwModel* model, const lwWaypointsDef* def, lwDiag* diag,
                                      lwTrajectory** trajectory)
{
  return create_ramps(model, def, 3, "jerk", diag, trajectory);
}
