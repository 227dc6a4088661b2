// SPDX-License-Identifier: MIT
// linkwork snake check: random states through every method.
#include <math.h>

#include "check/check_command.h"
#include "compare/snake_checks.h"
#include "io/progress.h"
#include "snake_command.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  SHOWN_STATE = 5,  // at most this many command lines that show what is wrong
  SHOWN_LINKS = 40  // of longer snakes they would be too long
};

static const double MAX_STEPS = 5e8;  // states n^order, above which a method is skipped

// A check of one method; what it found is in the same row of the findings.
typedef struct SnakeCheckRow
{
  const lwSnakeCheck* check;
  int method;
} SnakeCheckRow;

typedef struct SnakeCheckRun
{
  const Options* options;
  lwSnake* snake;
  lwPrecision precision;
  long states, seed;
  lwSnakeChecker checker;
  lwSnakeWorkspace** works;  // by method; NULL: skipped
  Findings found;
  SnakeCheckRow* rows;  // (found.count), those of a method beside each other
} SnakeCheckRun;

static void make_rows(SnakeCheckRun* run)
{
  int methods = lw_snake_method_count(), n = run->checker.n;
  size_t most     = (size_t)methods * (size_t)LW_SNAKE_CHECK_COUNT;
  run->rows       = allocate(most, sizeof *run->rows);
  run->found.rows = allocate(most, sizeof *run->found.rows);
  run->works      = allocate((size_t)methods, sizeof(void*));
  for (int m = 0; m < methods; ++m)
  {
    const lwMethod* method  = lw_snake_method(m);
    lwSnakeWorkspaceDef def = lw_snake_workspace_def();
    double steps            = method_steps(method, n);
    def.method              = method->name;
    def.precision           = run->precision;
    if (steps * (double)run->states > MAX_STEPS) continue;
    need_ok(lw_snake_workspace_create(run->snake, &def, NULL, &run->works[m]));
    hold_snake_workspace(run->works[m]);
    // Methods of order n^3 solve for all coordinates and forces at once. What they lose grows
    // faster with the number of links, because the inertia matrix of a long chain is
    // ill-conditioned.
    double extra = steps > (double)n * n ? 2.0 * n * n : 0;
    for (int c = 0; c < LW_SNAKE_CHECK_COUNT; ++c)
    {
      const lwSnakeCheck* check = &LW_SNAKE_CHECKS[c];
      if (check->of_centred && !run->checker.centred) continue;
      run->rows[run->found.count] = (SnakeCheckRow){.check = check, .method = m};
      run->found.rows[run->found.count++] =
          (Finding){.check    = check->name,
                    .question = "snake",
                    .method   = method->name,
                    .bound    = check->base + check->per_link * n + extra};
    }
  }
}

static void check_state(SnakeCheckRun* run, long number)
{
  lwSnakeChecker* checker = &run->checker;
  lwSnakeStates state     = {checker->theta, checker->u, checker->torque};
  int answered            = -1;
  lw_snake_checker_fill(checker, (uint64_t)run->seed, number);
  if (!isfinite(*checker->expected.kinetic + checker->expected.udot[0]))
    stop(NUMERICAL, "snake check: the motion in state %ld of seed %ld is not finite", number,
         run->seed);
  for (int i = 0; i < run->found.count; ++i)
  {
    const SnakeCheckRow* row = &run->rows[i];
    checker->ws              = run->works[row->method];
    if (row->method != answered) lw_snake_answer(run->snake, checker->ws, &state, &checker->got);
    answered = row->method;
    finding_keep(&run->found.rows[i], row->check->gap(checker), checker->epsilon, number);
  }
}

// --- the report

// The command line that shows a state.
static void write_snake_command(SnakeCheckRun* run, lwOut* out, const Finding* found)
{
  lwSnakeChecker* checker = &run->checker;
  lw_snake_checker_fill(checker, (uint64_t)run->seed, found->state);
  lw_out_format(out, "%s by %s, state %ld:\n", found->check, found->method, found->state);
  if (checker->n > SHOWN_LINKS) return;
  lw_out_text(out, "  linkwork snake state ");
  check_path_write(out, run->options->operand);
  lw_out_format(out, " --method %s", found->method);
  if (run->precision == LW_PRECISION_SINGLE) lw_out_text(out, " --precision single");
  check_list_write(out, "--theta", checker->theta, checker->n);
  check_list_write(out, "--u", checker->u, 2);
  check_list_write(out, "--torque", checker->torque, checker->n - 1);
  lw_out_text(out, "\n");
}

static void write_snake_notes(void* context, lwOut* out)
{
  SnakeCheckRun* run = context;
  int shown          = 0;
  for (int m = 0; m < lw_snake_method_count(); ++m)
    if (!run->works[m])
      lw_out_format(out, "left out, too slow for %ld states: %s\n", run->states,
                    lw_snake_method(m)->name);
  for (int i = 0; i < run->found.count && shown < SHOWN_STATE; ++i)
  {
    if (finding_is_ok(&run->found.rows[i])) continue;
    write_snake_command(run, out, &run->found.rows[i]);
    ++shown;
  }
}

static void write_snake_heading(void* context, lwOut* out)
{
  const SnakeCheckRun* run = context;
  lw_out_format(
      out,
      "%s: %d links, %ld states of seed %ld, %s precision\n"
      "worst and bound are in units of rounding: |difference| / (%.3g times the size of the "
      "terms that make up the answer)\n",
      lw_snake_name(run->snake), run->checker.n, run->states, run->seed,
      run->precision == LW_PRECISION_SINGLE ? "single" : "double", run->checker.epsilon);
  if (!run->checker.centred)
    lw_out_text(out, "circle and mass hold for wheels in the middle of their links only\n");
}

static void release_checker(void* checker)
{
  lw_snake_checker_destroy(checker);
}

int cmd_snake_check(const Options* options)
{
  SnakeCheckRun* run = allocate(1, sizeof *run);
  run->options       = options;
  run->found =
      (Findings){.heading = write_snake_heading, .notes = write_snake_notes, .context = run};
  run->found.format = format_of(options);
  run->precision    = precision_of(options);
  run->states       = integer_of(options, OPTION_STATES, 1, MAX_STATES, 100);
  run->seed         = integer_of(options, OPTION_SEED, 0, MAX_SEED, 1);
  run->snake        = snake_of(options);
  hold(&run->checker, release_checker);
  if (lw_snake_checker_create(&run->checker, run->snake, run->precision) != LW_OK)
    leave(no_memory());
  make_rows(run);
  for (long k = 1; k <= run->states; ++k)
  {
    progress_show((double)(k - 1) / (double)run->states, "state %ld of %ld", k, run->states);
    check_state(run, k);
  }
  return findings_print(&run->found, options->value[OPTION_OUT]);
}
