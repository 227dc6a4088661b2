// SPDX-License-Identifier: MIT
/// @file ode.h Integrators of y' = f(t, y), with events. Not part of the core library;
/// docs/integrators.md says which to choose.
#ifndef LINKWORK_ODE_H
#define LINKWORK_ODE_H

#include <signal.h>
#include <stdbool.h>

#include "linkwork/base.h"

// --- integrators of y' = f(t, y)

/// Writes f(t, y) into rates; both have as many entries as y.
typedef void lwRates(void* context, double t, const double* y, double* rates);

/// An integration method; docs/integrators.md says which one to choose.
typedef struct lwIntegratorMethod
{
  /// Its name, "rk4".
  const char* name;
  /// Another name, or NULL.
  const char* alias;
  /// Who published it.
  const char* source;
  /// True if tolerances choose the steps, false if the step is given.
  bool adaptive;
  /// Order of the result; the highest, where it varies.
  int order;
  /// Order of the result it is compared with to estimate the error. 0: no estimate.
  int error_order;
  /// Order of the interpolation within a step.
  int dense_order;
  /// Evaluations of the rates in a step. 0: varies.
  int evaluations;
} lwIntegratorMethod;

/// Number of methods.
LW_API int lw_integrator_method_count(void);

/// Method of that index, 0 <= index < lw_integrator_method_count().
LW_API const lwIntegratorMethod* lw_integrator_method(int index);

/// The method of that name or alias. NULL: unknown.
LW_API const lwIntegratorMethod* lw_integrator_method_find(const char* name);

/// How to integrate. Start from lw_integrator_def().
typedef struct lwIntegratorDef
{
  /// kutta3 and rk4 with fixed steps; bogacki-shampine, kutta-merson, fehlberg45, dormand-prince
  /// (dopri), dop853 and bdf with tolerances.
  const char* method;
  /// Step of kutta3 and rk4, s. Steps end at start + k step, where start is the time of the last
  /// lw_integrator_start() or bound; the one before a bound is shorter.
  double step;
  /// Relative tolerance of the other methods: the error of a
  /// step is kept below absolute + relative |y| in every entry.
  double relative;
  /// Absolute tolerance of the others, in the units of y.
  double absolute;
  /// (size) A relative tolerance for each entry, copied. NULL: relative for all.
  const double* relatives;
  /// (size) An absolute tolerance for each entry, copied. NULL: absolute for all.
  const double* absolutes;
  /// The step to try first, s. 0: chosen automatically.
  double first;
  /// Longest step, s. 0: no limit.
  double longest;
  /// When the run ends, s: a step ends there, so that the last state is not interpolated, and rates
  /// are not evaluated beyond it before that. 0: not known.
  double end;
  /// Budget: the most steps that the integrator takes. 0: 1e10. Besides, it gives up if 8192 steps
  /// advance t so little that this pace would take 1e10 steps for the time to `end`, or up to t.
  double most_steps;
  /// The most seconds by the clock since the integrator was made, so that where a run ends depends
  /// on the machine. 0: no limit.
  double most_seconds;
  /// Set by lw_integrator_def(); leave it as it is.
  unsigned cookie;
} lwIntegratorDef;

/// The least number of steps that a run of this duration (s) takes, given its fixed or longest
/// step; 0: the method chooses freely. Lets a caller refuse hopeless runs in advance.
LW_API double lw_integrator_steps(const lwIntegratorDef* def, double duration);

/// An integrator and its memory, for one thread.
typedef struct lwIntegrator lwIntegrator;

/// rk4 with steps of 1e-3 s; tolerances of 1e-9 for adaptive methods.
LW_API lwIntegratorDef lw_integrator_def(void);

/// Makes an integrator for size equations. LW_ERROR_METHOD for an unknown name, LW_ERROR_INPUT for
/// a step or tolerance that is not positive. All memory is taken here (and in
/// lw_integrator_watch()), none while stepping.
LW_API lwStatus lw_integrator_create(const lwIntegratorDef* def, int size, lwRates* rates,
                                     void* context, lwDiag* diag, lwIntegrator** integrator);

/// Frees an integrator. NULL is allowed.
LW_API void lw_integrator_destroy(lwIntegrator* integrator);

/// Begins at time t in state y (size).
LW_API void lw_integrator_start(lwIntegrator* integrator, double t, const double* y);

/// How a call of lw_integrator_advance() ended.
typedef enum lwProgress
{
  /// It reached the time asked for.
  LW_PROGRESS_ARRIVED,
  /// A watched value changed its sign, before that time or at it.
  LW_PROGRESS_EVENT,
  /// The stop flag was set.
  LW_PROGRESS_STOPPED,
  /// y or its rates are not finite, whatever the step.
  LW_PROGRESS_NOT_FINITE,
  /// No step is short enough for the tolerances, or t hardly advances.
  LW_PROGRESS_STEP_VANISHED,
  /// The budget of steps or seconds is used up.
  LW_PROGRESS_BUDGET
} lwProgress;

/// Advances to time t, not before the time reached, and writes the state there into y (size); or
/// the state at an event before it, or the last good one. lw_integrator_time() is its time. t may
/// be INFINITY if an event ends the run. All methods step beyond t and interpolate, so the steps,
/// and all later states, do not depend on the times asked for: rates must be defined beyond t, or
/// lw_integrator_bound() set. stop, if not NULL, is checked before every step: once it is not 0 the
/// call ends.
LW_API lwProgress lw_integrator_advance(lwIntegrator* integrator, double t, double* y,
                                        const volatile sig_atomic_t* stop);

/// From now on no step crosses time t, and rates are not evaluated beyond t before a step has ended
/// there; INFINITY: no bound (the default). For rates that jump at t: at t itself the callback must
/// still return the rates before the jump; call lw_integrator_start() before it returns the new
/// ones.
LW_API void lw_integrator_bound(lwIntegrator* integrator, double t);

/// Time of the state last written, s.
LW_API double lw_integrator_time(const lwIntegrator* integrator);

/// Statistics since the integrator was made; lw_integrator_start() does not reset them.
typedef struct lwIntegratorStats
{
  /// Steps taken.
  long steps;
  /// Steps tried and rejected.
  long rejected;
  /// Evaluations of the rates, those for Jacobians included.
  long evaluations;
  /// Jacobians computed by bdf.
  long jacobians;
  /// Shortest step taken, s, except those that only absorb rounding in t. 0: none yet.
  double smallest;
  /// Longest step taken, s.
  double largest;
} lwIntegratorStats;

/// What the integrator has done so far.
LW_API lwIntegratorStats lw_integrator_stats(const lwIntegrator* integrator);

// --- events: where a value changes its sign

/// Writes the values that are watched at time t in state y. Continuous in both.
typedef void lwEventValues(void* context, double t, const double* y, double* values);

/// Watches count values: lw_integrator_advance() ends with LW_PROGRESS_EVENT where one of them
/// changes sign or becomes 0, with the time exact to rounding. The earliest comes first; several at
/// one time come one after the other. The next call continues from there with the same state, or
/// with another one after lw_integrator_start() at the same time; other events of that time are
/// then still reported. A value that is 0 at the start takes the sign it has just after it. Two
/// changes of the same value within a step (or part of one, for methods with long steps) are not
/// seen: limit the steps by def.longest if a value changes faster than the state. count 0 ends
/// watching. LW_ERROR_MEMORY, or LW_OK.
LW_API lwStatus lw_integrator_watch(lwIntegrator* integrator, int count, lwEventValues* values,
                                    void* context);

/// Index of the value that caused the last event. -1: none yet.
LW_API int lw_integrator_event(const lwIntegrator* integrator);

/// True if that value grew.
LW_API bool lw_integrator_event_rising(const lwIntegrator* integrator);

#endif
