// SPDX-License-Identifier: MIT
// Where watched values change sign.
//
// A step is checked in parts, first to last. If the sign of a value at the end of a part
// differs from that at its beginning, there is an event in it, found by bracketing; of several
// the earliest is taken, and with it all others that have changed by then. A sign that is not
// known (the value is 0 at the start, or its event was just reported) is the one that the
// value has a millionth of a step later.
//
// Guards must stay positive. A guard that is a difference of two entries of the state is a
// polynomial within a step, the one that is interpolated, and lies within the hull of its Bezier
// points. If the hull reaches 0 although both ends are positive, the part is split at its lowest
// point, so that a guard that dips below 0 and returns within a step is seen.
#include "ode/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bracket.h"
#include "ode/integrator.h"

static const double JUST_AFTER = 0x1p-20;  // of a step

static const int MAX_SPLITS = 100;  // of a step: enough to follow a guard that touches 0

lwStatus lw_integrator_watch(lwIntegrator* integrator, int count, lwEventValues* values,
                             void* context)
{
  lwEvents* events = &integrator->events;
  lwArena* arena   = &integrator->events.arena;
  lw_arena_free(arena);
  *events = (lwEvents){.at = INFINITY, .last = -1};
  if (count < 1) return LW_OK;
  size_t n      = (size_t)count;
  events->left  = lw_arena_take(arena, n, sizeof(double));
  events->now   = lw_arena_take(arena, n, sizeof(double));
  events->fired = lw_arena_take(arena, n, sizeof(double));
  events->sign  = lw_arena_take(arena, n, 1);
  events->due   = lw_arena_take(arena, n, 1);
  events->state = lw_arena_take(arena, (size_t)integrator->size, sizeof(double));
  if (lw_arena_failed(arena)) return LW_ERROR_MEMORY;
  events->values  = values;
  events->context = context;
  events->count   = count;
  for (int i = 0; i < count; ++i) events->fired[i] = -INFINITY;
  lw_events_start(integrator, integrator->reached);
  return LW_OK;
}

void lw_events_guard(lwIntegrator* integrator, const bool* guard, lwGuardRows* rows)
{
  integrator->events.guard = guard;
  integrator->events.rows  = rows;
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

// The state at a time within the last step, and the values there into events->now.
static void take_values(lwIntegrator* integrator, double t)
{
  lwEvents* events = &integrator->events;
  const double* y  = t == integrator->t ? integrator->y : events->state;
  if (t == integrator->before)
    y = integrator->behind;
  else if (t < integrator->t)
    integrator->stepper->between(integrator, t, events->state);
  events->values(events->context, t, y, events->now);
}

// The values of now become those at the time seen.
static void go_on_from(lwEvents* events, double t)
{
  double* left = events->left;
  events->left = events->now;
  events->now  = left;
  events->seen = t;
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

// A watched value as a function of time.
typedef struct WatchedValue
{
  lwIntegrator* integrator;
  int index;
} WatchedValue;

static double value_at(void* context, double t)
{
  const WatchedValue* value = context;
  lwIntegrator* integrator  = value->integrator;
  lwEvents* events          = &integrator->events;
  integrator->stepper->between(integrator, t, events->state);
  events->values(events->context, t, events->state, events->now);
  return events->now[value->index];
}

// Where value i, which has changed at time `to`, did so.
static double find_change(lwIntegrator* integrator, int i, double to)
{
  const lwEvents* events = &integrator->events;
  if (events->now[i] == 0) return to;
  WatchedValue value = {integrator, i};
  lwBracket bracket  = {.low        = events->seen,
                        .high       = to,
                        .at_low     = events->left[i],
                        .at_high    = events->now[i],
                        .guess      = (events->seen + to) / 2,
                        .resolution = 2 * DBL_EPSILON * fmax(fabs(events->seen), fabs(to))};
  return lw_bracket_close(&bracket, value_at, &value);
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

// c(a + (b - a) x) in place of c(x): Horner's scheme gives the powers of x - a.
static void shift_polynomial(double* c, double a, double b)
{
  double power = 1;
  for (int i = 0; i < LW_MAX_DEGREE; ++i)
    for (int j = LW_MAX_DEGREE - 1; j >= i; --j) c[j] += a * c[j + 1];
  for (int i = 1; i <= LW_MAX_DEGREE; ++i) c[i] *= power *= b - a;
}

// The Bezier points of a polynomial over [0, 1] in place of its coefficients: divided by binomials,
// these are summed as in Pascal's triangle.
static void take_bezier_points(double* c)
{
  const int n     = LW_MAX_DEGREE;
  double binomial = 1;
  for (int i = 1; i <= n; ++i) c[i] /= binomial *= (double)(n + 1 - i) / i;
  for (int i = 1; i <= n; ++i)
    for (int j = n; j >= i; --j) c[j] += c[j - 1];
}

// Where to split a guard with these points, so that it is seen wherever it is not positive: at the
// lowest one if the ends are positive, in the middle if it may pass 0 more than once on its way to
// an end that is not. 0: it has no more zeros than its ends tell, for it changes its sign no more
// often than its points do.
static double find_split(const double* c)
{
  const int n = LW_MAX_DEGREE;
  int changes = 0, lowest = 0;
  for (int i = 1; i <= n; ++i)
  {
    changes += (c[i] > 0) != (c[i - 1] > 0);
    if (c[i] < c[lowest]) lowest = i;
  }
  if (changes <= !(c[n] > 0)) return 0;
  return c[n] > 0 ? fmin(fmax((double)lowest / n, 0.02), 0.98) : 0.5;
}

// Guard i from the time seen to `to`, as a polynomial over [0, 1]. False: it is none.
static bool guard_polynomial(lwIntegrator* integrator, int i, double to, double* c)
{
  const lwEvents* events = &integrator->events;
  lwGuardRow row         = events->rows(events->context, i);
  double minus[LW_MAX_DEGREE + 1], h = integrator->length;
  if (row.plus < 0 && row.minus < 0) return false;
  memset(c, 0, sizeof minus);
  memset(minus, 0, sizeof minus);
  if (row.plus >= 0) integrator->stepper->powers(integrator, row.plus, c);
  if (row.minus >= 0) integrator->stepper->powers(integrator, row.minus, minus);
  for (int j = 0; j <= LW_MAX_DEGREE; ++j) c[j] -= minus[j];
  shift_polynomial(c, (events->seen - integrator->before) / h, (to - integrator->before) / h);
  c[0] = events->left[i];
  return true;
}

// A time before `to` at which a guard may be 0 or below although the ends do not tell; INFINITY:
// there is none.
static double find_dip(lwIntegrator* integrator, double to)
{
  const lwEvents* events = &integrator->events;
  double c[LW_MAX_DEGREE + 1];
  for (int i = 0; i < events->count && events->rows; ++i)
  {
    if (!is_guard(events, i) || !guard_polynomial(integrator, i, to, c)) continue;
    take_bezier_points(c);
    double at = find_split(c), t = events->seen + (to - events->seen) * at;
    if (at > 0 && t > events->seen && t < to) return t;
  }
  return INFINITY;
}

// --- steps

// Checks the part of the last step from the time seen to another one. True: there is an event.
// Splits are few, and so is the depth of the recursion.
static bool look_at_part(lwIntegrator* integrator, double to)
{
  lwEvents* events = &integrator->events;
  double dip       = events->splits > 0 ? find_dip(integrator, to) : (double)INFINITY;
  if (dip < to)
  {
    --events->splits;
    return look_at_part(integrator, dip) || look_at_part(integrator, to);
  }
  take_values(integrator, to);
  int changed = 0;
  while (changed < events->count && !has_changed(events->sign[changed], events->now[changed]))
    ++changed;
  if (changed < events->count)
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
  int parts    = integrator->tableau ? integrator->tableau->looks : 1;
  bool unknown = false;
  if (look_at_start(integrator)) return;
  events->splits = find_dip(integrator, end) < end ? MAX_SPLITS : 0;
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

bool lw_events_arrive(lwIntegrator* integrator)
{
  lwEvents* events = &integrator->events;
  double at        = events->at;
  events->waiting  = 0;
  for (int i = 0; i < events->count; ++i)
  {
    events->due[i] =
        has_changed(events->sign[i], events->now[i]) ? (signed char)-events->sign[i] : 0;
    if (events->due[i] == 0) continue;
    events->sign[i]  = is_guard(events, i) ? 1 : 0;
    events->fired[i] = at;
    ++events->waiting;
  }
  go_on_from(events, at);
  events->at     = INFINITY;
  events->looked = false;
  return events->waiting > 0;
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

// --- states

// Events that wait are due.
static void check_waiting(const lwEvents* events, lwStateBytes* state, size_t due_at, int waiting)
{
  int due = 0;
  for (int i = 0; i < events->count && state->pass == LW_STATE_CHECK && !state->wrong; ++i)
  {
    int64_t one;
    memcpy(&one, state->from + due_at + (size_t)i * sizeof one, sizeof one);
    due += one != 0;
  }
  if (state->pass == LW_STATE_CHECK && waiting > due) state->wrong = true;
}

void lw_events_state(lwEvents* events, lwStateBytes* state)
{
  size_t count = (size_t)events->count;
  lw_state_numbers(state, events->left, count);
  lw_state_numbers(state, events->now, count);
  lw_state_numbers(state, events->fired, count);
  lw_state_signs(state, events->sign, count);
  size_t due_at = state->at;
  lw_state_signs(state, events->due, count);
  lw_state_numbers(state, &events->seen, 1);
  lw_state_numbers(state, &events->at, 1);
  int waiting = (int)lw_state_whole(state, events->waiting, 0, events->count);
  check_waiting(events, state, due_at, waiting);
  if (state->pass == LW_STATE_READ) events->waiting = waiting;
  lw_state_flags(state, &events->fresh, 1);
  lw_state_flags(state, &events->looked, 1);
  lw_state_flags(state, &events->reporting, 1);
  lw_state_flags(state, &events->rising, 1);
  LW_STATE_INTEGER(state, events->last, -1, events->count - 1);
}
