// SPDX-License-Identifier: MIT
// linkwork identify: a log to the parameters of its robot.
//
//   log --lw_log_read_file()--> lwLog --lw_identify()--> estimates --> table, csv, json
//                                                    --> robot --lw_robot_text()--> file
#include "linkwork/identify.h"
#include "app.h"
#include "linkwork/loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/ranges.h"
#include "io/note.h"
#include "io/picture.h"

typedef struct Identification
{
  const Options* options;
  lwIdentifyDef def;
  lwModel* model;
  lwLog* log;
  lwIdentified* found;
  lwOut* out;
} Identification;

static lwFormat choose_identify(Identification* job)
{
  const Options* options = job->options;
  const char* out        = options->value[OPTION_OUT];
  const char* format     = options->value[OPTION_FORMAT];
  lwIdentifyDef* def     = &job->def;
  if (!options->value[OPTION_IN])
    stop(USAGE, "--data is missing: give a CSV file with t, q.. and tau.. or i..");
  if (out && !strcmp(out, "-") && format)
    stop(USAGE, "identify: the robot and the table cannot both be on standard output");
  lwFormat chosen  = format ? format_of(options) : LW_FORMAT_TABLE;
  unsigned terms   = terms_of(options);
  def->current     = options->value[OPTION_CURRENT] != NULL;
  def->rotors      = terms & LW_HAS_TERM(LW_TERM_ROTOR);
  def->viscous     = terms & LW_HAS_TERM(LW_TERM_VISCOUS);
  def->coulomb     = terms & LW_HAS_TERM(LW_TERM_COULOMB);
  def->offset      = terms & LW_HAS_TERM(LW_TERM_OFFSET);
  def->cutoff      = positive_of(options, OPTION_CUTOFF, "Hz", def->cutoff);
  def->unexplained = positive_of(options, OPTION_UNEXPLAINED, "%", 100 * def->unexplained) / 100;
  need(picture_check(options->value[OPTION_PLOT]));
  return chosen;
}

// Whether the log determines the parameters: then it was refused for what they leave unexplained.
static bool fits_otherwise(const Identification* job)
{
  lwIdentified* found = NULL;
  lwIdentifyDef def   = job->def;
  def.unexplained     = INFINITY;
  lwStatus status     = lw_identify(job->model, lw_log_data(job->log), &def, NULL, &found);
  lw_identified_destroy(found);
  return status == LW_OK;
}

// Unless it is LW_OK, prints what is wrong with the log; names the file if the message has no
// place.
static void need_log(const Identification* job, const lwDiag* diag, lwStatus status)
{
  const char* path = job->options->value[OPTION_IN];
  int code         = exit_of(status);
  if (status == LW_OK) return;
  if (status == LW_ERROR_NUMERICAL && job->log && fits_otherwise(job)) code = NO;
  if (lw_diag_size(diag) == 0) stop(code, "%s: %s", path, lw_status_text(status));
  const lwMessage* message = lw_diag_message(diag, 0);
  if (!message->file)
    stop(code, "%s: %s%s%s", path, message->text, message->hint ? "; " : "",
         message->hint ? message->hint : "");
  errors_print(diag);
  leave(code);
}

static void find_parameters(Identification* job)
{
  const char* path = job->options->value[OPTION_IN];
  lwDiag* diag     = hold_messages();
  need_log(job, diag, lw_log_read_file(path, job->model, diag, &job->log));
  const lwLogDef* data = lw_log_data(hold_log(job->log));
  ranges_positions(job->model, path, 2, data->q, (int)data->count, true);
  need_log(job, diag, lw_identify(job->model, data, &job->def, diag, &job->found));
  hold_identified(job->found);
}

// --- what was found

static const char COLUMNS[] = "parameter,unit,file,estimate,standard_error,possible";

static void estimate_row(const void* context, int i, lwCell* cells)
{
  lwEstimate one = lw_identified_estimate(((const Identification*)context)->found, i);
  cells[0]       = lw_cell_text(one.name);
  cells[1]       = lw_cell_text(one.unit);
  cells[2]       = lw_cell_number(one.file);
  cells[3]       = lw_cell_number(one.value);
  cells[4]       = lw_cell_number(one.error);
  cells[5]       = lw_cell_number(one.possible);
}

static void write_estimates(Identification* job, lwFormat format)
{
  lwSheet sheet = {.columns = COLUMNS,
                   .rows    = lw_identified_count(job->found),
                   .row     = estimate_row,
                   .context = job};
  lw_sheet_write(job->out, format, &sheet);
}

// --- the table

enum
{
  NAME_WIDTH = 44,  // of the name of a parameter, so that lines stay within 100 columns
  NAME_LINES = 3    // of a name; csv and json have all of it
};

// Where the next line of a name begins: at most NAME_WIDTH further, before a sign where possible.
static size_t line_length(const char* name)
{
  size_t length = strlen(name);
  if (length <= NAME_WIDTH) return length;
  for (size_t k = NAME_WIDTH; k > 0; --k)
    if (name[k] == ' ' && (name[k + 1] == '+' || name[k + 1] == '-')) return k;
  return NAME_WIDTH;
}

static void write_estimate_line(Identification* job, lwEstimate one)
{
  lw_out_format(job->out, "%10.4g  %10.4g  %9.2g  %10.4g  %-7s ", one.file, one.value, one.error,
                one.possible, one.unit);
  const char* rest = one.name;
  for (int line = 0; *rest && line < NAME_LINES; ++line)
  {
    size_t length = line_length(rest);
    bool cut      = line + 1 == NAME_LINES && rest[length];
    lw_out_format(job->out, "%*s%.*s%s\n", line > 0 ? 55 : 0, "", (int)length, rest,
                  cut ? " .." : "");
    rest += length;
    rest += strspn(rest, " ");
  }
}

static double per_cent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static void write_joints(Identification* job)
{
  lw_out_format(job->out, "\nheld back, rms\n%-16s %15s %18s %18s %18s\n", "joint", "torque",
                "left by the file", "by least squares", "by the robot found");
  for (int a = 0; a < lw_model_mobility(job->model); ++a)
  {
    int i            = lw_model_speed(job->model, a);
    lwJointFit fit   = lw_identified_joint(job->found, i);
    const char* unit = joint_slides(job->model, i) ? "N" : "N m";
    lw_out_format(job->out, "%-16.30s %11.4g %-3s", joint_name(job->model, i), fit.torque, unit);
    if (!fit.moved)
      lw_out_text(job->out, "  did not move, not identified\n");
    else
      lw_out_format(job->out, " %9.3g %6.1f %% %9.3g %6.2f %% %9.3g %6.2f %%\n", fit.before,
                    per_cent(fit.before, fit.torque), fit.residual,
                    per_cent(fit.residual, fit.torque), fit.possible,
                    per_cent(fit.possible, fit.torque));
  }
}

static void write_identify_table(Identification* job)
{
  lwFit fit = lw_identified_fit(job->found);
  lw_out_format(job->out,
                "%s: %d parameters from %ld equations\n"
                "zero-phase filter: Butterworth, cutoff %.4g Hz; equations at %.4g Hz\n"
                "condition number %.4g, largest correlation %.3f\n"
                "the physically consistent robot costs %.4g times the least squares\n\n",
                lw_model_name(job->model), lw_identified_count(job->found), fit.equations,
                fit.cutoff, fit.rate, fit.condition, fit.correlation, fit.cost);
  lw_out_format(job->out, "%10s  %10s  %9s  %10s  %-7s %s\n", "file", "estimate", "std error",
                "possible", "unit", "parameter");
  for (int i = 0; i < lw_identified_count(job->found); ++i)
    write_estimate_line(job, lw_identified_estimate(job->found, i));
  write_joints(job);
}

static void json_correlations(Identification* job)
{
  int count = lw_identified_count(job->found);
  lw_out_text(job->out, ",\n\"correlation\": [");
  for (int i = 0; i < count; ++i)
  {
    lw_out_text(job->out, i > 0 ? ",\n  [" : "[");
    for (int j = 0; j < count; ++j)
    {
      if (j > 0) lw_out_text(job->out, ", ");
      lw_out_number(job->out, lw_identified_correlation(job->found, i, j));
    }
    lw_out_text(job->out, "]");
  }
  lw_out_text(job->out, "]");
}

static void write_identify_json(Identification* job)
{
  lwFit fit = lw_identified_fit(job->found);
  lw_json(job->out,
          "{'robot': $s,\n'fit': {'condition': $n, 'largest_correlation': $n, 'cutoff_hz': $n, "
          "'rate_hz': $n, 'equations': $n, 'cost_ratio': $n},\n'joints': [",
          lw_model_name(job->model), fit.condition, fit.correlation, fit.cutoff, fit.rate,
          (double)fit.equations, fit.cost);
  for (int a = 0; a < lw_model_mobility(job->model); ++a)
  {
    int i          = lw_model_speed(job->model, a);
    lwJointFit one = lw_identified_joint(job->found, i);
    lw_out_text(job->out, a > 0 ? ",\n  " : "");
    lw_json(job->out,
            "{'joint': $s, 'moved': $b, 'torque_rms': $n, 'before': $n, 'residual': $n, "
            "'residual_per_cent': $n, 'possible': $n, 'possible_per_cent': $n, 'noise': $n, "
            "'measured_noise': $n, 'unexplained_per_cent': $n}",
            joint_name(job->model, i), one.moved, one.torque, one.before, one.residual,
            per_cent(one.residual, one.torque), one.possible, per_cent(one.possible, one.torque),
            one.noise, one.measured, 100 * one.unexplained);
  }
  lw_out_text(job->out, "],\n\"parameters\": ");
  write_estimates(job, LW_FORMAT_JSON);
  json_correlations(job);
  lw_out_text(job->out, "}\n");
}

static int write_identify_report(Identification* job, lwFormat format)
{
  const char* robot = job->options->value[OPTION_OUT];
  if (robot && !strcmp(robot, "-")) return DONE;  // standard output has the robot
  job->out = output(NULL);
  if (format == LW_FORMAT_TABLE) write_identify_table(job);
  if (format == LW_FORMAT_CSV) write_estimates(job, LW_FORMAT_CSV);
  if (format == LW_FORMAT_JSON) write_identify_json(job);
  return output_end(job->out, DONE);
}

// --- files

static void write_found_robot(Identification* job)
{
  const char* path = job->options->value[OPTION_OUT];
  lwText* text     = NULL;
  lwDiag* diag     = hold_messages();
  if (!path) return;
  bool urdf = text_ends_with(path, ".urdf");
  need_log(job, diag,
           lw_robot_text(lw_identified_robot(job->found),
                         urdf ? LW_ROBOT_FORMAT_URDF : LW_ROBOT_FORMAT_YAML, diag, &text));
  hold_text(text);
  output_bytes(path, lw_text_bytes(text), lw_text_length(text));
}

// t, what was measured as a reference, what is predicted as a curve.
static void draw_torques(Identification* job)
{
  const char* path   = job->options->value[OPTION_PLOT];
  lwFitSeries series = lw_identified_series(job->found);
  size_t n = (size_t)lw_model_dof(job->model), m = (size_t)lw_model_mobility(job->model);
  size_t columns = 2 * m + 1;
  char name[32];
  if (!path) return;
  lwPlotTable* table = plot_begin(path, columns);
  double* values     = allocate(columns, sizeof *values);
  plot_name(table, 0, "t", NULL);
  for (size_t a = 0; a < m; ++a)
  {
    int i = lw_model_speed(job->model, (int)a);
    snprintf(name, sizeof name, "tau%d", i + 1);
    plot_name(table, 1 + a, name, joint_name(job->model, i));
    snprintf(name, sizeof name, "tau_ref%d", i + 1);
    plot_name(table, 1 + m + a, name, NULL);
  }
  for (long k = 0; k < series.count; ++k)
  {
    values[0] = series.t[k];
    for (size_t a = 0; a < m; ++a)
    {
      size_t at         = (size_t)k * n + (size_t)lw_model_speed(job->model, (int)a);
      values[1 + a]     = series.predicted[at];
      values[1 + m + a] = series.measured[at];
    }
    lw_plot_table_add(table, values);
  }
  table->title = "torques predicted, and measured (pale)";
  table->model = job->model;
  need(picture_draw(table, path, "t", "tau", false));
}

int cmd_identify(const Options* options)
{
  Identification job = {.options = options, .def = lw_identify_def()};
  lwFormat format    = choose_identify(&job);
  job.model          = robot_of(options);
  find_parameters(&job);
  for (int a = 0; a < lw_model_mobility(job.model); ++a)
  {
    int i = lw_model_speed(job.model, a);
    if (!lw_identified_joint(job.found, i).moved)
      note("joint '%s' did not move and is not identified", joint_name(job.model, i));
  }
  write_found_robot(&job);
  draw_torques(&job);
  return write_identify_report(&job, format);
}

// --- --friction and --rotors: what drives supply besides moving the links

unsigned terms_of(const Options* options)
{
  const char* text = options->value[OPTION_FRICTION];
  unsigned terms   = options->value[OPTION_ROTORS] ? LW_HAS_TERM(LW_TERM_ROTOR) : 0;
  NameList list    = {0};
  if (text) list = names_of("--friction", text, false);
  for (int i = 0; i < list.count; ++i)
  {
    int term = LW_TERM_VISCOUS;
    while (term < LW_TERM_COUNT && strcmp(list.names[i], lw_term_name((lwTerm)term)) != 0) ++term;
    if (term == LW_TERM_COUNT)
      stop(USAGE, "--friction: unknown '%s'; expected viscous, coulomb or offset", list.names[i]);
    terms |= LW_HAS_TERM(term);
  }
  return terms;
}
