// SPDX-License-Identifier: MIT
// linkwork study report: tables and a picture of the results of a study.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "io/files.h"
#include "io/picture.h"
#include "report/plot/study_plot.h"
#include "report/study/study_tables.h"
#include "study_command.h"

static void write_report(const Options* options, const lwStudyReport* report)
{
  const char* name = options->value[OPTION_TABLE];
  if (name && !lw_study_has_table(name))
    stop(USAGE,
         "--table: no '%s'; expected summary, holds, worst, impossible, convergence, tornado, "
         "indices, histogram, bands or samples",
         name);
  const char* missing = name ? lw_study_table_missing(report, name) : NULL;
  if (missing) stop(INPUT, "%s: %s", report->database, missing);
  lwFormat format = format_of(options);
  lwOut* out      = output_of(options);
  if (format == LW_FORMAT_TABLE && !name)
    lw_study_tables_write(report, out);
  else
    lw_study_table_write(report, out, format, name ? name : "summary");
  need(output_end(out, DONE));
}

static void release_report(void* context)
{
  lwStudyReport* report = context;
  lw_study_report_free(report);
  lw_study_data_free(&report->data);
}

int cmd_study_report(const Options* options)
{
  const char *plot = options->value[OPTION_PLOT], *page = options->value[OPTION_PAGE];
  lwStudyReport* report = hold(allocate(1, sizeof *report), release_report);
  lwDiag* diag          = hold_messages();
  char message[LW_PLOT_MESSAGE];
  size_t length    = 0;
  report->database = options->operand;
  report->level    = number_in(options, OPTION_LEVEL, DBL_TRUE_MIN, nextafter(1, 0),
                               "a number between 0 and 1", 0.99);
  need(picture_check(plot));
  input_add(options->operand);
  need(output_check(options->value[OPTION_OUT]));
  need(output_check(page));
  need(study_refused(diag, options->operand,
                     lw_study_data_read(options->operand, diag, &report->data)));
  if (!lw_study_report_compute(report)) leave(no_memory());
  write_report(options, report);
  if (plot && !lw_study_plot(&report->data, plot, message)) return picture_failed(plot, message);
  if (!page) return DONE;
  char* text = hold(lw_study_page(report, &length), free);
  if (!text) leave(no_memory());
  output_bytes(page, text, length);
  return DONE;
}
