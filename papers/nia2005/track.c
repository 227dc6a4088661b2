// SPDX-License-Identifier: MIT
// Two kinds of state behind one interface:
//   Kane, and everything of the library: y = (theta_1..n, u_1, u_2, x, y, work), see src/arm/snake_run.c
//   Lagrange with all coordinates:       y = (x, y, theta_1..n, their rates, work)
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lagrange.h"

// A run and its memory.
typedef struct Runner
{
  const Table2* table;
  const Way* way;
  int n;
  lwArena arena;
  // of the library's methods
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  lwSnakeSample sample;
  // of Lagrange with all coordinates
  Lagrange lagrange;
  lwIntegrator* integrator;
  double* y;       // (2 n + 5)
  double* torque;  // (n)
  double* rates;   // (n + 2) of the coordinates
  double* second;  // (n + 2) the same, for another u
} Runner;

// --- Lagrange with all coordinates

static void lagrange_rates(void* context, double t, const double* y, double* rates)
{
  Runner* runner   = context;
  int size         = runner->n + 2;
  const double* qd = y + size;
  table2_torques(runner->table, t, runner->torque);
  memcpy(rates, qd, (size_t)size * sizeof *rates);
  lagrange_accelerations(&runner->lagrange, y, qd, runner->torque, rates + size);
  double power = 0;
  for (int k = 0; k + 1 < runner->n; ++k) power += runner->torque[k] * (qd[k + 3] - qd[k + 2]);
  rates[2 * size] = power;
}

static lwStatus lagrange_begin(Runner* runner, const lwIntegratorDef* def)
{
  int size         = runner->n + 2;
  void* memory     = lw_arena_take(&runner->arena, lagrange_bytes(runner->n), 1);
  runner->lagrange = (Lagrange){
      .snake = runner->table->snake, .precision = runner->way->precision, .memory = memory};
  if (!memory) return LW_ERROR_MEMORY;
  table2_start(runner->table, runner->y + 2);
  lwStatus status =
      lw_integrator_create(def, 2 * size + 1, lagrange_rates, runner, NULL, &runner->integrator);
  if (status == LW_OK && runner->way->stabilised)
    status = lw_snake_workspace_create(runner->table->snake, NULL, NULL, &runner->ws);
  if (status == LW_OK) lw_integrator_start(runner->integrator, 0, runner->y);
  return status;
}

// The rates of all coordinates that (6) and (7) give for u = (V1, omega1).
static void rates_of_speeds(const Runner* runner, const double u[2], double* rates)
{
  lwSnakeStates state    = {.theta = runner->y + 2, .u = u};
  lwSnakeAnswers answers = {0};
  answers.rates          = rates;
  answers.omega          = rates + 2;
  lw_snake_answer(runner->table->snake, runner->ws, &state, &answers);
}

// Velocity of a point further along a link that rotates at w.
static void move_by(double v[2], const double arm[2], double w)
{
  v[0] += w * arm[0];
  v[1] += w * arm[1];
}

// Twice the kinetic energy (22) for a = b; else its bilinear form.
static double kinetic_product(const Runner* runner, const double* a, const double* b)
{
  const double* theta = runner->y + 2;
  double at[2] = {a[0], a[1]}, bt[2] = {b[0], b[1]}, sum = 0;
  for (int k = 0; k < runner->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(runner->table->snake, k);
    double n[2]      = {-sin(theta[k]) * link.length / 2, cos(theta[k]) * link.length / 2};
    if (k > 0) move_by(at, n, a[k + 2]), move_by(bt, n, b[k + 2]);  // now of the middle
    sum += link.mass * (at[0] * bt[0] + at[1] * bt[1]) + link.inertia * a[k + 2] * b[k + 2];
    move_by(at, n, a[k + 2]), move_by(bt, n, b[k + 2]);
  }
  return sum;
}

// Replaces the rates by the nearest ones that let no wheel slip sideways, nearest by the kinetic
// energy of the difference.
static void lagrange_stabilise(Runner* runner)
{
  int size      = runner->n + 2;
  double* qd    = runner->y + size;
  double *first = runner->rates, *second = runner->second;
  rates_of_speeds(runner, (double[]){1, 0}, first);
  rates_of_speeds(runner, (double[]){0, 1}, second);
  double a = kinetic_product(runner, first, first), b = kinetic_product(runner, first, second);
  double c = kinetic_product(runner, second, second), det = a * c - b * b;
  double p = kinetic_product(runner, first, qd), q = kinetic_product(runner, second, qd);
  double u[2] = {(c * p - b * q) / det, (a * q - b * p) / det};
  for (int i = 0; i < size; ++i) qd[i] = u[0] * first[i] + u[1] * second[i];
}

// --- the library's methods

static lwStatus library_begin(Runner* runner, const lwIntegratorDef* def)
{
  const Table2* table     = runner->table;
  lwSnakeWorkspaceDef how = lw_snake_workspace_def();
  how.method              = runner->way->method;
  how.precision           = runner->way->precision;
  runner->sample.theta    = runner->y;
  lwStatus status         = lw_snake_workspace_create(table->snake, &how, NULL, &runner->ws);
  if (status != LW_OK) return status;
  table2_start(table, runner->sample.theta);
  status = lw_snake_run_create(table->snake, runner->ws, def, table2_drive, (void*)table, NULL,
                               &runner->run);
  if (status == LW_OK) lw_snake_run_start(runner->run, &runner->sample);
  return status;
}

// --- both

static lwStatus runner_start(Runner* runner, double step)
{
  lwIntegratorDef def = lw_integrator_def();
  size_t n            = (size_t)runner->n;
  def.method          = "rk4";
  def.step            = step;
  runner->y           = lw_arena_take(&runner->arena, 2 * n + 5, sizeof(double));
  runner->torque      = lw_arena_take(&runner->arena, n, sizeof(double));
  runner->rates       = lw_arena_take(&runner->arena, n + 2, sizeof(double));
  runner->second      = lw_arena_take(&runner->arena, n + 2, sizeof(double));
  if (!runner->y || !runner->torque || !runner->rates || !runner->second) return LW_ERROR_MEMORY;
  return runner->way->method ? library_begin(runner, &def) : lagrange_begin(runner, &def);
}

static void runner_end(Runner* runner)
{
  lw_snake_run_destroy(runner->run);
  lw_snake_workspace_destroy(runner->ws);
  lw_integrator_destroy(runner->integrator);
  lw_arena_free(&runner->arena);
}

static void round_all(double* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = (float)values[i];
}

static bool library_advance(Runner* runner, double t)
{
  lwSnakeSample* sample = &runner->sample;
  if (lw_snake_run_to(runner->run, t, sample, NULL) != LW_PROGRESS_ARRIVED) return false;
  if (runner->way->precision != LW_PRECISION_SINGLE) return true;
  round_all(sample->theta, runner->n);
  round_all(sample->u, 2);
  round_all(&sample->x, 1);
  round_all(&sample->y, 1);
  round_all(&sample->work, 1);
  lw_snake_run_start(runner->run, sample);
  return true;
}

static bool lagrange_advance(Runner* runner, double t)
{
  if (lw_integrator_advance(runner->integrator, t, runner->y, NULL) != LW_PROGRESS_ARRIVED)
    return false;
  bool single = runner->way->precision == LW_PRECISION_SINGLE;
  if (!single && !runner->way->stabilised) return true;
  if (runner->way->stabilised) lagrange_stabilise(runner);
  if (single) round_all(runner->y, 2 * runner->n + 5);
  lw_integrator_start(runner->integrator, t, runner->y);
  return true;
}

// --- records

// Directions of the links, rates of all coordinates, and the rest of a record that the state itself
// holds.
static const double* library_record(Runner* runner, double* record)
{
  const lwSnakeSample* sample = &runner->sample;
  lwSnakeStates state         = {.theta = sample->theta, .u = sample->u};
  lwSnakeAnswers answers      = {.rates = runner->rates, .omega = runner->rates + 2};
  lw_snake_answer(runner->table->snake, runner->ws, &state, &answers);
  record[TRACK_X] = sample->x;
  record[TRACK_S] = -sample->work;
  return sample->theta;
}

static const double* lagrange_record(Runner* runner, double* record)
{
  int size = runner->n + 2;
  memcpy(runner->rates, runner->y + size, (size_t)size * sizeof(double));
  record[TRACK_X] = runner->y[0];
  record[TRACK_S] = -runner->y[2 * size];
  return runner->y + 2;
}

// Kinetic energy (22) and sideways speeds of the wheels, by (3), in double precision.
static void add_velocities(const Runner* runner, const double* theta, double* record)
{
  const double* rates = runner->rates;
  double x = rates[0], y = rates[1], twice = 0, slip = 0;
  for (int k = 0; k < runner->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(runner->table->snake, k);
    double c = cos(theta[k]), s = sin(theta[k]), w = rates[k + 2], h = link.length / 2;
    if (k > 0) x -= h * w * s, y += h * w * c;  // now of the middle
    twice += link.mass * (x * x + y * y) + link.inertia * w * w;
    slip = fmax(slip, fabs(c * y - s * x));
    x -= h * w * s, y += h * w * c;
  }
  record[TRACK_KINETIC] = twice / 2;
  record[TRACK_SLIP]    = slip;
}

static void add_record(Runner* runner, double t, double* record)
{
  const double* theta =
      runner->way->method ? library_record(runner, record) : lagrange_record(runner, record);
  record[TRACK_T]     = t;
  record[TRACK_THETA] = theta[0];
  add_velocities(runner, theta, record);
  record[TRACK_S] += record[TRACK_KINETIC];
}

int track_run(Page* page, const Table2* table, const Way* way, const Span* span, Track* track)
{
  long steps = lround(span->duration / span->step), every = steps / span->records;
  Runner runner = {.table = table, .way = way, .n = table->n};
  track->count  = 0;
  track->values = calloc((size_t)(span->records + 1) * TRACK_COLUMNS, sizeof(double));
  if (!track->values) return page_check(page, LW_ERROR_MEMORY);
  int status = page_check(page, runner_start(&runner, span->step));
  for (long i = 0; i <= steps && status == DONE; ++i)
  {
    double t     = (double)i * span->step;
    bool arrived = i == 0 || (way->method ? library_advance : lagrange_advance)(&runner, t);
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
