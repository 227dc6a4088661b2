// SPDX-License-Identifier: MIT
// End stops: which joints are at one, and what an impact does.
//
// Stops are inelastic. When a joint hits one, the velocities of all joints jump
// together, from v to v+, so that every joint at a stop (not only the one that hits
// it) stays there or moves away from it:
//
//   M (v+ - v) = p
//   at a lower stop  p >= 0, v+ >= 0, p v+ = 0;  at an upper one <= for >=;  p = 0 elsewhere
//
// This is the smallest change of v, measured by kinetic energy, that the stops allow (Moreau 1988),
// so energy is never gained: the loss is 1/2 (v+ - v)^T M (v+ - v).
//
// The impact of one joint may throw another off its stop, which returns, hits, throws the first
// off, and so on: infinitely many impacts in finite time, each weaker. A joint that would not get
// farther from its stop than REST_DISTANCE, or than the integrator can tell, or be back within
// REST_TIME, is therefore left at rest there, v+ = 0, which takes energy as well. The same holds
// for a joint with Coulomb friction, at a stop or not, that friction would stop as soon: while it
// slips, it may accelerate others away from their stops, to which they return when it sticks.
#include <math.h>
#include <string.h>

#include "arm/arm_internal.h"

static const double TOLERANCE = 1e-12;  // rad or m; of the limit, where that is above 1
static const double REST_TIME = 1e-7;   // s

// rad or m. Far above the tolerance: a joint gains speed while it passes its stop by the tolerance,
// and that must not keep small impacts going for ever.
static const double REST_DISTANCE = 1e-9;

double lw_arm_stop_tolerance(double limit)
{
  return TOLERANCE * fmax(1, fabs(limit));
}

static bool is_at(double gap, double limit)
{
  return isfinite(limit) && gap <= lw_arm_stop_tolerance(limit);
}

unsigned char lw_arm_at_stops(const lwArmRun* run, int k)
{
  const lwLimits* limits = &run->limits[k];
  double q               = lw_arm_position(run, run->y, k);
  if (run->def.limits != LW_LIMIT_MODE_HOLD) return 0;
  return (unsigned char)((is_at(q - limits->lower, limits->lower) ? LW_AT_LOWER : 0) |
                         (is_at(limits->upper - q, limits->upper) ? LW_AT_UPPER : 0));
}

// --- impacts

static double mechanical_energy(lwArmRun* run)
{
  double potential, kinetic = lw_arm_kinetic(run, run->y, &potential);
  return kinetic + potential;
}

// Joints that move into a stop, or are beyond it, are put at it.
static void put_to_stops(lwArmRun* run)
{
  for (int k = 0; k < run->n; ++k)
  {
    const lwLimits* limits = &run->limits[k];
    if (run->at[k] < 0) continue;
    double *q = &lw_arm_q(run)[run->at[k]], qd = lw_arm_qd(run)[k];
    unsigned at = lw_arm_at_stops(run, k);
    if ((at & LW_AT_LOWER) && (qd < 0 || *q < limits->lower)) *q = limits->lower;
    if ((at & LW_AT_UPPER) && (qd > 0 || *q > limits->upper)) *q = limits->upper;
  }
}

// The impulses that stops can exert, and any that keep a joint at rest that is to stay so.
static void bound_impulses(lwArmRun* run)
{
  for (int k = 0; k < run->n; ++k)
  {
    unsigned at   = lw_arm_at_stops(run, k);
    bool stuck    = run->stuck[k];
    run->rests[k] = at != 0 || stuck;
    run->low[k]   = at & LW_AT_UPPER || stuck ? -INFINITY : 0;
    run->high[k]  = at & LW_AT_LOWER || stuck ? INFINITY : 0;
    run->hold[k]  = run->rests[k] ? LW_JOINT_HOLD_HELD : LW_JOINT_HOLD_NONE;
  }
}

// Velocities after the impact, those of joints that are stuck 0.
static void solve_impact(lwArmRun* run)
{
  lw_arm_momentum(run, run->incoming, run->right);
  bound_impulses(run);
  if (!lw_arm_settle(run, run->right, run->qdd, run->friction))
  {
    bound_impulses(run);  // all joints at stops come to rest, which is always possible
    lw_arm_solve_held(run, run->right, run->qdd, run->friction);
  }
  for (int k = 0; k < run->n; ++k)
  {
    double* v = &lw_arm_qd(run)[k];
    *v        = run->qdd[k];
    if (run->rests[k] && ((run->low[k] == 0 && *v < 0) || (run->high[k] == 0 && *v > 0)))
      *v = 0;  // rounding
  }
}

// How far joint k has to move. A step that is accurate to the tolerance may end beyond the stop
// although the joint returns much later; the first step is accurate to about this part of it.
static double rest_distance(const lwArmRun* run, int k)
{
  const lwIntegrator* integrator = run->integrator;
  int at                         = run->at[k];
  if (!integrator->method->adaptive || at < 0) return REST_DISTANCE;
  double tolerance = integrator->absolute[at] + integrator->relative[at] * fabs(run->y[at]);
  return fmax(REST_DISTANCE, 0.01 * tolerance);
}

// Whether joint k moves so slowly after the impact, against its acceleration, that it will be back
// at its stop, or that friction will have stopped it, at once.
static bool rests_at_once(const lwArmRun* run, int k)
{
  unsigned at = lw_arm_at_stops(run, k);
  double v = lw_arm_qd(run)[k], speed = fabs(v);
  double along = v > 0 ? run->qdd[k] : -run->qdd[k];
  if ((!at && run->coulomb[k] == 0) || v == 0 || run->stuck[k] || !(along < 0)) return false;
  return speed * speed <= -2 * along * rest_distance(run, k) || speed <= -along * REST_TIME;
}

// Marks joints that are to stay at rest. False: there is none.
static bool mark_stuck(lwArmRun* run)
{
  bool any = false;
  lw_arm_rest(run, -1);
  for (int k = 0; k < run->n; ++k)
  {
    bool at_once  = rests_at_once(run, k);
    run->stuck[k] = run->stuck[k] || at_once;
    any           = any || at_once;
  }
  return any;
}

void lw_arm_impact(lwArmRun* run)
{
  size_t n      = (size_t)run->n;
  double before = mechanical_energy(run);
  put_to_stops(run);
  memcpy(run->incoming, lw_arm_qd(run), n * sizeof *run->incoming);
  memset(run->stuck, 0, n * sizeof *run->stuck);
  lw_arm_inertia(run, run->y, NULL);
  do solve_impact(run);
  while (mark_stuck(run));
  run->stop_work += mechanical_energy(run) - before;
}
