// SPDX-License-Identifier: MIT
#include "report/audit/audit.h"

#include <stdarg.h>
#include <stdio.h>

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
static double energy_error(const lwAudit* audit)
{
  return audit->peak_kinetic > 0 ? audit->worst_S / audit->peak_kinetic : 0;
}

static void write_facts(lwOut* out, const lwRunFacts* facts, const lwAudit* audit)
{
  const lwIntegratorStats* steps = &audit->steps;
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
          steps->largest, audit->events, audit->worst_S, audit->peak_kinetic, energy_error(audit),
          audit->bound, audit->trusted);
}

// --- notes

// A kind of notes.
typedef struct NoteWords
{
  lwNoteKind kind;
  const char* key;   // in json
  const char* text;  // behind the name of the joint or event, or behind "wheel 3"
  const char* who;   // of a snake: wheel or joint
} NoteWords;

// Up to LW_NOTE_CURRENT they are about limits.
static const NoteWords ARM_NOTES[] = {
    {LW_NOTE_LOWER, "lower limit", "reached its lower limit", NULL},
    {LW_NOTE_UPPER, "upper limit", "reached its upper limit", NULL},
    {LW_NOTE_SPEED, "speed limit", "passed its limit of speed", NULL},
    {LW_NOTE_EFFORT, "effort limit", "needs more than its limit of effort", NULL},
    {LW_NOTE_VOLTAGE, "voltage limit", "needs more than its limit of voltage", NULL},
    {LW_NOTE_CURRENT, "current limit", "needs more than its limit of current", NULL},
    {LW_NOTE_STICK, "stick", "is held", NULL},
    {LW_NOTE_SLIP, "slip", "breaks away", NULL},
    {LW_NOTE_LEAVE, "leave", "leaves its stop", NULL},
    {LW_NOTE_EVENT, "event", "happened", NULL},
};

static const NoteWords SNAKE_NOTES[] = {
    {LW_NOTE_SLIP, "slip", "began to slip", "wheel"},
    {LW_NOTE_STICK, "hold", "held again", "wheel"},
    {LW_NOTE_HIT, "hit", "hit a stop", "joint"},
    {LW_NOTE_LEAVE, "leave", "left its stop", "joint"},
    {LW_NOTE_BEYOND, "beyond", "needed more than its friction_limit", "wheel"},
};

enum
{
  ARM_NOTE_COUNT   = sizeof ARM_NOTES / sizeof *ARM_NOTES,
  SNAKE_NOTE_COUNT = sizeof SNAKE_NOTES / sizeof *SNAKE_NOTES,
  MOST_EVENTS      = 50  // of the scenario that are listed
};

const char* lw_note_what(lwNoteKind kind)
{
  return ARM_NOTES[kind].key;
}

const char* lw_note_who(const lwArmDef* arm, const lwNote* note, char buffer[LW_NOTE_WHO])
{
  if (note->kind != LW_NOTE_EVENT) return lw_model_velocity(arm->model, note->which).name;
  if (arm->events[note->which].name) return arm->events[note->which].name;
  snprintf(buffer, LW_NOTE_WHO, "event %d", note->which + 1);
  return buffer;
}

static const NoteWords* words_of(const NoteWords* words, lwNoteKind kind)
{
  while (words->kind != kind) ++words;
  return words;
}

// Ends the json of an audit. arm: NULL for a snake.
static void write_notes(lwOut* out, const lwAudit* audit, const lwArmDef* arm)
{
  const NoteWords* words = arm ? ARM_NOTES : SNAKE_NOTES;
  int count              = arm ? ARM_NOTE_COUNT : SNAKE_NOTE_COUNT;
  char who[LW_NOTE_WHO];
  lw_out_text(out, ",\n \"counts\": {");
  for (int k = 0; k < count; ++k)
    lw_json(out, k > 0 ? ", $s: $l" : "$s: $l", words[k].key, audit->counts[words[k].kind]);
  lw_out_text(out, "},\n \"notes\": [");
  for (int i = 0; i < audit->note_count; ++i)
  {
    const lwNote* note    = &audit->notes[i];
    const NoteWords* word = words_of(words, note->kind);
    if (!arm) snprintf(who, sizeof who, "%s %d", word->who, note->which + 1);
    lw_out_text(out, i > 0 ? "," : "");
    lw_json(out, "\n  {'t': $n, 'what': $s, 'who': $s}", note->t, word->key,
            arm ? lw_note_who(arm, note, who) : who);
  }
  lw_out_text(out, "\n ]}\n");
}

// --- arms

static const char* const OUTCOMES[] = {
    [LW_OUTCOME_ARRIVED]       = "complete",
    [LW_OUTCOME_STOPPED]       = "interrupted",
    [LW_OUTCOME_CONDITION]     = "ended by an event of the scenario",
    [LW_OUTCOME_LIMIT]         = "ended by a joint at its limit",
    [LW_OUTCOME_CHATTER]       = "too many events in too short a time",
    [LW_OUTCOME_NOT_FINITE]    = "the motion is not finite",
    [LW_OUTCOME_STEP_VANISHED] = "steps became too short to go on",
    [LW_OUTCOME_BUDGET]        = "the budget is used up",
};

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
             ARM_NOTES[note.kind].text);
  if (tally.count > 1) print_line(printer, ", %ld times from then on", tally.count);
  print_line(printer, "\n");
}

void lw_arm_audit_text(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       const lwAuditPrinter* printer)
{
  const lwAudit audit = lw_arm_run_audit(run);
  print_facts(printer, facts, &audit.steps);
  print_line(printer, "energy: S at most %.2g J, %.2g of the largest kinetic energy, %.4g J\n",
             audit.worst_S, energy_error(&audit), audit.peak_kinetic);
  print_line(printer, "work: drives %.6g J, friction %.6g J, end stops %.6g J, loads %.6g J\n",
             audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  print_line(printer, "events: %ld; joints were held %ld times by friction or stops\n",
             audit.events, audit.counts[LW_NOTE_STICK]);
  // Limits and events of the scenario; sticking and slipping are only counted.
  for (int kind = 0; kind <= LW_NOTE_CURRENT; ++kind)
    for (int k = 0; k < lw_model_dof(arm->model); ++k)
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
  const lwAudit audit = lw_arm_run_audit(run);
  write_facts(out, facts, &audit);
  lw_json(out, ",\n 'drive_work': $n,\n 'friction_work': $n,\n 'stop_work': $n,\n 'load_work': $n",
          audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  write_notes(out, &audit, arm);
}

// --- snakes

static int first_of(const lwAudit* audit, lwNoteKind kind)
{
  for (int i = 0; i < audit->note_count; ++i)
    if (audit->notes[i].kind == kind) return audit->notes[i].which + 1;
  return 0;
}

void lw_snake_audit_text(const lwRunFacts* facts, const lwAudit* audit,
                         const lwAuditPrinter* printer)
{
  print_facts(printer, facts, &audit->steps);
  print_line(printer,
             "S = kinetic - work%s moved by %.3g J, %.2g of the largest kinetic energy, %.4g J\n",
             audit->friction_work < 0 || audit->stop_work < 0 ? " + losses" : "", audit->worst_S,
             energy_error(audit), audit->peak_kinetic);
  print_line(printer, "work: torques %.6g J, lost by slip %.6g J, lost at stops %.6g J\n",
             audit->drive_work, 0 - audit->friction_work, 0 - audit->stop_work);
  print_line(printer, "wheels: sideways speed at most %.3g m/s; events: %ld\n",
             audit->worst_sideways, audit->events);
  for (const NoteWords* kind = SNAKE_NOTES; kind < SNAKE_NOTES + SNAKE_NOTE_COUNT; ++kind)
  {
    long count = audit->counts[kind->kind];
    if (count == 0) continue;
    print_line(printer, "  t = %-9.6g %s %d %s", audit->first[kind->kind], kind->who,
               first_of(audit, kind->kind), kind->text);
    if (count > 1) print_line(printer, " first, %ld times in all", count);
    print_line(printer, "\n");
  }
}

void lw_snake_audit_json(const lwRunFacts* facts, const lwAudit* audit, lwOut* out)
{
  write_facts(out, facts, audit);
  lw_json(out, ",\n 'worst_sideways': $n,\n 'work': $n,\n 'slip_loss': $n,\n 'stop_loss': $n",
          audit->worst_sideways, audit->drive_work, 0 - audit->friction_work, 0 - audit->stop_work);
  write_notes(out, audit, NULL);
}
