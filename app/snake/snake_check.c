// SPDX-License-Identifier: MIT
// linkwork snake check: random states through every method.
#include <math.h>

#include "check/check_command.h"
#include "compare/snake_checks.h"
#include "snake_command.h"

enum
{
  SHOWN_LINKS = 40  // command lines of longer snakes would be too long
};

// A check of one method; what it found is in the same row of the findings.
typedef struct SnakeCheckRow
{
  const lwSnakeCheck* check;
  int method;
} SnakeCheckRow;

typedef struct SnakeCheckRun
{
  lwSnake* snake;
  lwSnakeChecker checker;
  lwSnakeWorkspace** works;  // by method; NULL: skipped
  Findings found;
  SnakeCheckRow* rows;  // (found.count), those of a method beside each other
} SnakeCheckRun;

static void make_rows(SnakeCheckRun* run)
{
  int n = run->checker.n;
  for (int m = 0; m < lw_snake_method_count(); ++m)
  {
    const lwMethod* method  = lw_snake_method(m);
    lwSnakeWorkspaceDef def = lw_snake_workspace_def();
    double steps            = method_steps(method, n);
    def.method              = method->name;
    def.precision           = run->found.precision;
    if (findings_too_slow(&run->found, steps)) continue;
    run->works[m] = snake_workspace_of(run->snake, &def);
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

static void check_snake_state(void* context, long number)
{
  SnakeCheckRun* run      = context;
  lwSnakeChecker* checker = &run->checker;
  lwSnakeStates state     = {checker->theta, checker->u, checker->torque};
  int answered            = -1;
  lw_snake_checker_fill(checker, (uint64_t)run->found.seed, number);
  if (!isfinite(*checker->expected.kinetic + checker->expected.udot[0]))
    stop(NUMERICAL, "snake check: the motion in state %ld of seed %ld is not finite", number,
         run->found.seed);
  for (int i = 0; i < run->found.count; ++i)
  {
    const SnakeCheckRow* row = &run->rows[i];
    checker->ws              = run->works[row->method];
    if (row->method != answered) lw_snake_answer(run->snake, checker->ws, &state, &checker->got);
    answered = row->method;
    finding_keep(&run->found.rows[i], row->check->gap(checker), checker->epsilon, number);
  }
}

// The command line that shows a state.
static void write_snake_command(void* context, lwOut* out, int i)
{
  SnakeCheckRun* run      = context;
  lwSnakeChecker* checker = &run->checker;
  const Finding* found    = &run->found.rows[i];
  lw_snake_checker_fill(checker, (uint64_t)run->found.seed, found->state);
  lw_out_format(out, "%s by %s, state %ld:\n", found->check, found->method, found->state);
  if (checker->n > SHOWN_LINKS) return;
  lw_out_text(out, "  linkwork snake state ");
  check_path_write(out, run->found.options->operand);
  lw_out_format(out, " --method %s", found->method);
  if (run->found.precision == LW_PRECISION_SINGLE) lw_out_text(out, " --precision single");
  check_list_write(out, "--theta", checker->theta, checker->n);
  check_list_write(out, "--u", checker->u, 2);
  check_list_write(out, "--torque", checker->torque, checker->n - 1);
  lw_out_text(out, "\n");
}

static void write_left_out(void* context, lwOut* out)
{
  const SnakeCheckRun* run = context;
  for (int m = 0; m < lw_snake_method_count(); ++m)
    if (!run->works[m])
      lw_out_format(out, "left out, too slow for %ld states: %s\n", run->found.states,
                    lw_snake_method(m)->name);
}

static void write_snake_name(void* context, lwOut* out)
{
  const SnakeCheckRun* run = context;
  lw_out_format(out, "%s: %d links, ", lw_snake_name(run->snake), run->checker.n);
}

static void release_checker(void* checker)
{
  lw_snake_checker_destroy(checker);
}

int cmd_snake_check(const Options* options)
{
  SnakeCheckRun* run = allocate(1, sizeof *run);
  size_t methods     = (size_t)lw_snake_method_count();
  size_t most        = methods * (size_t)LW_SNAKE_CHECK_COUNT;
  run->found         = findings_of(options, most);
  run->found.context = run;
  run->found.state   = check_snake_state;
  run->found.name    = write_snake_name;
  run->found.notes   = write_left_out;
  run->found.command = write_snake_command;
  run->rows          = allocate(most, sizeof *run->rows);
  run->works         = allocate(methods, sizeof(void*));
  run->snake         = snake_of(options);
  hold(&run->checker, release_checker);
  need_ok(lw_snake_checker_create(&run->checker, run->snake, run->found.precision));
  if (!run->checker.centred)
    run->found.remark = "circle and mass hold for wheels in the middle of their links only\n";
  make_rows(run);
  return findings_run(&run->found);
}
