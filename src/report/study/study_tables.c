// SPDX-License-Identifier: MIT
#include "report/study/study_tables.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/table_writer.h"

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
  lw_cells_numbers(cells + 1, numbers, 13);
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
  const lwStudyReport* report  = context;
  const lwStudyData* data      = &report->data;
  int lines                    = criterion_count(data) + 1;
  const lwStoredChoice* choice = data->choice_count > 0 ? &data->choices[i / lines] : NULL;
  int measure                  = i % lines == 0 ? -1 : criterion_measure(data, i % lines - 1);
  lwStudyHold hold             = lw_study_hold(data, measure, choice);
  cells[0] = lw_cell_text(choice ? data->parameters[choice->parameter].name : NULL);
  cells[1] = lw_cell_text(choice ? choice->name : NULL);
  cells[2] = lw_cell_text(measure < 0 ? "all" : data->measures[measure].name);
  lw_cells_numbers(
      cells + 3, (double[]){(double)hold.count, hold.pass, hold.low, hold.high, report->level}, 5);
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

static void convergence_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  long rows                   = report->data.rows >> (HALVES - 1 - i % HALVES);
  lwStudySummary s            = lw_study_summary_of_first(&report->data, i / HALVES, rows);
  cells[0]                    = lw_cell_text(report->data.measures[i / HALVES].name);
  lw_cells_numbers(cells + 1, (double[]){(double)rows, s.mean, s.p01, s.p99}, 4);
}

static void tornado_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  int parameters              = report->data.parameter_count;
  double ends[2];
  lw_study_tornado(&report->data, i / parameters, i % parameters, ends);
  cells[0] = lw_cell_text(report->data.measures[i / parameters].name);
  cells[1] = lw_cell_text(report->data.parameters[i % parameters].name);
  lw_cells_numbers(cells + 2, (double[]){ends[0], ends[1], ends[1] - ends[0]}, 3);
}

static void index_cells(const void* context, int i, lwCell* cells)
{
  const lwStudyReport* report = context;
  int parameters              = report->data.parameter_count;
  const lwStudyIndex* two     = &report->indices[2 * i];
  cells[0]                    = lw_cell_text(report->data.measures[i / parameters].name);
  cells[1]                    = lw_cell_text(report->data.parameters[i % parameters].name);
  for (int k = 0; k < 2; ++k)
    lw_cells_numbers(cells + 2 + 3 * k, (double[]){two[k].value, two[k].low, two[k].high}, 3);
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
  lw_cells_numbers(
      cells + 1, (double[]){s->low + width * bin, s->low + width * (bin + 1), (double)counts[bin]},
      3);
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
  const char *name, *title, *columns;
  void (*row)(const void* context, int i, lwCell* cells);
  bool shown;  // among all tables
} StudyTable;

static const StudyTable TABLES[] = {
    {"summary", "measures",
     "measure,count,mean,deviation,min,p01,p05,p50,p95,p99,max,pass,pass_low,pass_high",
     summary_cells, true},
    {"holds", "criteria: in which part of the cases they hold",
     "parameter,choice,criterion,count,pass,pass_low,pass_high,level,holds", hold_cells, true},
    {"worst", "worst cases", "measure,end,value,sample,command", worst_cells, true},
    {"impossible", "samples without results", "state,count,first_sample,why", impossible_cells,
     true},
    {"convergence", "convergence", "measure,samples,mean,p01,p99", convergence_cells, true},
    {"tornado", "mean of the measure in the lowest and highest tenth of a parameter",
     "measure,parameter,lowest_tenth,highest_tenth,difference", tornado_cells, true},
    {"indices", "Sobol' indices with 95 % intervals",
     "measure,parameter,first,first_low,first_high,total,total_low,total_high", index_cells, true},
    {"histogram", "histograms", "measure,from,to,count", histogram_cells, false},
    {"bands", "bands over time", "column,t,nominal,low,p01,p05,p25,p50,p75,p95,p99,high",
     band_cells, false},
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
                   .rows    = table_rows(report, table),
                   .row     = table->row,
                   .context = report};
  lw_sheet_write(out, format, &sheet);
}

void lw_study_headline(const lwStudyReport* report, lwOut* file)
{
  const lwStudyData* data = &report->data;
  lw_out_format(file, "%ld of %ld samples (%s), %ld with results", data->rows, data->samples,
                data->design, data->done);
  if (criterion_count(data) > 0 && data->done > 0)
    lw_out_format(file, ", %.3g %% of these meet all criteria",
                  100.0 * (double)data->passed / (double)data->done);
}

static void write_html_table(const lwStudyReport* report, const StudyTable* table, lwOut* file)
{
  lw_out_format(file, "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<tr><th>", table->title);
  for (const char* s = table->columns; *s; ++s)
    lw_out_text(file, *s == ',' ? "</th><th>" : (const char[]){*s, 0});
  lw_out_text(file, "</th></tr>\n");
  for (int i = 0; i < table_rows(report, table); ++i)
  {
    lwCell cells[MOST_COLUMNS] = {0};
    table->row(report, i, cells);
    lw_out_text(file, "<tr>");
    for (int c = 0; c < lw_sheet_width(table->columns); ++c)
    {
      lw_out_text(file, cells[c].kind == LW_CELL_NUMBER ? "<td>" : "<td class=\"text\">");
      if (cells[c].kind == LW_CELL_NUMBER)
        lw_out_format(file, "%.6g", cells[c].number);
      else if (cells[c].kind == LW_CELL_TEXT)
        lw_out_xml(file, false, cells[c].text);
      lw_out_text(file, "</td>");
    }
    lw_out_text(file, "</tr>\n");
  }
  lw_out_text(file, "</table></div>\n");
}

void lw_study_tables_html(const lwStudyReport* report, lwOut* file)
{
  for (int i = 0; i < TABLE_COUNT; ++i)
    if (TABLES[i].shown && table_rows(report, &TABLES[i]) > 0)
      write_html_table(report, &TABLES[i], file);
}

void lw_study_tables_write(const lwStudyReport* report, lwOut* out)
{
  lw_out_format(out, "%s: ", report->data.name);
  lw_study_headline(report, out);
  lw_out_char(out, '\n');
  for (int i = 0; i < TABLE_COUNT; ++i)
  {
    if (!TABLES[i].shown || table_rows(report, &TABLES[i]) == 0) continue;
    lw_out_format(out, "\n%s\n", TABLES[i].title);
    write_study_table(report, out, LW_FORMAT_TABLE, &TABLES[i]);
  }
}

// The command `verb` of the study, which needs --sample.
static void study_command(const lwStudyData* data, const char* verb, lwOut* out)
{
  bool levels    = !strcmp(data->design, "factorial") || !strcmp(data->design, "corners");
  out->in_memory = true;
  lw_out_format(out, "linkwork %s ", verb);
  // A word of a shell's command line: in quotes where it needs them.
  bool plain = data->file[0] != 0;
  for (const char* s = data->file; *s; ++s)
    plain = plain && (isalnum((unsigned char)*s) || strchr("/._-+,:=@%", *s));
  if (!plain) lw_out_char(out, '\'');
  lw_out_escaped(out, data->file, (const char*[]){"''\\''", NULL});
  if (!plain) lw_out_char(out, '\'');
  if (!levels) lw_out_format(out, " --samples %ld", data->points);
}

// The command that computes a sample alone; NULL: out of memory.
static char* sample_command(const lwStudyData* data, long sample)
{
  lwOut out = {0};
  study_command(data, "study", &out);
  lw_out_format(&out, " --sample %ld%s", sample, data->commands ? " --allow-commands" : "");
  if (lw_out_finish(&out)) return out.text;
  free(out.text);
  return NULL;
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
    {
      char* command = sample_command(data, w == 0 ? s->highest : s->lowest);
      if (!command) return false;
      report->commands[WORST * m + w] = command;
    }
  }
  lwOut open = {0};
  study_command(data, "view", &open);
  bool complete   = lw_out_finish(&open);
  report->open    = open.text;
  report->indexed = pairs > 0;
  for (size_t i = 0; i < pairs && report->indexed; ++i)
    report->indexed =
        lw_study_indices(data, (int)i / data->parameter_count, (int)i % data->parameter_count,
                         &report->indices[2 * i], &report->indices[2 * i + 1]);
  return complete;
}

void lw_study_report_free(lwStudyReport* report)
{
  for (int i = 0; report->commands && i < WORST * report->data.measure_count; ++i)
    free(report->commands[i]);
  free(report->summaries);
  free((void*)report->commands);
  free(report->open);
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
      if (json)
        lw_json(out, "$s: $n", sample_name(data, c), number);
      else if (isfinite(number))
        lw_out_number(out, number);
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
