// SPDX-License-Identifier: MIT
#include "report/audit/arm_audit.h"

#include <stdio.h>

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

static lwRunTotals arm_totals(const lwArmAudit* audit)
{
  return (lwRunTotals){.steps        = audit->steps,
                       .events       = audit->events,
                       .worst_S      = audit->worst_S,
                       .peak_kinetic = audit->peak_kinetic,
                       .bound        = audit->bound,
                       .trusted      = audit->trusted};
}

// --- in words

// "  t = 0.5 elbow reached its upper limit, 12 times from then on"
static void print_tally(const lwArmDef* arm, const lwArmRun* run, lwNote note,
                        const lwAuditPrinter* printer)
{
  char buffer[LW_NOTE_WHO];
  lwTally tally = lw_arm_run_tally(run, note.kind, note.which);
  if (tally.count == 0) return;
  lw_audit_print(printer, "  t = %-9.6g %s %s", tally.first, lw_note_who(arm, &note, buffer),
                 NOTES[note.kind].text);
  if (tally.count > 1)
    lw_audit_print(printer, ", %ld times from then on\n", tally.count);
  else
    lw_audit_print(printer, "\n");
}

enum
{
  MOST_EVENTS = 50  // of the scenario that are listed
};

void lw_arm_audit_text(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       const lwAuditPrinter* printer)
{
  const lwArmAudit audit   = lw_arm_run_audit(run);
  const lwRunTotals totals = arm_totals(&audit);
  lw_audit_print_run(printer, facts, &audit.steps);
  lw_audit_print(printer, "energy: S at most %.2g J, %.2g of the largest kinetic energy, %.4g J\n",
                 audit.worst_S, lw_audit_energy_error(&totals), audit.peak_kinetic);
  lw_audit_print(printer, "work: drives %.6g J, friction %.6g J, end stops %.6g J, loads %.6g J\n",
                 audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  lw_audit_print(printer, "events: %ld; joints were held %ld times by friction or stops\n",
                 audit.events, audit.counts[LW_NOTE_STICK]);
  // Limits and events of the scenario; sticking and slipping are only counted.
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
    for (int k = 0; k < lw_model_dof(arm->model) && NOTES[kind].limit; ++k)
      print_tally(arm, run, (lwNote){.kind = (lwNoteKind)kind, .which = k}, printer);
  for (int i = 0; i < arm->event_count && i < MOST_EVENTS; ++i)
    print_tally(arm, run, (lwNote){.kind = LW_NOTE_EVENT, .which = i}, printer);
  if (arm->event_count > MOST_EVENTS)
    lw_audit_print(printer, "  and %d further events of the scenario\n",
                   arm->event_count - MOST_EVENTS);
}

// --- as json

void lw_arm_audit_json(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       lwOut* out)
{
  char buffer[LW_NOTE_WHO];
  const lwArmAudit audit   = lw_arm_run_audit(run);
  const lwRunTotals totals = arm_totals(&audit);
  lw_audit_write_run(out, facts, &totals);
  lw_json(out,
          ",\n 'drive_work': $n,\n 'friction_work': $n,\n 'stop_work': $n,\n 'load_work': $n,\n "
          "'counts': {",
          audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  for (int k = 0; k < LW_NOTE_KIND_COUNT; ++k)
    lw_json(out, k > 0 ? ", $s: $l" : "$s: $l", NOTES[k].key, audit.counts[k]);
  lw_out_text(out, "},\n \"notes\": [");
  for (int i = 0; i < audit.note_count; ++i)
    lw_audit_write_note(out, i, audit.notes[i].t, NOTES[audit.notes[i].kind].key,
                        lw_note_who(arm, &audit.notes[i], buffer));
  lw_out_text(out, "\n ]}\n");
}
