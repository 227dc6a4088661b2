// SPDX-License-Identifier: MIT
// linkwork check ROBOT: random states through every method of every question.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/method_checks.h"
#include "findings.h"
#include "io/course.h"
#include "io/progress.h"

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
} CheckRow;

typedef struct CheckRun
{
  const Options* options;
  const lwModel* model;
  lwPrecision precision;
  long states, seed, only;  // only: the number of the single state asked for, or 0
  lwMethodChecker checker;
  Findings found;
  CheckRow* rows;  // (found.count)
} CheckRun;

// Why a method is not checked; NULL: it is.
static const char* why_left_out(const CheckRun* run, const lwMethod* method)
{
  long states = run->only > 0 ? 1 : run->states;
  if (method_steps(method, run->checker.n) * (double)states > MAX_STEPS)
    return "too slow for the states";
  if (method->question != LW_QUESTION_FORWARD) return NULL;
  if (lw_model_inert(run->model) >= 0) return "a moving joint has no inertia";
  bool couples = lw_method_find(LW_QUESTION_INERTIA, method->name) >= 0;
  return couples || !has_followers(run->model) ? NULL : "it cannot couple mimic joints";
}

static lwStatus work_for(const CheckRun* run, const lwMethod* method, lwWorkspace** ws)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.precision      = run->precision;
  lw_workspace_def_set_method(&def, method->question, method->name);
  return lw_workspace_create(run->model, &def, NULL, ws);
}

static CheckRow* check_row_add(CheckRun* run, const lwMethodCheck* check, const lwMethod* method)
{
  int i              = run->found.count++;
  run->rows[i]       = (CheckRow){.check = check, .method = method};
  run->found.rows[i] = (Finding){.check    = check->name,
                                 .question = lw_question_info(check->question)->name,
                                 .method   = method ? method->name : NULL,
                                 .bound    = check->base + check->per_joint * run->checker.n};
  return &run->rows[i];
}

static lwStatus check_rows_add(CheckRun* run, const lwMethodCheck* check)
{
  if (check->question == LW_QUESTION_ENERGY) check_row_add(run, check, NULL);
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const lwMethod* method = lw_method(m);
    if (method->question != check->question || why_left_out(run, method)) continue;
    lwStatus status = work_for(run, method, &check_row_add(run, check, method)->ws);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static int make_rows(CheckRun* run)
{
  size_t most     = (size_t)LW_METHOD_CHECK_COUNT * (size_t)(lw_method_count() + 1);
  lwStatus status = LW_OK;
  run->rows       = calloc(most, sizeof *run->rows);
  run->found.rows = calloc(most, sizeof *run->found.rows);
  if (!run->rows || !run->found.rows) status = LW_ERROR_MEMORY;
  for (int k = 0; k < LW_METHOD_CHECK_COUNT && status == LW_OK; ++k)
    status = check_rows_add(run, &LW_METHOD_CHECKS[k]);
  return status == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(status));
}

static int check_one_state(CheckRun* run, long number)
{
  lwMethodChecker* checker = &run->checker;
  lw_random_state_fill(&checker->state, run->model, (uint64_t)run->seed, number,
                       run->precision == LW_PRECISION_SINGLE);
  if (!lw_method_checker_refer(checker))
    return fail(NUMERICAL, "check: the torques of state %ld of seed %ld are not finite", number,
                run->seed);
  for (int i = 0; i < run->found.count; ++i)
  {
    const CheckRow* row = &run->rows[i];
    lwGap gap           = row->check->gap(checker, row->ws ? row->ws : checker->plain);
    finding_keep(&run->found.rows[i], gap, checker->epsilon, number);
  }
  return DONE;
}

static int check_all_states(CheckRun* run)
{
  int status = DONE;
  if (run->only > 0) return check_one_state(run, run->only);
  for (long k = 1; k <= run->states && status == DONE; ++k)
  {
    progress_show((double)(k - 1) / (double)run->states, "state %ld of %ld", k, run->states);
    status = course_stop ? fail(128 + course_stop, "check: interrupted before state %ld", k)
                         : check_one_state(run, k);
  }
  return status;
}

static void write_option(const CheckRun* run, Out* out, Option option)
{
  const char* value = run->options->value[option];
  if (!value) return;
  out_format(out, " %s ", OPTIONS[option].name);
  check_path_write(out, value);
}

// The command line that shows a state.
static void write_state_command(CheckRun* run, Out* out, lwQuestion question,
                                const lwMethod* method)
{
  out_format(out, "  linkwork %s ", lw_question_info(question)->name);
  check_path_write(out, run->options->operand);
  if (method) out_format(out, " --method %s", method->name);
  if (run->precision == LW_PRECISION_SINGLE) out_text(out, " --precision single");
  if (run->options->value[OPTION_ALLOW_BAD_INERTIA]) out_text(out, " --allow-bad-inertia");
  write_option(run, out, OPTION_JOINTS);
  write_option(run, out, OPTION_AT);
  check_state_write(out, &run->checker.state, lw_question_info(question)->inputs);
  out_text(out, "\n");
}

static void refill_state(CheckRun* run, long number)
{
  lw_random_state_fill(&run->checker.state, run->model, (uint64_t)run->seed, number,
                       run->precision == LW_PRECISION_SINGLE);
  lw_method_checker_refer(&run->checker);
}

// How to see what is wrong, for the first few rows.
static void write_culprits(CheckRun* run, Out* out)
{
  int shown = 0;
  for (int i = 0; i < run->found.count && shown < SHOWN_STATE; ++i)
  {
    const CheckRow* row  = &run->rows[i];
    const Finding* found = &run->found.rows[i];
    if (finding_is_ok(found)) continue;
    bool same = row->check->shown == row->check->question;
    refill_state(run, found->state);
    out_format(out, "%s %s, state %ld:\n", found->check, found->method ? found->method : "",
               found->state);
    write_state_command(run, out, row->check->shown, same ? row->method : NULL);
    ++shown;
  }
}

static void write_only(CheckRun* run, Out* out)
{
  refill_state(run, run->only);
  out_format(out, "state %ld of seed %ld:\n", run->only, run->seed);
  write_state_command(run, out, LW_QUESTION_INVERSE, NULL);
  write_state_command(run, out, LW_QUESTION_FORWARD, NULL);
}

static void write_left_out(const CheckRun* run, Out* out)
{
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const char* why = why_left_out(run, lw_method(m));
    if (why)
      out_format(out, "left out, %s: %s %s\n", why, lw_question_info(lw_method(m)->question)->name,
                 lw_method(m)->name);
  }
}

static void write_check_heading(void* context, Out* out)
{
  const CheckRun* run = context;
  out_format(out, "%s: ", lw_model_name(run->model));
  if (run->only > 0)
    out_format(out, "state %ld", run->only);
  else
    out_format(out, "%ld states", run->states);
  out_format(out,
             " of seed %ld, %s precision\n"
             "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
             "terms that make up the answer)\n",
             run->seed, run->precision == LW_PRECISION_SINGLE ? "single" : "double",
             run->checker.epsilon);
}

static void write_check_notes(void* context, Out* out)
{
  CheckRun* run = context;
  write_left_out(run, out);
  if (run->only > 0)
    write_only(run, out);
  else
    write_culprits(run, out);
}

static void run_end(CheckRun* run)
{
  for (int i = 0; i < run->found.count; ++i) lw_workspace_destroy(run->rows[i].ws);
  free(run->rows);
  free(run->found.rows);
  lw_method_checker_destroy(&run->checker);
}

static int take_options(CheckRun* run)
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
  CheckRun run = {.options = options, .model = model, .states = 100, .seed = 1};
  run.found    = (Findings){.format  = format,
                            .heading = write_check_heading,
                            .notes   = write_check_notes,
                            .context = &run};
  int status   = take_options(&run);
  if (status != DONE) return status;
  if (lw_model_dof(model) > MAX_JOINTS)
    return fail(INPUT, "check: %s has %d moving joints, expected at most %d", lw_model_name(model),
                lw_model_dof(model), MAX_JOINTS);
  lwStatus made = lw_method_checker_create(&run.checker, model, run.precision);
  status        = made == LW_OK ? make_rows(&run) : fail(INPUT, "%s", lw_status_text(made));
  if (status == DONE) status = check_all_states(&run);
  if (status == DONE) status = findings_print(&run.found, options->value[OPTION_OUT]);
  run_end(&run);
  return status;
}
