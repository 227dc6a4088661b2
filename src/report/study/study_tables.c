// SPDX-License-Identifier: MIT
#include "report/study/study_tables.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing/svg.h"
#include "report/table/sheet_writer.h"

enum
{
  HALVES       = 6,  // of the convergence
  WORST        = 2,  // lowest and highest
  MOST_COLUMNS = 14  // of a table
};

// --- measures

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

// --- which choice holds: a row for each choice (or one for all samples)
// and criterion, and for all criteria

static int criterion_count(const lwStudyData* data)
{
  int count = 0;
  for (int m = 0; m < data->measure_count; ++m) count += lw_study_has_criterion(&data->measures[m]);
  return count;
}

// Measure of criterion i, from 0.
static int criterion_measure(const lwStudyData* data, int i)
{
  for (int m = 0; m < data->measure_count; ++m)
    if (lw_study_has_criterion(&data->measures[m]) && i-- == 0) return m;
  return -1;
}

static const char* hold_verdict(const lwStudyHold* hold, double level)
{
  if (hold->count == 0) return "no samples";
  return hold->low >= level ? "yes" : hold->high < level ? "no" : "unsure";
}

static void hold_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  const lwStudyData* data     = &report->data;
  int lines                   = criterion_count(data) + 1;
  const lwStudyChoice* choice = data->choice_count > 0 ? &data->choices[i / lines] : NULL;
  int measure                 = i % lines == 0 ? -1 : criterion_measure(data, i % lines - 1);
  lwStudyHold hold            = lw_study_hold(data, measure, choice);
  cells[0] = lw_cell_text(choice ? data->parameters[choice->parameter].name : NULL);
  cells[1] = lw_cell_text(choice ? choice->name : NULL);
  cells[2] = lw_cell_text(measure < 0 ? "all" : data->measures[measure].name);
  cells[3] = lw_cell_number((double)hold.count);
  cells[4] = lw_cell_number(hold.pass);
  cells[5] = lw_cell_number(hold.low);
  cells[6] = lw_cell_number(hold.high);
  cells[7] = lw_cell_number(report->level);
  cells[8] = lw_cell_text(hold_verdict(&hold, report->level));
}

static int hold_rows(const lwStudyData* data)
{
  int criteria = criterion_count(data);
  int choices  = data->choice_count > 0 ? data->choice_count : 1;
  return criteria > 0 ? choices * (criteria + 1) : 0;
}

// --- others

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
static const lwSheetColumn hold_columns[] = {
    {.name = "parameter"}, {.name = "choice"}, {.name = "criterion"},
    {.name = "count"},     {.name = "pass"},   {.name = "pass_low"},
    {.name = "pass_high"}, {.name = "level"},  {.name = "holds"}};
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
    {"holds", "criteria: in which part of the cases they hold", 9, hold_columns, hold_cells, true},
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
  if (table->row == hold_cells) return hold_rows(data);
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

void lw_study_headline(const lwStudyReport* report, FILE* file)
{
  const lwStudyData* data = &report->data;
  fprintf(file, "%ld of %ld samples (%s), %ld with results", data->rows, data->samples,
          data->design, data->done);
  if (criterion_count(data) > 0 && data->done > 0)
    fprintf(file, ", %.3g %% of these meet all criteria",
            100.0 * (double)data->passed / (double)data->done);
}

static void write_html_cell(FILE* file, const lwCell* cell)
{
  fputs(cell->kind == LW_CELL_NUMBER ? "<td>" : "<td class=\"text\">", file);
  if (cell->kind == LW_CELL_NUMBER)
    fprintf(file, "%.6g", cell->number);
  else if (cell->kind == LW_CELL_TEXT)
    lw_svg_escaped(file, cell->text);
  fputs("</td>", file);
}

static void write_html_table(const lwStudyReport* report, const StudyTable* table, FILE* file)
{
  lwCell cells[MOST_COLUMNS];
  fprintf(file, "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<tr>", table->title);
  for (int c = 0; c < table->columns; ++c) fprintf(file, "<th>%s</th>", table->column[c].name);
  fputs("</tr>\n", file);
  for (int i = 0; i < table_rows(report, table); ++i)
  {
    table->row(report, i, cells);
    fputs("<tr>", file);
    for (int c = 0; c < table->columns; ++c) write_html_cell(file, &cells[c]);
    fputs("</tr>\n", file);
  }
  fputs("</table></div>\n", file);
}

void lw_study_tables_html(const lwStudyReport* report, FILE* file)
{
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (TABLES[i].shown && table_rows(report, &TABLES[i]) > 0)
      write_html_table(report, &TABLES[i], file);
}

void lw_study_tables_write(const lwStudyReport* report, lwOut* out)
{
  char line[200] = "";
  FILE* file     = fmemopen(line, sizeof line, "w");
  if (file) lw_study_headline(report, file);
  if (file) fclose(file);
  lw_out_format(out, "%s: %s\n", report->data.name, line);
  for (int i = 0; i < TABLE_COUNT; ++i)
  {
    if (!TABLES[i].shown || table_rows(report, &TABLES[i]) == 0) continue;
    lw_out_format(out, "\n%s\n", TABLES[i].title);
    write_study_table(report, out, LW_FORMAT_TABLE, &TABLES[i]);
  }
}

// A word of a shell's command line: in quotes where it needs them.
static void write_word(FILE* file, const char* word)
{
  bool plain = word[0] != 0;
  for (const char* s = word; *s; ++s)
    plain = plain && (isalnum((unsigned char)*s) || strchr("/._-+,:=@%", *s));
  if (!plain) fputc('\'', file);
  for (const char* s = word; *s; ++s)
    if (*s == '\'')
      fputs("'\\''", file);
    else
      fputc(*s, file);
  if (!plain) fputc('\'', file);
}

// The command that computes a sample alone.
static void write_sample_command(const lwStudyData* data, long sample, char* command)
{
  bool levels = !strcmp(data->design, "factorial") || !strcmp(data->design, "corners");
  FILE* file  = fmemopen(command, LW_STUDY_COMMAND, "w");
  if (!file) return;
  fputs("linkwork study ", file);
  write_word(file, data->file);
  if (!levels) fprintf(file, " --samples %ld", data->points);
  fprintf(file, " --sample %ld", sample);
  fclose(file);
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
      write_sample_command(data, w == 0 ? s->highest : s->lowest, report->commands[WORST * m + w]);
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

const char* lw_study_table_missing(const lwStudyReport* report, const char* name)
{
  if (!strcmp(name, "indices") && !report->indexed)
    return strcmp(report->data.design, "saltelli") != 0
               ? "Sobol' indices need sampling: {method: saltelli}"
               : "Sobol' indices need at least two whole blocks of samples";
  if (!strcmp(name, "holds") && hold_rows(&report->data) == 0)
    return "the study has no criteria; give a measure 'below' or 'above'";
  if (!strcmp(name, "bands") && report->data.band_count == 0)
    return "the study has no bands; give it bands: {columns: [..]}";
  return NULL;
}

// --- all samples: a column for each parameter and measure, which may be many; csv also for people

static const char* sample_name(const lwStudyData* data, int c)
{
  if (c == 0) return "sample";
  return c <= data->parameter_count ? data->parameters[c - 1].name
                                    : data->measures[c - 1 - data->parameter_count].name;
}

static double sample_number(const lwStudyData* data, int c, long row)
{
  if (c == 0) return (double)data->sample[row];
  return c <= data->parameter_count ? data->parameters[c - 1].values[row]
                                    : data->measures[c - 1 - data->parameter_count].values[row];
}

static void write_samples(const lwStudyReport* report, lwOut* out, lwFormat format)
{
  const lwStudyData* data = &report->data;
  int columns             = 1 + data->parameter_count + data->measure_count;
  bool json               = format == LW_FORMAT_JSON;
  for (int c = 0; c < columns && !json; ++c)
    lw_out_format(out, "%s%s", c ? "," : "", sample_name(data, c));
  lw_out_text(out, json ? "[" : "\n");
  for (long row = 0; row < data->rows; ++row)
  {
    if (json) lw_out_text(out, row > 0 ? ",\n{" : "{");
    for (int c = 0; c < columns; ++c)
    {
      double number = sample_number(data, c, row);
      if (c > 0) lw_out_text(out, json ? ", " : ",");
      if (json) lw_out_format(out, "\"%s\": ", sample_name(data, c));
      if (isfinite(number))
        lw_out_number(out, number);
      else if (json)
        lw_out_text(out, "null");
    }
    lw_out_text(out, json ? "}" : "\n");
  }
  if (json) lw_out_text(out, "]\n");
}

bool lw_study_has_table(const char* name)
{
  if (!strcmp(name, "samples")) return true;
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (!strcmp(TABLES[i].name, name)) return true;
  return false;
}

void lw_study_table_write(const lwStudyReport* report, lwOut* out, lwFormat format,
                          const char* name)
{
  if (!strcmp(name, "samples")) write_samples(report, out, format);
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (!strcmp(TABLES[i].name, name)) write_study_table(report, out, format, &TABLES[i]);
}
