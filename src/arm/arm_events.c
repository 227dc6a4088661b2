// SPDX-License-Identifier: MIT
// What is watched while an arm moves, and what happens then.
#include <math.h>

#include "arm/arm_internal.h"

// --- notes

void lw_arm_note(lwArmRun* run, double t, lwNoteKind kind, int which)
{
  lwTally* tally = &run->tallies[(int)kind * run->tally_width + which];
  if (tally->count++ == 0) tally->first = t;
  lw_audit_note(&run->audit, run->notes, (lwNote){t, kind, which});
}

// --- what is watched

static void add_watch(lwArmRun* run, lwWatchKind kind, int which, bool guard)
{
  run->guards[run->watch_count]    = guard;
  run->watches[run->watch_count++] = (lwWatch){kind, which};
}

// Limits that are only noted may be passed; those that hold or end the run are guarded.
static void watch_joint(lwArmRun* run, int k)
{
  bool lower = isfinite(run->limits[k].lower), upper = isfinite(run->limits[k].upper);
  bool stops = (lower || upper) && run->def.limits == LW_LIMIT_MODE_HOLD;
  bool hold = run->coulomb[k] > 0 || stops, guard = run->def.limits != LW_LIMIT_MODE_NOTE;
  if (hold) add_watch(run, LW_WATCH_HOLD, k, true);
  if (lower) add_watch(run, LW_WATCH_LOWER, k, guard);
  if (upper) add_watch(run, LW_WATCH_UPPER, k, guard);
  run->holds = run->holds || hold;
}

// A joint that begins to slip, or is only just held, must not start with the value 0:
// either direction would then count as right. So velocities and torques may pass their
// bounds by this little before it counts.
static const double CREEP  = 1e-11;  // rad/s or m/s
static const double EXCESS = 1e-12;  // of N m or N, and of all torques

// The size of the torques that act, whose rounding is in those that hold.
static double torque_scale(const lwArmRun* run)
{
  double most = 1;
  for (int k = 0; k < run->n; ++k)
    most = fmax(most, run->coulomb[k] + fabs(run->applied[k]) + fabs(run->right[k]));
  return most;
}

// The creep of joint k. A controller that brings a joint to its place against friction makes
// it creep more slowly than the tolerance can resolve: passing 0 by a tenth of the tolerance
// is an error of the step, not a stop.
static double creep_of(const lwArmRun* run, int k)
{
  const lwIntegrator* integrator = run->integrator;
  return integrator->method->adaptive ? fmax(CREEP, 0.1 * integrator->absolute[run->nq + k])
                                      : CREEP;
}

// Positive as long as the hold of a joint stays what it is.
static double hold_value(const lwArmRun* run, int k, const double* qd)
{
  double above, below;
  switch (run->hold[k])
  {
    case LW_JOINT_HOLD_PLUS:
      return qd[k] + creep_of(run, k);
    case LW_JOINT_HOLD_MINUS:
      return -qd[k] + creep_of(run, k);
    case LW_JOINT_HOLD_HELD:  // how far the torque that holds is from its bounds
      above = run->contact[k] & LW_AT_LOWER ? INFINITY : run->coulomb[k] - run->friction[k];
      below = run->contact[k] & LW_AT_UPPER ? INFINITY : run->coulomb[k] + run->friction[k];
      return fmin(above, below) + EXCESS * torque_scale(run);
    default:
      return 1;
  }
}

// Positive as long as joint k is within a limit; where limits count, as long as it is not beyond it
// by the tolerance. A joint at rest at a stop stays there.
static double limit_value(const lwArmRun* run, int k, double gap, double limit)
{
  if (run->contact[k]) return 1;
  return run->def.limits == LW_LIMIT_MODE_NOTE ? gap : gap + lw_arm_stop_tolerance(limit);
}

static double watched_value(const lwArmRun* run, const lwWatch* watch, double t, const double* y)
{
  int k = watch->which;
  if (watch->kind == LW_WATCH_CONDITION)
    return run->passed[k] ? 1 : lw_arm_law(run, run->events[k].when, run->events[k].joint, t, y);
  if (watch->kind == LW_WATCH_HOLD) return hold_value(run, k, y + run->nq);
  double q = lw_arm_position(run, y, k), lower = run->limits[k].lower, upper = run->limits[k].upper;
  return watch->kind == LW_WATCH_LOWER ? limit_value(run, k, q - lower, lower)
                                       : limit_value(run, k, upper - q, upper);
}

void lw_arm_watched(void* context, double t, const double* y, double* values)
{
  lwArmRun* run = context;
  if (run->held > 0) lw_arm_evaluate(run, t, y);
  for (int i = 0; i < run->watch_count; ++i) values[i] = watched_value(run, &run->watches[i], t, y);
}

// Distances from limits are entries of the state, but for a constant.
static lwGuardRow watched_row(const void* context, int i)
{
  const lwArmRun* run  = context;
  const lwWatch* watch = &run->watches[i];
  int at               = run->at[watch->which];
  if (watch->kind == LW_WATCH_LOWER && !run->contact[watch->which]) return (lwGuardRow){at, -1};
  if (watch->kind == LW_WATCH_UPPER && !run->contact[watch->which]) return (lwGuardRow){-1, at};
  return (lwGuardRow){-1, -1};
}

bool lw_arm_watch_create(lwArmRun* run)
{
  size_t most  = 3 * (size_t)run->n + (size_t)run->event_count;
  run->watches = lw_arena_take(&run->arena, most + 1, sizeof *run->watches);
  run->guards  = lw_arena_take(&run->arena, most + 1, sizeof *run->guards);
  if (!run->watches || !run->guards) return false;
  for (int k = 0; k < run->n; ++k) watch_joint(run, k);
  for (int i = 0; i < run->event_count; ++i)
    if (run->events[i].when) add_watch(run, LW_WATCH_CONDITION, i, false);
  lwStatus status = lw_integrator_watch(run->integrator, run->watch_count, lw_arm_watched, run);
  lw_events_guard(run->integrator, run->guards, watched_row);
  return status == LW_OK;
}

// --- what follows

lwOutcome lw_arm_go_on(lwArmRun* run, int loosened)
{
  if (run->timed) lw_arm_sample(run);
  if (run->holds) lw_arm_decide(run, loosened);
  run->integrator->longest = run->held > 0 ? fmin(run->longest, LW_LOOK_TIME) : run->longest;
  lw_model_normalize(run->model, run->y);
  lw_integrator_start(run->integrator, run->t, run->y);
  return LW_OUTCOME_ARRIVED;
}

static lwOutcome hold_changes(lwArmRun* run, int k, bool rising)
{
  if (rising) return LW_OUTCOME_ARRIVED;
  bool held = run->hold[k] == LW_JOINT_HOLD_HELD;
  if (held)
    lw_arm_evaluate(run, run->t, run->y);
  else if (fabs(lw_arm_qd(run)[k]) < fmax(1e-6, 2 * creep_of(run, k)))  // else it moves on
    lw_arm_stop_joint(run, k);
  return lw_arm_go_on(run, held ? k : -1);
}

static lwOutcome limit_reached(lwArmRun* run, int k, bool rising, lwNoteKind kind)
{
  if (rising || run->contact[k]) return LW_OUTCOME_ARRIVED;  // back within; or hit with another one
  lw_arm_note(run, run->t, kind, k);
  if (run->def.limits == LW_LIMIT_MODE_STOP) return LW_OUTCOME_LIMIT;
  if (run->def.limits == LW_LIMIT_MODE_NOTE) return LW_OUTCOME_ARRIVED;
  lw_arm_impact(run);
  return lw_arm_go_on(run, -1);
}

lwOutcome lw_arm_apply(lwArmRun* run, int event)
{
  const lwArmEventDef* def = &run->events[event];
  run->passed[event]       = true;
  lw_arm_note(run, run->t, LW_NOTE_EVENT, event);
  lw_arm_drive(run, run->t, run->y);  // torques that a preload may take over
  if (def->closes)  // the oil takes over the torques that drives and oil exert now
  {
    if (lw_cylinders_close(def->closes, run->y, run->tau, NULL, NULL) != LW_OK)
      return LW_OUTCOME_LIMIT;
    run->oil       = def->closes;
    run->oil_event = event;
    run->driven    = true;
  }
  for (int k = 0; k < run->n && def->changes; ++k)
  {
    if (!def->changes[k]) continue;
    lw_arm_take_drive(run, k, &def->drives[k]);
    run->drive_event[k] = event;
  }
  return def->ends ? LW_OUTCOME_CONDITION : LW_OUTCOME_ARRIVED;
}

static lwOutcome condition_met(lwArmRun* run, int event)
{
  if (run->passed[event]) return LW_OUTCOME_ARRIVED;
  lwOutcome outcome = lw_arm_apply(run, event);
  return outcome == LW_OUTCOME_ARRIVED ? lw_arm_go_on(run, -1) : outcome;
}

lwOutcome lw_arm_event(lwArmRun* run, int index, bool rising)
{
  lwWatch watch = run->watches[index];
  if (lw_chatters(&run->chatter, run->t, &run->audit.events)) return LW_OUTCOME_CHATTER;
  lw_arm_audit_state(run, run->t, run->y);
  lw_arm_project(run, run->y);
  lwOutcome outcome =
      watch.kind == LW_WATCH_CONDITION ? condition_met(run, watch.which)
      : watch.kind == LW_WATCH_HOLD
          ? hold_changes(run, watch.which, rising)
          : limit_reached(run, watch.which, rising,
                          watch.kind == LW_WATCH_LOWER ? LW_NOTE_LOWER : LW_NOTE_UPPER);
  lw_arm_audit_state(run, run->t, run->y);
  return outcome;
}
