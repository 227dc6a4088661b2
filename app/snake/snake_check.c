// SPDX-License-Identifier: MIT
// linkwork snake check: random states through every method.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sheet.h"
#include "snake_checks.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  SHOWN_STATE = 5,  // command lines at most that show what is wrong
  SHOWN_LINKS = 40  // of longer snakes they would be too long
};

static const double MAX_STEPS = 5e8;  // states n^order, above which a method is left out

// A check of one method, and the worst that was found.
typedef struct Row
{
  const SnakeCheck* check;
  int method;
  double worst;  // units of rounding
  double absolute;
  long state;  // that caused it, from 1; 0: none, there is no difference
} Row;

typedef struct Run
{
  const Options* options;
  Format format;
  lwSnake* snake;
  lwPrecision precision;
  long states, seed;
  SnakeChecker checker;
  lwSnakeWork** works;  // by method; NULL: left out
  int count;
  Row* rows;  // (count), those of a method beside each other
} Run;

// The n of O(n), O(n^2), ..
static double order_of(int method)
{
  const char* power = strchr(lw_snake_method(method)->order, '^');
  return power ? strtod(power + 1, NULL) : 1;
}

// Methods of order n^3 solve for all coordinates and forces at once. What they lose grows faster
// with the number of links, because the inertia matrix of a long chain is ill-conditioned.
static double bound_of(const Run* run, const Row* row)
{
  double n     = run->checker.n;
  double extra = order_of(row->method) > 2 ? 2 * n * n : 0;
  return row->check->base + row->check->per_link * n + extra;
}

static bool is_ok(const Run* run, const Row* row)
{
  return row->worst <= bound_of(run, row);
}

static bool is_too_slow(const Run* run, int method)
{
  return pow(run->checker.n, order_of(method)) * (double)run->states > MAX_STEPS;
}

static int make_rows(Run* run)
{
  int methods = lw_snake_method_count();
  run->rows   = calloc((size_t)methods * (size_t)SNAKE_CHECK_COUNT, sizeof *run->rows);
  run->works  = calloc((size_t)methods, sizeof(void*));
  if (!run->rows || !run->works) return snake_no_memory();
  for (int m = 0; m < methods; ++m)
  {
    lwSnakeWorkDef def = {.method = lw_snake_method(m)->name, .precision = run->precision};
    if (is_too_slow(run, m)) continue;
    lwStatus status = lw_snake_work_create(run->snake, &def, &run->works[m]);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
    for (int c = 0; c < SNAKE_CHECK_COUNT; ++c)
      if (!SNAKE_CHECKS[c].of_centred || run->checker.centred)
        run->rows[run->count++] = (Row){.check = &SNAKE_CHECKS[c], .method = m};
  }
  return DONE;
}

static void judge(Run* run, Row* row, long number)
{
  Gap gap      = row->check->gap(&run->checker, run->works[row->method]);
  double units = gap.difference == 0 ? 0 : gap.difference / (run->checker.epsilon * gap.scale);
  if (isnan(units)) units = INFINITY;
  if (!(units > row->worst)) return;
  row->worst    = units;
  row->absolute = gap.difference;
  row->state    = number;
}

static int check_state(Run* run, long number)
{
  SnakeChecker* checker = &run->checker;
  lwSnakeStates state   = {checker->theta, checker->u, checker->torque};
  int answered          = -1;
  snake_checker_fill(checker, (uint64_t)run->seed, number);
  if (!isfinite(*checker->expected.of.kinetic + checker->expected.of.udot[0]))
    return fail(NUMERICAL, "snake check: the motion in state %ld of seed %ld is not finite", number,
                run->seed);
  for (int i = 0; i < run->count; ++i)
  {
    Row* row = &run->rows[i];
    if (row->method != answered)
      lw_snake_answer(run->snake, run->works[row->method], &state, &checker->got.of);
    answered = row->method;
    judge(run, row, number);
  }
  return DONE;
}

static int check_all_states(Run* run)
{
  int status = DONE;
  for (long k = 1; k <= run->states && status == DONE; ++k) status = check_state(run, k);
  return status;
}

// --- the report

static const SheetColumn COLUMNS[] = {
    {"check", NULL, NULL}, {"question", NULL, NULL}, {"method", NULL, NULL}, {"worst", NULL, NULL},
    {"bound", NULL, NULL}, {"absolute", NULL, NULL}, {"state", NULL, NULL},  {"ok", NULL, NULL}};

static void check_row(const void* context, int i, Cell* cells)
{
  const Run* run = context;
  const Row* row = &run->rows[i];
  bool table = run->format == FORMAT_TABLE, ok = is_ok(run, row);
  cells[0] = cell_text(row->check->name);
  cells[1] = cell_text("snake");
  cells[2] = cell_text(lw_snake_method(row->method)->name);
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

static void write_list(Out* out, const char* name, const double* values, int count)
{
  out_format(out, " %s ", name);
  for (int i = 0; i < count; ++i)
  {
    if (i > 0) out_text(out, ",");
    out_number(out, values[i]);
  }
}

// The command line that shows a state.
static void write_command(Run* run, Out* out, const Row* row)
{
  SnakeChecker* checker = &run->checker;
  snake_checker_fill(checker, (uint64_t)run->seed, row->state);
  out_format(out, "%s by %s, state %ld:\n", row->check->name, lw_snake_method(row->method)->name,
             row->state);
  if (checker->n > SHOWN_LINKS) return;
  out_text(out, "  linkwork snake state ");
  check_path_write(out, run->options->operand);
  out_format(out, " --method %s", lw_snake_method(row->method)->name);
  if (run->precision == LW_SINGLE) out_text(out, " --precision single");
  write_list(out, "--theta", checker->theta, checker->n);
  write_list(out, "--u", checker->u, 2);
  write_list(out, "--torque", checker->torque, checker->n - 1);
  out_text(out, "\n");
}

static void write_notes(Run* run, Out* out)
{
  int shown = 0;
  for (int m = 0; m < lw_snake_method_count(); ++m)
    if (!run->works[m])
      out_format(out, "left out, too slow for %ld states: %s\n", run->states,
                 lw_snake_method(m)->name);
  for (int i = 0; i < run->count && shown < SHOWN_STATE; ++i)
  {
    if (is_ok(run, &run->rows[i])) continue;
    write_command(run, out, &run->rows[i]);
    ++shown;
  }
}

static void write_heading(const Run* run, Out* out)
{
  out_format(out,
             "%s: %d links, %ld states of seed %ld, %s precision\n"
             "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
             "terms that make up the answer)\n",
             lw_snake_name(run->snake), run->checker.n, run->states, run->seed,
             run->precision == LW_SINGLE ? "single" : "double", run->checker.epsilon);
  if (!run->checker.centred)
    out_text(out, "circle and mass hold for wheels in the middle of their links only\n");
}

static void write_verdict(const Run* run, Out* out)
{
  int wrong = count_wrong(run);
  if (wrong > 0)
    out_format(out, "NO: %d of %d checks are beyond their bounds\n", wrong, run->count);
  else
    out_format(out, "ok: all %d checks are within their bounds\n", run->count);
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
  for (int m = 0; run->works && m < lw_snake_method_count(); ++m)
    lw_snake_work_destroy(run->works[m]);
  free(run->works);
  free(run->rows);
  snake_checker_destroy(&run->checker);
  lw_snake_destroy(run->snake);
}

int cmd_snake_check(const Command* command, const Options* options)
{
  (void)command;
  Run run    = {.options = options, .states = 100, .seed = 1};
  int status = format_choose(options, &run.format);
  if (status == DONE) status = precision_choose(options, &run.precision);
  if (status == DONE) status = check_integer(options, OPTION_STATES, 1, MAX_STATES, &run.states);
  if (status == DONE) status = check_integer(options, OPTION_SEED, 0, MAX_SEED, &run.seed);
  if (status == DONE) status = snake_load(options, &run.snake);
  if (status == DONE) status = snake_checker_create(&run.checker, run.snake, run.precision);
  if (status == DONE) status = make_rows(&run);
  if (status == DONE) status = check_all_states(&run);
  if (status == DONE) status = print(&run);
  run_end(&run);
  return status;
}
