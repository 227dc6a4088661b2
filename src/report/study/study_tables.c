// SPDX-License-Identifier: MIT
#include "report/study/study_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/table/sheet.h"

enum
{
  HALVES = 6,  // of the convergence
  WORST  = 2   // lowest and highest
};

// --- the tables

static void summary_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  const lwStudySummary* s     = &report->summaries[i];
  const double numbers[]      = {(double)s->count, s->mean,     s->deviation, s->low, s->p01,
                                 s->p05,           s->p50,      s->p95,       s->p99, s->high,
                                 s->pass,          s->pass_low, s->pass_high};
  cells[0]                    = lw_cell_text(report->data.measures[i].name);
  for (int k = 0; k < 13; ++k) cells[1 + k] = lw_cell_number(numbers[k]);
}

static void worst_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  const lwStudySummary* s     = &report->summaries[i / WORST];
  bool high                   = i % WORST == 0;
  cells[0]                    = lw_cell_text(report->data.measures[i / WORST].name);
  cells[1]                    = lw_cell_text(high ? "largest" : "smallest");
  cells[2]                    = lw_cell_number(high ? s->high : s->low);
  cells[3]                    = lw_cell_number((double)(high ? s->highest : s->lowest));
  cells[4]                    = lw_cell_text(report->commands[i]);
}

static void impossible_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyFault* fault = &((const lwStudyReport*)context)->data.faults[i];
  cells[0]                  = lw_cell_text(fault->state);
  cells[1]                  = lw_cell_number((double)fault->count);
  cells[2]                  = lw_cell_number((double)fault->first);
  cells[3]                  = lw_cell_text(fault->why);
}

static long convergence_rows(const lwStudyReport* report, int i)
{
  return report->data.rows >> (HALVES - 1 - i % HALVES);
}

static void convergence_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  long rows                   = convergence_rows(report, i);
  lwStudySummary s            = lw_study_summary_of_first(&report->data, i / HALVES, rows);
  cells[0]                    = lw_cell_text(report->data.measures[i / HALVES].name);
  cells[1]                    = lw_cell_number((double)rows);
  cells[2]                    = lw_cell_number(s.mean);
  cells[3]                    = lw_cell_number(s.p01);
  cells[4]                    = lw_cell_number(s.p99);
}

static void tornado_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  int parameters              = report->data.parameter_count;
  double ends[2];
  lw_study_tornado(&report->data, i / parameters, i % parameters, ends);
  cells[0] = lw_cell_text(report->data.measures[i / parameters].name);
  cells[1] = lw_cell_text(report->data.parameters[i % parameters].name);
  cells[2] = lw_cell_number(ends[0]);
  cells[3] = lw_cell_number(ends[1]);
  cells[4] = lw_cell_number(ends[1] - ends[0]);
}

static void index_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  int parameters              = report->data.parameter_count;
  const lwStudyIndex* two     = &report->indices[2 * i];
  cells[0]                    = lw_cell_text(report->data.measures[i / parameters].name);
  cells[1]                    = lw_cell_text(report->data.parameters[i % parameters].name);
  for (int k = 0; k < 2; ++k)
  {
    cells[2 + 3 * k] = lw_cell_number(two[k].value);
    cells[3 + 3 * k] = lw_cell_number(two[k].low);
    cells[4 + 3 * k] = lw_cell_number(two[k].high);
  }
}

static void histogram_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  const lwStudySummary* s     = &report->summaries[i / LW_STUDY_BINS];
  int bin                     = i % LW_STUDY_BINS;
  double width                = (s->high - s->low) / LW_STUDY_BINS;
  long counts[LW_STUDY_BINS];
  lw_study_histogram(&report->data, i / LW_STUDY_BINS, s->low, s->high, counts);
  cells[0] = lw_cell_text(report->data.measures[i / LW_STUDY_BINS].name);
  cells[1] = lw_cell_number(s->low + width * bin);
  cells[2] = lw_cell_number(s->low + width * (bin + 1));
  cells[3] = lw_cell_number((double)counts[bin]);
}

static void band_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyData* data = &((const lwStudyReport*)context)->data;
  int b                   = 0;
  while (i >= data->bands[b].steps) i -= data->bands[b++].steps;
  cells[0] = lw_cell_text(data->bands[b].name);
  cells[1] = lw_cell_number(data->bands[b].t[i]);
  for (int k = 0; k < LW_STUDY_BAND_LINES; ++k)
    cells[2 + k] = lw_cell_number(data->bands[b].line[k][i]);
}

// --- all of them

typedef struct StudyTable
{
  const char *name, *title;
  int columns;
  const lwSheetColumn* column;
  void (*row)(const void* context, int i, lwCell* cells);
  bool shown;  // among all tables
} StudyTable;

static const lwSheetColumn summary_columns[] = {
    {.name = "measure"},  {.name = "count"},    {.name = "mean"}, {.name = "deviation"},
    {.name = "min"},      {.name = "p01"},      {.name = "p05"},  {.name = "p50"},
    {.name = "p95"},      {.name = "p99"},      {.name = "max"},  {.name = "pass"},
    {.name = "pass_low"}, {.name = "pass_high"}};
static const lwSheetColumn worst_columns[]      = {{.name = "measure"},
                                                   {.name = "end"},
                                                   {.name = "value"},
                                                   {.name = "sample"},
                                                   {.name = "command"}};
static const lwSheetColumn impossible_columns[] = {
    {.name = "state"}, {.name = "count"}, {.name = "first_sample"}, {.name = "why"}};
static const lwSheetColumn convergence_columns[] = {
    {.name = "measure"}, {.name = "samples"}, {.name = "mean"}, {.name = "p01"}, {.name = "p99"}};
static const lwSheetColumn tornado_columns[] = {{.name = "measure"},
                                                {.name = "parameter"},
                                                {.name = "lowest_tenth"},
                                                {.name = "highest_tenth"},
                                                {.name = "difference"}};
static const lwSheetColumn index_columns[]   = {
      {.name = "measure"},    {.name = "parameter"}, {.name = "first"},     {.name = "first_low"},
      {.name = "first_high"}, {.name = "total"},     {.name = "total_low"}, {.name = "total_high"}};
static const lwSheetColumn histogram_columns[] = {
    {.name = "measure"}, {.name = "from"}, {.name = "to"}, {.name = "count"}};
static const lwSheetColumn band_columns[] = {
    {.name = "column"}, {.name = "t"},   {.name = "nominal"}, {.name = "low"},
    {.name = "p01"},    {.name = "p05"}, {.name = "p25"},     {.name = "p50"},
    {.name = "p75"},    {.name = "p95"}, {.name = "p99"},     {.name = "high"}};

static const StudyTable TABLES[] = {
    {"summary", "measures", 14, summary_columns, summary_cells, true},
    {"worst", "worst cases", 5, worst_columns, worst_cells, true},
    {"impossible", "samples without results", 4, impossible_columns, impossible_cells, true},
    {"convergence", "convergence", 5, convergence_columns, convergence_cells, true},
    {"tornado", "mean of the measure in the lowest and highest tenth of a parameter", 5,
     tornado_columns, tornado_cells, true},
    {"indices", "Sobol' indices with 95 % intervals", 8, index_columns, index_cells, true},
    {"histogram", "histograms", 4, histogram_columns, histogram_cells, false},
    {"bands", "bands over time", 12, band_columns, band_cells, false},
};

enum
{
  TABLE_COUNT = sizeof TABLES / sizeof *TABLES
};

static int table_rows(const lwStudyReport* report, const StudyTable* table)
{
  const lwStudyData* data = &report->data;
  int steps               = 0;
  for (int b = 0; b < data->band_count; ++b) steps += data->bands[b].steps;
  if (table->row == impossible_cells) return data->fault_count;
  if (table->row == worst_cells) return WORST * data->measure_count;
  if (table->row == convergence_cells)
    return data->rows >= 1 << HALVES ? HALVES * data->measure_count : 0;
  if (table->row == tornado_cells) return data->parameter_count * data->measure_count;
  if (table->row == index_cells)
    return report->indexed ? data->parameter_count * data->measure_count : 0;
  if (table->row == histogram_cells) return LW_STUDY_BINS * data->measure_count;
  return table->row == band_cells ? steps : data->measure_count;
}

static void write_study_table(const lwStudyReport* report, lwOut* out, lwFormat format,
                              const StudyTable* table)
{
  lwSheet sheet = {.columns = table->columns,
                   .column  = table->column,
                   .rows    = table_rows(report, table),
                   .row     = table->row,
                   .context = report};
  lw_sheet_write(out, format, &sheet);
}

void lw_study_tables_write(const lwStudyReport* report, lwOut* out)
{
  const lwStudyData* data = &report->data;
  lw_out_format(out, "%s: %ld of %ld samples (%s), %ld with results", data->name, data->rows,
                data->samples, data->design, data->done);
  bool criteria = false;
  for (int m = 0; m < data->measure_count; ++m)
    criteria = criteria || isfinite(data->measures[m].below) || isfinite(data->measures[m].above);
  if (criteria && data->done > 0)
    lw_out_format(out, ", %.3g %% of these meet all criteria",
                  100.0 * (double)data->passed / (double)data->done);
  lw_out_text(out, "\n");
  for (int i = 0; i < TABLE_COUNT; ++i)
  {
    if (!TABLES[i].shown || table_rows(report, &TABLES[i]) == 0) continue;
    lw_out_format(out, "\n%s\n", TABLES[i].title);
    write_study_table(report, out, LW_FORMAT_TABLE, &TABLES[i]);
  }
}

bool lw_study_report_compute(lwStudyReport* report)
{
  lwStudyData* data = &report->data;
  size_t measures   = (size_t)data->measure_count;
  size_t pairs      = measures * (size_t)data->parameter_count;
  report->summaries = calloc(measures + 1, sizeof *report->summaries);
  report->commands  = calloc(WORST * measures + 1, sizeof *report->commands);
  report->indices   = calloc(2 * pairs + 1, sizeof *report->indices);
  if (!report->summaries || !report->commands || !report->indices) return false;
  for (int m = 0; m < data->measure_count; ++m)
  {
    lwStudySummary* s = &report->summaries[m];
    *s                = lw_study_summary(data, m);
    for (int w = 0; w < WORST; ++w)
      snprintf(report->commands[WORST * m + w], LW_STUDY_COMMAND,
               "linkwork study %.300s --samples %ld --sample %ld", data->file, data->points,
               w == 0 ? s->highest : s->lowest);
    if (!strcmp(data->design, "factorial") || !strcmp(data->design, "corners"))
      for (int w = 0; w < WORST; ++w)
        snprintf(report->commands[WORST * m + w], LW_STUDY_COMMAND,
                 "linkwork study %.300s --sample %ld", data->file, w == 0 ? s->highest : s->lowest);
  }
  report->indexed = pairs > 0;
  for (size_t i = 0; i < pairs && report->indexed; ++i)
    report->indexed =
        lw_study_indices(data, (int)i / data->parameter_count, (int)i % data->parameter_count,
                         &report->indices[2 * i], &report->indices[2 * i + 1]);
  return true;
}

void lw_study_report_free(lwStudyReport* report)
{
  free(report->summaries);
  free(report->commands);
  free(report->indices);
}

bool lw_study_has_table(const char* name)
{
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (!strcmp(TABLES[i].name, name)) return true;
  return false;
}

void lw_study_table_write(const lwStudyReport* report, lwOut* out, lwFormat format,
                          const char* name)
{
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (!strcmp(TABLES[i].name, name)) write_study_table(report, out, format, &TABLES[i]);
}
