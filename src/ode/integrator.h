// SPDX-License-Identifier: MIT
// What all integrators share, and what each adds.
#ifndef LW_SIMULATE_INTEGRATOR_H
#define LW_SIMULATE_INTEGRATOR_H

#include "base/arrays.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/number.h"
#include "base/state.h"
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

enum
{
  LW_MAX_DEGREE = 7  // of what interpolates a step
};

// One way to step. y, t and the like are those of the integrator.
typedef struct lwStepper
{
  // Takes memory from the integrator's arena; false: there is none.
  bool (*prepare)(lwIntegrator* integrator);
  // y, t are new.
  void (*start)(lwIntegrator* integrator);
  // One good step, not beyond limit > t: LW_PROGRESS_ARRIVED; y, t are then those at its end, and
  // behind, before those at its start. Otherwise why there is none, and y, t stay.
  lwProgress (*step)(lwIntegrator* integrator, double limit);
  // The state at a time within the last step, interpolated.
  void (*between)(lwIntegrator* integrator, double t, double* y);
  // The polynomial that this is in one entry: coefficients of the powers of (t - before) / length,
  // up to LW_MAX_DEGREE.
  void (*powers)(lwIntegrator* integrator, int entry, double* coefficients);
  // The next step begins in the state in `stage`, not where the last one ended.
  void (*move)(lwIntegrator* integrator);
  // Passes what the method keeps from step to step.
  void (*keep)(lwIntegrator* integrator, lwStateBytes* state);
} lwStepper;

// The end of a step, t and y (size), in which no event happened. Returns true if the next step is
// to begin in another state, which it has written into moved (size).
typedef bool lwStepEnd(void* context, double t, const double* y, double* moved);

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
  bool moved;      // y is not where the last step ended
  double longest;  // s, of steps from the next start on; INFINITY: no limit
  lwClock grid;    // of fixed steps: the end of the last one, counted from the start
  lwPace pace;     // of the steps
  double made;     // s by the clock, when the integrator was made

  lwStepEnd* step_end;  // or NULL
  void* step_context;
  bool told;  // step_end was called after the last step

  // of adaptive methods
  double step;   // s, to try next
  double error;  // of the last step, in units of the tolerance
  double tried;  // s, end of the step that is tried
  double reach;  // s, about the longest of recent steps
  bool hops;     // rates may be lost in rounding at single instants

  // of explicit methods
  double* k[LW_MAX_STAGES];  // (size) each
  double* ahead;             // (size) state behind a step that is tried; while `moved`, where the
                             // last one ended
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

// The most steps of a run that anybody would wait for.
#define LW_MOST_STEPS 1e10

// Whether t hardly advances after this many turns (steps, events) in all. False unless many turns
// were taken since the last judgement; then true if all of them together moved t by no more than
// its rounding, or that of the time to be reached, or if at their pace LW_MOST_STEPS would not lead
// to the end of the run; if that is not known (0), as far as it has come.
bool lw_progress_is_lost(lwPace* pace, long turns, double t, double to, double end);

// s, by the clock of the machine.
double lw_clock_seconds(void);

// Whether the integrator has used up its steps or seconds.
bool lw_budget_is_used(const lwIntegrator* integrator);

// Times of the last events, s: a ring.
typedef struct lwChatter
{
  double recent[256];
} lwChatter;

// Counts an event at time t. True: there were too many in too short a time.
bool lw_chatters(lwChatter* chatter, double t, long* events);

// Goes to the time `end`, a step of length h further; y is that there already.
void lw_integrator_accept(lwIntegrator* integrator, double h, double end);

// Calls step_end after every step.
void lw_integrator_on_step(lwIntegrator* integrator, lwStepEnd* step_end, void* context);

// Returns the clock that was read, or the one given.
lwClock lw_clock_state(lwClock* clock, lwStateBytes* state);

// Passes all that an integrator keeps between calls; its definition is given. Returns the time that
// was reached.
double lw_integrator_state(lwIntegrator* integrator, lwStateBytes* state);

// The time that the next step must not cross; INFINITY: there is none.
double lw_integrator_limit(const lwIntegrator* integrator);

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
