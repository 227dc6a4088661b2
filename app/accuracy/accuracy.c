// SPDX-License-Identifier: MIT
// linkwork accuracy: the true error of every method, in units in the last place.
//
//   robots --compare/accuracy.c--> worst and median errors --> table, csv, json, picture
#include "compare/accuracy.h"
#include "check/check_command.h"

#include <string.h>

#include "app.h"
#include "bench.h"
#include "io/picture.h"
#include "io/progress.h"
#include "report/plot/method_plot.h"
#include "text/table_writer.h"

enum
{
  MAX_STATES = 10000000,
  MAX_SEED   = 2147483647
};

static const int DEFAULT_CHAINS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
static const char* const REALS[]  = {
     [LW_PRECISION_DOUBLE] = "double", [LW_PRECISION_SINGLE] = "single"};

typedef struct Survey
{
  const Options* options;
  lwFormat format;
  lwAccuracyDef def;
  int robots;
  lwModel* models[BENCH_ROBOTS];
  int first[BENCH_ROBOTS + 1];  // row of each robot
  lwAccuracy* rows;
  const char** states;  // (rows) the worst state of each, as options; in csv and json
} Survey;

static int robot_of_row(const Survey* survey, int row)
{
  int robot = 0;
  while (row >= survey->first[robot + 1]) ++robot;
  return robot;
}

static const char* way_name(const lwAccuracy* row)
{
  return row->method >= 0 ? lw_method(row->method)->name : NULL;
}

// --- output

static const char COLUMNS[] =
    "robot,n,question,method,precision,worst_ulp,median_ulp,states,worst_state,entry,"
    "state";

static void accuracy_row(const void* context, int i, lwCell* cells)
{
  const Survey* survey  = context;
  const lwAccuracy* row = &survey->rows[i];
  const lwModel* model  = survey->models[robot_of_row(survey, i)];
  cells[0]              = lw_cell_text(lw_model_name(model));
  cells[1]              = lw_cell_number(lw_model_dof(model));
  cells[2]              = lw_cell_text(lw_question_info(row->question)->name);
  cells[3]              = lw_cell_text(way_name(row));
  cells[4]              = lw_cell_text(REALS[row->precision]);
  cells[5]              = lw_cell_number(row->worst);
  cells[6]              = lw_cell_number(row->median);
  cells[7]              = lw_cell_number((double)survey->def.states);
  cells[8]              = lw_cell_number((double)row->worst_state);
  cells[9]              = lw_cell_number(row->entry + 1);
  cells[10]             = lw_cell_text(survey->states[i]);
}

static const lwAccuracy* row_of(const Survey* survey, int robot, const lwAccuracy* like,
                                lwPrecision precision)
{
  for (int i = survey->first[robot]; i < survey->first[robot + 1]; ++i)
  {
    const lwAccuracy* row = &survey->rows[i];
    if (row->question == like->question && row->method == like->method &&
        row->precision == precision)
      return row;
  }
  return NULL;
}

// Double and single side by side.
static void write_robot(lwOut* out, const Survey* survey, int robot)
{
  lw_out_format(out, "%s, n = %d: %ld states of seed %llu\n", lw_model_name(survey->models[robot]),
                lw_model_dof(survey->models[robot]), survey->def.states,
                (unsigned long long)survey->def.seed);
  lw_out_format(out, "%-9s %-26s %10s %10s %10s %10s\n", "", "", "double", "", "single", "");
  lw_out_format(out, "%-9s %-26s %10s %10s %10s %10s\n", "question", "method", "worst", "median",
                "worst", "median");
  for (int i = survey->first[robot]; i < survey->first[robot + 1]; ++i)
  {
    const lwAccuracy* row = &survey->rows[i];
    if (row->precision != LW_PRECISION_DOUBLE) continue;
    const lwAccuracy* single = row_of(survey, robot, row, LW_PRECISION_SINGLE);
    const char* name         = way_name(row);
    lw_out_format(out, "%-9s %-26s %10.3g %10.3g", lw_question_info(row->question)->name,
                  name ? name : "-", row->worst, row->median);
    if (single) lw_out_format(out, " %10.3g %10.3g", single->worst, single->median);
    lw_out_text(out, "\n");
  }
}

// The row with the largest error of a question in a precision; NULL: there is none.
static const lwAccuracy* worst_row(const Survey* survey, int robot, lwQuestion question,
                                   lwPrecision precision)
{
  const lwAccuracy* worst = NULL;
  for (int i = survey->first[robot]; i < survey->first[robot + 1]; ++i)
  {
    const lwAccuracy* row = &survey->rows[i];
    if (row->question != question || row->precision != precision) continue;
    if (!worst || row->worst > worst->worst) worst = row;
  }
  return worst;
}

static void write_state(lwOut* out, const Survey* survey, const lwAccuracy* row)
{
  const char* name = way_name(row);
  lw_out_format(out, "  %s, %s%s%s, state %ld: %s\n", lw_question_info(row->question)->name,
                name ? name : "", name ? ", " : "", REALS[row->precision], row->worst_state,
                survey->states[row - survey->rows]);
}

static void write_worst(lwOut* out, const Survey* survey, int robot)
{
  lw_out_text(out, "worst states:\n");
  for (int q = 0; q < LW_QUESTION_COUNT; ++q)
    for (int p = 0; p < 2; ++p)
    {
      const lwAccuracy* row = worst_row(survey, robot, (lwQuestion)q, (lwPrecision)p);
      if (row) write_state(out, survey, row);
    }
}

static void write_accuracy(lwOut* out, const Survey* survey)
{
  lwSheet sheet = {.columns = COLUMNS,
                   .rows    = survey->first[survey->robots],
                   .row     = accuracy_row,
                   .context = survey};
  if (survey->format != LW_FORMAT_TABLE) return lw_sheet_write(out, survey->format, &sheet);
  lw_out_text(out, "true errors, in units in the last place of the largest entry of the answer\n");
  for (int i = 0; i < survey->robots; ++i) write_robot(out, survey, i);
  if (survey->robots == 1) write_worst(out, survey, 0);
}

static bool error_point(const void* context, int i, int method, double* joints, double* value)
{
  const Survey* survey  = context;
  const lwAccuracy* row = &survey->rows[i];
  *joints               = lw_model_dof(survey->models[robot_of_row(survey, i)]);
  *value                = row->worst;
  return row->method == method && row->precision == LW_PRECISION_DOUBLE && row->worst > 0;
}

static void draw_accuracy(const Survey* survey, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  lwMethodPlot plot = {.label    = "worst error in double, units in the last place",
                       .question = survey->def.question,
                       .points   = survey->first[survey->robots],
                       .point    = error_point,
                       .context  = survey};
  picture_wait(path);
  if (!lw_method_plot_draw(&plot, path, message)) leave(picture_failed(path, message));
}

// --- what is asked

static void choose_robots(Survey* survey)
{
  const Options* options = survey->options;
  const char* dof        = options->value[OPTION_DOF];
  int joints[BENCH_ROBOTS], count = sizeof DEFAULT_CHAINS / sizeof *DEFAULT_CHAINS;
  if (options->operand && dof) stop(USAGE, "accuracy: give ROBOT or --dof N, not both");
  if (options->operand)
  {
    survey->models[survey->robots++] = robot_of(options);
    return;
  }
  memcpy(joints, DEFAULT_CHAINS, sizeof DEFAULT_CHAINS);
  if (dof) need(bench_sizes(OPTION_DOF, dof, 1, LW_MAX_JOINTS, joints, &count));
  for (int i = 0; i < count; ++i)
  {
    lwModel** model = &survey->models[survey->robots++];
    need_ok(lw_model_create_generic(joints[i], model));
    hold_model(*model);
  }
}

static void choose_method(Survey* survey)
{
  survey->def.method = survey->options->value[OPTION_METHOD];
  if (!survey->def.method) return;
  for (int i = 0; i < lw_method_count(); ++i)
    if (lw_method_is(lw_method(i), survey->def.method) &&
        (survey->def.question < 0 || (lwQuestion)survey->def.question == lw_method(i)->question))
      return;
  stop(USAGE, "--method: no method '%s'%s%s; 'linkwork methods' lists them", survey->def.method,
       survey->def.question >= 0 ? " answers " : "",
       survey->def.question >= 0 ? survey->options->value[OPTION_QUESTION] : "");
}

static void release_state(void* state)
{
  lw_random_state_destroy(state);
}

static void keep_states(Survey* survey)
{
  int count      = survey->first[survey->robots];
  survey->states = allocate((size_t)count, sizeof *survey->states);
  for (int i = 0; i < count; ++i)
  {
    const lwAccuracy* row = &survey->rows[i];
    const lwModel* model  = survey->models[robot_of_row(survey, i)];
    lwRandomState* state  = allocate(1, sizeof *state);
    hold(state, release_state);
    if (lw_random_state_create(state, model) != LW_OK ||
        !lw_accuracy_state(model, survey->def.seed, row->worst_state, row->precision, state))
      leave(no_memory());
    lwOut* text = hold_file();
    check_state_write(text, state, lw_question_info(row->question)->inputs);
    file_flush(text);
    survey->states[i] = text->text ? text->text + 1 : "";  // without the space before it
  }
}

static void measure_robots(Survey* survey)
{
  size_t most  = (size_t)survey->robots * (size_t)lw_accuracy_rows();
  survey->rows = allocate(most, sizeof *survey->rows);
  for (int i = 0; i < survey->robots; ++i)
  {
    int count;
    progress_wait("%ld states of robot %d of %d", survey->def.states, i + 1, survey->robots);
    lwAccuracy* rows = survey->rows + survey->first[i];
    lwStatus status  = lw_accuracy_measure(survey->models[i], &survey->def, rows, &count);
    if (status == LW_ERROR_QUAD)
      stop(USAGE, "accuracy: this build has no 113-bit arithmetic to compare with");
    need_ok(status);
    survey->first[i + 1] = survey->first[i] + count;
  }
  keep_states(survey);
}

int cmd_accuracy(const Options* options)
{
  Survey survey     = {.options = options, .format = format_of(options)};
  const char* plot  = options->value[OPTION_PLOT];
  survey.def.states = integer_of(options, OPTION_STATES, 1, MAX_STATES, 100);
  survey.def.seed   = (uint64_t)integer_of(options, OPTION_SEED, 0, MAX_SEED, 1);
  need(bench_question(options, &survey.def.question));
  choose_method(&survey);
  need(picture_check(plot));
  choose_robots(&survey);
  lwOut* out = output_of(options);
  measure_robots(&survey);
  write_accuracy(out, &survey);
  int status = output_end(out, DONE);
  if (status == DONE && plot) draw_accuracy(&survey, plot);
  return status;
}
