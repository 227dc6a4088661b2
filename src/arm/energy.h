// SPDX-License-Identifier: MIT
// Audits of runs, and whether a run is to be trusted: S, which exact arithmetic keeps constant, against a bound that
// grows with the energy turned over, E,
//   E = largest kinetic energy + largest change of the potential + sum of |work|
//   bound = 1e4 relative E (tolerances) or 1e-3 E (fixed steps) + floor
// The floor, (1e-12 + absolute tolerance) m g reach, is for arms that hardly move.
#ifndef LW_ARM_ENERGY_H
#define LW_ARM_ENERGY_H

#include "linkwork/arm.h"
#include "ode/integrator.h"

#define LW_EARTH_GRAVITY 9.81  // m/s^2

enum
{
  LW_ENERGY_WORKS = 4  // at most
};

typedef struct lwEnergyWatch
{
  bool begun;
  double potential;               // J, at the beginning
  double change;                  // J, its largest change
  double works[LW_ENERGY_WORKS];  // J, when last seen
  double work;                    // J, sum of |changes| of works
  double kinetic;                 // J, the largest
  double S;                       // J, the largest
  double weight;                  // J, mass times gravity times reach
} lwEnergyWatch;

// Mass times gravity, or that of the earth if there is none, times the length of all links, J.
double lw_energy_weight(const lwRobotDef* robot);

// A state at the end of a step or at an event.
void lw_energy_see(lwEnergyWatch* watch, double kinetic, double potential, const double* works,
                   int count, double S);

// The works alone, for steps at which the energy is not computed.
void lw_energy_see_works(lwEnergyWatch* watch, const double* works, int count);

typedef struct lwVerdict
{
  double turnover, bound;  // J
  bool trusted;
} lwVerdict;

lwVerdict lw_energy_judge(const lwEnergyWatch* watch, const lwIntegrator* integrator);

// --- audits of arms and snakes

// Counts what happened, and keeps it in notes (LW_MAX_NOTES) as long as there is room.
void lw_audit_note(lwAudit* audit, lwNote* notes, lwNote note);

// Pass what was counted so far; joints, wheels and events are numbered up to most_which.
void lw_audit_state(lwAudit* audit, lwNote* notes, int most_which, lwStateBytes* state);
void lw_energy_state(lwEnergyWatch* watch, lwStateBytes* state);

// The audit with its notes, what the integrator did, and the verdict.
lwAudit lw_audit_judged(const lwAudit* audit, const lwNote* notes, const lwEnergyWatch* watch,
                        const lwIntegrator* integrator);

#endif
