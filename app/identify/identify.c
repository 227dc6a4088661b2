// SPDX-License-Identifier: MIT
// linkwork identify: a log to the parameters of its robot.
//
//   log --lw_log_read_file()--> lwLog --lw_identify()--> estimates --> table, csv, json
//                                                    --> robot --lw_robot_text()--> file
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "command/list.h"
#include "identify/drive_terms.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include "io/sheet.h"
#include "linkwork/identify.h"
#include "linkwork/write.h"

typedef struct Identification
{
  const Options* options;
  Format format;
  lwIdentifyDef def;
  lwModel* model;
  lwLog* log;
  lwIdentified* found;
  Out out;
} Identification;

static int choose_terms(Identification* job)
{
  unsigned terms;
  int status       = terms_choose(job->options, &terms);
  job->def.rotors  = terms & LW_HAS_TERM(LW_TERM_ROTOR);
  job->def.viscous = terms & LW_HAS_TERM(LW_TERM_VISCOUS);
  job->def.coulomb = terms & LW_HAS_TERM(LW_TERM_COULOMB);
  job->def.offset  = terms & LW_HAS_TERM(LW_TERM_OFFSET);
  return status;
}

static int choose_identify(Identification* job)
{
  const Options* options = job->options;
  const char* in         = options->value[OPTION_IN];
  if (!in) return fail(USAGE, "--data is missing: give a CSV file with t, q.. and tau.. or i..");
  const char* out = options->value[OPTION_OUT];
  if (out && !strcmp(out, "-") && options->value[OPTION_FORMAT])
    return fail(USAGE, "identify: the robot and the table cannot both be on standard output");
  job->def.current = options->value[OPTION_CURRENT] != NULL;
  job->format      = FORMAT_TABLE;
  int status       = options->value[OPTION_FORMAT] ? format_choose(options, &job->format) : DONE;
  if (status == DONE) status = choose_terms(job);
  if (status == DONE) status = list_positive(options, OPTION_CUTOFF, "Hz", &job->def.cutoff);
  if (status == DONE) status = picture_check(options->value[OPTION_PLOT]);
  return status;
}

// Prints what is wrong with the log; names the file if the message has no place.
static int log_refused(const Identification* job, const lwDiag* diag, lwStatus status)
{
  const char* path = job->options->value[OPTION_IN];
  int code         = status == LW_ERROR_NUMERICAL ? NUMERICAL : INPUT;
  if (lw_diag_size(diag) == 0) return fail(code, "%s: %s", path, lw_status_text(status));
  const lwMessage* message = lw_diag_message(diag, 0);
  if (message->file)
    errors_print(diag);
  else
    fail(code, "%s: %s%s%s", path, message->text, message->hint ? "; " : "",
         message->hint ? message->hint : "");
  return code;
}

static int find_parameters(Identification* job)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_log_read_file(job->options->value[OPTION_IN], job->model, diag, &job->log);
  if (status == LW_OK)
    status = lw_identify(job->model, lw_log_data(job->log), &job->def, diag, &job->found);
  int code = status == LW_OK ? DONE : log_refused(job, diag, status);
  lw_diag_destroy(diag);
  return code;
}

// --- what was found

static const SheetColumn COLUMNS[] = {{"parameter", NULL, NULL},      {"unit", NULL, NULL},
                                      {"file", NULL, NULL},           {"estimate", NULL, NULL},
                                      {"standard_error", NULL, NULL}, {"possible", NULL, NULL}};

static void estimate_row(const void* context, int i, Cell* cells)
{
  lwEstimate one = lw_identified_estimate(((const Identification*)context)->found, i);
  cells[0]       = cell_text(one.name);
  cells[1]       = cell_text(one.unit);
  cells[2]       = cell_number(one.file);
  cells[3]       = cell_number(one.value);
  cells[4]       = cell_number(one.error);
  cells[5]       = cell_number(one.possible);
}

static void write_estimates(Identification* job, Format format)
{
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof *COLUMNS,
                 .column  = COLUMNS,
                 .rows    = lw_identified_count(job->found),
                 .row     = estimate_row,
                 .context = job};
  sheet_write(&job->out, format, &sheet);
}

static double per_cent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static void write_joints(Identification* job)
{
  out_format(&job->out, "\nheld back: %-14s %10s %20s %20s %20s\n", "joint", "torque rms",
             "left by the file", "by least squares", "by the robot found");
  for (int i = 0; i < lw_model_dof(job->model); ++i)
  {
    lwJointFit fit   = lw_identified_joint(job->found, i);
    const char* unit = joint_slides(job->model, i) ? "N" : "N m";
    out_format(&job->out, "           %-14s %6.4g %-3s", joint_name(job->model, i), fit.torque,
               unit);
    if (!fit.moved)
      out_text(&job->out, "  did not move, not identified\n");
    else
      out_format(&job->out, " %9.3g %-3s %4.1f %% %9.3g %-3s %4.2f %% %9.3g %-3s %4.2f %%\n",
                 fit.before, unit, per_cent(fit.before, fit.torque), fit.residual, unit,
                 per_cent(fit.residual, fit.torque), fit.possible, unit,
                 per_cent(fit.possible, fit.torque));
  }
}

static void write_identify_table(Identification* job)
{
  lwFit fit = lw_identified_fit(job->found);
  out_format(
      &job->out,
      "%s: %d parameters from %ld equations\n"
      "zero-phase filter: Butterworth, cutoff %.4g Hz; equations at %.4g Hz\n"
      "condition number %.4g, largest correlation %.3f; the physically consistent robot costs "
      "%.4g times the least squares\n\n",
      lw_model_name(job->model), lw_identified_count(job->found), fit.equations, fit.cutoff,
      fit.rate, fit.condition, fit.correlation, fit.cost);
  write_estimates(job, FORMAT_TABLE);
  write_joints(job);
}

static void json_numbers(Out* out, const char* const* names, const double* values, int count)
{
  for (int k = 0; k < count; ++k)
  {
    out_format(out, "%s\"%s\": ", k > 0 ? ", " : "", names[k]);
    out_number(out, values[k]);
  }
}

static void json_correlations(Identification* job)
{
  int count = lw_identified_count(job->found);
  out_text(&job->out, ",\n\"correlation\": [");
  for (int i = 0; i < count; ++i)
  {
    out_text(&job->out, i > 0 ? ",\n  [" : "[");
    for (int j = 0; j < count; ++j)
    {
      if (j > 0) out_text(&job->out, ", ");
      out_number(&job->out, lw_identified_correlation(job->found, i, j));
    }
    out_text(&job->out, "]");
  }
  out_text(&job->out, "]");
}

static void write_identify_json(Identification* job)
{
  static const char* const fits[]   = {"condition", "largest_correlation", "cutoff_hz",
                                       "rate_hz",   "equations",           "cost_ratio"};
  static const char* const joints[] = {
      "torque_rms",        "before", "residual", "residual_per_cent", "possible",
      "possible_per_cent", "noise"};
  lwFit fit              = lw_identified_fit(job->found);
  const double numbers[] = {fit.condition, fit.correlation,       fit.cutoff,
                            fit.rate,      (double)fit.equations, fit.cost};
  out_text(&job->out, "{\"robot\": ");
  out_json(&job->out, lw_model_name(job->model));
  out_text(&job->out, ",\n\"fit\": {");
  json_numbers(&job->out, fits, numbers, 6);
  out_text(&job->out, "},\n\"joints\": [");
  for (int i = 0; i < lw_model_dof(job->model); ++i)
  {
    lwJointFit one        = lw_identified_joint(job->found, i);
    const double values[] = {one.torque,   one.before,
                             one.residual, per_cent(one.residual, one.torque),
                             one.possible, per_cent(one.possible, one.torque),
                             one.noise};
    out_text(&job->out, i > 0 ? ",\n  {\"joint\": " : "{\"joint\": ");
    out_json(&job->out, joint_name(job->model, i));
    out_format(&job->out, ", \"moved\": %s, ", one.moved ? "true" : "false");
    json_numbers(&job->out, joints, values, 7);
    out_text(&job->out, "}");
  }
  out_text(&job->out, "],\n\"parameters\": ");
  write_estimates(job, FORMAT_JSON);
  json_correlations(job);
  out_text(&job->out, "}\n");
}

static int write_identify_report(Identification* job)
{
  const char* robot = job->options->value[OPTION_OUT];
  if (robot && !strcmp(robot, "-")) return DONE;  // standard output has the robot
  int status = out_open(&job->out, NULL);
  if (status != DONE) return status;
  if (job->format == FORMAT_TABLE) write_identify_table(job);
  if (job->format == FORMAT_CSV) write_estimates(job, FORMAT_CSV);
  if (job->format == FORMAT_JSON) write_identify_json(job);
  return out_close(&job->out, DONE, true);
}

// --- files

static int write_found_robot(Identification* job)
{
  const char* path = job->options->value[OPTION_OUT];
  lwText* text     = NULL;
  lwDiag* diag     = lw_diag_create();
  if (!path) return lw_diag_destroy(diag), DONE;
  if (!diag) return no_memory();
  bool urdf       = text_ends_with(path, ".urdf");
  lwStatus status = lw_robot_text(lw_identified_robot(job->found),
                                  urdf ? LW_ROBOT_FORMAT_URDF : LW_ROBOT_FORMAT_YAML, diag, &text);
  int code        = status == LW_OK ? out_open(&job->out, path) : log_refused(job, diag, status);
  if (code == DONE)
  {
    out_bytes(&job->out, lw_text_bytes(text), lw_text_length(text));
    code = out_close(&job->out, DONE, false);
  }
  lw_text_destroy(text);
  lw_diag_destroy(diag);
  return code;
}

// t, what was measured as a reference, what is predicted as a curve.
static int draw_torques(Identification* job)
{
  const char* path   = job->options->value[OPTION_PLOT];
  lwFitSeries series = lw_identified_series(job->found);
  size_t n = (size_t)lw_model_dof(job->model), columns = 2 * n + 1;
  lwPlotTable table;
  int status     = picture_begin(&table, path, columns);
  double* values = calloc(columns, sizeof *values);
  if (status == DONE && !values) status = no_memory();
  char name[32];
  bool named = status == DONE && values && path && lw_plot_table_name(&table, 0, "t", NULL);
  for (size_t i = 0; i < n && named; ++i)
  {
    snprintf(name, sizeof name, "tau%zu", i + 1);
    named = lw_plot_table_name(&table, 1 + i, name, joint_name(job->model, (int)i));
    snprintf(name, sizeof name, "tau_ref%zu", i + 1);
    named = named && lw_plot_table_name(&table, 1 + n + i, name, NULL);
  }
  for (long k = 0; k < series.count && named; ++k)
  {
    values[0] = series.t[k];
    memcpy(values + 1, series.predicted + (size_t)k * n, n * sizeof *values);
    memcpy(values + 1 + n, series.measured + (size_t)k * n, n * sizeof *values);
    lw_plot_table_add(&table, values);
  }
  table.title = "torques predicted, and measured (pale)";
  table.model = job->model;
  if (named) status = picture_draw(&table, path, "t", "tau", false);
  if (status == DONE && path && !named) status = no_memory();
  free(values);
  lw_plot_table_destroy(&table);
  return status;
}

static void name_idle(const Identification* job)
{
  for (int i = 0; i < lw_model_dof(job->model); ++i)
    if (!lw_identified_joint(job->found, i).moved)
      note("joint '%s' did not move and is not identified", joint_name(job->model, i));
}

int cmd_identify(const Command* command, const Options* options)
{
  (void)command;
  Identification* job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  job->options = options;
  job->def     = lw_identify_def();
  int status   = choose_identify(job);
  if (status == DONE) status = robot_load(options, options->operand, &job->model);
  if (status == DONE) status = needs_plain_joints(job->model, options->operand, "identify");
  if (status == DONE) status = find_parameters(job);
  if (status == DONE) name_idle(job);
  if (status == DONE) status = write_found_robot(job);
  if (status == DONE) status = draw_torques(job);
  if (status == DONE) status = write_identify_report(job);
  lw_identified_destroy(job->found);
  lw_log_destroy(job->log);
  lw_model_destroy(job->model);
  free(job);
  return status;
}
