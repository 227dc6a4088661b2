// SPDX-License-Identifier: MIT
/// @file simulate.h  Motion over time: torque laws, integrators, and the run of a snake. Not part of the core library.
#ifndef LINKWORK_SIMULATE_H
#define LINKWORK_SIMULATE_H

#include "linkwork/snake.h"

// --- torque laws: what a person writes, T_k(t) = sin(t)/(n-k)

/// An expression in t (s), k (joint, from 1) and n (links): numbers, pi, + - * / ^, unary minus, parentheses, and the
/// functions sin cos tan exp sqrt abs. ^ binds strongest and to the right: -2^2 = -4, 2^3^2 = 2^9. Immutable; any
/// number of threads may share it.
typedef struct lwLaw lwLaw;

/// Reads a law; name stands for the file in diagnostics. LW_ERROR_INPUT with line and column in diag if it is none, or
/// is nested too deeply or too long. *law is NULL unless the status is LW_OK. diag may be NULL.
LW_API lwStatus lw_law_create(const char* name, const char* text, lwDiag* diag, lwLaw** law);
LW_API void lw_law_destroy(lwLaw* law);

/// The values at time t for k = 1..count of n links, into values (count). What does not depend on k is computed once.
LW_API void lw_law_values(const lwLaw* law, double t, int n, int count, double* values);

/// lw_law_create() for a law that may also name q and qd, position and velocity of joint k.
LW_API lwStatus lw_law_create_joint(const char* name, const char* text, lwDiag* diag, lwLaw** law);

/// What the names in a law stand for.
typedef struct lwLawPoint
{
  double t;      // s
  double k, n;   // joint, from 1, and how many there are
  double q, qd;  // rad or m, rad/s or m/s
} lwLawPoint;

/// The value at a point.
LW_API double lw_law_at(const lwLaw* law, const lwLawPoint* point);

/// The value at a point with its first and second derivative in t, everything else held: exact but for rounding.
LW_API void lw_law_jet(const lwLaw* law, const lwLawPoint* point, double jet[3]);

// --- integrators of y' = f(t, y)

/// Writes f(t, y) into rates; both have as many entries as y.
typedef void lwRates(void* context, double t, const double* y, double* rates);

/// A way to integrate; docs/integrators.md says which one to take.
typedef struct lwIntegratorMethod
{
  const char* name;
  const char* alias;   // another name, or NULL
  const char* source;  // who found it
  bool adaptive;       // chooses its steps by tolerances; else they are given
  int order;           // of the result; the highest, where it varies
  int error_order;     // of the result it is compared with to estimate the error; 0: no estimate
  int dense_order;     // of the interpolation between the ends of a step
  int evaluations;     // of the rates in a step; 0: varies
} lwIntegratorMethod;

LW_API int lw_integrator_method_count(void);
LW_API const lwIntegratorMethod* lw_integrator_method(int index);  ///< 0 <= index < count
LW_API const lwIntegratorMethod* lw_integrator_method_find(const char* name);  ///< NULL: unknown

/// How to integrate. Start from lw_integrator_def().
typedef struct lwIntegratorDef
{
  const char*
      method;       // kutta3 rk4 | bogacki-shampine kutta-merson fehlberg45 dormand-prince (dopri)
                    // dop853 bdf
  double step;      // s, of kutta3 and rk4; a little less where a whole number of them must fit
  double relative;  // tolerance of the others: the error of a step in every entry is kept
  double absolute;  // below absolute + relative |y|
  const double* relatives;  // (size), copied: a tolerance for every entry, in place of relative,
  const double* absolutes;  // of absolute; NULL: the same for all
  double first;             // s, the step to try first; 0: it is chosen
  double longest;           // s, no step is longer; 0: no limit
} lwIntegratorDef;

typedef struct lwIntegrator lwIntegrator;

LW_API lwIntegratorDef lw_integrator_def(void);  ///< rk4, 1e-3 s; tolerances 1e-9

/// Makes an integrator for size equations. LW_ERROR_METHOD for an unknown name, LW_ERROR_INPUT for a step or tolerance
/// that is not positive. All memory is taken here (and in lw_integrator_watch()), none while stepping.
LW_API lwStatus lw_integrator_create(const lwIntegratorDef* def, int size, lwRates* rates,
                                     void* context, lwIntegrator** integrator);
LW_API void lw_integrator_destroy(lwIntegrator* integrator);

/// Begins at time t in state y (size).
LW_API void lw_integrator_start(lwIntegrator* integrator, double t, const double* y);

/// How a call of lw_integrator_advance() ended.
typedef enum lwProgress
{
  LW_PROGRESS_ARRIVED,       // at the time asked for
  LW_PROGRESS_EVENT,         // before or at it, where a watched value changes its sign
  LW_PROGRESS_STOPPED,       // because the flag told so
  LW_PROGRESS_NOT_FINITE,    // y or its rates are not, whatever the step
  LW_PROGRESS_STEP_VANISHED  // no step is short enough for the tolerances
} lwProgress;

/// Goes on to time t, not before the time reached, and writes the state there into y (size); or the state at an event
/// before it, or the last good one. lw_integrator_time() is its time. t may be INFINITY where an event ends the run.
/// Adaptive methods step beyond t and interpolate: rates must be defined there, or lw_integrator_bound() set. stop, if
/// not NULL, is looked at before every step: once it is not 0 the call ends.
LW_API lwProgress lw_integrator_advance(lwIntegrator* integrator, double t, double* y,
                                        const volatile int* stop);

/// From now on no step crosses time t, and none asks for rates behind it before one has ended there; INFINITY: no bound (the
/// default). For rates that jump at t: those asked for at t itself are still the ones before, and
/// lw_integrator_start() has to follow before those behind are given.
LW_API void lw_integrator_bound(lwIntegrator* integrator, double t);

LW_API double lw_integrator_time(const lwIntegrator* integrator);  ///< s, of the state last written

/// What was done since the integrator was made; a start does not set it back.
typedef struct lwIntegratorStats
{
  long steps;        // taken
  long rejected;     // steps tried in vain
  long evaluations;  // of the rates, those for Jacobians included
  long jacobians;    // of bdf
  double smallest;   // s, step taken, but for those that make up for rounding of t; 0: none yet
  double largest;    // s
} lwIntegratorStats;

LW_API lwIntegratorStats lw_integrator_stats(const lwIntegrator* integrator);

// --- events: where a value changes its sign

/// Writes the values that are watched at time t in state y. Continuous in both.
typedef void lwEventValues(void* context, double t, const double* y, double* values);

/// Watches count values: lw_integrator_advance() ends with LW_PROGRESS_EVENT where one of them changes its sign or becomes 0,
/// the earliest first, several at one time one after the other, the time exact to rounding. The next call goes on
/// behind it, with the state as it was, or with another one after lw_integrator_start() at the same time: other events of
/// that time are then still reported. A value that is 0 at the start takes the sign it has just after it.
/// Two changes of the same value within a step (a part of it, for methods with long steps) are not seen: limit the
/// steps by def.longest if a value changes faster than the state. count 0 ends watching. LW_ERROR_MEMORY, or LW_OK.
LW_API lwStatus lw_integrator_watch(lwIntegrator* integrator, int count, lwEventValues* values,
                                    void* context);

LW_API int
lw_integrator_event(const lwIntegrator* integrator);  ///< index of the last one, -1: none
LW_API bool lw_integrator_event_rising(const lwIntegrator* integrator);  ///< its value grew

// --- a snake over time

/// The torques (n-1) of the joints at time t in a state; theta has n entries.
typedef void lwSnakeDrive(void* context, double t, const double* theta, const double u[2],
                          double* torque);

/// A snake that moves: angles, speeds, place, and the work of its torques, integrated together.
typedef struct lwSnakeRun lwSnakeRun;

/// Where a run begins and what is known of it at a time.
typedef struct lwSnakeSample
{
  double t;       // s
  double* theta;  // (n) rad
  double u[2];    // m/s, rad/s
  double x, y;    // m, the middle of link 1
  double work;    // J, of all torques since t = 0
} lwSnakeSample;

/// Makes a run. work computes and must live as long as the run, as must the drive's context. drive NULL: no torques.
LW_API lwStatus lw_snake_run_create(const lwSnake* snake, lwSnakeWorkspace* ws,
                                    const lwIntegratorDef* def, lwSnakeDrive* drive, void* context,
                                    lwSnakeRun** run);
LW_API void lw_snake_run_destroy(lwSnakeRun* run);

LW_API void lw_snake_run_start(lwSnakeRun* run, const lwSnakeSample* sample);

/// Goes on to time t; see lw_integrator_advance(). sample->theta (n) is of the caller.
LW_API lwProgress lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeSample* sample,
                                  const volatile int* stop);
LW_API const lwIntegrator* lw_snake_run_integrator(const lwSnakeRun* run);

#endif
