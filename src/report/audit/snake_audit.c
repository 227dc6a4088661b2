// SPDX-License-Identifier: MIT
#include "report/audit/snake_audit.h"

#include <stdio.h>

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

static lwRunTotals snake_totals(const lwSnakeAudit* audit)
{
  return (lwRunTotals){.steps        = audit->steps,
                       .events       = audit->events,
                       .worst_S      = audit->worst_S,
                       .peak_kinetic = audit->peak_kinetic,
                       .bound        = audit->bound,
                       .trusted      = audit->trusted};
}

// --- in words

static int first_of(const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  for (int i = 0; i < audit->note_count; ++i)
    if (audit->notes[i].kind == kind) return audit->notes[i].which + 1;
  return 0;
}

static void put_kind(const lwAuditPrinter* printer, const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  if (audit->counts[kind] == 0) return;
  lw_audit_print(printer, "  t = %-9.6g %s %d %s", audit->first[kind], KINDS[kind].who,
                 first_of(audit, kind), KINDS[kind].text);
  if (audit->counts[kind] > 1)
    lw_audit_print(printer, " first, %ld times in all\n", audit->counts[kind]);
  else
    lw_audit_print(printer, "\n");
}

void lw_snake_audit_text(const lwRunFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to)
{
  const lwAuditPrinter printer = {print, to};
  const lwRunTotals totals     = snake_totals(audit);
  lw_audit_print_run(&printer, facts, &audit->steps);
  lw_audit_print(
      &printer,
      "S = kinetic - work%s moved by %.3g J, %.2g of the largest kinetic energy, %.4g J\n",
      audit->slip_loss > 0 || audit->stop_loss > 0 ? " + losses" : "", audit->worst_S,
      lw_audit_energy_error(&totals), audit->peak_kinetic);
  lw_audit_print(&printer, "work: torques %.6g J, lost by slip %.6g J, lost at stops %.6g J\n",
                 audit->work, audit->slip_loss, audit->stop_loss);
  lw_audit_print(&printer, "wheels: sideways speed at most %.3g m/s; events: %ld\n",
                 audit->worst_sideways, audit->events);
  for (int kind = 0; kind < LW_SNAKE_NOTE_KIND_COUNT; ++kind)
    put_kind(&printer, audit, (lwSnakeNoteKind)kind);
}

// --- as json

void lw_snake_audit_json(const lwRunFacts* facts, const lwSnakeAudit* audit, lwOut* out)
{
  char who[40];
  const lwRunTotals totals = snake_totals(audit);
  lw_audit_write_run(out, facts, &totals);
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
    lw_audit_write_note(out, i, note->t, KINDS[note->kind].key, who);
  }
  lw_out_text(out, "\n ]}\n");
}
