// SPDX-License-Identifier: MIT
// Where watched values change sign.
//
// A step is checked in parts, first to last. If the sign of a value at the end of a part
// differs from that at its beginning, there is an event in it, found by bracketing; of several
// the earliest is taken, and with it all others that have changed by then. A sign that is not
// known (the value is 0 at the start, or its event was just reported) is the one that the
// value has a millionth of a step later.
//
// Guards must stay positive. With values and slopes at both ends of a part, Hermite's cubic
// lies within the hull of its Bezier points. If the hull reaches 0 although both ends are
// positive, the part is split at the minimum of the cubic, so that a guard that dips below
// 0 and returns within a step is seen.
#include "ode/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bracket.h"
#include "ode/integrator.h"

static const double JUST_AFTER = 0x1p-20;  // of a step

enum
{
  MAX_SPLITS = 100  // of a step: enough to follow a guard that touches 0
};

lwStatus lw_integrator_watch(lwIntegrator* integrator, int count, lwEventValues* values,
                             void* context)
{
  lwEvents* events = &integrator->events;
  lwArena* arena   = &integrator->events.arena;
  lw_arena_free(arena);
  *events = (lwEvents){.at = INFINITY, .last = -1};
  if (count < 1) return LW_OK;
  size_t n       = (size_t)count;
  double* places = lw_arena_take(arena, 5 * n, sizeof *places);
  signed char* c = lw_arena_take(arena, 2 * n, sizeof *c);
  double* state  = lw_arena_take(arena, (size_t)integrator->size, sizeof *state);
  if (!places || !c || !state)
  {
    lw_arena_free(arena);
    return LW_ERROR_MEMORY;
  }
  events->values     = values;
  events->context    = context;
  events->left       = places;
  events->now        = places + n;
  events->fired      = places + 2 * n;
  events->left_slope = places + 3 * n;
  events->now_slope  = places + 4 * n;
  events->sign       = c;
  events->due        = c + n;
  events->state      = state;
  events->count      = count;
  for (int i = 0; i < count; ++i) events->fired[i] = -INFINITY;
  lw_events_start(integrator, integrator->reached);
  return LW_OK;
}

void lw_events_guard(lwIntegrator* integrator, const bool* guard, lwEventValues* slopes)
{
  integrator->events.guard  = guard;
  integrator->events.slopes = slopes;
}

int lw_integrator_event(const lwIntegrator* integrator)
{
  return integrator->events.last;
}

bool lw_integrator_event_rising(const lwIntegrator* integrator)
{
  return integrator->events.rising;
}

void lw_events_start(lwIntegrator* integrator, double t)
{
  lwEvents* events = &integrator->events;
  if (!events->reporting || t != integrator->reached) events->waiting = 0;
  events->fresh  = true;
  events->looked = false;
  events->seen   = t;
  events->at     = INFINITY;
}

static signed char sign_of(double value)
{
  return (signed char)((value > 0) - (value < 0));
}

// Whether a value with this sign before has changed it; false if
// the sign is unknown or the value NaN.
static bool has_changed(signed char before, double value)
{
  return before != 0 && (value == 0 || sign_of(value) == -before);
}

static bool is_guard(const lwEvents* events, int i)
{
  return events->guard && events->guard[i];
}

// Some value has changed its sign since the time seen.
static bool any_changed(const lwEvents* events)
{
  int i = 0;
  while (i < events->count && !has_changed(events->sign[i], events->now[i])) ++i;
  return i < events->count;
}

// The state at a time within the last step, and the values there into events->now.
static void take_values(lwIntegrator* integrator, double t)
{
  lwEvents* events = &integrator->events;
  const double* y  = t == integrator->t ? integrator->y : events->state;
  if (t == integrator->before)
    y = integrator->behind;
  else if (t < integrator->t)
    integrator->stepper->exactly(integrator, t, events->state);
  events->values(events->context, t, y, events->now);
  if (events->slopes) events->slopes(events->context, t, y, events->now_slope);
}

// The values of now become those at the time seen.
static void go_on_from(lwEvents* events, double t)
{
  double *left = events->left, *slope = events->left_slope;
  events->left       = events->now;
  events->now        = left;
  events->left_slope = events->now_slope;
  events->now_slope  = slope;
  events->seen       = t;
}

// The signs at the start. An event that was reported there is not reported
// again, unless it is that of a guard.
static void take_signs(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  double same      = 64 * DBL_EPSILON * (fabs(events->seen) + integrator->length);
  take_values(integrator, events->seen);
  go_on_from(events, events->seen);
  for (int i = 0; i < events->count; ++i)
    events->sign[i] = is_guard(events, i)                             ? 1
                      : fabs(events->seen - events->fired[i]) <= same ? 0
                                                                      : sign_of(events->left[i]);
  events->fresh = false;
}

// --- where a sign changes

// One value as a function of time.
typedef struct EventCourse
{
  lwIntegrator* integrator;
  int value;
  void (*state)(lwIntegrator* integrator, double t, double* y);
} EventCourse;

static double value_at(void* context, double t)
{
  const EventCourse* course = context;
  lwEvents* events          = &course->integrator->events;
  course->state(course->integrator, t, events->state);
  events->values(events->context, t, events->state, events->now);
  return events->now[course->value];
}

// Where value i, which has changed at time `to`, did so. Methods that take a step again for every
// time that is tried get a first guess from its interpolation.
static double find_change(lwIntegrator* integrator, int i, double to)
{
  lwEvents* events         = &integrator->events;
  const lwStepper* stepper = integrator->stepper;
  if (events->now[i] == 0) return to;
  EventCourse course = {integrator, i, stepper->between};
  lwBracket bracket  = {.low        = events->seen,
                        .high       = to,
                        .at_low     = events->left[i],
                        .at_high    = events->now[i],
                        .guess      = (events->seen + to) / 2,
                        .resolution = 2 * DBL_EPSILON * fmax(fabs(events->seen), fabs(to))};
  if (stepper->lands) bracket.guess = lw_bracket_close(&bracket, value_at, &course);
  course.state = stepper->exactly;
  return lw_bracket_close(&bracket, value_at, &course);
}

// The first time up to `to`, where values have changed, at which one of them has.
static void find_first(lwIntegrator* integrator, double to)
{
  lwEvents* events = &integrator->events;
  for (int i = 0; i < events->count; ++i)
  {
    if (!has_changed(events->sign[i], events->now[i])) continue;
    to = find_change(integrator, i, to);
    take_values(integrator, to);
  }
  events->at = to;
}

// --- guards that dip within a step

// Hermite's cubic over an interval of length 1, in units of the value.
typedef struct Cubic
{
  double v0, v1;  // values at the ends
  double s0, s1;  // slopes there
} Cubic;

static Cubic guard_cubic(const lwEvents* events, int i, double h)
{
  return (Cubic){events->left[i], events->now[i], h * events->left_slope[i],
                 h * events->now_slope[i]};
}

// Both ends are positive, but the hull of the cubic is not. False for slopes that are not known.
static bool may_dip(const Cubic* c)
{
  return c->v0 > 0 && c->v1 > 0 && (c->v0 + c->s0 / 3 <= 0 || c->v1 - c->s1 / 3 <= 0);
}

// Where the cubic is lowest, not too near to the ends; the middle if it has no minimum within.
static double lowest_part(const Cubic* c)
{
  double d = c->v1 - c->v0;
  double a = 3 * (c->s0 + c->s1 - 2 * d), b = 3 * d - 2 * c->s0 - c->s1;  // a x^2 + 2 b x + s0 = 0
  double root = b * b - a * c->s0;
  if (!(root >= 0)) return 0.5;
  double x = b >= 0 ? -c->s0 / (b + sqrt(root)) : (sqrt(root) - b) / a;  // there it rises
  return x > 0 && x < 1 ? fmin(fmax(x, 0.02), 0.98) : 0.5;
}

// A time before `to` at which a guard may be 0 or below although it is positive at
// both ends; INFINITY: none.
static double find_dip(const lwIntegrator* integrator, double to)
{
  const lwEvents* events = &integrator->events;
  double h               = to - events->seen;
  if (!events->slopes || events->splits >= MAX_SPLITS) return INFINITY;
  for (int i = 0; i < events->count; ++i)
  {
    Cubic cubic = guard_cubic(events, i, h);
    if (!is_guard(events, i) || !may_dip(&cubic)) continue;
    double t = events->seen + h * lowest_part(&cubic);
    return t > events->seen && t < to ? t : (double)INFINITY;
  }
  return INFINITY;
}

// --- steps

// Checks the part of the last step from the time seen to another one. True: there is an event.
// Splits are few, and so is the depth of the recursion.
static bool look_at_part(lwIntegrator* integrator, double to)
{
  lwEvents* events = &integrator->events;
  take_values(integrator, to);
  double dip = find_dip(integrator, to);
  if (dip < to)
  {
    ++events->splits;
    return look_at_part(integrator, dip) || look_at_part(integrator, to);
  }
  if (any_changed(events))
  {
    find_first(integrator, to);
    return true;
  }
  for (int i = 0; i < events->count; ++i)
    if (sign_of(events->now[i]) != 0) events->sign[i] = sign_of(events->now[i]);
  go_on_from(events, to);
  return false;
}

// A guard that is not positive where the integrator starts is an event there.
static bool look_at_start(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  bool event       = false;
  if (!events->fresh) return false;
  take_signs(integrator);
  for (int i = 0; i < events->count; ++i)
    event = event || (is_guard(events, i) && events->left[i] <= 0);
  if (!event) return false;
  take_values(integrator, events->seen);
  events->at = events->seen;
  return true;
}

static void look_at_step(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  double end = integrator->t, from = events->seen;
  int parts      = integrator->tableau ? integrator->tableau->looks : 1;
  bool unknown   = false;
  events->splits = 0;
  if (look_at_start(integrator)) return;
  for (int i = 0; i < events->count; ++i) unknown = unknown || events->sign[i] == 0;
  double after = from + JUST_AFTER * integrator->length;
  if (unknown && after < end && look_at_part(integrator, after)) return;
  for (int i = 1; i <= parts; ++i)
  {
    double to = i < parts ? from + (end - from) * i / parts : end;
    if (to > events->seen && look_at_part(integrator, to)) return;
  }
}

// --- for lw_integrator_advance()

double lw_events_next(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  if (events->count == 0) return INFINITY;
  if (!events->looked && integrator->t > events->seen) look_at_step(integrator);
  events->looked = true;
  return events->at;
}

void lw_events_arrive(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  double at        = events->at;
  for (int i = 0; i < events->count; ++i)
  {
    events->due[i] =
        has_changed(events->sign[i], events->now[i]) ? (signed char)-events->sign[i] : 0;
    if (events->due[i] == 0) continue;
    events->sign[i]  = is_guard(events, i) ? 1 : 0;
    events->fired[i] = at;
    ++events->waiting;
  }
  if (integrator->stepper->lands && at < integrator->t)  // the rest of the step is taken back
  {
    integrator->stepper->exactly(integrator, at, events->state);
    memcpy(integrator->y, events->state, (size_t)integrator->size * sizeof(double));
    integrator->t          = at;
    integrator->rate_known = false;
    lw_integrator_shorter(integrator, at - integrator->before);
  }
  go_on_from(events, at);
  events->at     = INFINITY;
  events->looked = false;
}

void lw_events_report(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  int i            = 0;
  while (events->due[i] == 0) ++i;
  events->last   = i;
  events->rising = events->due[i] > 0;
  events->due[i] = 0;
  --events->waiting;
  events->reporting = true;
}
