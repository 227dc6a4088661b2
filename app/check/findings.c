// SPDX-License-Identifier: MIT
#include "findings.h"

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
  bool table = findings->format == FORMAT_TABLE, ok = finding_is_ok(row);
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

static void write_verdict(const Findings* findings, lwOut* out)
{
  int wrong = count_wrong(findings);
  if (wrong > 0)
    lw_out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, findings->count);
  else
    lw_out_format(out, "ok: all %d checks are within their bounds\n", findings->count);
}

int findings_print(const Findings* findings, const char* path)
{
  lwOut* out    = output(path);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = findings->count, .row = fill_row, .context = findings};
  bool table = findings->format == FORMAT_TABLE;
  if (table) findings->heading(findings->context, out);
  lw_sheet_write(out, findings->format, &sheet);
  if (table) findings->notes(findings->context, out);
  if (table) write_verdict(findings, out);
  int status = output_end(out, count_wrong(findings) > 0 ? NO : DONE);
  if (!table) notes_aside(findings->notes, findings->context);
  return status;
}
