// SPDX-License-Identifier: MIT
// Integrators: their table, creating and destroying them, and advancing in time.
#include "ode/integrator.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The explicit methods, then bdf.
int lw_integrator_method_count(void)
{
  return LW_TABLEAU_COUNT + 1;
}

const lwIntegratorMethod* lw_integrator_method(int index)
{
  return index < LW_TABLEAU_COUNT ? &LW_TABLEAUS[index].about : &lw_bdf_method;
}

static int find_method(const char* name)
{
  for (int i = lw_integrator_method_count() - 1; i >= 0; --i)
  {
    const lwIntegratorMethod* method = lw_integrator_method(i);
    if (!strcmp(method->name, name) || (method->alias && !strcmp(method->alias, name))) return i;
  }
  return -1;
}

const lwIntegratorMethod* lw_integrator_method_find(const char* name)
{
  int i = find_method(name);
  return i < 0 ? NULL : lw_integrator_method(i);
}

// --- life

lwIntegratorDef lw_integrator_def(void)
{
  return (lwIntegratorDef){
      .method = "rk4", .step = 1e-3, .relative = 1e-9, .absolute = 1e-9, .cookie = LW_COOKIE};
}

double lw_integrator_steps(const lwIntegratorDef* def, double duration)
{
  const lwIntegratorMethod* method = lw_integrator_method_find(def->method);
  double step                      = method && !method->adaptive ? def->step : def->longest;
  return step > 0 ? ceil(duration / step) : 0;
}

static bool are_positive(const double* values, int count)
{
  bool all = true;
  for (int i = 0; i < count; ++i) all = all && isfinite(values[i]) && values[i] > 0;
  return all;
}

// What is wrong with the numbers that the method uses, or NULL.
static const char* fault_of(const lwIntegratorDef* def, bool adaptive, int size)
{
  if (size < 1) return "there is no equation to integrate";
  if (!(def->end >= 0)) return "the end must be a time, or 0 if it is not known";
  if (!(def->most_steps >= 0 && def->most_seconds >= 0)) return "a budget must not be negative";
  if (!adaptive)
    return are_positive(&def->step, 1) ? NULL : "the step must be a positive number of s";
  const double* relatives = def->relatives ? def->relatives : &def->relative;
  const double* absolutes = def->absolutes ? def->absolutes : &def->absolute;
  if (!are_positive(relatives, def->relatives ? size : 1))
    return "the relative tolerance must be positive";
  if (!are_positive(absolutes, def->absolutes ? size : 1))
    return "the absolute tolerance must be positive";
  if (def->first != 0 && !are_positive(&def->first, 1))
    return "the first step must be positive, or 0 to choose it";
  if (def->longest != 0 && !are_positive(&def->longest, 1))
    return "the longest step must be positive, or 0 for no limit";
  return NULL;
}

// The method of a definition that is sound, into *index.
static lwStatus check_def(const lwIntegratorDef* def, int size, lwDiag* diag, int* index)
{
  lwStatus status = lw_def_check(def->cookie, "lw_integrator_def()", diag);
  if (status != LW_OK) return status;
  *index = find_method(def->method);
  if (*index < 0)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL, "unknown integrator '%.60s'", def->method);
  const char* fault = fault_of(def, lw_integrator_method(*index)->adaptive, size);
  return fault ? lw_refuse(diag, LW_ERROR_INPUT, NULL, "integrator '%s': %s", def->method, fault)
               : LW_OK;
}

// (size) from a list, or all equal to `same`.
static double* take_tolerances(lwArena* arena, const double* list, double same, int size)
{
  double* values = lw_arena_take(arena, (size_t)size, sizeof *values);
  for (int i = 0; values && i < size; ++i) values[i] = list ? list[i] : same;
  return values;
}

static bool integrator_take_memory(lwIntegrator* integrator)
{
  lwArena* arena             = &integrator->arena;
  const lwIntegratorDef* def = &integrator->def;
  int size                   = integrator->size;
  integrator->relative       = take_tolerances(arena, def->relatives, def->relative, size);
  integrator->absolute       = take_tolerances(arena, def->absolutes, def->absolute, size);
  integrator->y              = lw_arena_take(arena, (size_t)size, sizeof(double));
  integrator->behind         = lw_arena_take(arena, (size_t)size, sizeof(double));
  integrator->stage          = lw_arena_take(arena, (size_t)size, sizeof(double));
  return !lw_arena_failed(arena) && integrator->stepper->prepare(integrator);
}

lwStatus lw_integrator_create(const lwIntegratorDef* def, int size, lwRates* rates, void* context,
                              lwDiag* diag, lwIntegrator** integrator)
{
  lwIntegratorDef usual        = lw_integrator_def();
  const lwIntegratorDef* given = def ? def : &usual;
  int index                    = -1;
  *integrator                  = NULL;
  lwStatus status              = check_def(given, size, diag, &index);
  if (status != LW_OK) return status;
  const lwIntegratorMethod* method = lw_integrator_method(index);
  lwIntegrator* made               = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  bool table = index < LW_TABLEAU_COUNT, limited = method->adaptive && given->longest > 0;
  *made               = (lwIntegrator){.stepper = !table             ? &lw_bdf_stepper
                                                  : method->adaptive ? &lw_adaptive_stepper
                                                                     : &lw_fixed_stepper,
                                       .method  = method,
                                       .tableau = table ? &LW_TABLEAUS[index] : NULL,
                                       .def     = *given,
                                       .size    = size,
                                       .rates   = rates,
                                       .context = context,
                                       .bound   = INFINITY,
                                       .made    = lw_clock_seconds(),
                                       .longest = limited ? given->longest : (double)INFINITY,
                                       .events  = {.at = INFINITY, .last = -1}};
  bool enough         = integrator_take_memory(made);
  made->def.method    = method->name;
  made->def.relatives = made->def.absolutes = NULL;  // copied
  if (enough)
    *integrator = made;
  else
    lw_integrator_destroy(made);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

void lw_integrator_destroy(lwIntegrator* integrator)
{
  if (!integrator) return;
  lw_arena_free(&integrator->events.arena);
  lw_arena_free(&integrator->arena);
  free(integrator);
}

// --- from time to time

void lw_integrator_start(lwIntegrator* integrator, double t, const double* y)
{
  memmove(integrator->y, y, (size_t)integrator->size * sizeof *y);
  lw_events_start(integrator, t);
  integrator->t = integrator->before = integrator->reached = t;
  integrator->first = integrator->told = true;
  integrator->moved                    = false;
  integrator->grid                     = (lwClock){.start = t};
  if (t < integrator->pace.t)  // a run from the beginning
    integrator->pace = (lwPace){t, integrator->stats.steps};
  integrator->stepper->start(integrator);
}

void lw_integrator_bound(lwIntegrator* integrator, double t)
{
  integrator->bound = t;
}

void lw_integrator_on_step(lwIntegrator* integrator, lwStepEnd* step_end, void* context)
{
  integrator->step_end     = step_end;
  integrator->step_context = context;
}

// What holds at the end of every step.
static void assert_step(const lwIntegrator* integrator)
{
  const lwIntegratorStats* stats = &integrator->stats;
  const lwEvents* events         = &integrator->events;
  assert(integrator->before < integrator->t);
  double rounding = 4 * DBL_EPSILON * (fabs(integrator->t) + fabs(integrator->before));
  // steps of runs that do not advance are as short as t can tell, whatever the longest may be
  assert(integrator->length > 0 &&
         (integrator->longest < 1e-12 ||
          integrator->length <= integrator->longest * (1 + 1e-9) + rounding));
  assert(fabs(integrator->t - integrator->before - integrator->length) <= rounding);
  (void)rounding;
  assert(!(integrator->bound > integrator->before) || integrator->t <= integrator->bound);
  assert(!(integrator->def.end > integrator->before) || integrator->t <= integrator->def.end);
  assert(integrator->reached <= integrator->t + rounding);
  assert(lw_all_finite(integrator->y, (size_t)integrator->size));
  assert(lw_all_finite(integrator->behind, (size_t)integrator->size));
  assert(!integrator->first && integrator->size > 0);
  assert(stats->steps > 0 && stats->rejected >= 0 && stats->jacobians >= 0);
  assert(stats->evaluations > 0 && stats->smallest <= stats->largest);
  assert(stats->largest >= integrator->length);
  assert(events->waiting >= 0 && events->waiting <= events->count);
  assert(events->last >= -1 && events->last < (events->count > 0 ? events->count : 1));
  assert(integrator->method->adaptive ||
         integrator->length <= integrator->def.step * (1 + 1e-9) + rounding);
  (void)integrator;
  (void)stats;
  (void)events;
}

// Steps that only absorb rounding in t are not reported as the smallest.
void lw_integrator_accept(lwIntegrator* integrator, double h, double end)
{
  integrator->before       = integrator->t;
  integrator->t            = end;
  integrator->length       = h;
  integrator->first        = false;
  lwIntegratorStats* stats = &integrator->stats;
  stats->largest           = fmax(stats->largest, h);
  ++stats->steps;
  if (h > 64 * DBL_EPSILON * fabs(integrator->t))
    stats->smallest = stats->smallest > 0 ? fmin(stats->smallest, h) : h;
  assert_step(integrator);
}

// The state at a time within the last step is written.
static lwProgress leave_at(lwIntegrator* integrator, double t, double* y, lwProgress progress)
{
  integrator->reached = t;
  if (integrator->first || t >= integrator->t)
    memcpy(y, integrator->y, (size_t)integrator->size * sizeof *y);
  else if (t == integrator->before)
    memcpy(y, integrator->behind, (size_t)integrator->size * sizeof *y);
  else
    integrator->stepper->between(integrator, t, y);
  return progress;
}

static lwProgress report_event(lwIntegrator* integrator, double t, double* y)
{
  lw_events_report(integrator);
  return leave_at(integrator, t, y, LW_PROGRESS_EVENT);
}

double lw_integrator_limit(const lwIntegrator* integrator)
{
  double t = integrator->t, bound = integrator->bound, end = integrator->def.end;
  return fmin(bound > t ? bound : (double)INFINITY, end > t ? end : (double)INFINITY);
}

// Tells of the last step, once.
static void tell_step_end(lwIntegrator* integrator)
{
  if (integrator->told || !integrator->step_end) return;
  integrator->told = true;
  if (!integrator->step_end(integrator->step_context, integrator->t, integrator->y,
                            integrator->stage))
    return;
  integrator->stepper->move(integrator);
  integrator->moved = true;
}

lwProgress lw_integrator_advance(lwIntegrator* integrator, double t, double* y,
                                 const volatile sig_atomic_t* stop)
{
  lwProgress progress          = LW_PROGRESS_ARRIVED;
  integrator->events.reporting = false;
  if (isnan(t)) return leave_at(integrator, integrator->reached, y, LW_PROGRESS_NOT_FINITE);
  if (integrator->events.waiting > 0) return report_event(integrator, integrator->reached, y);
  while (true)
  {
    double event = lw_events_next(integrator);
    if (event <= t && isfinite(event))
    {
      if (lw_events_arrive(integrator)) return report_event(integrator, event, y);
      continue;  // of a saved state: nothing happens at the time that it says
    }
    if (isinf(event)) tell_step_end(integrator);
    // times that differ from the end of a step by rounding, as k times the step may, are there
    double rounding = fmin(4 * DBL_EPSILON * fabs(t), 1e-6 * integrator->length);
    if (integrator->t >= t - rounding) return leave_at(integrator, t, y, LW_PROGRESS_ARRIVED);
    if (stop && *stop) return leave_at(integrator, integrator->t, y, LW_PROGRESS_STOPPED);
    if (lw_budget_is_used(integrator))
      return leave_at(integrator, integrator->t, y, LW_PROGRESS_BUDGET);
    progress = integrator->stepper->step(integrator, lw_integrator_limit(integrator));
    if (lw_progress_is_lost(&integrator->pace, integrator->stats.steps, integrator->t, t,
                            integrator->def.end))
      progress = LW_PROGRESS_STEP_VANISHED;
    if (progress != LW_PROGRESS_ARRIVED) return leave_at(integrator, integrator->t, y, progress);
    integrator->events.looked = integrator->told = integrator->moved = false;
  }
}

double lw_integrator_time(const lwIntegrator* integrator)
{
  return integrator->reached;
}

lwIntegratorStats lw_integrator_stats(const lwIntegrator* integrator)
{
  return integrator->stats;
}

// --- states

static void pass_stats(lwIntegratorStats* stats, lwStateBytes* state)
{
  long* const counts[] = {&stats->steps, &stats->rejected, &stats->evaluations, &stats->jacobians};
  for (int i = 0; i < 4; ++i) LW_STATE_INTEGER(state, *counts[i], 0, LW_STATE_MOST);
  double smallest = lw_state_finite(state, &stats->smallest);
  double largest  = lw_state_finite(state, &stats->largest);
  if (state->pass == LW_STATE_CHECK && !(smallest <= largest)) state->wrong = true;
}

lwClock lw_clock_state(lwClock* clock, lwStateBytes* state)
{
  const int64_t most = INT64_C(1) << 53;
  lwClock passed     = {.start = lw_state_finite(state, &clock->start)};
  passed.period      = lw_state_finite(state, &clock->period);
  passed.k           = lw_state_whole(state, clock->k, -most, most);
  if (state->pass == LW_STATE_READ) clock->k = passed.k;
  return passed;
}

// The last step goes from `before` to t and reaches what was asked for; fixed steps end on the grid,
// and the next one is no longer than a step.
static bool times_fit(const lwIntegrator* integrator, double t, double before, double reached,
                      double longest, const lwClock* grid)
{
  double step     = fmin(integrator->def.step, longest);
  lwClock next    = {grid->start, step, grid->k + 1};
  bool near       = lw_clock_time(&next) - t <= step * (1 + 1e-9) + 4 * DBL_EPSILON * fabs(t);
  bool ends       = integrator->method->adaptive || (lw_clock_time(grid) == t && near);
  double rounding = 4 * DBL_EPSILON * fabs(reached);  // as in lw_integrator_advance()
  return isfinite(t) && isfinite(before) && isfinite(reached) && before <= t &&
         reached <= t + rounding && ends;
}

double lw_integrator_state(lwIntegrator* integrator, lwStateBytes* state)
{
  size_t size            = (size_t)integrator->size;
  double* const single[] = {&integrator->length, &integrator->bound, &integrator->pace.t,
                            &integrator->step,   &integrator->error, &integrator->reach};
  bool* const flags[]    = {&integrator->first, &integrator->moved, &integrator->told,
                            &integrator->rate_known, &integrator->dense};
  double t               = lw_state_number(state, &integrator->t);
  double before          = lw_state_number(state, &integrator->before);
  double reached         = lw_state_number(state, &integrator->reached);
  double longest         = lw_state_number(state, &integrator->longest);
  for (size_t i = 0; i < sizeof single / sizeof *single; ++i) lw_state_numbers(state, single[i], 1);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) lw_state_flags(state, flags[i], 1);
  LW_STATE_INTEGER(state, integrator->pace.turns, 0, LW_STATE_MOST);
  lwClock grid = lw_clock_state(&integrator->grid, state);
  if (state->pass == LW_STATE_CHECK &&
      !(longest > 0 && times_fit(integrator, t, before, reached, longest, &grid)))
    state->wrong = true;
  lw_state_finites(state, integrator->y, size);
  lw_state_finites(state, integrator->behind, size);
  pass_stats(&integrator->stats, state);
  integrator->stepper->keep(integrator, state);
  lw_events_state(&integrator->events, state);
  return reached;
}
