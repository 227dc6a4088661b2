// SPDX-License-Identifier: MIT
#include "timed_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "io/files.h"
#include "io/note.h"

static const double MOST_STEPS   = 1e10;  // they take days at least
static const double MOST_RECORDS = 1e8;

int run_write(RunWriter* run)
{
  const char* plot  = run->options->value[OPTION_PLOT];
  const char* audit = run->options->value[OPTION_AUDIT];
  bool table        = run->format == LW_FORMAT_TABLE;
  lwOut* out        = output_of(run->options);
  run->out = run->rows.out = out;
  run->rows.format         = run->format;
  if (table) run->title(run->context, out);
  replay_begin(&run->replay, run->options, &run->rows);
  rows_hold(&run->rows);
  int status   = run_loop_run(&run->loop, out, run->step, run->context);
  run->seconds = run_loop_seconds(&run->loop);
  rows_end(&run->rows);
  lw_out_flush(out);
  run->output_error = out->error;
  if (table)
    run->audit_text(run->context, print_to_out, out);
  else if (notes_on())
    run->audit_text(run->context, print_to_stderr, NULL);
  bool partial = run->is_partial(run->context);
  unhold(out);
  status    = partial ? out_close_partial(out, status) : out_close(out, DONE, true);
  int drawn = plot ? run->draw(run->context, plot) : DONE, written = DONE;
  if (audit)
  {
    // Like its table, the audit of a run that was interrupted or failed does not replace an older
    // one. If only the table could not be written, the audit says so under its own name.
    lwOut* file = output(audit);
    run->audit_json(run->context, file);
    unhold(file);
    written = partial && run->output_error == 0 ? out_close_partial(file, DONE)
                                                : out_close(file, DONE, false);
  }
  status = replay_end(&run->replay, partial, status);
  return status != DONE ? status : drawn != DONE ? drawn : written;
}

void run_keep(RunWriter* run, const double* values)
{
  lw_rows_add(&run->rows, values);
  replay_record(&run->replay, values);
}

// --- options

static _Noreturn void unknown_integrator(const char* name, size_t length)
{
  char list[256]  = "";
  Nearest nearest = nearest_to(name, length);
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    nearest_offer(&nearest, lw_integrator_method(i)->name);
    lw_text_append(list, sizeof list, list[0] ? ", " : "", lw_integrator_method(i)->name);
  }
  stop(USAGE, "--integrator: no '%.*s', %s%s %s", (int)length, name,
       nearest_or(&nearest, "expected one of:"), nearest_found(&nearest) ? " There are:" : "",
       list);
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

void integrator_choose(const Options* options, lwIntegratorDef* def)
{
  const char* text = options->value[OPTION_INTEGRATOR];
  char name[32]    = "";
  double values[2];
  if (!text) return;
  size_t length = strcspn(text, ":");
  if (length < sizeof name) memcpy(name, text, length);
  const lwIntegratorMethod* method = lw_integrator_method_find(name);
  if (!method) unknown_integrator(text, length);
  def->method = method->name;
  if (!text[length]) return;
  int count = take_integrator_numbers(text + length + 1, method->adaptive ? 2 : 1, values);
  if (count == 0)
    stop(USAGE, "--integrator: '%s': expected positive numbers, %s", text,
         method->adaptive ? "NAME:RTOL[,ATOL]" : "NAME:STEP");
  if (!method->adaptive)
    def->step = values[0];
  else
    def->relative = values[0], def->absolute = values[count - 1];
}

// "1e6" steps, or "60s" by the clock.
static void choose_budget(const Options* options, lwIntegratorDef* def)
{
  const char *text = options->value[OPTION_BUDGET], *s = text;
  double most;
  if (!text) return;
  bool read    = lw_number_read(&s, &most) && most > 0 && isfinite(most);
  bool seconds = read && !strcmp(s, "s");
  if (!read || (*s && !seconds))
    stop(USAGE, "--budget: '%s': expected a positive number of steps, or of seconds as 60s", text);
  *(seconds ? &def->most_seconds : &def->most_steps) = most;
}

void run_options(const Options* options, RunLoop* loop, lwIntegratorDef* def)
{
  double whole   = loop->duration;
  loop->duration = positive_of(options, OPTION_DURATION, "s", loop->duration);
  loop->record   = positive_of(options, OPTION_DT, "s", loop->record);
  integrator_choose(options, def);
  choose_budget(options, def);
  double steps   = lw_integrator_steps(def, loop->duration);
  double records = loop->duration / loop->record;
  if (steps > MOST_STEPS)
    stop(USAGE, "%s takes %g steps for %g s, expected at most %g", def->method, steps,
         loop->duration, MOST_STEPS);
  if (records > MOST_RECORDS)
    stop(USAGE, "%s: %g records are too many, expected at most %g",
         options->value[OPTION_DT] ? "--dt" : options->operand, records, MOST_RECORDS);
  // a saved run goes on as the whole one, so no step ends where it is saved
  loop->end = options->value[OPTION_SAVE] && whole > loop->duration ? whole : loop->duration;
  def->end  = loop->end;
}

// --- states

unsigned char* file_bytes(const char* path, size_t* size)
{
  size_t room          = 1 << 16, got;
  unsigned char* bytes = allocate(room + 1, 1);
  FILE* file           = fopen(path, "rb");
  if (!file) stop(INPUT, "%s: %s", path, strerror(errno));
  for (*size = 0; (got = fread(bytes + *size, 1, room - *size, file)) > 0;)
  {
    *size += got;
    if (*size < room) continue;
    unsigned char* more = allocate(2 * room + 1, 1);
    memcpy(more, bytes, room);
    bytes = more;
    room *= 2;
  }
  bool bad = ferror(file);
  fclose(file);
  if (bad) stop(INPUT, "%s: it cannot be read", path);
  return bytes;
}

void run_from(const Options* options, const RunState* state, RunLoop* loop)
{
  const char* path = options->value[OPTION_FROM];
  size_t size;
  if (!path || options->value[OPTION_SIMULATE]) return;  // of a plan: positions
  const unsigned char* bytes = file_bytes(path, &size);
  input_add(path);
  lwDiag* diag = hold_messages();
  if (state->restore(state->run, bytes, size, diag) != LW_OK)
    stop(INPUT, "%s: %s", path, lw_diag_message(diag, 0)->text);
  loop->from = state->time(state->run);
  if (!(loop->duration > loop->from))
    stop(USAGE, "--from: the state is at t = %.9g s, expected a duration beyond it, not %g s",
         loop->from, loop->duration);
}

int run_save(const Options* options, const RunState* state)
{
  const char* path = options->value[OPTION_SAVE];
  if (!path) return DONE;
  size_t size          = state->save(state->run, NULL, 0);
  unsigned char* bytes = allocate(size, 1);
  state->save(state->run, bytes, size);
  lwOut* file = output(path);
  lw_out_bytes(file, (const char*)bytes, size);
  unhold(file);
  return out_close(file, DONE, false);
}

int run_interrupted(const RunLoop* loop, double t, long records)
{
  say("linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n", t,
      loop->duration, records);
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
