// SPDX-License-Identifier: MIT
// linkwork study report: tables and a picture of the results of a study.
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
  Out out;
  if (name && !lw_study_has_table(name))
    return fail(USAGE,
                "--table: no '%s'; expected summary, worst, impossible, convergence, tornado, "
                "indices, histogram or bands",
                name);
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

int cmd_study_report(const Command* command, const Options* options)
{
  lwStudyReport report = {.database = options->operand};
  lwDiag* diag         = lw_diag_create();
  (void)command;
  int status = picture_check(options->value[OPTION_PLOT]);
  input_add(options->operand);
  if (status == DONE) status = output_check(options->value[OPTION_OUT]);
  if (status == DONE)
    status = study_refused(diag, options->operand,
                           lw_study_data_read(options->operand, diag, &report.data));
  if (status == DONE && !lw_study_report_compute(&report)) status = no_memory();
  if (status == DONE) status = write_report(options, &report);
  if (status == DONE) status = draw_report(options, &report);
  lw_study_report_free(&report);
  lw_study_data_free(&report.data);
  lw_diag_destroy(diag);
  return status;
}
