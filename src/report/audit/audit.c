// SPDX-License-Identifier: MIT
#include "report/audit/audit.h"

#include <stdarg.h>
#include <stdio.h>

// What every run counts and measures.
typedef struct RunTotals
{
  lwIntegratorStats steps;
  long events;
  double worst_S;       // J
  double peak_kinetic;  // J
  double bound;         // J, of S
  bool trusted;
} RunTotals;

__attribute__((format(printf, 2, 3))) static void print_line(const lwAuditPrinter* printer,
                                                             const char* format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printer->print(printer->to, text);
}

static void print_facts(const lwAuditPrinter* printer, const lwRunFacts* facts,
                        const lwIntegratorStats* steps)
{
  print_line(printer, "run: %s; %g s in %.3g s, %.4g times real time\n", facts->outcome,
             facts->reached, facts->seconds,
             facts->seconds > 0 ? facts->reached / facts->seconds : 0);
  print_line(printer, "steps by %s: %ld taken, %ld rejected, %.3g to %.3g s; %ld evaluations\n",
             facts->integrator, steps->steps, steps->rejected, steps->smallest, steps->largest,
             steps->evaluations);
}

// The energy error in units of the largest kinetic energy.
static double energy_error(double worst_S, double peak_kinetic)
{
  return peak_kinetic > 0 ? worst_S / peak_kinetic : 0;
}

static void write_facts(lwOut* out, const lwRunFacts* facts, const RunTotals* totals)
{
  const lwIntegratorStats* steps = &totals->steps;
  lw_json(out, "{$s: $s,\n $s: $s,\n 'outcome': $s,\n 'partial': $b", facts->source.key,
          facts->source.name, facts->robot.key, facts->robot.name, facts->outcome, facts->partial);
  if (facts->method) lw_json(out, ",\n 'method': $s", facts->method);
  lw_json(out,
          ",\n 'integrator': $s,\n 'simulated': $n,\n 'seconds': $n,\n 'real_time_factor': $n,\n "
          "'steps': $l,\n 'rejected': $l,\n 'evaluations': $l,\n 'jacobians': $l,\n "
          "'smallest_step': $n,\n 'largest_step': $n,\n 'events': $l,\n 'worst_S': $n,\n "
          "'peak_kinetic': $n,\n 'energy_error': $n,\n 'bound': $n,\n 'trusted': $b",
          facts->integrator, facts->reached, facts->seconds, facts->reached / facts->seconds,
          steps->steps, steps->rejected, steps->evaluations, steps->jacobians, steps->smallest,
          steps->largest, totals->events, totals->worst_S, totals->peak_kinetic,
          energy_error(totals->worst_S, totals->peak_kinetic), totals->bound, totals->trusted);
}

static void write_note(lwOut* out, int i, double t, const char* what, const char* who)
{
  lw_out_text(out, i > 0 ? "," : "");
  lw_json(out, "\n  {'t': $n, 'what': $s, 'who': $s}", t, what, who);
}

// --- arms

static const struct
{
  const char* key;   // in json
  const char* text;  // with the joint's or the event's name before it
  bool limit;
} NOTES[LW_NOTE_KIND_COUNT] = {
    [LW_NOTE_LOWER]   = {"lower limit", "reached its lower limit", true},
    [LW_NOTE_UPPER]   = {"upper limit", "reached its upper limit", true},
    [LW_NOTE_SPEED]   = {"speed limit", "passed its limit of speed", true},
    [LW_NOTE_EFFORT]  = {"effort limit", "needs more than its limit of effort", true},
    [LW_NOTE_VOLTAGE] = {"voltage limit", "needs more than its limit of voltage", true},
    [LW_NOTE_CURRENT] = {"current limit", "needs more than its limit of current", true},
    [LW_NOTE_STICK]   = {"stick", "is held", false},
    [LW_NOTE_SLIP]    = {"slip", "breaks away", false},
    [LW_NOTE_LEAVE]   = {"leave", "leaves its stop", false},
    [LW_NOTE_EVENT]   = {"event", "happened", false},
};

static const char* const OUTCOMES[] = {
    [LW_OUTCOME_ARRIVED]       = "complete",
    [LW_OUTCOME_STOPPED]       = "interrupted",
    [LW_OUTCOME_CONDITION]     = "ended by an event of the scenario",
    [LW_OUTCOME_LIMIT]         = "ended by a joint at its limit",
    [LW_OUTCOME_CHATTER]       = "too many events in too short a time",
    [LW_OUTCOME_NOT_FINITE]    = "the motion is not finite",
    [LW_OUTCOME_STEP_VANISHED] = "steps became too short to go on",
};

const char* lw_note_what(lwNoteKind kind)
{
  return NOTES[kind].key;
}

const char* lw_note_who(const lwArmDef* arm, const lwNote* note, char buffer[LW_NOTE_WHO])
{
  if (note->kind != LW_NOTE_EVENT) return lw_model_velocity(arm->model, note->which).name;
  if (arm->events[note->which].name) return arm->events[note->which].name;
  snprintf(buffer, LW_NOTE_WHO, "event %d", note->which + 1);
  return buffer;
}

const char* lw_outcome_text(lwOutcome outcome)
{
  return OUTCOMES[outcome];
}

// "  t = 0.5 elbow reached its upper limit, 12 times from then on"
static void print_tally(const lwArmDef* arm, const lwArmRun* run, lwNote note,
                        const lwAuditPrinter* printer)
{
  char buffer[LW_NOTE_WHO];
  lwTally tally = lw_arm_run_tally(run, note.kind, note.which);
  if (tally.count == 0) return;
  print_line(printer, "  t = %-9.6g %s %s", tally.first, lw_note_who(arm, &note, buffer),
             NOTES[note.kind].text);
  if (tally.count > 1)
    print_line(printer, ", %ld times from then on\n", tally.count);
  else
    print_line(printer, "\n");
}

enum
{
  MOST_EVENTS = 50  // of the scenario that are listed
};

void lw_arm_audit_text(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       const lwAuditPrinter* printer)
{
  const lwArmAudit audit = lw_arm_run_audit(run);
  print_facts(printer, facts, &audit.steps);
  print_line(printer, "energy: S at most %.2g J, %.2g of the largest kinetic energy, %.4g J\n",
             audit.worst_S, energy_error(audit.worst_S, audit.peak_kinetic), audit.peak_kinetic);
  print_line(printer, "work: drives %.6g J, friction %.6g J, end stops %.6g J, loads %.6g J\n",
             audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  print_line(printer, "events: %ld; joints were held %ld times by friction or stops\n",
             audit.events, audit.counts[LW_NOTE_STICK]);
  // Limits and events of the scenario; sticking and slipping are only counted.
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
    for (int k = 0; k < lw_model_dof(arm->model) && NOTES[kind].limit; ++k)
      print_tally(arm, run, (lwNote){.kind = (lwNoteKind)kind, .which = k}, printer);
  for (int i = 0; i < arm->event_count && i < MOST_EVENTS; ++i)
    print_tally(arm, run, (lwNote){.kind = LW_NOTE_EVENT, .which = i}, printer);
  if (arm->event_count > MOST_EVENTS)
    print_line(printer, "  and %d further events of the scenario\n",
               arm->event_count - MOST_EVENTS);
}

void lw_arm_audit_json(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       lwOut* out)
{
  char buffer[LW_NOTE_WHO];
  const lwArmAudit audit = lw_arm_run_audit(run);
  const RunTotals totals = {audit.steps,        audit.events, audit.worst_S,
                            audit.peak_kinetic, audit.bound,  audit.trusted};
  write_facts(out, facts, &totals);
  lw_json(out,
          ",\n 'drive_work': $n,\n 'friction_work': $n,\n 'stop_work': $n,\n 'load_work': $n,\n "
          "'counts': {",
          audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  for (int k = 0; k < LW_NOTE_KIND_COUNT; ++k)
    lw_json(out, k > 0 ? ", $s: $l" : "$s: $l", NOTES[k].key, audit.counts[k]);
  lw_out_text(out, "},\n \"notes\": [");
  for (int i = 0; i < audit.note_count; ++i)
    write_note(out, i, audit.notes[i].t, NOTES[audit.notes[i].kind].key,
               lw_note_who(arm, &audit.notes[i], buffer));
  lw_out_text(out, "\n ]}\n");
}

// --- snakes

static const struct
{
  const char* key;   // in json
  const char* text;  // behind "wheel 3" or "joint 2"
  const char* who;
} KINDS[LW_SNAKE_NOTE_KIND_COUNT] = {
    [LW_SNAKE_NOTE_SLIP]   = {"slip", "began to slip", "wheel"},
    [LW_SNAKE_NOTE_HOLD]   = {"hold", "held again", "wheel"},
    [LW_SNAKE_NOTE_HIT]    = {"hit", "hit a stop", "joint"},
    [LW_SNAKE_NOTE_LEAVE]  = {"leave", "left its stop", "joint"},
    [LW_SNAKE_NOTE_BEYOND] = {"beyond", "needed more than its friction_limit", "wheel"},
};

static int first_of(const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  for (int i = 0; i < audit->note_count; ++i)
    if (audit->notes[i].kind == kind) return audit->notes[i].which + 1;
  return 0;
}

static void put_kind(const lwAuditPrinter* printer, const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  if (audit->counts[kind] == 0) return;
  print_line(printer, "  t = %-9.6g %s %d %s", audit->first[kind], KINDS[kind].who,
             first_of(audit, kind), KINDS[kind].text);
  if (audit->counts[kind] > 1)
    print_line(printer, " first, %ld times in all\n", audit->counts[kind]);
  else
    print_line(printer, "\n");
}

void lw_snake_audit_text(const lwRunFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to)
{
  const lwAuditPrinter printer = {print, to};
  print_facts(&printer, facts, &audit->steps);
  print_line(&printer,
             "S = kinetic - work%s moved by %.3g J, %.2g of the largest kinetic energy, %.4g J\n",
             audit->slip_loss > 0 || audit->stop_loss > 0 ? " + losses" : "", audit->worst_S,
             energy_error(audit->worst_S, audit->peak_kinetic), audit->peak_kinetic);
  print_line(&printer, "work: torques %.6g J, lost by slip %.6g J, lost at stops %.6g J\n",
             audit->work, audit->slip_loss, audit->stop_loss);
  print_line(&printer, "wheels: sideways speed at most %.3g m/s; events: %ld\n",
             audit->worst_sideways, audit->events);
  for (int kind = 0; kind < LW_SNAKE_NOTE_KIND_COUNT; ++kind)
    put_kind(&printer, audit, (lwSnakeNoteKind)kind);
}

void lw_snake_audit_json(const lwRunFacts* facts, const lwSnakeAudit* audit, lwOut* out)
{
  char who[40];
  const RunTotals totals = {audit->steps,        audit->events, audit->worst_S,
                            audit->peak_kinetic, audit->bound,  audit->trusted};
  write_facts(out, facts, &totals);
  lw_json(out,
          ",\n 'worst_sideways': $n,\n 'work': $n,\n 'slip_loss': $n,\n 'stop_loss': $n,\n "
          "'counts': {",
          audit->worst_sideways, audit->work, audit->slip_loss, audit->stop_loss);
  for (int k = 0; k < LW_SNAKE_NOTE_KIND_COUNT; ++k)
    lw_json(out, k > 0 ? ", $s: $l" : "$s: $l", KINDS[k].key, audit->counts[k]);
  lw_out_text(out, "},\n \"notes\": [");
  for (int i = 0; i < audit->note_count; ++i)
  {
    const lwSnakeNote* note = &audit->notes[i];
    snprintf(who, sizeof who, "%s %d", KINDS[note->kind].who, note->which + 1);
    write_note(out, i, note->t, KINDS[note->kind].key, who);
  }
  lw_out_text(out, "\n ]}\n");
}
