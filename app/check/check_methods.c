// SPDX-License-Identifier: MIT
// linkwork check ROBOT: random states through every method of every question.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "io/course.h"
#include "io/sheet.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  MAX_JOINTS  = 2000,  // the inertia matrix is kept several times
  SHOWN_STATE = 5      // command lines at most that show what is wrong
};

static const double MAX_STEPS = 5e8;  // states n^order, above which a method is left out

// A check of one method, and the worst that was found.
typedef struct Row
{
  const Check* check;
  const lwMethod* method;  // NULL: of the question as a whole
  lwWork* work;            // NULL: the plain one of the checker
  double worst;            // units of rounding
  double absolute;
  long state;  // that caused it, from 1; 0: none, there is no difference
} Row;

typedef struct Run
{
  const Options* options;
  Format format;
  const lwModel* model;
  lwPrecision precision;
  long states, seed, only;  // only: the number of the single state asked for, or 0
  Checker checker;
  int count;
  Row* rows;  // (count)
} Run;

static double bound_of(const Run* run, const Row* row)
{
  return row->check->base + row->check->per_joint * run->checker.n;
}

static bool is_ok(const Run* run, const Row* row)
{
  return row->worst <= bound_of(run, row);
}

// "n^4" and 10 joints: 10000
static double steps(const lwMethod* method, int n)
{
  const char* power = strchr(method->order, '^');
  return pow(n, power ? strtod(power + 1, NULL) : 1);
}

// Why a method is not checked; NULL: it is.
static const char* why_left_out(const Run* run, const lwMethod* method)
{
  long states = run->only > 0 ? 1 : run->states;
  if (steps(method, run->checker.n) * (double)states > MAX_STEPS) return "too slow for the states";
  if (method->question != LW_FORWARD) return NULL;
  if (lw_model_inert(run->model) >= 0) return "a moving joint has no inertia";
  bool couples = strcmp(method->name, "articulated-body") != 0;
  return couples || !has_followers(run->model) ? NULL : "it cannot couple mimic joints";
}

static lwStatus work_for(const Run* run, const lwMethod* method, lwWork** work)
{
  lwWorkDef def = lw_work_def();
  def.precision = run->precision;
  if (method->question == LW_INVERSE) def.inverse = method->name;
  if (method->question == LW_INERTIA) def.inertia = method->name;
  if (method->question == LW_FORWARD) def.forward = method->name;
  return lw_work_create(run->model, &def, work);
}

static lwStatus add_rows(Run* run, const Check* check)
{
  if (check->question == LW_ENERGY) run->rows[run->count++] = (Row){.check = check};
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const lwMethod* method = lw_method(m);
    if (method->question != check->question || why_left_out(run, method)) continue;
    Row* row        = &run->rows[run->count++];
    *row            = (Row){.check = check, .method = method};
    lwStatus status = work_for(run, method, &row->work);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static int make_rows(Run* run)
{
  size_t most     = (size_t)CHECK_COUNT * (size_t)(lw_method_count() + 1);
  lwStatus status = LW_OK;
  run->rows       = calloc(most, sizeof *run->rows);
  if (!run->rows) status = LW_ERROR_MEMORY;
  for (int k = 0; k < CHECK_COUNT && status == LW_OK; ++k) status = add_rows(run, &CHECKS[k]);
  return status == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(status));
}

static double in_rounding(const Checker* checker, Gap gap)
{
  if (gap.difference == 0) return 0;
  double units = gap.difference / (checker->epsilon * gap.scale);
  return isnan(units) ? INFINITY : units;
}

static int check_one_state(Run* run, long number)
{
  Checker* checker = &run->checker;
  check_state_fill(&checker->state, run->model, (uint64_t)run->seed, number,
                   run->precision == LW_SINGLE);
  if (!checker_refer(checker))
    return fail(NUMERICAL, "check: the torques of state %ld of seed %ld are not finite", number,
                run->seed);
  for (int i = 0; i < run->count; ++i)
  {
    Row* row     = &run->rows[i];
    Gap gap      = row->check->gap(checker, row->work ? row->work : checker->plain);
    double units = in_rounding(checker, gap);
    if (!(units > row->worst)) continue;
    row->worst    = units;
    row->absolute = gap.difference;
    row->state    = number;
  }
  return DONE;
}

static int check_all_states(Run* run)
{
  int status = DONE;
  if (run->only > 0) return check_one_state(run, run->only);
  for (long k = 1; k <= run->states && status == DONE; ++k)
    status = course_stop ? fail(128 + course_stop, "check: interrupted before state %ld", k)
                         : check_one_state(run, k);
  return status;
}

static const SheetColumn COLUMNS[] = {
    {"check", NULL, NULL}, {"question", NULL, NULL}, {"method", NULL, NULL}, {"worst", NULL, NULL},
    {"bound", NULL, NULL}, {"absolute", NULL, NULL}, {"state", NULL, NULL},  {"ok", NULL, NULL}};

static void check_row(const void* context, int i, Cell* cells)
{
  const Run* run = context;
  const Row* row = &run->rows[i];
  bool table = run->format == FORMAT_TABLE, ok = is_ok(run, row);
  cells[0] = cell_text(row->check->name);
  cells[1] = cell_text(lw_question_info(row->check->question)->name);
  cells[2] = cell_text(row->method ? row->method->name : NULL);
  cells[3] = cell_number(table ? round(100 * row->worst) / 100 : row->worst);
  cells[4] = cell_number(bound_of(run, row));
  cells[5] = cell_number(row->absolute);
  cells[6] = row->state > 0 ? cell_number((double)row->state) : cell_text(NULL);
  cells[7] = table ? cell_text(ok ? "ok" : "NO") : cell_flag(ok);
}

static int count_wrong(const Run* run)
{
  int wrong = 0;
  for (int i = 0; i < run->count; ++i) wrong += !is_ok(run, &run->rows[i]);
  return wrong;
}

static void write_option(const Run* run, Out* out, Option option)
{
  const char* value = run->options->value[option];
  if (!value) return;
  out_format(out, " %s ", OPTIONS[option].name);
  check_path_write(out, value);
}

// The command line that shows a state.
static void write_command(Run* run, Out* out, lwQuestion question, const lwMethod* method)
{
  out_format(out, "  linkwork %s ", lw_question_info(question)->name);
  check_path_write(out, run->options->operand);
  if (method) out_format(out, " --method %s", method->name);
  if (run->precision == LW_SINGLE) out_text(out, " --precision single");
  if (run->options->value[OPTION_ALLOW_BAD_INERTIA]) out_text(out, " --allow-bad-inertia");
  write_option(run, out, OPTION_JOINTS);
  write_option(run, out, OPTION_AT);
  check_state_write(out, &run->checker.state, lw_question_info(question)->inputs);
  out_text(out, "\n");
}

static void refill(Run* run, long number)
{
  check_state_fill(&run->checker.state, run->model, (uint64_t)run->seed, number,
                   run->precision == LW_SINGLE);
  checker_refer(&run->checker);
}

// How to see what is wrong, for the first few rows.
static void write_culprits(Run* run, Out* out)
{
  int shown = 0;
  for (int i = 0; i < run->count && shown < SHOWN_STATE; ++i)
  {
    const Row* row = &run->rows[i];
    if (is_ok(run, row)) continue;
    bool same = row->check->shown == row->check->question;
    refill(run, row->state);
    out_format(out, "%s %s, state %ld:\n", row->check->name, row->method ? row->method->name : "",
               row->state);
    write_command(run, out, row->check->shown, same ? row->method : NULL);
    ++shown;
  }
}

static void write_only(Run* run, Out* out)
{
  refill(run, run->only);
  out_format(out, "state %ld of seed %ld:\n", run->only, run->seed);
  write_command(run, out, LW_INVERSE, NULL);
  write_command(run, out, LW_FORWARD, NULL);
}

static void write_left_out(const Run* run, Out* out)
{
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const char* why = why_left_out(run, lw_method(m));
    if (why)
      out_format(out, "left out, %s: %s %s\n", why, lw_question_info(lw_method(m)->question)->name,
                 lw_method(m)->name);
  }
}

static void write_verdict(const Run* run, Out* out)
{
  int wrong = count_wrong(run);
  if (wrong > 0)
    out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, run->count);
  else
    out_format(out, "ok: all %d checks are within their bounds\n", run->count);
}

static void write_heading(const Run* run, Out* out)
{
  out_format(out, "%s: ", lw_model_name(run->model));
  if (run->only > 0)
    out_format(out, "state %ld", run->only);
  else
    out_format(out, "%ld states", run->states);
  out_format(out,
             " of seed %ld, %s precision\n"
             "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
             "terms that make up the answer)\n",
             run->seed, run->precision == LW_SINGLE ? "single" : "double", run->checker.epsilon);
}

static void write_notes(Run* run, Out* out)
{
  write_left_out(run, out);
  if (run->only > 0)
    write_only(run, out);
  else
    write_culprits(run, out);
}

// Where programs read the list, people read the notes on standard error.
static void note_aside(Run* run)
{
  Out aside = {.file = dup(STDERR_FILENO), .name = "standard error"};
  write_notes(run, &aside);
  out_close(&aside, DONE, true);
}

static int print(Run* run)
{
  Out out;
  int status = out_open(&out, run->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = run->count,
                 .row     = check_row,
                 .context = run};
  bool table  = run->format == FORMAT_TABLE;
  if (table) write_heading(run, &out);
  sheet_write(&out, run->format, &sheet);
  if (table) write_notes(run, &out);
  if (table) write_verdict(run, &out);
  status = out_close(&out, count_wrong(run) > 0 ? NO : DONE, true);
  if (!table) note_aside(run);
  return status;
}

static void run_end(Run* run)
{
  for (int i = 0; i < run->count; ++i) lw_work_destroy(run->rows[i].work);
  free(run->rows);
  checker_destroy(&run->checker);
}

static int take_options(Run* run)
{
  int status = precision_choose(run->options, &run->precision);
  if (status == DONE)
    status = check_integer(run->options, OPTION_STATES, 1, MAX_STATES, &run->states);
  if (status == DONE) status = check_integer(run->options, OPTION_SEED, 0, MAX_SEED, &run->seed);
  if (status == DONE) status = check_integer(run->options, OPTION_STATE, 1, MAX_STATES, &run->only);
  return status;
}

int check_methods(const Options* options, Format format, const lwModel* model)
{
  Run run    = {.options = options, .format = format, .model = model, .states = 100, .seed = 1};
  int status = take_options(&run);
  if (status != DONE) return status;
  if (lw_model_dof(model) > MAX_JOINTS)
    return fail(INPUT, "check: %s has %d moving joints, expected at most %d", lw_model_name(model),
                lw_model_dof(model), MAX_JOINTS);
  status = checker_create(&run.checker, model, run.precision);
  if (status == DONE) status = make_rows(&run);
  if (status == DONE) status = check_all_states(&run);
  if (status == DONE) status = print(&run);
  run_end(&run);
  return status;
}
