// SPDX-License-Identifier: MIT
#include "arm/energy.h"

#include <math.h>

#include "math/rotation.h"

static const double BY_TOLERANCE = 1e4;    // of the relative tolerance: errors of many steps add up
static const double BY_STEPS     = 1e-3;   // of E, for fixed steps
static const double ROUNDING     = 1e-12;  // of m g reach

double lw_energy_weight(const lwRobotDef* robot)
{
  double gravity = lw_length(robot->gravity), mass = robot->base.mass,
         reach = lw_length(robot->base.com);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    mass += joint->link.mass;
    reach += lw_length(joint->link.com) + lw_length(joint->xyz) + fabs(joint->a) + fabs(joint->d);
  }
  return mass * (gravity > 0 ? gravity : LW_EARTH_GRAVITY) * reach;
}

void lw_energy_see_works(lwEnergyWatch* watch, const double* works, int count)
{
  for (int i = 0; i < count; ++i)
  {
    if (watch->begun) watch->work += fabs(works[i] - watch->works[i]);
    watch->works[i] = works[i];
  }
}

void lw_energy_see(lwEnergyWatch* watch, double kinetic, double potential, const double* works,
                   int count, double S)
{
  if (!watch->begun) watch->potential = potential;
  lw_energy_see_works(watch, works, count);
  watch->begun   = true;
  watch->change  = fmax(watch->change, fabs(potential - watch->potential));
  watch->kinetic = fmax(watch->kinetic, kinetic);
  watch->S       = isnan(S) ? (double)INFINITY : fmax(watch->S, fabs(S));
}

lwVerdict lw_energy_judge(const lwEnergyWatch* watch, const lwIntegrator* integrator)
{
  const lwIntegratorDef* def = &integrator->def;
  bool adaptive              = integrator->method->adaptive;
  double part                = adaptive ? BY_TOLERANCE * def->relative : BY_STEPS;
  double floor               = (ROUNDING + (adaptive ? def->absolute : 0)) * watch->weight;
  double turnover            = watch->kinetic + watch->change + watch->work;
  double bound               = part * turnover + floor;
  return (lwVerdict){turnover, bound, isfinite(watch->S) && watch->S <= bound};
}

// --- audits

void lw_audit_note(lwAudit* audit, lwNote* notes, lwNote note)
{
  if (audit->counts[note.kind]++ == 0) audit->first[note.kind] = note.t;
  if (audit->note_count < LW_MAX_NOTES) notes[audit->note_count++] = note;
}

lwAudit lw_audit_judged(const lwAudit* audit, const lwNote* notes, const lwEnergyWatch* watch,
                        const lwIntegrator* integrator)
{
  lwAudit judged      = *audit;
  lwVerdict verdict   = lw_energy_judge(watch, integrator);
  judged.steps        = lw_integrator_stats(integrator);
  judged.notes        = notes;
  judged.peak_kinetic = watch->kinetic;
  judged.worst_S      = watch->S;
  judged.turnover     = verdict.turnover;
  judged.bound        = verdict.bound;
  judged.trusted      = verdict.trusted;
  return judged;
}
