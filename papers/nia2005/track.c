// SPDX-License-Identifier: MIT
// Kane's method has theta and u as its state,
// Lagrange's all coordinates and their rates; see src/arm/snake_run.h.
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm/snake_run.h"
#include "base/arena.h"

// A run and its memory.
typedef struct TrackedRun
{
  const Table2* table;
  const TrackWay* way;
  int n;
  lwArena arena;
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  lwSnakeSample sample;
  double* sideways;  // (n) m/s, of the wheels
} TrackedRun;

// In theta and u by the method of the way, or in all coordinates if it has none.
static lwStatus tracked_run_begin(TrackedRun* runner, const lwIntegratorDef* integrator)
{
  lwSnakeRunDef def       = lw_snake_run_def();
  lwSnakeWorkspaceDef how = lw_snake_workspace_def();
  how.method              = runner->way->method;
  how.precision           = runner->way->precision;
  if (how.method &&
      lw_snake_workspace_create(runner->table->snake, &how, NULL, &runner->ws) != LW_OK)
    return LW_ERROR_MEMORY;
  def.ws         = runner->ws;
  def.snake      = runner->table->snake;
  def.precision  = runner->way->precision;
  def.integrator = *integrator;
  def.drive      = table2_drive;
  def.context    = (void*)runner->table;
  def.stabilise  = runner->way->stabilised;
  return lw_snake_run_create(&def, NULL, &runner->run);
}

static lwStatus runner_start(TrackedRun* runner, double step)
{
  lwIntegratorDef def  = lw_integrator_def();
  size_t n             = (size_t)runner->n;
  def.method           = "rk4";
  def.step             = step;
  runner->sample.theta = lw_arena_take(&runner->arena, n, sizeof(double));
  runner->sample.rates = lw_arena_take(&runner->arena, n + 2, sizeof(double));
  runner->sideways     = lw_arena_take(&runner->arena, n, sizeof(double));
  if (!runner->sample.theta || !runner->sample.rates || !runner->sideways) return LW_ERROR_MEMORY;
  lwStatus status = tracked_run_begin(runner, &def);
  if (status != LW_OK) return status;
  table2_start(runner->table, runner->sample.theta);
  lw_snake_run_start(runner->run, &runner->sample);
  return LW_OK;
}

static void runner_end(TrackedRun* runner)
{
  lw_snake_run_destroy(runner->run);
  lw_snake_workspace_destroy(runner->ws);
  lw_arena_free(&runner->arena);
}

static void round_all(double* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = (float)values[i];
}

// In single precision the state is binary32 as well.
static void round_sample(TrackedRun* runner)
{
  lwSnakeSample* sample = &runner->sample;
  round_all(sample->theta, runner->n);
  round_all(sample->rates, runner->n + 2);
  round_all(sample->u, 2);
  round_all(&sample->x, 1);
  round_all(&sample->y, 1);
  round_all(&sample->work, 1);
  lw_snake_run_start(runner->run, sample);
}

static bool runner_advance(TrackedRun* runner, double t)
{
  if (lw_snake_run_to(runner->run, t, &runner->sample, NULL) != LW_PROGRESS_ARRIVED) return false;
  if (runner->way->precision == LW_PRECISION_SINGLE) round_sample(runner);
  return true;
}

// Kinetic energy (22) and sideways speeds of the wheels, by (3), in double precision.
static void add_record(TrackedRun* runner, double t, double* record)
{
  const lwSnakeSample* sample = &runner->sample;
  record[TRACK_T]             = t;
  record[TRACK_THETA]         = sample->theta[0];
  record[TRACK_X]             = sample->x;
  record[TRACK_KINETIC] =
      lw_snake_full_kinetic(runner->table->snake, sample->theta, sample->rates, runner->sideways);
  record[TRACK_S]    = record[TRACK_KINETIC] - sample->work;
  record[TRACK_SLIP] = 0;
  for (int k = 0; k < runner->n; ++k)
    record[TRACK_SLIP] = fmax(record[TRACK_SLIP], fabs(runner->sideways[k]));
}

int track_run(Page* page, const Table2* table, const TrackWay* way, const TrackSpan* span,
              Track* track)
{
  long steps = lround(span->duration / span->step), every = steps / span->records;
  TrackedRun runner = {.table = table, .way = way, .n = table->n};
  track->count      = 0;
  track->values     = calloc((size_t)(span->records + 1) * TRACK_COLUMNS, sizeof(double));
  if (!track->values) return page_check(page, LW_ERROR_MEMORY);
  int status = page_check(page, runner_start(&runner, span->step));
  for (long i = 0; i <= steps && status == DONE; ++i)
  {
    double t     = (double)i * span->step;
    bool arrived = i == 0 || runner_advance(&runner, t);
    if (!arrived) status = page_fail(page, NUMERICAL, "the motion is not finite at t = %g s", t);
    if (i % every == 0 && arrived)
      add_record(&runner, t, track->values + (size_t)track->count++ * TRACK_COLUMNS);
  }
  runner_end(&runner);
  return status;
}

void track_free(Track* track)
{
  free(track->values);
  *track = (Track){0};
}

double track_at(const Track* track, int record, int column)
{
  return track->values[(size_t)record * TRACK_COLUMNS + (size_t)column];
}

double track_gap(const Track* a, const Track* b, int column)
{
  double gap = 0;
  for (int i = 0; i < a->count && i < b->count; ++i)
    gap = fmax(gap, fabs(track_at(a, i, column) - track_at(b, i, column)));
  return gap;
}

double track_drift(const Track* track, int column)
{
  double drift = 0;
  for (int i = 0; i < track->count; ++i)
    drift = fmax(drift, fabs(track_at(track, i, column) - track_at(track, 0, column)));
  return drift;
}

double track_peak(const Track* track, int column)
{
  double peak = 0;
  for (int i = 0; i < track->count; ++i) peak = fmax(peak, fabs(track_at(track, i, column)));
  return peak;
}
