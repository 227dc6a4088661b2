// SPDX-License-Identifier: MIT
// linkwork study report: tables and a picture of the results of a study.
#include <stdlib.h>

#include "base/number.h"
#include "io/files.h"
#include "io/output.h"
#include "io/picture.h"
#include "report/plot/study_plot.h"
#include "report/study/study_tables.h"
#include "study_command.h"

static int write_report(const Options* options, const lwStudyReport* report)
{
  const char* name = options->value[OPTION_TABLE];
  Format format;
  lwOut out;
  if (name && !lw_study_has_table(name))
    return fail(
        USAGE,
        "--table: no '%s'; expected summary, holds, worst, impossible, convergence, tornado, "
        "indices, histogram, bands or samples",
        name);
  const char* missing = name ? lw_study_table_missing(report, name) : NULL;
  if (missing) return fail(INPUT, "%s: %s", report->database, missing);
  int status = format_choose(options, &format);
  if (status == DONE) status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (format == FORMAT_TABLE && !name)
    lw_study_tables_write(report, &out);
  else
    lw_study_table_write(report, &out, format, name ? name : "summary");
  return out_close(&out, DONE, true);
}

static int draw_report(const Options* options, const lwStudyReport* report)
{
  char message[LW_PLOT_MESSAGE];
  const char* path = options->value[OPTION_PLOT];
  if (!path || lw_study_plot(&report->data, path, message)) return DONE;
  return picture_failed(path, message);
}

static int level_option(const Options* options, double* level)
{
  const char *text = options->value[OPTION_LEVEL], *end = text;
  *level = 0.99;
  if (!text || (lw_number_read(&end, level) && !*end && *level > 0 && *level < 1)) return DONE;
  return fail(USAGE, "--level: '%s' is wrong, expected a number between 0 and 1", text);
}

static int write_page(const Options* options, const lwStudyReport* report)
{
  const char* path = options->value[OPTION_PAGE];
  size_t length    = 0;
  lwOut out;
  if (!path) return DONE;
  char* text = lw_study_page(report, &length);
  int status = text ? out_open(&out, path) : no_memory();
  if (status == DONE)
  {
    lw_out_bytes(&out, text, length);
    status = out_close(&out, DONE, true);
  }
  free(text);
  return status;
}

int cmd_study_report(const Options* options)
{
  lwStudyReport report = {.database = options->operand};
  lwDiag* diag         = lw_diag_create();
  int status           = level_option(options, &report.level);
  if (status == DONE) status = picture_check(options->value[OPTION_PLOT]);
  input_add(options->operand);
  if (status == DONE) status = output_check(options->value[OPTION_OUT]);
  if (status == DONE) status = output_check(options->value[OPTION_PAGE]);
  if (status == DONE)
    status = study_refused(diag, options->operand,
                           lw_study_data_read(options->operand, diag, &report.data));
  if (status == DONE && !lw_study_report_compute(&report)) status = no_memory();
  if (status == DONE) status = write_report(options, &report);
  if (status == DONE) status = draw_report(options, &report);
  if (status == DONE) status = write_page(options, &report);
  lw_study_report_free(&report);
  lw_study_data_free(&report.data);
  lw_diag_destroy(diag);
  return status;
}
