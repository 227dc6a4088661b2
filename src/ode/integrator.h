// SPDX-License-Identifier: MIT
// What all integrators share, and what each adds.
#ifndef LW_SIMULATE_INTEGRATOR_H
#define LW_SIMULATE_INTEGRATOR_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/number.h"
#include "ode/events.h"
#include "ode/tableau.h"

typedef struct lwBdf lwBdf;
typedef struct lwSums lwSums;

// Where t was when its progress was last judged, and after how many turns.
typedef struct lwPace
{
  double t;  // s
  long turns;
} lwPace;

// One way to step. y, t and the like are those of the integrator.
typedef struct lwStepper
{
  bool lands;  // steps end at the requested time; otherwise they pass it
  // Takes memory from the integrator's arena; false: there is none.
  bool (*prepare)(lwIntegrator* integrator);
  // y, t are new.
  void (*start)(lwIntegrator* integrator);
  // One good step, not beyond limit > t: LW_PROGRESS_ARRIVED; y, t are then those at its end, and
  // behind, before those at its start. Otherwise why there is none, and y, t stay.
  lwProgress (*step)(lwIntegrator* integrator, double limit);
  // The state at a time within the last step, interpolated.
  void (*between)(lwIntegrator* integrator, double t, double* y);
  // The same as accurate as the end of the step. May be between().
  void (*exactly)(lwIntegrator* integrator, double t, double* y);
} lwStepper;

extern const lwStepper lw_fixed_stepper, lw_adaptive_stepper;  // explicit.c
extern const lwStepper lw_bdf_stepper;                         // bdf.c
extern const lwIntegratorMethod lw_bdf_method;

struct lwIntegrator
{
  const lwStepper* stepper;
  const lwIntegratorMethod* method;
  const lwTableau* tableau;  // of explicit methods, or
  lwBdf* bdf;                // of bdf
  lwIntegratorDef def;
  int size;
  lwRates* rates;
  void* context;
  lwArena arena;
  double* relative;  // (size) tolerances
  double* absolute;  // (size)

  double t;        // s, how far steps have gone
  double before;   // s, where the last one began
  double length;   // s, of it
  double reached;  // s, of the state last written
  double bound;    // s, that no step crosses
  double* y;       // (size) state at t
  double* behind;  // (size) state at before
  double* stage;   // (size) arguments of the rates
  bool first;      // no step was taken since the start
  lwPace pace;     // of the steps

  // of adaptive methods
  double step;   // s, to try next
  double error;  // of the last step, in units of the tolerance

  // of explicit methods
  double* k[LW_MAX_STAGES];  // (size) each
  double* ahead;             // (size) state behind a step that is tried
  lwSums* sums;              // of the tableau
  bool rate_known;           // k_end is the rate at t
  bool dense;                // so are the stages for interpolation

  lwEvents events;
  lwIntegratorStats stats;
};

// f(t, y) into rates, counted.
static inline void lw_integrator_rate(lwIntegrator* integrator, double t, const double* y,
                                      double* rates)
{
  integrator->rates(integrator->context, t, y, rates);
  ++integrator->stats.evaluations;
}

// Whether t no longer advances after this many turns (steps, events) in all. False unless many
// turns were taken since the last judgement; then true if all of them together moved t by no more
// than its rounding, or that of the time to be reached.
bool lw_progress_is_lost(lwPace* pace, long turns, double t, double to);

// Counts a step of length h to the time t.
void lw_integrator_count(lwIntegrator* integrator, double h);

// The last step was shortened to h. Steps that only absorb rounding in t are not reported.
void lw_integrator_shorter(lwIntegrator* integrator, double h);

// --- control.c: what errors mean for steps

// The largest |v_i| in units of its tolerance at |y_i| = max(|a_i|, |b_i|); NaN if one is.
double lw_tolerance_norm(const lwIntegrator* integrator, const double* v, const double* a,
                         const double* b);

// A first step for an error that grows with this power of the step, from rate = f(t, y); takes one
// evaluation, and spare (size).
double lw_first_step(lwIntegrator* integrator, double exponent, const double* rate, double* spare);

// The length of a step of the wanted length that does not cross limit: all of the
// rest, half of it, or as wanted. 0 if it is too short; but the first of several
// tries is never 0, so that there is one.
double lw_limited_step(const lwIntegrator* integrator, double wanted, double limit, bool again);

#endif
