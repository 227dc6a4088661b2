// SPDX-License-Identifier: MIT
// What the audits of arms and of snakes share: how a run went, in words and as json.
#ifndef LW_REPORT_AUDIT_AUDIT_H
#define LW_REPORT_AUDIT_AUDIT_H

#include <stdbool.h>

#include "linkwork/ode.h"
#include "text/out.h"

// A name and what it is the name of: {"scenario", "swing"}.
typedef struct lwAuditName
{
  const char *key, *name;
} lwAuditName;

// What the run itself does not know.
typedef struct lwRunFacts
{
  lwAuditName source;      // what describes the run: its scenario, or the file of the snake
  lwAuditName robot;       // what moves
  const char* method;      // of the equations; NULL: not told
  const char* integrator;  // name of the method
  const char* outcome;     // "complete"
  bool partial;            // it did not get to its end
  double reached;          // s, simulated
  double seconds;          // s, of the clock
} lwRunFacts;

// What every run counts and measures.
typedef struct lwRunTotals
{
  lwIntegratorStats steps;
  long events;
  double worst_S;       // J
  double peak_kinetic;  // J
  double bound;         // J, of S
  bool trusted;
} lwRunTotals;

// Takes a text piece by piece.
typedef void lwPrint(void* to, const char* text);

typedef struct lwAuditPrinter
{
  lwPrint* print;
  void* to;
} lwAuditPrinter;

void lw_audit_print(const lwAuditPrinter* printer, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The lines about the run and its steps.
void lw_audit_print_run(const lwAuditPrinter* printer, const lwRunFacts* facts,
                        const lwIntegratorStats* steps);

// The energy error in units of the largest kinetic energy.
double lw_audit_energy_error(const lwRunTotals* totals);

// Opens the json object: facts and totals. The caller closes it.
void lw_audit_write_run(lwOut* out, const lwRunFacts* facts, const lwRunTotals* totals);

// Note i of the list that the caller has opened.
void lw_audit_write_note(lwOut* out, int i, double t, const char* what, const char* who);

#endif
