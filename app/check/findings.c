// SPDX-License-Identifier: MIT
#include "check_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool finding_is_ok(const Finding* finding)
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
  return pow(n, power ? (double)strtol(power + 1, NULL, 10) : 1);
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

int findings_print(const Findings* findings, const char* path)
{
  lwOut* out    = output(path);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = findings->count, .row = fill_row, .context = findings};
  bool table = findings->format == LW_FORMAT_TABLE;
  if (table) findings->heading(findings->context, out);
  lw_sheet_write(out, findings->format, &sheet);
  if (table) findings->notes(findings->context, out);
  int wrong = count_wrong(findings);
  if (table && wrong > 0)
    lw_out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, findings->count);
  else if (table)
    lw_out_format(out, "ok: all %d checks are within their bounds\n", findings->count);
  int status = output_end(out, wrong > 0 ? NO : DONE);
  if (!table) notes_aside(findings->notes, findings->context);
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
