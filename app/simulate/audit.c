// SPDX-License-Identifier: MIT
// The audit of a simulation: how it went, and whether to believe it.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "simulate.h"

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

static const char* outcome_of(const Simulation* sim)
{
  if (sim->output_error == EPIPE) return "ended: reader closed";
  return sim->output_error ? "ended: output failed" : OUTCOMES[sim->outcome];
}

bool simulation_is_partial(const Simulation* sim)
{
  return sim->output_error != 0 ||
         (sim->outcome != LW_OUTCOME_ARRIVED && sim->outcome != LW_OUTCOME_CONDITION &&
          sim->outcome != LW_OUTCOME_LIMIT);
}

const char* note_what(lwNoteKind kind)
{
  return NOTES[kind].key;
}

const char* note_who(const Simulation* sim, const lwNote* note, char buffer[LW_PLOT_WHO])
{
  if (note->kind != LW_NOTE_EVENT) return joint_name(sim->model, note->which);
  if (sim->arm.events[note->which].name) return sim->arm.events[note->which].name;
  snprintf(buffer, LW_PLOT_WHO, "event %d", note->which + 1);
  return buffer;
}

// Energy error in units of the largest kinetic energy.
static double relative_error(const lwArmAudit* audit)
{
  return audit->peak_kinetic > 0 ? audit->worst_S / audit->peak_kinetic : 0;
}

// --- in words

typedef struct Printer
{
  void (*print)(void* to, const char* text);
  void* to;
} Printer;

static void say_line(const Printer* printer, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static void say_line(const Printer* printer, const char* format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printer->print(printer->to, text);
}

// "  elbow reached its upper limit at t = 0.5 s, 12 times"
static void say_tally(const Simulation* sim, lwNoteKind kind, int k, const Printer* printer)
{
  char buffer[LW_PLOT_WHO];
  lwTally tally     = lw_arm_run_tally(sim->run, kind, k);
  const lwNote note = {.kind = kind, .which = k};
  if (tally.count == 0) return;
  say_line(printer, "  t = %-9.6g %s %s", tally.first, note_who(sim, &note, buffer),
           NOTES[kind].text);
  if (tally.count > 1)
    say_line(printer, ", %ld times from then on\n", tally.count);
  else
    say_line(printer, "\n");
}

enum
{
  MOST_EVENTS = 50  // of the scenario that are listed
};

// Limits and events of the scenario; sticking and slipping are only counted.
static void say_notes(const Simulation* sim, const Printer* printer)
{
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
    for (int k = 0; k < sim->n && NOTES[kind].limit; ++k)
      say_tally(sim, (lwNoteKind)kind, k, printer);
  for (int i = 0; i < sim->arm.event_count && i < MOST_EVENTS; ++i)
    say_tally(sim, LW_NOTE_EVENT, i, printer);
  if (sim->arm.event_count > MOST_EVENTS)
    say_line(printer, "  and %d further events of the scenario\n",
             sim->arm.event_count - MOST_EVENTS);
}

void audit_text(const Simulation* sim, void (*print)(void* to, const char* text), void* to)
{
  const Printer printer         = {print, to};
  const lwArmAudit audit        = lw_arm_run_audit(sim->run);
  const lwIntegratorStats* step = &audit.steps;
  say_line(&printer, "run: %s; %g s in %.3g s, %.4g times real time\n", outcome_of(sim),
           sim->reached, sim->seconds, sim->seconds > 0 ? sim->reached / sim->seconds : 0);
  say_line(&printer, "steps by %s: %ld taken, %ld rejected, %.3g to %.3g s; %ld evaluations\n",
           sim->arm.integrator.method, step->steps, step->rejected, step->smallest, step->largest,
           step->evaluations);
  say_line(&printer, "energy: S at most %.2g J, %.2g of the largest kinetic energy, %.4g J\n",
           audit.worst_S, relative_error(&audit), audit.peak_kinetic);
  say_line(&printer, "work: drives %.6g J, friction %.6g J, end stops %.6g J, loads %.6g J\n",
           audit.drive_work, audit.friction_work, audit.stop_work, audit.load_work);
  say_line(&printer, "events: %ld; joints were held %ld times by friction or stops\n", audit.events,
           audit.counts[LW_NOTE_STICK]);
  say_notes(sim, &printer);
}

// --- as json

static void member(Out* out, const char* key, double value)
{
  out_format(out, ",\n \"%s\": ", key);
  if (isfinite(value))
    out_number(out, value);
  else
    out_text(out, "null");
}

static void write_audit_notes(const Simulation* sim, const lwArmAudit* audit, Out* out)
{
  char buffer[LW_PLOT_WHO];
  out_text(out, ",\n \"notes\": [");
  for (int i = 0; i < audit->note_count; ++i)
  {
    const lwNote* note = &audit->notes[i];
    out_format(out, "%s\n  {\"t\": ", i > 0 ? "," : "");
    out_number(out, note->t);
    out_format(out, ", \"what\": \"%s\", \"who\": ", NOTES[note->kind].key);
    out_json(out, note_who(sim, note, buffer));
    out_text(out, "}");
  }
  out_text(out, "\n ]");
}

static void write_audit(const Simulation* sim, const lwArmAudit* audit, Out* out)
{
  const struct
  {
    const char* key;
    double value;
  } members[] = {{"simulated", sim->reached},
                 {"seconds", sim->seconds},
                 {"real_time_factor", sim->reached / sim->seconds},
                 {"steps", (double)audit->steps.steps},
                 {"rejected", (double)audit->steps.rejected},
                 {"evaluations", (double)audit->steps.evaluations},
                 {"jacobians", (double)audit->steps.jacobians},
                 {"smallest_step", audit->steps.smallest},
                 {"largest_step", audit->steps.largest},
                 {"events", (double)audit->events},
                 {"worst_S", audit->worst_S},
                 {"peak_kinetic", audit->peak_kinetic},
                 {"energy_error", relative_error(audit)},
                 {"drive_work", audit->drive_work},
                 {"friction_work", audit->friction_work},
                 {"stop_work", audit->stop_work},
                 {"load_work", audit->load_work}};
  out_text(out, "{\"scenario\": ");
  out_json(out, sim->name);
  out_text(out, ",\n \"robot\": ");
  out_json(out, lw_model_name(sim->model));
  out_format(out, ",\n \"outcome\": \"%s\",\n \"partial\": %s", outcome_of(sim),
             simulation_is_partial(sim) ? "true" : "false");
  out_format(out, ",\n \"integrator\": \"%s\"", sim->arm.integrator.method);
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
    member(out, members[i].key, members[i].value);
  for (int k = 0; k < LW_NOTE_KIND_COUNT; ++k)
    out_format(out, "%s\"%s\": %ld", k == 0 ? ",\n \"counts\": {" : ", ", NOTES[k].key,
               audit->counts[k]);
  out_text(out, "}");
  write_audit_notes(sim, audit, out);
  out_text(out, "}\n");
}

// Like its table, the audit of a run that was interrupted or broke down does not take the place of
// an older one. If only the table could not be written, the audit says so under its own name.
int audit_write(const Simulation* sim, const char* path)
{
  bool part = simulation_is_partial(sim) && sim->output_error == 0;
  Out out;
  const lwArmAudit audit = lw_arm_run_audit(sim->run);
  int status             = out_open(&out, path);
  if (status != DONE) return status;
  write_audit(sim, &audit, &out);
  return part ? out_close_partial(&out, DONE) : out_close(&out, DONE, false);
}
