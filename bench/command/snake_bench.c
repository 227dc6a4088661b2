// SPDX-License-Identifier: MIT
// linkwork snake bench: times all snake methods, those of each snake beside each other.
#include <stdlib.h>

#include "bench.h"
#include "io/note.h"
#include "io/progress.h"
#include "snake/snake_command.h"

enum
{
  DEFAULT_LINKS = 20,
  MAX_LINKS     = 1000
};

// The snake of the command line, or generic ones; how many.
static int make_snakes(const Options* options, const lwSnake* snakes[BENCH_ROBOTS])
{
  int links[BENCH_ROBOTS] = {DEFAULT_LINKS}, count = 1;
  const char* text = options->value[OPTION_LINKS];
  if (options->operand && text) stop(USAGE, "snake bench: give SNAKE or --links, not both");
  if (text) need(bench_sizes(OPTION_LINKS, text, 2, MAX_LINKS, links, &count));
  for (int i = 0; i < count && !options->operand; ++i)
  {
    lwSnake* made = NULL;
    need_ok(lw_snake_create_generic(links[i], &made));
    snakes[i] = hold_snake(made);
  }
  if (options->operand) snakes[0] = snake_of(options);
  if (lw_snake_count(snakes[0]) > MAX_LINKS)
    stop(USAGE, "snake bench: %d links, expected at most %d", lw_snake_count(snakes[0]), MAX_LINKS);
  return count;
}

// Adds a method, one state per call and many, unless it is too slow.
static void add_snake_method(Bench* bench, BenchTrial trial)
{
  if (bench_call_seconds(&trial) > bench->limits.call)
  {
    note("snake bench: %s is skipped: one call takes more than %g ms", trial_method(&trial),
         1e3 * bench->limits.call);
    return;
  }
  for (int mode = 0; mode < TRIAL_MODES; ++mode)
  {
    trial.mode                    = (TrialMode)mode;
    bench->trials[bench->count++] = trial;
  }
}

int cmd_snake_bench(const Options* options)
{
  lwFormat format = format_of(options);
  lwOut* out      = output_of(options);
  Bench* bench    = hold(allocate(1, sizeof *bench), bench_free);
  const lwSnake* snakes[BENCH_ROBOTS];
  int count = make_snakes(options, snakes), methods = lw_snake_method_count();
  need(bench_choose(options, bench));
  bench->trials = calloc((size_t)(count * methods * TRIAL_MODES), sizeof *bench->trials);
  if (!bench->trials) leave(no_memory());
  for (int i = 0; i < count; ++i)
  {
    int first = bench->count;
    progress_wait("timing %d methods, %d links", methods, lw_snake_count(snakes[i]));
    for (int m = 0; m < methods; ++m)
      add_snake_method(bench, (BenchTrial){.snake     = snakes[i],
                                           .method    = m,
                                           .precision = precision_of(options),
                                           .threads   = 1});
    need_ok(bench_run(&bench->limits, bench->count - first, bench->trials + first));
  }
  bench_write_sheet(out, bench, format, BENCH_COLUMNS);
  return output_end(out, DONE);
}
