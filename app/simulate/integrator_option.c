// SPDX-License-Identifier: MIT
#include "integrator_option.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "command/list.h"
#include "io/note.h"
#include "io/program_text.h"

static const double MOST_STEPS   = 1e10;  // they take days at least
static const double MOST_RECORDS = 1e8;

static int unknown_integrator(const char* name, size_t length)
{
  char list[256]  = "";
  Nearest nearest = nearest_to(name, length);
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    nearest_offer(&nearest, lw_integrator_method(i)->name);
    lw_text_append(list, sizeof list, list[0] ? ", " : "", lw_integrator_method(i)->name);
  }
  if (nearest_found(&nearest))
    return fail(USAGE, "--integrator: no '%.*s', did you mean '%s'? There are: %s", (int)length,
                name, nearest.best, list);
  return fail(USAGE, "--integrator: no '%.*s', expected one of: %s", (int)length, name, list);
}

// "1e-9" or "1e-9,1e-12", at most `most` numbers; how many, 0: something is wrong.
static int take_integrator_numbers(const char* s, int most, double values[2])
{
  for (int i = 0; i < most; ++i)
  {
    if (!lw_number_read(&s, &values[i]) || !(values[i] > 0) || !isfinite(values[i])) return 0;
    if (*s == 0) return i + 1;
    if (*s++ != ',') return 0;
  }
  return 0;
}

int integrator_choose(const Options* options, lwIntegratorDef* def)
{
  const char* text = options->value[OPTION_INTEGRATOR];
  char name[32]    = "";
  double values[2];
  if (!text) return DONE;
  size_t length = strcspn(text, ":");
  if (length < sizeof name) memcpy(name, text, length);
  const lwIntegratorMethod* method = lw_integrator_method_find(name);
  if (!method) return unknown_integrator(text, length);
  def->method = method->name;
  if (!text[length]) return DONE;
  int count = take_integrator_numbers(text + length + 1, method->adaptive ? 2 : 1, values);
  if (count == 0)
    return fail(USAGE, "--integrator: '%s': expected positive numbers, %s", text,
                method->adaptive ? "NAME:RTOL[,ATOL]" : "NAME:STEP");
  if (!method->adaptive)
    def->step = values[0];
  else
    def->relative = values[0], def->absolute = values[count - 1];
  return DONE;
}

void run_options(const Options* options, RunLoop* run_loop, lwIntegratorDef* def)
{
  run_loop->duration = positive_of(options, OPTION_DURATION, "s", run_loop->duration);
  run_loop->record   = positive_of(options, OPTION_DT, "s", run_loop->record);
  need(integrator_choose(options, def));
  double steps   = lw_integrator_steps(def, run_loop->duration);
  double records = run_loop->duration / run_loop->record;
  if (steps > MOST_STEPS)
    stop(USAGE, "%s takes %g steps for %g s, expected at most %g", def->method, steps,
         run_loop->duration, MOST_STEPS);
  if (records > MOST_RECORDS)
    stop(USAGE, "%s: %g records are too many, expected at most %g",
         options->value[OPTION_DT] ? "--dt" : options->operand, records, MOST_RECORDS);
  def->end = run_loop->duration;
}

int run_interrupted(const RunLoop* run_loop, double t, long records)
{
  say("linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n", t,
      run_loop->duration, records);
  return 128 + run_loop_stop;
}

int run_trusted(bool trusted, double S, double bound)
{
  if (trusted) return DONE;
  warn("S moved by %.3g J, beyond its bound of %.3g J: the run is not to be trusted; take shorter "
       "steps, a smaller tolerance or another integrator",
       S, bound);
  return NUMERICAL;
}
