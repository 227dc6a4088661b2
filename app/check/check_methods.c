// SPDX-License-Identifier: MIT
// linkwork check ROBOT: random states through every method of every question.
#include <math.h>

#include "check_command.h"
#include "compare/method_checks.h"
#include "math/elementary.h"

enum
{
  MAX_JOINTS = 2000  // the inertia matrix is kept several times
};

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
  const lwModel* model;
  lwLoops* loops;  // by the default methods, if the robot has some
  lwMethodChecker checker;
  Findings found;
  CheckRow* rows;  // (found.count)
} CheckRun;

// The answers of the tree are those with closed loops, too.
static bool is_about_links(lwQuestion question)
{
  return question == LW_QUESTION_VELOCITIES || question == LW_QUESTION_ACCELERATIONS ||
         question == LW_QUESTION_CENTROIDAL;
}

// Why a question, or one method for it, is not checked; NULL: it is.
static const char* why_left_out(const CheckRun* run, const lwMethodCheck* check,
                                const lwMethod* method)
{
  double steps = lw_pow(run->checker.n, check->power);
  if (method) steps = fmax(steps, method_steps(method, run->checker.n));
  bool tree = lw_question_check(run->model, check->question, false, NULL) != LW_OK;
  if (!check->command && tree && !is_about_links(check->question))
    return "it counts every joint as free";
  if (findings_too_slow(&run->found, steps)) return "too slow for the states";
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
  def.precision      = run->found.precision;
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
  lw_random_state_fill(&checker->state, run->model, (uint64_t)run->found.seed, number,
                       run->found.precision == LW_PRECISION_SINGLE);
  checker->loops = run->loops;
  if (run->loops) lw_checker_close_state(checker);
  return lw_method_checker_refer(checker);
}

static void check_one_state(void* context, long number)
{
  CheckRun* run            = context;
  lwMethodChecker* checker = &run->checker;
  if (!check_state_fill(run, number))
    stop(NUMERICAL, "check: the torques of state %ld of seed %ld are not finite", number,
         run->found.seed);
  for (int i = 0; i < run->found.count; ++i)
  {
    const CheckRow* row = &run->rows[i];
    checker->loops      = row->loops;
    checker->ws         = row->ws ? row->ws : checker->plain;
    lwGap gap           = row->check->gap(checker);
    finding_keep(&run->found.rows[i], gap, checker->epsilon, number);
  }
}

static void write_option(const CheckRun* run, lwOut* out, Option option)
{
  const char* value = run->found.options->value[option];
  if (!value) return;
  lw_out_format(out, " %s ", OPTIONS[option].name);
  check_path_write(out, value);
}

// The command line that shows a state.
static void write_state_command(CheckRun* run, lwOut* out, lwQuestion question,
                                const lwMethod* method)
{
  lw_out_format(out, "  linkwork %s ", lw_question_info(question)->name);
  check_path_write(out, run->found.options->operand);
  if (method) lw_out_format(out, " --method %s", method->name);
  if (run->found.precision == LW_PRECISION_SINGLE) lw_out_text(out, " --precision single");
  if (run->found.options->value[OPTION_ALLOW_BAD_INERTIA]) lw_out_text(out, " --allow-bad-inertia");
  write_option(run, out, OPTION_JOINTS);
  write_option(run, out, OPTION_AT);
  check_state_write(out, &run->checker.state, lw_question_info(question)->inputs);
  lw_out_text(out, "\n");
}

// How to see what is wrong.
static void write_culprit(void* context, lwOut* out, int i)
{
  CheckRun* run        = context;
  const CheckRow* row  = &run->rows[i];
  const Finding* found = &run->found.rows[i];
  bool same            = row->check->shown == row->check->question && (row->ws || row->loops);
  check_state_fill(run, found->state);
  lw_out_format(out, "%s %s, state %ld:\n", found->check, found->method ? found->method : "",
                found->state);
  write_state_command(run, out, row->check->shown, same ? row->method : NULL);
}

static void write_left_out_one(const CheckRun* run, lwOut* out, const lwMethodCheck* check,
                               const lwMethod* method)
{
  const char* why = why_left_out(run, check, method);
  if (why)
    lw_out_format(out, "left out, %s: %s%s%s\n", why, lw_question_info(check->question)->name,
                  method ? " " : "", method ? method->name : "");
}

// The first check of every question speaks for the others.
static void write_left_out(const CheckRun* run, lwOut* out)
{
  unsigned seen = run->loops ? ~0u : 0;  // checks of loops have a row for each question
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

static void write_robot_name(void* context, lwOut* out)
{
  lw_out_format(out, "%s: ", lw_model_name(((const CheckRun*)context)->model));
}

static void write_check_notes(void* context, lwOut* out)
{
  CheckRun* run = context;
  long only     = run->found.only;
  write_left_out(run, out);
  if (only == 0) return;
  check_state_fill(run, only);
  lw_out_format(out, "state %ld of seed %ld:\n", only, run->found.seed);
  write_state_command(run, out, LW_QUESTION_INVERSE, NULL);
  write_state_command(run, out, LW_QUESTION_FORWARD, NULL);
}

static void release_run(void* run)
{
  lw_method_checker_destroy(&((CheckRun*)run)->checker);
}

static int check_methods(const Options* options, const lwModel* model)
{
  CheckRun* run      = allocate(1, sizeof *run);
  size_t checks      = (size_t)LW_METHOD_CHECK_COUNT + (size_t)LW_LOOP_CHECK_COUNT;
  size_t most        = checks * (size_t)(lw_method_count() + 1);
  run->model         = model;
  run->rows          = allocate(most, sizeof *run->rows);
  run->found         = findings_of(options, most);
  run->found.context = run;
  run->found.state   = check_one_state;
  run->found.name    = write_robot_name;
  run->found.notes   = write_check_notes;
  run->found.command = write_culprit;
  if (lw_model_dof(model) > MAX_JOINTS)
    stop(USAGE, "check: %s has %d moving joints, expected at most %d", lw_model_name(model),
         lw_model_dof(model), MAX_JOINTS);
  hold(run, release_run);
  need_ok(lw_method_checker_create(&run->checker, model, run->found.precision));
  for (int k = 0; k < LW_METHOD_CHECK_COUNT; ++k) check_rows_add(run, &LW_METHOD_CHECKS[k]);
  if (lw_model_loop_count(model) > 0)
  {
    need_ok(lw_loops_create(model, NULL, NULL, &run->loops));
    hold_loops(run->loops);
    for (int k = 0; k < LW_LOOP_CHECK_COUNT; ++k) check_rows_add(run, &LW_LOOP_CHECKS[k]);
  }
  return findings_run(&run->found);
}

// --- the command, which chooses between its two parts

int cmd_check(const Options* options)
{
  const char* const* given = options->value;
  bool against             = given[OPTION_IN] != NULL;
  const char* of_states    = first_given(options, "--states --seed --state --precision");
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
  return against ? check_against(options, format, model) : check_methods(options, model);
}
