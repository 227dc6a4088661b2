// SPDX-License-Identifier: MIT
// Programs: sections between stops, and those through waypoints.
#include "retime/cycle_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trajectory/waypoints.h"

// --- memory

lwCycle* lw_cycle_new(const lwModel* model)
{
  lwCycle* cycle = calloc(1, sizeof *cycle);
  if (!cycle) return NULL;
  cycle->model  = model;
  cycle->name   = "";
  cycle->limits = lw_retime_def();
  return cycle;
}

lwCycleSection* lw_cycle_add(lwCycle* cycle)
{
  if (cycle->count == cycle->capacity)
  {
    int capacity         = 2 * cycle->capacity + 16;
    lwCycleSection* more = realloc(cycle->sections, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    cycle->sections = more;
    cycle->capacity = capacity;
  }
  lwCycleSection* section = &cycle->sections[cycle->count++];
  *section                = (lwCycleSection){.model = cycle->model};
  return section;
}

void lw_cycle_destroy(lwCycle* cycle)
{
  if (!cycle) return;
  for (int k = 0; k < cycle->count; ++k)
    lw_trajectory_destroy((lwTrajectory*)cycle->sections[k].path);
  for (int k = 0; k < cycle->model_count; ++k) lw_model_destroy(cycle->models[k]);
  free(cycle->models);
  free(cycle->sections);
  lw_model_destroy(cycle->named);
  lw_arena_free(&cycle->arena);
  free(cycle);
}

const char* lw_cycle_name(const lwCycle* cycle)
{
  return cycle->name;
}

int lw_cycle_count(const lwCycle* cycle)
{
  return cycle->count;
}

const lwCycleSection* lw_cycle_section(const lwCycle* cycle, int k)
{
  return &cycle->sections[k];
}

lwRetimeDef lw_cycle_limits(const lwCycle* cycle)
{
  return cycle->limits;
}

// --- knots

bool lw_knots_add(lwKnots* knots, double s, const double* q, const double* q1, const double* q2)
{
  size_t n = (size_t)knots->n, at = (size_t)knots->count * n;
  if (knots->count == knots->capacity)
  {
    knots->capacity = 2 * knots->capacity + 64;
    double** all[]  = {&knots->s, &knots->q, &knots->q1, &knots->q2};
    for (int k = 0; k < 4; ++k)
    {
      double* more = realloc(*all[k], (size_t)knots->capacity * (k ? n : 1) * sizeof *more);
      if (!more) return false;
      *all[k] = more;
    }
  }
  knots->s[knots->count++] = s;
  memcpy(knots->q + at, q, n * sizeof *q);
  memcpy(knots->q1 + at, q1, n * sizeof *q1);
  memcpy(knots->q2 + at, q2, n * sizeof *q2);
  return true;
}

void lw_knots_free(lwKnots* knots)
{
  free(knots->s);
  free(knots->q);
  free(knots->q1);
  free(knots->q2);
  *knots = (lwKnots){0};
}

lwStatus lw_knots_path(const lwKnots* knots, const lwModel* model, const lwTrajectory** path)
{
  lwTrajectory* made = NULL;
  lwSamplesDef def   = {.model = model,
                        .dof   = knots->n,
                        .count = knots->count,
                        .t     = knots->s,
                        .q     = knots->q,
                        .qd    = knots->q1,
                        .qdd   = knots->q2};
  lwStatus status    = lw_trajectory_create_samples(&def, NULL, &made);
  *path              = made;
  return status;
}

// --- waypoints

static double joint_distance(const double* a, const double* b, int n)
{
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sqrt(sum);
}

static lwStatus waypoints_refuse(lwDiag* diag, const char* text)
{
  lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, (lwPlace){0}, NULL, "%s", text);
  return LW_ERROR_INPUT;
}

// The speed along the path whose direction at an end is q1, if qd is along it.
static lwStatus speed_along(const double* qd, const double* q1, int n, lwDiag* diag, double* speed)
{
  double along = 0, length = 0, off = 0, size = 0;
  *speed = 0;
  if (!qd) return LW_OK;
  for (int j = 0; j < n; ++j) along += qd[j] * q1[j], length += q1[j] * q1[j];
  *speed = along / length;
  for (int j = 0; j < n; ++j)
  {
    off  = fmax(off, fabs(qd[j] - *speed * q1[j]));
    size = fmax(size, fabs(qd[j]));
  }
  if (off <= 1e-9 * size && *speed >= 0) return LW_OK;
  return waypoints_refuse(diag, "the velocity at an end of the path must be along the path");
}

static lwStatus set_end_speeds(lwCycle* cycle, const lwWaypointsDef* def, lwDiag* diag)
{
  int n                 = lw_model_dof(cycle->model);
  lwCycleSection *first = &cycle->sections[0], *last = &cycle->sections[cycle->count - 1];
  double* q1 = lw_arena_take(&cycle->arena, (size_t)n, sizeof *q1);
  if (!q1) return LW_ERROR_MEMORY;
  lw_trajectory_at(first->path, 0, NULL, q1, NULL);
  lwStatus status = speed_along(def->start_velocity, q1, n, diag, &first->ends.start);
  lw_trajectory_at(last->path, lw_trajectory_duration(last->path) * (1 - 1e-15), NULL, q1, NULL);
  if (status == LW_OK) status = speed_along(def->end_velocity, q1, n, diag, &last->ends.end);
  return status;
}

// Straight from waypoint a to waypoint b.
static lwStatus add_leg(lwCycle* cycle, const lwWaypointsDef* def, int a, int b)
{
  int n              = lw_model_dof(cycle->model);
  const double *from = def->q + a * n, *to = def->q + b * n;
  double way          = joint_distance(from, to, n);
  lwKnots knots       = {.n = n};
  double* values      = lw_arena_take(&cycle->arena, 2 * (size_t)n, sizeof *values);
  lwCycleSection* leg = lw_cycle_add(cycle);
  lwCycleMove* move   = lw_arena_take(&cycle->arena, 1, sizeof *move);
  if (!values || !leg || !move) return LW_ERROR_MEMORY;
  *move           = (lwCycleMove){0, b, INFINITY};
  leg->moves      = move;
  leg->move_count = 1;
  for (int j = 0; j < n; ++j) values[j] = (to[j] - from[j]) / way;
  bool added = lw_knots_add(&knots, 0, from, values, values + n) &&
               lw_knots_add(&knots, way, to, values, values + n);
  lwStatus status = added ? lw_knots_path(&knots, cycle->model, &leg->path) : LW_ERROR_MEMORY;
  lw_knots_free(&knots);
  return status;
}

// Waypoint b lies between a and c.
static bool is_on_the_way(const lwWaypointsDef* def, int n, int a, int b, int c)
{
  const double *p = def->q + a * n, *q = def->q + b * n, *r = def->q + c * n;
  double whole = joint_distance(p, r, n);
  return joint_distance(p, q, n) + joint_distance(q, r, n) <= whole * (1 + 1e-12);
}

static lwStatus make_straight(lwCycle* cycle, const lwWaypointsDef* def)
{
  int n           = lw_model_dof(cycle->model);
  lwStatus status = LW_OK;
  for (int a = 0, b = 1; b < def->count && status == LW_OK; ++b)
  {
    bool more = b + 1 < def->count && is_on_the_way(def, n, a, b, b + 1);
    if (more || !(joint_distance(def->q + a * n, def->q + b * n, n) > 0)) continue;
    status = add_leg(cycle, def, a, b);
    a      = b;
  }
  return status;
}

static bool has_direction(const double* qd, int n)
{
  bool any = false;
  for (int j = 0; qd && j < n; ++j) any = any || qd[j] != 0;
  return any;
}

// Directions of a spline at its ends, (2, n): those of the velocities that are given and not zero, and of
// the natural spline at the other end. A spline that is clamped to rest would bend without end there.
static void end_slopes(const lwWaypointsDef* given, const lwTrajectory* natural, double slow, int n,
                       double* slopes)
{
  const double* velocities[] = {given->start_velocity, given->end_velocity};
  double end                 = lw_trajectory_duration(natural) * (1 - 1e-15);
  for (int k = 0; k < 2; ++k)
  {
    const double* qd = velocities[k];
    double size      = 0;
    lw_trajectory_at(natural, k * end, NULL, slopes + k * n, NULL);
    if (!qd || !has_direction(qd, n)) continue;
    for (int j = 0; j < n; ++j) size += qd[j] * qd[j];
    for (int j = 0; j < n; ++j) slopes[k * n + j] = qd[j] / sqrt(size) / slow;
  }
}

// A spline over the distance in joint space. Its time runs slowly, so that no velocity limit of the
// robot matters to it.
static lwStatus spline_over(const lwModel* model, const lwWaypointsDef* given, double slow,
                            lwDiag* diag, lwTrajectory** spline)
{
  int n              = lw_model_dof(model);
  lwWaypointsDef def = lw_waypoints_def();
  double* t          = calloc((size_t)given->count, sizeof *t);
  double* ends       = calloc(2 * (size_t)n, sizeof *ends);
  lwStatus status    = t && ends ? LW_OK : LW_ERROR_MEMORY;
  for (int k = 1; k < given->count && status == LW_OK; ++k)
    t[k] = t[k - 1] + slow * joint_distance(given->q + k * n, given->q + (k - 1) * n, n);
  def.count = given->count;
  def.q     = given->q;
  def.t     = t;
  def.join  = LW_JOIN_NATURAL;
  if (status == LW_OK) status = lw_trajectory_create_cubic(model, &def, diag, spline);
  if (status == LW_OK &&
      (has_direction(given->start_velocity, n) || has_direction(given->end_velocity, n)))
  {
    end_slopes(given, *spline, slow, n, ends);
    lw_trajectory_destroy(*spline);
    *spline            = NULL;
    def.join           = LW_JOIN_CLAMPED;
    def.start_velocity = ends;
    def.end_velocity   = ends + n;
    status             = lw_trajectory_create_cubic(model, &def, diag, spline);
  }
  free(t);
  free(ends);
  return status;
}

// Says how far a joint of a spline goes beyond all its waypoints.
static void note_overshoot(const lwModel* model, const lwWaypointsDef* def,
                           const lwTrajectory* spline, lwDiag* diag)
{
  int n = lw_model_dof(model);
  for (int j = 0; j < n; ++j)
  {
    lwExtreme lowest, highest;
    double low = def->q[j], high = low;
    for (int k = 1; k < def->count; ++k)
    {
      low  = fmin(low, def->q[k * n + j]);
      high = fmax(high, def->q[k * n + j]);
    }
    lw_segments_range(&spline->joints[j], 0, &lowest, &highest);
    double beyond = fmax(low - lowest.value, highest.value - high);
    if (beyond > 1e-9 * (1 + fabs(high)))
      lw_diag_report(diag, LW_SEVERITY_WARNING, NULL, (lwPlace){0}, NULL,
                     "joint '%s': the spline goes %.4g %s beyond its waypoints",
                     lw_waypoints_joint(model, j), beyond, lw_waypoints_unit(model, j));
  }
}

// Splines have no length between two waypoints that are the same.
static lwStatus refuse_repeated(const lwWaypointsDef* def, int n, lwDiag* diag)
{
  char text[80];
  for (int k = 1; k < def->count; ++k)
  {
    if (joint_distance(def->q + k * n, def->q + (k - 1) * n, n) > 0) continue;
    snprintf(text, sizeof text, "points %d and %d are the same", k, k + 1);
    return waypoints_refuse(diag, text);
  }
  return LW_OK;
}

static lwStatus make_spline(lwCycle* cycle, const lwWaypointsDef* def, lwDiag* diag)
{
  enum
  {
    SLOW = 1000000
  };
  const lwModel* model = cycle->model;
  int n                = lw_model_dof(model);
  lwTrajectory* spline = NULL;
  lwKnots knots        = {.n = n};
  double *q = lw_arena_take(&cycle->arena, 3 * (size_t)n, sizeof *q), s = 0;
  lwCycleSection* section = lw_cycle_add(cycle);
  lwCycleMove* moves      = lw_arena_take(&cycle->arena, (size_t)def->count, sizeof *moves);
  if (!q || !section || !moves) return LW_ERROR_MEMORY;
  lwStatus status = refuse_repeated(def, n, diag);
  if (status == LW_OK) status = spline_over(model, def, SLOW, diag, &spline);
  if (status == LW_OK) note_overshoot(model, def, spline, diag);
  for (int k = 0; k < def->count && status == LW_OK; ++k)
  {
    if (k > 0) s += joint_distance(def->q + k * n, def->q + (k - 1) * n, n);
    double end = lw_trajectory_duration(spline) * (1 - 1e-15);
    lw_trajectory_at(spline, fmin(s * SLOW, end), q, q + n, q + 2 * n);
    for (int j = 0; j < n; ++j)
    {
      q[n + j] *= SLOW;
      q[2 * n + j] *= (double)SLOW * SLOW;
    }
    if (!lw_knots_add(&knots, s, def->q + k * n, q + n, q + 2 * n)) status = LW_ERROR_MEMORY;
    if (k + 1 < def->count) moves[k] = (lwCycleMove){s, k + 1, INFINITY};
  }
  if (status == LW_OK) status = lw_knots_path(&knots, model, &section->path);
  section->moves      = moves;
  section->move_count = def->count - 1;
  lw_knots_free(&knots);
  lw_trajectory_destroy(spline);
  return status;
}

lwStatus lw_cycle_create_waypoints(const lwModel* model, const lwWaypointsDef* waypoints,
                                   lwCycleShape shape, lwDiag* diag, lwCycle** result)
{
  lwCycle* cycle  = lw_cycle_new(model);
  lwStatus status = cycle ? LW_OK : LW_ERROR_MEMORY;
  char what[32];
  *result = NULL;
  if (status == LW_OK && lw_model_nq(model) != lw_model_dof(model))
    status = waypoints_refuse(diag, "ball and floating joints have no fastest motion along a path");
  for (int k = 0; k < waypoints->count && status == LW_OK; ++k)
  {
    snprintf(what, sizeof what, "point %d", k + 1);
    const double* q = waypoints->q + k * lw_model_dof(model);
    if (!lw_waypoints_inside(model, diag, q, what)) status = LW_ERROR_INPUT;
  }
  if (status == LW_OK)
    status = shape == LW_CYCLE_SHAPE_STRAIGHT ? make_straight(cycle, waypoints)
                                              : make_spline(cycle, waypoints, diag);
  if (status == LW_OK && cycle->count == 0)
    status = waypoints_refuse(diag, "the path has no length: all waypoints are the same");
  if (status == LW_OK) status = set_end_speeds(cycle, waypoints, diag);
  if (status == LW_OK)
    *result = cycle;
  else
    lw_cycle_destroy(cycle);
  return status;
}
