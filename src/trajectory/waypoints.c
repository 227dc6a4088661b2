// SPDX-License-Identifier: MIT
#include "trajectory/waypoints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"

// Limits are met to rounding, with room for that of the numbers they are computed from.
static const double ROUNDING = 1e-9;

// Far beyond any arm, and far below where its powers overflow.
static const double LARGEST = 1e12;

static const char* const RATE_NAMES[] = {"position", "velocity", "acceleration", "jerk"};
static const char* const RATE_UNITS[] = {"", "/s", "/s^2", "/s^3"};

const char* lw_waypoints_joint(const lwModel* model, int i)
{
  const char* name = lw_model_joint_def(model, i)->name;
  return name ? name : "";
}

const char* lw_waypoints_unit(const lwModel* model, int i)
{
  return lw_model_velocity(model, i).slides ? "m" : "rad";
}

double lw_waypoints_point(const lwWaypoints* waypoints, int k, int joint)
{
  return waypoints->points[(size_t)k * (size_t)waypoints->dof + (size_t)joint];
}

lwWaypointsDef lw_waypoints_def(void)
{
  return (lwWaypointsDef){.join = LW_JOIN_CLAMPED, .cookie = LW_COOKIE};
}

// --- what is given

bool lw_waypoints_inside(const lwModel* model, lwDiag* diag, const double* q, const char* what)
{
  bool inside = true;
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    const lwLimits* limits = &lw_model_joint_def(model, i)->limits;
    const char* unit       = lw_waypoints_unit(model, i);
    int at                 = lw_model_velocity(model, i).other;
    if (at < 0 || (q[at] >= limits->lower && q[at] <= limits->upper)) continue;
    inside = false;
    LW_REFUSE(diag, NULL, "%s: joint '%s' is at %.6g %s, expected from %.6g to %.6g %s, its limits",
              what, lw_waypoints_joint(model, i), q[at], unit, limits->lower, limits->upper, unit);
  }
  return inside;
}

// Copies a list of dof numbers; false, with the finding, if one is not finite or not positive.
static bool take_waypoint_limits(lwWaypoints* waypoints, int order, const double* given)
{
  bool right = true;
  for (int i = 0; i < waypoints->dof; ++i)
  {
    double value               = given ? given[i] : INFINITY;
    double robot               = lw_model_joint_def(waypoints->model, i)->limits.velocity;
    waypoints->limit[order][i] = order == 1 ? fmin(value, robot) : value;
    if (waypoints->limit[order][i] > 0) continue;
    right = false;
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
              "joint '%s': a limit of %s of %g, expected more than 0",
              lw_waypoints_joint(waypoints->model, i), RATE_NAMES[order],
              waypoints->limit[order][i]);
  }
  return right;
}

static bool all_in_range(const double* values, size_t count)
{
  for (size_t k = 0; k < count && values; ++k)
    if (!(fabs(values[k]) <= LARGEST)) return false;
  return true;
}

static bool numbers_are_finite(lwWaypoints* waypoints)
{
  const lwWaypointsDef* def = waypoints->def;
  size_t n = (size_t)waypoints->dof, nq = (size_t)lw_model_nq(waypoints->model);
  bool finite = all_in_range(def->q, nq * (size_t)def->count) &&
                all_in_range(def->t, (size_t)def->count) && all_in_range(def->start_velocity, n) &&
                all_in_range(def->end_velocity, n) && all_in_range(def->start_acceleration, n) &&
                all_in_range(def->end_acceleration, n) && def->duration <= LARGEST;
  if (!finite)
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
              "a number of the way is not finite, or larger than %g", LARGEST);
  return finite;
}

static bool times_are_right(lwWaypoints* waypoints)
{
  const lwWaypointsDef* def = waypoints->def;
  bool right                = def->t || def->duration >= 0;
  if (!right)
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL, "a duration of %g s, expected more than 0",
              def->duration);
  for (int k = 0; k < waypoints->legs && def->t; ++k)
  {
    if (def->t[k + 1] > def->t[k]) continue;
    right = false;
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
              "point %d is at t = %.9g s, expected later than point %d at %.9g s", k + 2,
              def->t[k + 1], k + 1, def->t[k]);
  }
  return right;
}

static bool points_are_inside(lwWaypoints* waypoints)
{
  bool inside = true;
  for (int k = 0; k <= waypoints->legs; ++k)
  {
    char what[32];
    snprintf(what, sizeof what, "point %d", k + 1);
    if (k == 0) strcpy(what, "the start");
    if (k == waypoints->legs) strcpy(what, "the goal");
    const double* q = waypoints->def->q + (size_t)k * (size_t)lw_model_nq(waypoints->model);
    if (lw_model_check_positions(waypoints->model, q, waypoints->diag) != LW_OK) return false;
    inside = lw_waypoints_inside(waypoints->model, waypoints->diag, q, what) && inside;
  }
  return inside;
}

static bool waypoints_take_memory(lwWaypoints* waypoints)
{
  lwTrajectory* trajectory = waypoints->trajectory;
  size_t n = (size_t)waypoints->dof, count = (size_t)waypoints->def->count;
  trajectory->joints     = lw_arena_take(&trajectory->arena, n + 1, sizeof *trajectory->joints);
  const lwArray arrays[] = {{&waypoints->points, count * n},
                            {&waypoints->t, count},
                            {&waypoints->scratch, 5 * count},
                            {&waypoints->limit[1], n},
                            {&waypoints->limit[2], n},
                            {&waypoints->limit[3], n},
                            {0}};
  return trajectory->joints && lw_arrays_take(&trajectory->arena, arrays);
}

// The coordinates of ball and floating joints, seen from the first point.
static void lay_turns(lwWaypoints* waypoints)
{
  const lwTurns* turns = &waypoints->trajectory->turns;
  size_t nq = (size_t)turns->nq, dof = (size_t)turns->dof;
  for (int j = 0; j < turns->count; ++j)
  {
    lwTurn* turn            = &turns->turn[j];
    double y[LW_TURN_WIDTH] = {0}, before[LW_TURN_WIDTH] = {0};
    memcpy(turn->from, waypoints->def->q + turn->q, sizeof turn->from);
    for (int k = 0; k <= waypoints->legs; ++k)
    {
      lw_turn_point(turn, waypoints->def->q + (size_t)k * nq, before, y);
      memcpy(before, y, sizeof y);
      for (int i = turn->floats ? 0 : 3; i < LW_TURN_WIDTH; ++i)
        waypoints->points[(size_t)k * dof + (size_t)(turn->v - 3 + i)] = y[i];
    }
  }
}

// Velocities and accelerations at an end, as those of the coordinates; *qd and *qdd may be NULL.
static bool lay_end(lwWaypoints* waypoints, int k, const double** qd, const double** qdd)
{
  const lwTurns* turns = &waypoints->trajectory->turns;
  size_t dof           = (size_t)turns->dof;
  double* rates        = lw_arena_take(&waypoints->trajectory->arena, 2 * dof + 1, sizeof *rates);
  if (!rates) return false;
  for (size_t i = 0; i < dof; ++i)
  {
    rates[i]       = *qd ? (*qd)[i] : 0;
    rates[dof + i] = *qdd ? (*qdd)[i] : 0;
  }
  for (int j = 0; j < turns->count; ++j)
  {
    const lwTurn* turn      = &turns->turn[j];
    double y[LW_TURN_WIDTH] = {0}, rate[LW_TURN_WIDTH], bend[LW_TURN_WIDTH];
    size_t first = (size_t)(turn->v - 3), skip = turn->floats ? 0 : 3;
    for (size_t i = skip; i < LW_TURN_WIDTH; ++i)
      y[i] = waypoints->points[(size_t)k * dof + first + i];
    lw_turn_rates(turn, y, rates, rates + dof, rate, bend);
    for (size_t i = skip; i < LW_TURN_WIDTH; ++i)
    {
      rates[first + i]       = rate[i];
      rates[dof + first + i] = bend[i];
    }
  }
  if (*qd) *qd = rates;
  if (*qdd) *qdd = rates + dof;
  return true;
}

static bool lay_points(lwWaypoints* waypoints)
{
  const lwTurns* turns  = &waypoints->trajectory->turns;
  lwWaypointsDef* given = &waypoints->given;
  for (int k = 0; k <= waypoints->legs; ++k)
    for (int i = 0; i < turns->dof; ++i)
      if (turns->position[i] >= 0)
        waypoints->points[(size_t)k * (size_t)turns->dof + (size_t)i] =
            given->q[(size_t)k * (size_t)turns->nq + (size_t)turns->position[i]];
  if (turns->count == 0) return true;
  lay_turns(waypoints);
  return lay_end(waypoints, 0, &given->start_velocity, &given->start_acceleration) &&
         lay_end(waypoints, waypoints->legs, &given->end_velocity, &given->end_acceleration);
}

lwStatus lw_waypoints_open(lwWaypoints* waypoints, const lwModel* model, const lwWaypointsDef* def,
                           lwDiag* diag)
{
  *waypoints =
      (lwWaypoints){.model = model, .given = *def, .diag = diag, .dof = lw_model_dof(model)};
  waypoints->def = &waypoints->given;
  lwStatus made  = lw_def_check(def->cookie, "lw_waypoints_def()", diag);
  if (made != LW_OK) return made;
  waypoints->legs = def->count - 1;
  if (def->count < 2)
    return lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
                     "%d points, expected at least 2: start and goal", def->count);
  waypoints->trajectory = lw_trajectory_new(model, waypoints->dof);
  if (!waypoints->trajectory || !waypoints_take_memory(waypoints)) return LW_ERROR_MEMORY;
  if (!numbers_are_finite(waypoints)) return LW_ERROR_INPUT;
  bool right = times_are_right(waypoints);
  right      = points_are_inside(waypoints) && right;
  right      = take_waypoint_limits(waypoints, 1, def->velocity) && right;
  right      = take_waypoint_limits(waypoints, 2, def->acceleration) && right;
  right      = take_waypoint_limits(waypoints, 3, def->jerk) && right;
  if (!right) return LW_ERROR_INPUT;
  size_t nq = (size_t)lw_model_nq(model);
  memcpy(waypoints->trajectory->ends, def->q, nq * sizeof(double));
  memcpy(waypoints->trajectory->ends + nq, def->q + (size_t)waypoints->legs * nq,
         nq * sizeof(double));
  return lay_points(waypoints) ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_waypoints_close(lwWaypoints* waypoints, lwStatus status, lwTrajectory** trajectory)
{
  *trajectory = status == LW_OK ? waypoints->trajectory : NULL;
  if (status == LW_OK)
    waypoints->trajectory->duration = waypoints->t[waypoints->legs];
  else
    lw_trajectory_destroy(waypoints->trajectory);
  return status;
}

// --- what came out

static bool position_stays_inside(lwWaypoints* waypoints, int i)
{
  const lwLimits* limits = &lw_model_joint_def(waypoints->model, i)->limits;
  const char* unit       = lw_waypoints_unit(waypoints->model, i);
  lwExtreme low, high;
  lw_segments_range(&waypoints->trajectory->joints[i], 0, &low, &high);
  double capacity = ROUNDING * (1 + fabs(low.value) + fabs(high.value));
  if (high.value > limits->upper + capacity)
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
              "joint '%s' reaches %.6g %s at t = %.6g s, beyond its upper limit of %.6g %s",
              lw_waypoints_joint(waypoints->model, i), high.value, unit, high.t, limits->upper,
              unit);
  if (low.value < limits->lower - capacity)
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
              "joint '%s' reaches %.6g %s at t = %.6g s, beyond its lower limit of %.6g %s",
              lw_waypoints_joint(waypoints->model, i), low.value, unit, low.t, limits->lower, unit);
  return high.value <= limits->upper + capacity && low.value >= limits->lower - capacity;
}

static bool rate_is_kept(lwWaypoints* waypoints, int i, int order)
{
  double limit   = waypoints->limit[order][i];
  lwExtreme peak = lw_segments_peak(&waypoints->trajectory->joints[i], order);
  if (fabs(peak.value) <= limit * (1 + ROUNDING)) return true;
  const char* unit = lw_waypoints_unit(waypoints->model, i);
  lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL,
            "joint '%s' needs a%s %s of %.6g %s%s at t = %.6g s, its limit is %.6g %s%s",
            lw_waypoints_joint(waypoints->model, i), order == 2 ? "n" : "", RATE_NAMES[order],
            peak.value, unit, RATE_UNITS[order], peak.t, limit, unit, RATE_UNITS[order]);
  return false;
}

lwStatus lw_waypoints_check(lwWaypoints* waypoints)
{
  bool kept = waypoints->t[waypoints->legs] <= LARGEST;
  if (!kept)
    lw_refuse(waypoints->diag, LW_ERROR_INPUT, NULL, "it takes %g s, which is too long",
              waypoints->t[waypoints->legs]);
  for (int i = 0; i < waypoints->dof; ++i)
  {
    kept = position_stays_inside(waypoints, i) && kept;
    for (int order = 1; order <= 3; ++order)
      if (isfinite(waypoints->limit[order][i])) kept = rate_is_kept(waypoints, i, order) && kept;
  }
  return kept ? LW_OK : LW_ERROR_INPUT;
}
