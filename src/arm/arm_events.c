// SPDX-License-Identifier: MIT
// What is watched while an arm moves, and what follows when it happens.
#include <math.h>
#include <string.h>

#include "arm/arm.h"

// --- notes

void lw_arm_note(lwArmRun* run, lwNoteKind kind, int which)
{
  lwArmAudit* audit = &run->audit;
  lwTally* tally    = &run->tallies[(int)kind * run->tally_width + which];
  if (tally->count++ == 0) tally->first = run->t;
  ++audit->counts[kind];
  if (audit->note_count == LW_MAX_NOTES) return;
  run->notes[audit->note_count++] = (lwNote){run->t, kind, which};
}

// True if there were too many events in too short a time.
static bool chatters(lwArmRun* run)
{
  double* oldest = &run->recent[run->audit.events++ % LW_CHATTER];
  bool too_many  = run->audit.events > LW_CHATTER && run->t - *oldest < LW_CHATTER_TIME;
  *oldest        = run->t;
  return too_many;
}

// --- what is watched

static int add_watches(lwArmRun* run, lwWatch* watches)
{
  int count = 0;
  for (int k = 0; k < run->n; ++k)
  {
    const lwLimits* limits = &run->limits[k];
    bool stops             = isfinite(limits->lower) || isfinite(limits->upper);
    bool hold = run->coulomb[k] > 0 || (stops && run->def.limits == LW_LIMIT_MODE_HOLD);
    if (hold) watches[count++] = (lwWatch){LW_WATCH_HOLD, k};
    if (stops) watches[count++] = (lwWatch){LW_WATCH_POSITION, k};
    run->holds = run->holds || hold;
  }
  for (int i = 0; i < run->event_count; ++i)
    if (run->events[i].when) watches[count++] = (lwWatch){LW_WATCH_CONDITION, i};
  return count;
}

bool lw_arm_watch_create(lwArmRun* run)
{
  size_t most  = 2 * (size_t)run->n + (size_t)run->event_count;
  run->watches = lw_arena_take(&run->arena, most + 1, sizeof *run->watches);
  if (!run->watches) return false;
  run->watch_count = add_watches(run, run->watches);
  return lw_integrator_watch(run->integrator, run->watch_count, lw_arm_watched, run) == LW_OK;
}

// How far the torque that holds joint k is from the end of what it can be.
static double margin(const lwArmRun* run, int k)
{
  double c = run->coulomb[k], f = run->friction[k];
  double above = run->contact[k] < 0 ? INFINITY : c - f;
  double below = run->contact[k] > 0 ? INFINITY : c + f;
  return fmin(above, below);
}

// A joint that begins to slip, or is held by just what holds it, must not begin with the value 0: whichever way it then
// went would count as right. So velocities and torques may pass their bounds by this little before it counts.
static const double CREEP  = 1e-11;  // rad/s or m/s
static const double EXCESS = 1e-12;  // of N m or N, and of the Coulomb friction

// Positive as long as the hold of a joint stays what it is.
static double hold_value(const lwArmRun* run, int k, const double* qd)
{
  switch (run->hold[k])
  {
    case LW_HOLD_PLUS:
      return qd[k] + CREEP;
    case LW_HOLD_MINUS:
      return -qd[k] + CREEP;
    case LW_HOLD_HELD:
      return margin(run, k) + EXCESS * (1 + run->coulomb[k]);
    default:
      return 1;
  }
}

static double position_value(const lwArmRun* run, int k, const double* q)
{
  const lwLimits* limits = &run->limits[k];
  return run->contact[k] ? 1 : fmin(q[k] - limits->lower, limits->upper - q[k]);
}

static double condition_value(const lwArmRun* run, int event, double t, const double* y)
{
  const lwArmEventDef* def = &run->events[event];
  if (run->passed[event]) return 1;
  lwLawPoint point = {
      .t = t, .k = def->joint + 1, .n = run->n, .q = y[def->joint], .qd = y[run->n + def->joint]};
  return lw_law_at(def->when, &point);
}

void lw_arm_watched(void* context, double t, const double* y, double* values)
{
  lwArmRun* run    = context;
  const double* qd = y + run->n;
  if (run->held > 0) lw_arm_evaluate(run, t, y);
  for (int i = 0; i < run->watch_count; ++i)
  {
    int which = run->watches[i].which;
    switch (run->watches[i].kind)
    {
      case LW_WATCH_HOLD:
        values[i] = hold_value(run, which, qd);
        break;
      case LW_WATCH_POSITION:
        values[i] = position_value(run, which, y);
        break;
      case LW_WATCH_CONDITION:
        values[i] = condition_value(run, which, t, y);
        break;
    }
  }
}

// --- what follows

static lwOutcome go_on(lwArmRun* run, int loosened)
{
  if (run->timed) lw_arm_sample(run);
  if (run->holds) lw_arm_decide(run, loosened);
  lw_integrator_start(run->integrator, run->t, run->y);
  return LW_OUTCOME_ARRIVED;
}

static lwOutcome hold_changes(lwArmRun* run, int k, bool rising)
{
  if (rising) return LW_OUTCOME_ARRIVED;
  bool held = run->hold[k] == LW_HOLD_HELD;
  if (held)
    lw_arm_evaluate(run, run->t, run->y);
  else
    lw_arm_qd(run)[k] = 0;
  return go_on(run, held ? k : -1);
}

static lwOutcome position_passes(lwArmRun* run, int k, bool rising)
{
  const lwLimits* limits = &run->limits[k];
  double q               = lw_arm_q(run)[k];
  int side               = limits->upper - q < q - limits->lower ? 1 : -1;
  if (rising) return LW_OUTCOME_ARRIVED;
  lw_arm_note(run, side > 0 ? LW_NOTE_UPPER : LW_NOTE_LOWER, k);
  if (run->def.limits == LW_LIMIT_MODE_STOP) return LW_OUTCOME_LIMIT;
  if (run->def.limits == LW_LIMIT_MODE_NOTE) return LW_OUTCOME_ARRIVED;
  lw_arm_hit(run, k, side);
  return go_on(run, -1);
}

lwOutcome lw_arm_apply(lwArmRun* run, int event)
{
  const lwArmEventDef* def = &run->events[event];
  run->passed[event]       = true;
  lw_arm_note(run, LW_NOTE_EVENT, event);
  lw_arm_drive(run, run->t, run->y);  // torques that a preload may take over
  for (int k = 0; k < run->n && def->changes; ++k)
    if (def->changes[k]) lw_arm_take_drive(run, k, &def->drives[k]);
  return def->ends ? LW_OUTCOME_CONDITION : LW_OUTCOME_ARRIVED;
}

static lwOutcome condition_met(lwArmRun* run, int event, bool rising)
{
  (void)rising;
  if (run->passed[event]) return LW_OUTCOME_ARRIVED;
  lwOutcome outcome = lw_arm_apply(run, event);
  return outcome == LW_OUTCOME_ARRIVED ? go_on(run, -1) : outcome;
}

lwOutcome lw_arm_event(lwArmRun* run, int index, bool rising)
{
  static lwOutcome (*const follow[])(lwArmRun*, int, bool) = {
      [LW_WATCH_HOLD]      = hold_changes,
      [LW_WATCH_POSITION]  = position_passes,
      [LW_WATCH_CONDITION] = condition_met,
  };
  if (chatters(run)) return LW_OUTCOME_CHATTER;
  return follow[run->watches[index].kind](run, run->watches[index].which, rising);
}

// --- times at which rates jump

static void earlier(double* next, double t, double now)
{
  if (t > now && t < *next) *next = t;
}

double lw_arm_next_break(const lwArmRun* run)
{
  double next = run->timed ? lw_arm_next_command(run) : INFINITY;
  for (int i = 0; i < run->event_count; ++i) earlier(&next, run->events[i].at, run->t);
  for (int i = 0; i < run->load_count; ++i)
  {
    earlier(&next, run->loads[i].from, run->t);
    earlier(&next, run->loads[i].to, run->t);
  }
  return next;
}

lwOutcome lw_arm_breaks(lwArmRun* run)
{
  for (int i = 0; i < run->load_count; ++i)
    run->acting[i] = run->loads[i].from <= run->t && run->t < run->loads[i].to;
  for (int i = 0; i < run->event_count; ++i)
  {
    if (run->passed[i] || !(run->events[i].at <= run->t)) continue;
    ++run->audit.events;
    lwOutcome outcome = lw_arm_apply(run, i);
    if (outcome != LW_OUTCOME_ARRIVED) return outcome;
  }
  return go_on(run, -1);
}
