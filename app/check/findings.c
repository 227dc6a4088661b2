// SPDX-License-Identifier: MIT
#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sheet.h"

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

static const SheetColumn COLUMNS[] = {
    {"check", NULL, NULL}, {"question", NULL, NULL}, {"method", NULL, NULL}, {"worst", NULL, NULL},
    {"bound", NULL, NULL}, {"absolute", NULL, NULL}, {"state", NULL, NULL},  {"ok", NULL, NULL}};

static void fill_row(const void* context, int i, Cell* cells)
{
  const Findings* findings = context;
  const Finding* row       = &findings->rows[i];
  bool table = findings->format == FORMAT_TABLE, ok = finding_is_ok(row);
  cells[0] = cell_text(row->check);
  cells[1] = cell_text(row->question);
  cells[2] = cell_text(row->method);
  cells[3] = cell_number(table ? round(100 * row->worst) / 100 : row->worst);
  cells[4] = cell_number(row->bound);
  cells[5] = cell_number(row->absolute);
  cells[6] = row->state > 0 ? cell_number((double)row->state) : cell_text(NULL);
  cells[7] = table ? cell_text(ok ? "ok" : "NO") : cell_flag(ok);
}

static int count_wrong(const Findings* findings)
{
  int wrong = 0;
  for (int i = 0; i < findings->count; ++i) wrong += !finding_is_ok(&findings->rows[i]);
  return wrong;
}

static void write_verdict(const Findings* findings, Out* out)
{
  int wrong = count_wrong(findings);
  if (wrong > 0)
    out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, findings->count);
  else
    out_format(out, "ok: all %d checks are within their bounds\n", findings->count);
}

// Where programs read the list, people read the notes on standard error.
static void note_aside(const Findings* findings)
{
  Out aside = {.file = dup(STDERR_FILENO), .name = "standard error"};
  findings->notes(findings->context, &aside);
  out_close(&aside, DONE, true);
}

int findings_print(const Findings* findings, const char* path)
{
  Out out;
  int status = out_open(&out, path);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = findings->count,
                 .row     = fill_row,
                 .context = findings};
  bool table  = findings->format == FORMAT_TABLE;
  if (table) findings->heading(findings->context, &out);
  sheet_write(&out, findings->format, &sheet);
  if (table) findings->notes(findings->context, &out);
  if (table) write_verdict(findings, &out);
  status = out_close(&out, count_wrong(findings) > 0 ? NO : DONE, true);
  if (!table) note_aside(findings);
  return status;
}
