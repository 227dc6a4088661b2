// SPDX-License-Identifier: MIT
#include "report/snake_audit.h"

#include <math.h>
#include <stdarg.h>
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

typedef struct Printer
{
  lwPrint* print;
  void* to;
} Printer;

static void put(const Printer* printer, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(const Printer* printer, const char* format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printer->print(printer->to, text);
}

// Energy error in units of the largest kinetic energy.
static double energy_error(const lwSnakeAudit* audit)
{
  return audit->peak_kinetic > 0 ? audit->worst_S / audit->peak_kinetic : 0;
}

// --- in words

static int first_of(const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  for (int i = 0; i < audit->note_count; ++i)
    if (audit->notes[i].kind == kind) return audit->notes[i].which + 1;
  return 0;
}

static void put_kind(const Printer* printer, const lwSnakeAudit* audit, lwSnakeNoteKind kind)
{
  if (audit->counts[kind] == 0) return;
  put(printer, "  t = %-9.6g %s %d %s", audit->first[kind], KINDS[kind].who, first_of(audit, kind),
      KINDS[kind].text);
  if (audit->counts[kind] > 1)
    put(printer, " first, %ld times in all\n", audit->counts[kind]);
  else
    put(printer, "\n");
}

void lw_snake_audit_text(const lwSnakeFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to)
{
  const Printer printer         = {print, to};
  const lwIntegratorStats* step = &audit->steps;
  put(&printer, "run: %s; %g s in %.3g s, %.4g times real time\n", facts->outcome, facts->reached,
      facts->seconds, facts->seconds > 0 ? facts->reached / facts->seconds : 0);
  put(&printer, "steps by %s: %ld taken, %ld rejected, %.3g to %.3g s; %ld evaluations\n",
      facts->integrator, step->steps, step->rejected, step->smallest, step->largest,
      step->evaluations);
  put(&printer,
      "S = kinetic - work%s moved by %.3g J, %.2g of the largest kinetic energy, %.4g J\n",
      audit->slip_loss > 0 || audit->stop_loss > 0 ? " + losses" : "", audit->worst_S,
      energy_error(audit), audit->peak_kinetic);
  put(&printer, "work: torques %.6g J, lost by slip %.6g J, lost at stops %.6g J\n", audit->work,
      audit->slip_loss, audit->stop_loss);
  put(&printer, "wheels: sideways speed at most %.3g m/s; events: %ld\n", audit->worst_sideways,
      audit->events);
  for (int kind = 0; kind < LW_SNAKE_NOTE_KIND_COUNT; ++kind)
    put_kind(&printer, audit, (lwSnakeNoteKind)kind);
}

// --- as json

static void put_string(const Printer* printer, const char* key, const char* text)
{
  put(printer, "\"%s\": \"", key);
  for (; *text; ++text)
  {
    if (*text == '"' || *text == '\\')
      put(printer, "\\%c", *text);
    else
      put(printer, (unsigned char)*text < 0x20 ? "\\u%04x" : "%c", (unsigned char)*text);
  }
  put(printer, "\"");
}

static void put_notes(const Printer* printer, const lwSnakeAudit* audit)
{
  put(printer, ",\n \"notes\": [");
  for (int i = 0; i < audit->note_count; ++i)
  {
    const lwSnakeNote* note = &audit->notes[i];
    put(printer, "%s\n  {\"t\": %.17g, \"what\": \"%s\", \"who\": \"%s %d\"}", i > 0 ? "," : "",
        note->t, KINDS[note->kind].key, KINDS[note->kind].who, note->which + 1);
  }
  put(printer, "\n ]");
}

void lw_snake_audit_json(const lwSnakeFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to)
{
  const Printer printer = {print, to};
  const struct
  {
    const char* key;
    double value;
  } members[] = {{"simulated", facts->reached},
                 {"seconds", facts->seconds},
                 {"real_time_factor", facts->reached / facts->seconds},
                 {"steps", (double)audit->steps.steps},
                 {"rejected", (double)audit->steps.rejected},
                 {"evaluations", (double)audit->steps.evaluations},
                 {"jacobians", (double)audit->steps.jacobians},
                 {"smallest_step", audit->steps.smallest},
                 {"largest_step", audit->steps.largest},
                 {"events", (double)audit->events},
                 {"worst_S", audit->worst_S},
                 {"peak_kinetic", audit->peak_kinetic},
                 {"energy_error", energy_error(audit)},
                 {"worst_sideways", audit->worst_sideways},
                 {"work", audit->work},
                 {"slip_loss", audit->slip_loss},
                 {"stop_loss", audit->stop_loss}};
  put(&printer, "{");
  put_string(&printer, "file", facts->file);
  put(&printer, ",\n ");
  put_string(&printer, "snake", facts->snake);
  put(&printer, ",\n \"outcome\": \"%s\",\n \"partial\": %s,\n \"method\": \"%s\"", facts->outcome,
      facts->partial ? "true" : "false", facts->method);
  put(&printer, ",\n \"integrator\": \"%s\"", facts->integrator);
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
    put(&printer, isfinite(members[i].value) ? ",\n \"%s\": %.17g" : ",\n \"%s\": null",
        members[i].key, members[i].value);
  for (int k = 0; k < LW_SNAKE_NOTE_KIND_COUNT; ++k)
    put(&printer, "%s\"%s\": %ld", k == 0 ? ",\n \"counts\": {" : ", ", KINDS[k].key,
        audit->counts[k]);
  put(&printer, "}");
  put_notes(&printer, audit);
  put(&printer, "}\n");
}
