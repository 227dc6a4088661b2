// SPDX-License-Identifier: MIT
#include "report/audit/audit.h"

#include <math.h>
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

static void write_numbers(lwOut* out, const lwAuditNumber* numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i)
  {
    lw_out_format(out, ",\n \"%s\": ", numbers[i].key);
    if (isfinite(numbers[i].value))
      lw_out_number(out, numbers[i].value);
    else
      lw_out_text(out, "null");
  }
}

static void write_name(lwOut* out, const char* before, lwAuditName name)
{
  lw_out_format(out, "%s\"%s\": ", before, name.key);
  lw_out_json(out, name.name);
}

void lw_audit_write_run(lwOut* out, const lwRunFacts* facts, const lwRunTotals* totals,
                        const lwAuditNumber* numbers, size_t count)
{
  const lwIntegratorStats* steps = &totals->steps;
  const lwAuditNumber common[]   = {{"simulated", facts->reached},
                                    {"seconds", facts->seconds},
                                    {"real_time_factor", facts->reached / facts->seconds},
                                    {"steps", (double)steps->steps},
                                    {"rejected", (double)steps->rejected},
                                    {"evaluations", (double)steps->evaluations},
                                    {"jacobians", (double)steps->jacobians},
                                    {"smallest_step", steps->smallest},
                                    {"largest_step", steps->largest},
                                    {"events", (double)totals->events},
                                    {"worst_S", totals->worst_S},
                                    {"peak_kinetic", totals->peak_kinetic},
                                    {"energy_error", lw_audit_energy_error(totals)}};
  write_name(out, "{", facts->source);
  write_name(out, ",\n ", facts->robot);
  lw_out_format(out, ",\n \"outcome\": \"%s\",\n \"partial\": %s", facts->outcome,
                facts->partial ? "true" : "false");
  if (facts->method) lw_out_format(out, ",\n \"method\": \"%s\"", facts->method);
  lw_out_format(out, ",\n \"integrator\": \"%s\"", facts->integrator);
  write_numbers(out, common, sizeof common / sizeof *common);
  write_numbers(out, numbers, count);
}

void lw_audit_write_note(lwOut* out, int i, double t, const char* what, const char* who)
{
  lw_out_format(out, "%s\n  {\"t\": ", i > 0 ? "," : "");
  lw_out_number(out, t);
  lw_out_format(out, ", \"what\": \"%s\", \"who\": ", what);
  lw_out_json(out, who);
  lw_out_text(out, "}");
}
