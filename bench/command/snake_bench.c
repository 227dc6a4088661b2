// SPDX-License-Identifier: MIT
// linkwork snake bench: times all snake methods in one race for each snake.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench.h"
#include "io/note.h"
#include "io/output.h"
#include "io/progress.h"
#include "race.h"
#include "snake/snake_command.h"
#include "text/table_writer.h"

enum
{
  DEFAULT_LINKS = 20,
  MAX_LINKS     = 1000,
  STATES        = 64,
  MAX_TRIALS    = 16,
  MODES         = 2
};

#define SLOWEST_CALL 20e-3  // s; slower methods are skipped, with a note

static const char* const MODE_NAMES[MODES] = {"single", "batch"};

typedef struct SnakeTrial
{
  const lwSnake* snake;
  const double* values;  // theta, u, torque of all states
  double* answers;       // udot, omega of all states
  lwSnakeWorkspace* ws;
  int method;
  int mode;
  int next;  // state of a single call
  Racer racer;
} SnakeTrial;

typedef struct SnakeBench
{
  lwSnake* snake;
  lwPrecision precision;
  double* values;
  double* answers;
  int count;
  SnakeTrial trials[MAX_TRIALS];
} SnakeBench;

// Those of all snakes.
typedef struct SnakeBenches
{
  int count;
  SnakeBench* of;  // (count)
} SnakeBenches;

static lwSnakeStates state_at(const SnakeTrial* trial, int k)
{
  size_t n = (size_t)lw_snake_count(trial->snake), at = (size_t)k;
  const double* u      = trial->values + n * STATES;
  const double* torque = u + 2 * (size_t)STATES;
  return (lwSnakeStates){trial->values + n * at, u + 2 * at, torque + (n - 1) * at};
}

// The answers that a simulation needs: udot and omega.
static lwSnakeAnswers answers_of(const SnakeTrial* trial)
{
  return (lwSnakeAnswers){.udot = trial->answers, .omega = trial->answers + 2 * (size_t)STATES};
}

static void call_single(void* context, int calls)
{
  SnakeTrial* trial      = context;
  lwSnakeAnswers answers = answers_of(trial);
  for (int i = 0; i < calls; ++i)
  {
    lwSnakeStates state = state_at(trial, trial->next);
    lw_snake_answer(trial->snake, trial->ws, &state, &answers);
    trial->next = (trial->next + 1) % STATES;
  }
}

static void call_batch(void* context, int calls)
{
  SnakeTrial* trial      = context;
  lwSnakeAnswers answers = answers_of(trial);
  lwSnakeStates states   = state_at(trial, 0);
  for (int i = 0; i < calls; ++i)
    lw_snake_answer_many(trial->snake, trial->ws, STATES, &states, &answers);
}

static int read_snake(const Options* options, SnakeBench* bench)
{
  bench->snake = snake_of(options);
  unhold(bench->snake);  // the bench owns it
  if (lw_snake_count(bench->snake) > MAX_LINKS)
    return fail(USAGE, "snake bench: %d links, expected at most %d", lw_snake_count(bench->snake),
                MAX_LINKS);
  return DONE;
}

static int make_snakes(const Options* options, SnakeBenches* benches)
{
  int links[BENCH_ROBOTS] = {DEFAULT_LINKS}, count = 1, status = DONE;
  const char* text = options->value[OPTION_LINKS];
  if (options->operand && text) return fail(USAGE, "snake bench: give SNAKE or --links, not both");
  if (text) status = bench_sizes(OPTION_LINKS, text, 2, MAX_LINKS, links, &count);
  if (status != DONE) return status;
  benches->of = calloc((size_t)count, sizeof *benches->of);
  if (!benches->of) return no_memory();
  benches->count = count;
  if (options->operand) return read_snake(options, benches->of);
  lwStatus made = LW_OK;
  for (int i = 0; i < count && made == LW_OK; ++i)
    made = lw_snake_create_generic(links[i], &benches->of[i].snake);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static int make_states(SnakeBench* bench)
{
  lwRandom random = {7};
  size_t n        = (size_t)lw_snake_count(bench->snake);
  size_t count    = (2 * n + 1) * STATES;
  bench->values   = malloc(count * sizeof *bench->values);
  bench->answers  = malloc((n + 2) * STATES * sizeof *bench->answers);
  if (!bench->values || !bench->answers) return no_memory();
  for (size_t i = 0; i < count; ++i) bench->values[i] = lw_random_between(&random, -1, 1);
  return DONE;
}

// Adds a method in one mode, unless it is too slow.
static int add_trial(SnakeBench* bench, int method, int mode)
{
  SnakeTrial* trial       = &bench->trials[bench->count];
  lwSnakeWorkspaceDef def = lw_snake_workspace_def();
  def.method              = lw_snake_method(method)->name;
  def.precision           = bench->precision;
  *trial                  = (SnakeTrial){.snake   = bench->snake,
                                         .values  = bench->values,
                                         .answers = bench->answers,
                                         .method  = method,
                                         .mode    = mode};
  if (lw_snake_workspace_create(bench->snake, &def, NULL, &trial->ws) != LW_OK) return no_memory();
  trial->racer = (Racer){.run = call_single, .context = trial, .states = 1};
  double first = race_sample(&trial->racer, 1);  // may be disturbed, so take a second one
  bool slow    = first > SLOWEST_CALL && race_sample(&trial->racer, 1) > SLOWEST_CALL;
  if (mode == 1) trial->racer = (Racer){.run = call_batch, .context = trial, .states = STATES};
  if (!slow)
  {
    ++bench->count;
    return DONE;
  }
  lw_snake_workspace_destroy(trial->ws);
  if (mode == 0)
    note("snake bench: %s is skipped: one call takes more than %g ms", def.method,
         1e3 * SLOWEST_CALL);
  return DONE;
}

static int race_all(SnakeBench* bench, double seconds)
{
  Racer racers[MAX_TRIALS];
  for (int i = 0; i < bench->count; ++i) racers[i] = bench->trials[i].racer;
  progress_wait("timing %d methods, %d links", lw_snake_method_count(),
                lw_snake_count(bench->snake));
  if (race_run(seconds, bench->count, racers) != LW_OK) return no_memory();
  for (int i = 0; i < bench->count; ++i) bench->trials[i].racer = racers[i];
  return DONE;
}

static int time_snake(const Options* options, SnakeBench* bench)
{
  bench->precision = precision_of(options);
  int status       = make_states(bench);
  for (int i = 0; i < lw_snake_method_count(); ++i)
    for (int mode = 0; mode < MODES && status == DONE; ++mode) status = add_trial(bench, i, mode);
  return status == DONE ? race_all(bench, options->value[OPTION_QUICK] ? 0.25 : 2.5) : status;
}

static int time_snake_methods(const Options* options, SnakeBenches* benches)
{
  int status = make_snakes(options, benches);
  for (int i = 0; i < benches->count && status == DONE; ++i)
    status = time_snake(options, &benches->of[i]);
  return status;
}

static double fastest_method_ns(const SnakeBench* bench, int mode)
{
  double fastest = 0;
  for (int i = 0; i < bench->count; ++i)
  {
    double best = bench->trials[i].racer.best;
    if (bench->trials[i].mode == mode && (fastest == 0 || best < fastest)) fastest = best;
  }
  return fastest;
}

static void trial_row(const void* context, int i, lwCell* cells)
{
  const SnakeBench* bench = ((const SnakeBenches*)context)->of;
  for (; i >= bench->count; ++bench) i -= bench->count;
  const SnakeTrial* trial = &bench->trials[i];
  const Racer* racer      = &trial->racer;
  const char* precision   = bench->precision == LW_PRECISION_DOUBLE ? "double" : "single";
  lwCell all[]            = {lw_cell_text(lw_snake_name(bench->snake)),
                             lw_cell_number(lw_snake_count(bench->snake)),
                             lw_cell_text("snake"),
                             lw_cell_text(lw_snake_method(trial->method)->name),
                             lw_cell_text(precision),
                             lw_cell_text(MODE_NAMES[trial->mode]),
                             lw_cell_number(1),
                             lw_cell_number(racer->best),
                             lw_cell_number(racer->median),
                             lw_cell_number(racer->best / fastest_method_ns(bench, trial->mode)),
                             lw_cell_number(racer->rounds),
                             lw_cell_text(lw_snake_workspace_isa(trial->ws))};
  memcpy(cells, all, sizeof all);
}

static void free_benches(void* context)
{
  SnakeBenches* benches = context;
  for (int i = 0; i < benches->count; ++i)
  {
    SnakeBench* bench = &benches->of[i];
    for (int k = 0; k < bench->count; ++k) lw_snake_workspace_destroy(bench->trials[k].ws);
    free(bench->values);
    free(bench->answers);
    lw_snake_destroy(bench->snake);
  }
  free(benches->of);
}

int cmd_snake_bench(const Options* options)
{
  static const char columns[] =
      "robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa";
  lwFormat format       = format_of(options);
  lwOut* out            = output_of(options);
  SnakeBenches* benches = hold(allocate(1, sizeof *benches), free_benches);
  need(time_snake_methods(options, benches));
  lwSheet sheet = {.columns = columns, .row = trial_row, .context = benches};
  for (int i = 0; i < benches->count; ++i) sheet.rows += benches->of[i].count;
  lw_sheet_write(out, format, &sheet);
  return output_end(out, DONE);
}
