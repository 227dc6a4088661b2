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

// --- integrators of y' = f(t, y)

/// Writes f(t, y) into rates; both have as many entries as y.
typedef void lwRates(void* context, double t, const double* y, double* rates);

/// How to integrate. Start from lw_integrator_def().
typedef struct lwIntegratorDef
{
  const char*
      method;  // "rk4": Kutta's fourth order with fixed steps. "dopri": Dormand & Prince 5(4), adaptive
  double step;      // s, of rk4; a little less where a whole number of them must fit
  double relative;  // tolerance of dopri: the error of a step in every entry is kept
  double absolute;  // below absolute + relative |y|
} lwIntegratorDef;

typedef struct lwIntegrator lwIntegrator;

LW_API lwIntegratorDef lw_integrator_def(void);  ///< rk4, 1e-3 s; tolerances 1e-9

/// Makes an integrator for size equations. LW_ERROR_METHOD for an unknown name, LW_ERROR_INPUT for a step or tolerance
/// that is not positive.
LW_API lwStatus lw_integrator_create(const lwIntegratorDef* def, int size, lwRates* rates,
                                     void* context, lwIntegrator** integrator);
LW_API void lw_integrator_destroy(lwIntegrator* integrator);

/// Begins at time t in state y (size).
LW_API void lw_integrator_start(lwIntegrator* integrator, double t, const double* y);

/// Goes on to time t, not before the time reached, and writes the state there into y (size). True if it got there. False
/// if y or its rates are not finite, or the step of dopri would vanish: y then holds the last good state.
/// dopri steps beyond t and interpolates (fourth order); rates must be defined there. stop, if not NULL, is looked at
/// after every step: once it is not 0 the call ends with false.
LW_API bool lw_integrator_advance(lwIntegrator* integrator, double t, double* y,
                                  const volatile int* stop);

LW_API double lw_integrator_time(const lwIntegrator* integrator);  ///< s, of the state last written
LW_API long
lw_integrator_steps(const lwIntegrator* integrator);  ///< taken so far, without rejected ones
LW_API long lw_integrator_evaluations(const lwIntegrator* integrator);  ///< of the rates, so far

// --- a snake over time

/// The torques (n-1) of the joints at time t in a state; theta has n entries.
typedef void lwSnakeDrive(void* context, double t, const double* theta, const double u[2],
                          double* torque);

/// A snake that moves: angles, speeds, place, and the work of its torques, integrated together.
typedef struct lwSnakeRun lwSnakeRun;

/// Where a run begins and what is known of it at a time.
typedef struct lwSnakeMoment
{
  double t;       // s
  double* theta;  // (n) rad
  double u[2];    // m/s, rad/s
  double x, y;    // m, the middle of link 1
  double work;    // J, of all torques since t = 0
} lwSnakeMoment;

/// Makes a run. work computes and must live as long as the run, as must the drive's context. drive NULL: no torques.
LW_API lwStatus lw_snake_run_create(const lwSnake* snake, lwSnakeWork* work,
                                    const lwIntegratorDef* def, lwSnakeDrive* drive, void* context,
                                    lwSnakeRun** run);
LW_API void lw_snake_run_destroy(lwSnakeRun* run);

LW_API void lw_snake_run_start(lwSnakeRun* run, const lwSnakeMoment* moment);

/// Goes on to time t; see lw_integrator_advance(). moment->theta (n) is of the caller.
LW_API bool lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeMoment* moment,
                            const volatile int* stop);
LW_API const lwIntegrator* lw_snake_run_integrator(const lwSnakeRun* run);

#endif
