// SPDX-License-Identifier: MIT
// Where watched values change their sign, and guards that must stay positive.
#ifndef LW_SIMULATE_EVENTS_H
#define LW_SIMULATE_EVENTS_H

#include "base/arena.h"
#include "base/state.h"
#include "linkwork/ode.h"

// A guard is y[plus] - y[minus] and a constant, without the entries that are -1; both -1: it is
// something else.
typedef struct lwGuardRow
{
  int plus, minus;
} lwGuardRow;

// Row of guard i. It does not change within a step.
typedef lwGuardRow lwGuardRows(const void* context, int i);

// Signs are -1 and 1; 0 is one not known yet: the value was 0, or its event was just reported.
typedef struct lwEvents
{
  lwArena arena;
  int count;
  lwEventValues* values;
  void* context;
  const bool* guard;  // (count) must stay positive; NULL: there is none
  lwGuardRows* rows;  // of guards, or NULL
  double* left;       // (count) values at seen
  double* now;        // (count) values at the end of what is looked at
  int splits;         // of parts of the last step that may yet be made, to look for dips of guards
  double* fired;      // (count) s, when each was reported last
  signed char* sign;  // (count) at seen
  signed char* due;   // (count) what becomes of the sign in the events at `at`; 0: no event
  double* state;      // (size)
  double seen;        // s, events up to here are known
  double at;          // s, of the next ones in the last step; INFINITY: none
  int waiting;        // events at the time reached that are not yet reported
  bool fresh;         // no step was looked at since the start
  bool looked;        // at the last step
  bool reporting;     // the last call ended with an event
  int last;           // reported
  bool rising;        // and its direction
} lwEvents;

// Marks watched values as guards: values that are positive as long as the state is allowed. A guard
// at 0 or below is an event wherever it is seen, also at the start, and whatever was reported
// before; with a row, also if that happens only within a step, in the very polynomial that is
// interpolated for states between its ends. Whoever handles the event must make it positive again.
// guard (count) must outlive the integrator.
void lw_events_guard(lwIntegrator* integrator, const bool* guard, lwGuardRows* rows);

// Passes all that is known about events.
void lw_events_state(lwEvents* events, lwStateBytes* state);

// The integrator starts at time t.
void lw_events_start(lwIntegrator* integrator, double t);

// The time of the next event in the last step, INFINITY if there is none.
double lw_events_next(lwIntegrator* integrator);

// The integrator has come to the next event. False: nothing has changed there.
bool lw_events_arrive(lwIntegrator* integrator);

// Reports one of those waiting.
void lw_events_report(lwIntegrator* integrator);

#endif
