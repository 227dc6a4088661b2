// SPDX-License-Identifier: MIT
#include "trajectory/waypoints.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

// Limits are met to rounding, with room for that of the numbers they are computed from.
static const double ROUNDING = 1e-9;

// Far beyond any arm, and far from where powers of it overflow.
static const double LARGEST = 1e12;

static const char* const RATE_NAMES[] = {"position", "velocity", "acceleration", "jerk"};
static const char* const RATE_UNITS[] = {"", "/s", "/s^2", "/s^3"};

static const lwJointDef* joint_of(const lwModel* model, int i)
{
  return &lw_model_robot(model)->joints[lw_model_joint(model, i)];
}

const char* lw_way_joint(const lwModel* model, int i)
{
  const char* name = joint_of(model, i)->name;
  return name ? name : "";
}

const char* lw_way_unit(const lwModel* model, int i)
{
  return joint_of(model, i)->type == LW_PRISMATIC ? "m" : "rad";
}

double lw_way_point(const lwWay* way, int k, int joint)
{
  return way->def->q[(size_t)k * (size_t)way->dof + (size_t)joint];
}

lwStatus lw_way_refuse(lwWay* way, const char* hint, const char* format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lw_diag_report(way->diag, LW_SEVERITY_ERROR, NULL, (lwPlace){0, 0}, hint, "%s", text);
  return LW_ERROR_INPUT;
}

lwWayDef lw_way_def(void)
{
  return (lwWayDef){.join = LW_JOIN_CLAMPED};
}

// --- what is given

bool lw_way_inside(const lwModel* model, lwDiag* diag, const double* q, const char* what)
{
  bool inside = true;
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    const lwLimits* limits = &joint_of(model, i)->limits;
    const char* unit       = lw_way_unit(model, i);
    if (q[i] >= limits->lower && q[i] <= limits->upper) continue;
    inside = false;
    lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, (lwPlace){0, 0}, NULL,
                   "%s: joint '%s' is at %.6g %s, expected from %.6g to %.6g %s, its limits", what,
                   lw_way_joint(model, i), q[i], unit, limits->lower, limits->upper, unit);
  }
  return inside;
}

// Copies a list of dof numbers; false, with the finding, if one is not finite or not positive.
static bool take_limits(lwWay* way, int order, const double* given)
{
  bool right = true;
  for (int i = 0; i < way->dof; ++i)
  {
    double value         = given ? given[i] : INFINITY;
    double robot         = joint_of(way->model, i)->limits.velocity;
    way->limit[order][i] = order == 1 ? fmin(value, robot) : value;
    if (way->limit[order][i] > 0) continue;
    right = false;
    lw_way_refuse(way, NULL, "joint '%s': a limit of %s of %g, expected more than 0",
                  lw_way_joint(way->model, i), RATE_NAMES[order], way->limit[order][i]);
  }
  return right;
}

static bool all_finite(const double* values, size_t count)
{
  for (size_t k = 0; k < count && values; ++k)
    if (!(fabs(values[k]) <= LARGEST)) return false;
  return true;
}

static bool numbers_are_finite(lwWay* way)
{
  const lwWayDef* def = way->def;
  size_t n            = (size_t)way->dof;
  bool finite         = all_finite(def->q, n * (size_t)def->count) &&
                all_finite(def->t, (size_t)def->count) && all_finite(def->start_velocity, n) &&
                all_finite(def->end_velocity, n) && all_finite(def->start_acceleration, n) &&
                all_finite(def->end_acceleration, n) && def->duration <= LARGEST;
  if (!finite)
    lw_way_refuse(way, NULL, "a number of the way is not finite, or larger than %g", LARGEST);
  return finite;
}

static bool times_are_right(lwWay* way)
{
  const lwWayDef* def = way->def;
  bool right          = def->t || def->duration >= 0;
  if (!right) lw_way_refuse(way, NULL, "a duration of %g s, expected more than 0", def->duration);
  for (int k = 0; k < way->legs && def->t; ++k)
  {
    if (def->t[k + 1] > def->t[k]) continue;
    right = false;
    lw_way_refuse(way, NULL, "point %d is at t = %.9g s, expected later than point %d at %.9g s",
                  k + 2, def->t[k + 1], k + 1, def->t[k]);
  }
  return right;
}

static bool points_are_inside(lwWay* way)
{
  bool inside = true;
  for (int k = 0; k <= way->legs; ++k)
  {
    char what[32];
    snprintf(what, sizeof what, "point %d", k + 1);
    if (k == 0) strcpy(what, "the start");
    if (k == way->legs) strcpy(what, "the goal");
    const double* q = way->def->q + (size_t)k * (size_t)way->dof;
    inside          = lw_way_inside(way->model, way->diag, q, what) && inside;
  }
  return inside;
}

static bool take_memory(lwWay* way)
{
  lwMotion* motion = way->motion;
  size_t n = (size_t)way->dof, count = (size_t)way->def->count;
  motion->joints = lw_arena_take(&motion->arena, n + 1, sizeof *motion->joints);
  way->t         = lw_arena_take(&motion->arena, count, sizeof(double));
  way->scratch   = lw_arena_take(&motion->arena, 5 * count, sizeof(double));
  bool enough    = motion->joints && way->t && way->scratch;
  for (int order = 1; order <= 3; ++order)
  {
    way->limit[order] = lw_arena_take(&motion->arena, n + 1, sizeof(double));
    enough            = enough && way->limit[order];
  }
  return enough;
}

lwStatus lw_way_open(lwWay* way, const lwModel* model, const lwWayDef* def, lwDiag* diag)
{
  *way      = (lwWay){.model = model, .def = def, .diag = diag, .dof = lw_model_dof(model)};
  way->legs = def->count - 1;
  if (def->count < 2)
    return lw_way_refuse(way, NULL, "%d points, expected at least 2: start and goal", def->count);
  way->motion = lw_motion_new(way->dof);
  if (!way->motion || !take_memory(way)) return LW_ERROR_MEMORY;
  if (!numbers_are_finite(way)) return LW_ERROR_INPUT;
  bool right = times_are_right(way);
  right      = points_are_inside(way) && right;
  right      = take_limits(way, 1, def->velocity) && right;
  right      = take_limits(way, 2, def->acceleration) && right;
  right      = take_limits(way, 3, def->jerk) && right;
  for (int i = 0; i < way->dof; ++i)
  {
    way->motion->ends[i]            = lw_way_point(way, 0, i);
    way->motion->ends[way->dof + i] = lw_way_point(way, way->legs, i);
  }
  return right ? LW_OK : LW_ERROR_INPUT;
}

lwStatus lw_way_close(lwWay* way, lwStatus status, lwMotion** motion)
{
  *motion = status == LW_OK ? way->motion : NULL;
  if (status == LW_OK)
    way->motion->duration = way->t[way->legs];
  else
    lw_motion_destroy(way->motion);
  return status;
}

// --- what came out

static bool position_stays_inside(lwWay* way, int i)
{
  const lwLimits* limits = &joint_of(way->model, i)->limits;
  const char* unit       = lw_way_unit(way->model, i);
  lwExtreme low, high;
  lw_pieces_range(&way->motion->joints[i], 0, &low, &high);
  double room = ROUNDING * (1 + fabs(low.value) + fabs(high.value));
  if (high.value > limits->upper + room)
    lw_way_refuse(way, NULL,
                  "joint '%s' reaches %.6g %s at t = %.6g s, beyond its upper limit of %.6g %s",
                  lw_way_joint(way->model, i), high.value, unit, high.t, limits->upper, unit);
  if (low.value < limits->lower - room)
    lw_way_refuse(way, NULL,
                  "joint '%s' reaches %.6g %s at t = %.6g s, beyond its lower limit of %.6g %s",
                  lw_way_joint(way->model, i), low.value, unit, low.t, limits->lower, unit);
  return high.value <= limits->upper + room && low.value >= limits->lower - room;
}

static bool rate_is_kept(lwWay* way, int i, int order)
{
  double limit   = way->limit[order][i];
  lwExtreme peak = lw_pieces_peak(&way->motion->joints[i], order);
  if (fabs(peak.value) <= limit * (1 + ROUNDING)) return true;
  const char* unit = lw_way_unit(way->model, i);
  lw_way_refuse(way, NULL,
                "joint '%s' needs a%s %s of %.6g %s%s at t = %.6g s, its limit is %.6g %s%s",
                lw_way_joint(way->model, i), order == 2 ? "n" : "", RATE_NAMES[order], peak.value,
                unit, RATE_UNITS[order], peak.t, limit, unit, RATE_UNITS[order]);
  return false;
}

lwStatus lw_way_check(lwWay* way)
{
  bool kept = way->t[way->legs] <= LARGEST;
  if (!kept) lw_way_refuse(way, NULL, "it takes %g s, which is too long", way->t[way->legs]);
  for (int i = 0; i < way->dof; ++i)
  {
    kept = position_stays_inside(way, i) && kept;
    for (int order = 1; order <= 3; ++order)
      if (isfinite(way->limit[order][i])) kept = rate_is_kept(way, i, order) && kept;
  }
  return kept ? LW_OK : LW_ERROR_INPUT;
}
