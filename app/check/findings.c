// SPDX-License-Identifier: MIT
#include "check_command.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/progress.h"
#include "io/run_loop.h"
#include "math/elementary.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  SHOWN_STATE = 5  // at most this many command lines that show what is wrong
};

static const double MAX_STEPS = 5e8;  // states n^order, above which a method is skipped

Findings findings_of(const Options* options, size_t most)
{
  Findings found = {.options   = options,
                    .format    = format_of(options),
                    .precision = precision_of(options),
                    .states    = integer_of(options, OPTION_STATES, 1, MAX_STATES, 100),
                    .seed      = integer_of(options, OPTION_SEED, 0, MAX_SEED, 1),
                    .only      = integer_of(options, OPTION_STATE, 1, MAX_STATES, 0)};
  found.epsilon  = found.precision == LW_PRECISION_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  found.rows     = allocate(most, sizeof *found.rows);
  return found;
}

bool findings_too_slow(const Findings* findings, double steps)
{
  return steps * (findings->only > 0 ? 1 : (double)findings->states) > MAX_STEPS;
}

static bool finding_is_ok(const Finding* finding)
{
  return finding->worst <= finding->bound;
}

void finding_keep(Finding* finding, lwGap gap, double epsilon, long state)
{
  double units = lw_gap_units(gap, epsilon);
  if (!(units > finding->worst)) return;
  finding->worst    = units;
  finding->absolute = gap.difference;
  finding->state    = state;
}

double method_steps(const lwMethod* method, int n)
{
  const char* power = strchr(method->order, '^');
  return lw_pow(n, power ? (double)strtol(power + 1, NULL, 10) : 1);
}

static const char COLUMNS[] = "check,question,method,worst,bound,absolute,state,ok";

static void fill_row(const void* context, int i, lwCell* cells)
{
  const Findings* findings = context;
  const Finding* row       = &findings->rows[i];
  bool table = findings->format == LW_FORMAT_TABLE, ok = finding_is_ok(row);
  cells[0] = lw_cell_text(row->check);
  cells[1] = lw_cell_text(row->question);
  cells[2] = lw_cell_text(row->method);
  cells[3] = lw_cell_number(table ? round(100 * row->worst) / 100 : row->worst);
  cells[4] = lw_cell_number(row->bound);
  cells[5] = lw_cell_number(row->absolute);
  cells[6] = row->state > 0 ? lw_cell_number((double)row->state) : lw_cell_text(NULL);
  cells[7] = table ? lw_cell_text(ok ? "ok" : "NO") : lw_cell_flag(ok);
}

static int count_wrong(const Findings* findings)
{
  int wrong = 0;
  for (int i = 0; i < findings->count; ++i) wrong += !finding_is_ok(&findings->rows[i]);
  return wrong;
}

static void check_states(const Findings* findings)
{
  if (findings->only > 0) return findings->state(findings->context, findings->only);
  for (long k = 1; k <= findings->states; ++k)
  {
    progress_show((double)(k - 1) / (double)findings->states, "state %ld of %ld", k,
                  findings->states);
    if (run_loop_stop) stop(128 + run_loop_stop, "check: interrupted before state %ld", k);
    findings->state(findings->context, k);
  }
}

static void write_heading(const Findings* findings, lwOut* out)
{
  findings->name(findings->context, out);
  if (findings->only > 0)
    lw_out_format(out, "state %ld", findings->only);
  else
    lw_out_format(out, "%ld states", findings->states);
  lw_out_format(
      out,
      " of seed %ld, %s precision\n"
      "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
      "terms that make up the answer)\n",
      findings->seed, findings->precision == LW_PRECISION_SINGLE ? "single" : "double",
      findings->epsilon);
  if (findings->remark) lw_out_text(out, findings->remark);
}

// What was left out, and how to see what is wrong, for the first few rows.
static void write_notes(void* context, lwOut* out)
{
  const Findings* findings = context;
  int shown                = 0;
  findings->notes(findings->context, out);
  for (int i = 0; i < findings->count && shown < SHOWN_STATE && findings->only == 0; ++i)
  {
    if (finding_is_ok(&findings->rows[i])) continue;
    findings->command(findings->context, out, i);
    ++shown;
  }
}

int findings_run(Findings* findings)
{
  check_states(findings);
  lwOut* out    = output(findings->options->value[OPTION_OUT]);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = findings->count, .row = fill_row, .context = findings};
  bool table = findings->format == LW_FORMAT_TABLE;
  if (table) write_heading(findings, out);
  lw_sheet_write(out, findings->format, &sheet);
  if (table) write_notes(findings, out);
  int wrong = count_wrong(findings);
  if (table && wrong > 0)
    lw_out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, findings->count);
  else if (table)
    lw_out_format(out, "ok: all %d checks are within their bounds\n", findings->count);
  int status = output_end(out, wrong > 0 ? NO : DONE);
  if (!table) notes_aside(write_notes, findings);
  return status;
}

// --- states of the checks as people type them

void check_list_write(lwOut* out, const char* option, const double* values, int count)
{
  lw_out_format(out, " %s ", option);
  for (int i = 0; i < count; ++i)
  {
    if (i > 0) lw_out_text(out, ",");
    lw_out_number(out, values[i]);
  }
}

void check_state_write(lwOut* out, const lwRandomState* state, unsigned inputs)
{
  bool wrench = state->wrench[0] != 0;
  if (inputs & LW_INPUT_Q) check_list_write(out, "--q", state->q, state->nq);
  if (inputs & LW_INPUT_QD) check_list_write(out, "--qd", state->qd, state->n);
  if (inputs & LW_INPUT_QDD) check_list_write(out, "--qdd", state->qdd, state->n);
  if (inputs & LW_INPUT_TAU) check_list_write(out, "--tau", state->tau, state->n);
  if ((inputs & LW_INPUT_WRENCH) && wrench) check_list_write(out, "--wrench", state->wrench, 6);
}

// In single quotes, a quote as '\''.
void check_path_write(lwOut* out, const char* path)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
  if (*path && path[strspn(path, plain)] == 0) return lw_out_text(out, path);
  lw_out_text(out, "'");
  for (; *path; ++path)
  {
    if (*path == '\'')
      lw_out_text(out, "'\\''");
    else
      lw_out_bytes(out, path, 1);
  }
  lw_out_text(out, "'");
}
