// SPDX-License-Identifier: MIT
// linkwork check ROBOT: random states through every method of every question.
#include <math.h>

#include "check_command.h"
#include "compare/method_checks.h"
#include "io/progress.h"
#include "io/run_loop.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  MAX_JOINTS  = 2000,  // the inertia matrix is kept several times
  SHOWN_STATE = 5      // at most this many command lines that show what is wrong
};

static const double MAX_STEPS = 5e8;  // states n^order, above which a method is skipped

// A check of one method; what it found is in the same row of the findings.
typedef struct CheckRow
{
  const lwMethodCheck* check;
  const lwMethod* method;  // NULL: of the question as a whole
  lwWorkspace* ws;         // NULL: the plain one of the checker
  lwLoops* loops;          // of a check of loops
} CheckRow;

typedef struct CheckRun
{
  const Options* options;
  const lwModel* model;
  lwPrecision precision;
  long states, seed, only;  // only: the number of the single state asked for, or 0
  lwLoops* loops;           // by the default methods, if the robot has some
  lwMethodChecker checker;
  Findings found;
  CheckRow* rows;  // (found.count)
} CheckRun;

// Why a question, or one method for it, is not checked; NULL: it is.
static const char* why_left_out(const CheckRun* run, const lwMethodCheck* check,
                                const lwMethod* method)
{
  double states = run->only > 0 ? 1 : (double)run->states;
  double steps  = pow(run->checker.n, check->power);
  if (method) steps = fmax(steps, method_steps(method, run->checker.n));
  if (lw_question_check(run->model, check->question, true, NULL) != LW_OK)
    return "not for ball and floating joints";
  if (!check->command && lw_question_check(run->model, check->question, false, NULL) != LW_OK)
    return "it counts every joint as free";
  if (steps * states > MAX_STEPS) return "too slow for the states";
  if (!question_solves(check->question) && !question_solves(check->shown)) return NULL;
  if (lw_model_inert(run->model) >= 0) return "a moving joint has no inertia";
  if (!method || check->question != LW_QUESTION_FORWARD) return NULL;
  bool couples = lw_method_find(LW_QUESTION_INERTIA, method->name) >= 0;
  return couples || !has_followers(run->model) ? NULL : "it cannot couple mimic joints";
}

// What the row needs to ask by its method.
static void open_row(const CheckRun* run, CheckRow* row)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.precision      = run->precision;
  bool chosen =
      !row->method || lw_workspace_def_set_method(&def, row->method->question, row->method->name);
  if (row->check->command)
  {
    need_ok(lw_loops_create(run->model, &def, NULL, &row->loops));
    hold_loops(row->loops);
  }
  else if (row->method && chosen)
  {
    need_ok(lw_workspace_create(run->model, &def, NULL, &row->ws));
    hold_workspace(row->ws);
  }
}

static void check_row_add(CheckRun* run, const lwMethodCheck* check, const lwMethod* method)
{
  int i               = run->found.count++;
  const char* command = check->command ? check->command : lw_question_info(check->question)->name;
  run->rows[i]        = (CheckRow){.check = check, .method = method};
  run->found.rows[i]  = (Finding){.check    = check->name,
                                  .question = command,
                                  .method   = method ? method->name : NULL,
                                  .bound    = check->base + check->per_joint * run->checker.n};
  open_row(run, &run->rows[i]);
}

static bool has_methods(lwQuestion question)
{
  for (int m = 0; m < lw_method_count(); ++m)
    if (lw_method(m)->question == question) return true;
  return false;
}

static void check_rows_add(CheckRun* run, const lwMethodCheck* check)
{
  if (!has_methods(check->question) && !why_left_out(run, check, NULL))
    check_row_add(run, check, NULL);
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const lwMethod* method = lw_method(m);
    if (method->question != check->question || why_left_out(run, check, method)) continue;
    check_row_add(run, check, method);
  }
}

static bool check_state_fill(CheckRun* run, long number)
{
  lwMethodChecker* checker = &run->checker;
  lw_random_state_fill(&checker->state, run->model, (uint64_t)run->seed, number,
                       run->precision == LW_PRECISION_SINGLE);
  checker->loops = run->loops;
  if (run->loops) lw_checker_close_state(checker);
  return lw_method_checker_refer(checker);
}

static void check_one_state(CheckRun* run, long number)
{
  lwMethodChecker* checker = &run->checker;
  if (!check_state_fill(run, number))
    stop(NUMERICAL, "check: the torques of state %ld of seed %ld are not finite", number,
         run->seed);
  for (int i = 0; i < run->found.count; ++i)
  {
    const CheckRow* row = &run->rows[i];
    checker->loops      = row->loops;
    checker->ws         = row->ws ? row->ws : checker->plain;
    lwGap gap           = row->check->gap(checker);
    finding_keep(&run->found.rows[i], gap, checker->epsilon, number);
  }
}

static void check_all_states(CheckRun* run)
{
  if (run->only > 0) return check_one_state(run, run->only);
  for (long k = 1; k <= run->states; ++k)
  {
    progress_show((double)(k - 1) / (double)run->states, "state %ld of %ld", k, run->states);
    if (run_loop_stop) stop(128 + run_loop_stop, "check: interrupted before state %ld", k);
    check_one_state(run, k);
  }
}

static void write_option(const CheckRun* run, lwOut* out, Option option)
{
  const char* value = run->options->value[option];
  if (!value) return;
  lw_out_format(out, " %s ", OPTIONS[option].name);
  check_path_write(out, value);
}

// The command line that shows a state.
static void write_state_command(CheckRun* run, lwOut* out, lwQuestion question,
                                const lwMethod* method)
{
  lw_out_format(out, "  linkwork %s ", lw_question_info(question)->name);
  check_path_write(out, run->options->operand);
  if (method) lw_out_format(out, " --method %s", method->name);
  if (run->precision == LW_PRECISION_SINGLE) lw_out_text(out, " --precision single");
  if (run->options->value[OPTION_ALLOW_BAD_INERTIA]) lw_out_text(out, " --allow-bad-inertia");
  write_option(run, out, OPTION_JOINTS);
  write_option(run, out, OPTION_AT);
  check_state_write(out, &run->checker.state, lw_question_info(question)->inputs);
  lw_out_text(out, "\n");
}

// How to see what is wrong, for the first few rows.
static void write_culprits(CheckRun* run, lwOut* out)
{
  int shown = 0;
  for (int i = 0; i < run->found.count && shown < SHOWN_STATE; ++i)
  {
    const CheckRow* row  = &run->rows[i];
    const Finding* found = &run->found.rows[i];
    if (finding_is_ok(found)) continue;
    bool same = row->check->shown == row->check->question && (row->ws || row->loops);
    check_state_fill(run, found->state);
    lw_out_format(out, "%s %s, state %ld:\n", found->check, found->method ? found->method : "",
                  found->state);
    write_state_command(run, out, row->check->shown, same ? row->method : NULL);
    ++shown;
  }
}

static void write_left_out_one(const CheckRun* run, lwOut* out, const lwMethodCheck* check,
                               const lwMethod* method)
{
  const char* why = why_left_out(run, check, method);
  if (why)
    lw_out_format(out, "left out, %s: %s%s%s\n", why, lw_question_info(check->question)->name,
                  method ? " " : "", method ? method->name : "");
}

// Questions that have no answer for closed loops, on one line. INVERSE and FORWARD have one.
static unsigned write_tree_only(const CheckRun* run, lwOut* out)
{
  unsigned seen = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_FORWARD);
  lw_out_text(out, "left out, they count every joint as free (--open-tree checks them):");
  for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k)
  {
    lwQuestion question = LW_METHOD_CHECKS[k].question;
    bool closes         = lw_question_check(run->model, question, false, NULL) == LW_OK;
    if (closes || seen & LW_ASKS(question)) continue;
    seen |= LW_ASKS(question);
    lw_out_format(out, " %s", lw_question_info(question)->name);
  }
  lw_out_text(out, "\n");
  return seen;
}

// The first check of every question speaks for the others.
static void write_left_out(const CheckRun* run, lwOut* out)
{
  unsigned seen = run->loops ? write_tree_only(run, out) : 0;
  for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k)
  {
    const lwMethodCheck* check = &LW_METHOD_CHECKS[k];
    if (seen & LW_ASKS(check->question)) continue;
    seen |= LW_ASKS(check->question);
    if (!has_methods(check->question)) write_left_out_one(run, out, check, NULL);
    for (int m = 0; m < lw_method_count(); ++m)
      if (lw_method(m)->question == check->question)
        write_left_out_one(run, out, check, lw_method(m));
  }
}

static void write_check_heading(void* context, lwOut* out)
{
  const CheckRun* run = context;
  lw_out_format(out, "%s: ", lw_model_name(run->model));
  if (run->only > 0)
    lw_out_format(out, "state %ld", run->only);
  else
    lw_out_format(out, "%ld states", run->states);
  lw_out_format(
      out,
      " of seed %ld, %s precision\n"
      "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
      "terms that make up the answer)\n",
      run->seed, run->precision == LW_PRECISION_SINGLE ? "single" : "double", run->checker.epsilon);
}

static void write_check_notes(void* context, lwOut* out)
{
  CheckRun* run = context;
  write_left_out(run, out);
  if (run->only == 0) return write_culprits(run, out);
  check_state_fill(run, run->only);
  lw_out_format(out, "state %ld of seed %ld:\n", run->only, run->seed);
  write_state_command(run, out, LW_QUESTION_INVERSE, NULL);
  write_state_command(run, out, LW_QUESTION_FORWARD, NULL);
}

static void release_run(void* run)
{
  lw_method_checker_destroy(&((CheckRun*)run)->checker);
}

static int check_methods(const Options* options, lwFormat format, const lwModel* model)
{
  CheckRun* run  = allocate(1, sizeof *run);
  size_t checks  = (size_t)LW_METHOD_CHECK_COUNT + (size_t)LW_LOOP_CHECK_COUNT;
  size_t most    = checks * (size_t)(lw_method_count() + 1);
  run->options   = options;
  run->model     = model;
  run->found     = (Findings){.format  = format,
                              .heading = write_check_heading,
                              .notes   = write_check_notes,
                              .context = run,
                              .rows    = allocate(most, sizeof *run->found.rows)};
  run->rows      = allocate(most, sizeof *run->rows);
  run->precision = precision_of(options);
  run->states    = integer_of(options, OPTION_STATES, 1, MAX_STATES, 100);
  run->seed      = integer_of(options, OPTION_SEED, 0, MAX_SEED, 1);
  run->only      = integer_of(options, OPTION_STATE, 1, MAX_STATES, 0);
  if (lw_model_dof(model) > MAX_JOINTS)
    stop(USAGE, "check: %s has %d moving joints, expected at most %d", lw_model_name(model),
         lw_model_dof(model), MAX_JOINTS);
  hold(run, release_run);
  need_ok(lw_method_checker_create(&run->checker, model, run->precision));
  for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k) check_rows_add(run, &LW_METHOD_CHECKS[k]);
  if (lw_model_loop_count(model) > 0)
  {
    need_ok(lw_loops_create(model, NULL, NULL, &run->loops));
    hold_loops(run->loops);
    for (int k = 0; k < LW_LOOP_CHECK_COUNT; ++k) check_rows_add(run, &LW_LOOP_CHECKS[k]);
  }
  check_all_states(run);
  return findings_print(&run->found, options->value[OPTION_OUT]);
}

// --- the command, which chooses between its two parts

int cmd_check(const Options* options)
{
  const char* const* given = options->value;
  bool against             = given[OPTION_IN] != NULL;
  const char* of_states =
      first_given(options, with(STATES) | with(SEED) | with(STATE) | with(PRECISION));
  if (against && of_states) stop(USAGE, "--in and %s exclude each other", of_states);
  if (given[OPTION_STATE] && given[OPTION_STATES])
    stop(USAGE, "--state and --states exclude each other");
  if (!against && given[OPTION_TOLERANCE])
    stop(USAGE, "--tolerance is for --in FILE; the bounds of the other checks are given");
  lwFormat format      = format_of(options);
  const lwModel* model = robot_of(options);
  if (against && lw_model_loop_count(model) > 0)
    stop(USAGE,
         "%s: --in compares torques of robots without closed loops; --open-tree leaves them out",
         options->operand);
  return (against ? check_against : check_methods)(options, format, model);
}
