// SPDX-License-Identifier: MIT
#include "report/audit/audit.h"

#include <stdarg.h>
#include <stdio.h>

void lw_audit_print(const lwAuditPrinter* printer, const char* format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printer->print(printer->to, text);
}

void lw_audit_print_run(const lwAuditPrinter* printer, const lwRunFacts* facts,
                        const lwIntegratorStats* steps)
{
  lw_audit_print(printer, "run: %s; %g s in %.3g s, %.4g times real time\n", facts->outcome,
                 facts->reached, facts->seconds,
                 facts->seconds > 0 ? facts->reached / facts->seconds : 0);
  lw_audit_print(printer, "steps by %s: %ld taken, %ld rejected, %.3g to %.3g s; %ld evaluations\n",
                 facts->integrator, steps->steps, steps->rejected, steps->smallest, steps->largest,
                 steps->evaluations);
}

double lw_audit_energy_error(const lwRunTotals* totals)
{
  return totals->peak_kinetic > 0 ? totals->worst_S / totals->peak_kinetic : 0;
}

void lw_audit_write_run(lwOut* out, const lwRunFacts* facts, const lwRunTotals* totals)
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
          lw_audit_energy_error(totals), totals->bound, totals->trusted);
}

void lw_audit_write_note(lwOut* out, int i, double t, const char* what, const char* who)
{
  lw_out_text(out, i > 0 ? "," : "");
  lw_json(out, "\n  {'t': $n, 'what': $s, 'who': $s}", t, what, who);
}
