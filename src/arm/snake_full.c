// SPDX-License-Identifier: MIT
// A snake over time in all coordinates: y = (q, q', work, slip loss), q = (x, y, theta_1..n).
#include "arm/snake_run.h"

#include <math.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "math/elementary.h"

// s. Within a long step the force of a wheel could pass its limit and come back without being seen.
static const double LONGEST_STEP = 0.01;

lwStatus lw_snake_full_check(const lwSnakeRunDef* def, lwDiag* diag)
{
  const char* wrong = NULL;
  if (lw_snake_count(def->snake) > LW_MAX_SNAKE_FULL)
    wrong = "more than 1000 links in all coordinates take too much memory";
  else if (def->precision == LW_PRECISION_SINGLE && (def->slip || def->stops))
    wrong = "slip and stops are computed in double precision only";
  else if (def->rolling_resistance > 0)
    wrong = "rolling resistance is computed in theta and u only";
  return wrong ? lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s", wrong) : LW_OK;
}

// --- kinetics

double lw_snake_full_kinetic(const lwSnake* snake, const double* theta, const double* qd,
                             double* sideways)
{
  double x = qd[0], y = qd[1], twice = 0;
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    lwSnakeLink link = lw_snake_get(snake, k);
    double c = lw_cos(theta[k]), s = lw_sin(theta[k]), w = qd[k + 2], h = link.length / 2;
    if (k > 0) x -= h * w * s, y += h * w * c;  // now of the middle
    twice += link.mass * (x * x + y * y) + link.inertia * w * w;
    if (sideways) sideways[k] = c * y - s * x + link.wheel_offset * w;
    x -= h * w * s, y += h * w * c;
  }
  return twice / 2;
}

void lw_snake_full_drive(lwSnakeRun* run, double t, const double* y)
{
  const double *theta = y + 2, *qd = y + run->full->size;
  double u[2] = {qd[0] * lw_cos(theta[0]) + qd[1] * lw_sin(theta[0]), qd[2]};
  lw_snake_drive(run, t, theta, u, y);
}

static void full_rates(void* context, double t, const double* y, double* rates)
{
  lwSnakeRun* run   = context;
  lwSnakeFull* full = run->full;
  int size          = full->size;
  const double* qd  = y + size;
  memcpy(rates, qd, (size_t)size * sizeof *rates);
  if (full->contacts)
    lw_snake_contact_accelerations(run, t, y);
  else
  {
    lw_snake_full_drive(run, t, y);
    lw_snake_chain_accelerations(&full->chain, y, qd, run->torque, full->qdd, full->lambda);
  }
  memcpy(rates + size, full->qdd, (size_t)size * sizeof *rates);
  double power = 0;
  for (int k = 0; k + 1 < run->n; ++k) power += run->torque[k] * (qd[k + 3] - qd[k + 2]);
  rates[2 * size]     = power;
  rates[2 * size + 1] = 0;
  if (run->def.slip) lw_snake_full_kinetic(run->snake, y + 2, qd, full->lambda);
  for (int k = 0; k < run->n && run->def.slip; ++k)
    if (full->wheel[k])
      rates[2 * size + 1] +=
          lw_snake_get(run->snake, k).friction_limit * full->wheel[k] * full->lambda[k];
}

// --- making one

static bool take_contacts(lwSnakeRun* run, lwSnakeFull* full)
{
  lwArena* arena = &run->arena;
  size_t size = (size_t)full->size, rows = 2 * (size_t)run->n;
  full->wheel            = lw_arena_take(arena, rows, 1);
  full->stop             = full->wheel + run->n;
  full->before           = lw_arena_take(arena, rows, 1);
  full->stuck            = lw_arena_take(arena, rows, sizeof *full->stuck);
  full->which            = lw_arena_take(arena, rows, sizeof *full->which);
  full->problem.side     = lw_arena_take(arena, rows, sizeof *full->problem.side);
  size_t memory          = lw_bounded_memory((int)rows);
  const lwArray arrays[] = {{&full->C, rows * size},  {&full->Y, rows * size},
                            {&full->W, rows * rows},  {&full->problem.memory, memory},
                            {&full->force, rows},     {&full->c, rows},
                            {&full->low, rows},       {&full->high, rows},
                            {&full->problem.x, rows}, {&full->qdd, size},
                            {&full->free, size},      {&full->incoming, size},
                            {&full->lambda, size},    {NULL, 0}};
  return lw_arrays_take(arena, arrays) && !lw_arena_failed(arena);
}

lwStatus lw_snake_full_create(lwSnakeRun* run, lwDiag* diag)
{
  lwSnakeRunDef* def = &run->def;
  lwSnakeFull* full  = lw_arena_take(&run->arena, 1, sizeof *full);
  void* memory       = lw_arena_take(&run->arena, lw_snake_chain_bytes(run->n), 1);
  if (!full || !memory) return LW_ERROR_MEMORY;
  full->size     = run->n + 2;
  full->contacts = def->slip || def->stops;
  full->chain    = (lwSnakeChain){run->snake, def->precision, memory};
  def->stabilise |= full->contacts;
  if (full->contacts && def->integrator.longest == 0) def->integrator.longest = LONGEST_STEP;
  run->full       = full;
  lwStatus status = take_contacts(run, full) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_snake_workspace_create(run->snake, NULL, diag, &run->ws);
  if (status == LW_OK)
    status = lw_integrator_create(&def->integrator, 2 * full->size + 2, full_rates, run, diag,
                                  &run->integrator);
  if (status == LW_OK && full->contacts)
    status = lw_integrator_watch(run->integrator, 2 * run->n - 1, lw_snake_contact_values, run);
  return status;
}

// --- from sample to sample

void lw_snake_full_start(lwSnakeRun* run, const lwSnakeSample* sample)
{
  lwSnakeFull* full = run->full;
  int size          = full->size;
  run->y[0]         = sample->x;
  run->y[1]         = sample->y;
  memcpy(run->y + 2, sample->theta, (size_t)run->n * sizeof *run->y);
  if (sample->rates)
    memcpy(lw_snake_qd(run), sample->rates, (size_t)size * sizeof *run->y);
  else  // those of the speeds u, no wheel slipping
  {
    lwSnakeStates state    = {.theta = lw_snake_theta(run), .u = sample->u};
    lwSnakeAnswers answers = {.rates = lw_snake_qd(run), .omega = lw_snake_qd(run) + 2};
    lw_snake_answer(run->snake, run->ws, &state, &answers);
  }
  run->y[2 * size]     = sample->work;
  run->y[2 * size + 1] = sample->slip_loss;
  full->stop_loss      = sample->stop_loss;
  if (full->contacts) lw_snake_contacts_begin(run, sample->t);
  lw_integrator_start(run->integrator, sample->t, run->y);
  lw_snake_audit_state(run, sample->t, run->y);
}

// The rates of a sample are projected as those of steps are; the run itself goes on without it.
lwProgress lw_snake_full_advance(lwSnakeRun* run, double t, const volatile sig_atomic_t* stop)
{
  lwIntegrator* integrator = run->integrator;
  for (;;)
  {
    lwProgress progress = lw_integrator_advance(integrator, t, run->y, stop);
    double reached      = lw_integrator_time(integrator);
    if (progress == LW_PROGRESS_ARRIVED && run->def.stabilise) lw_snake_project(run);
    if (progress != LW_PROGRESS_EVENT) return progress;
    lw_snake_audit_state(run, reached, run->y);
    if (!lw_snake_contact_event(run, reached, lw_integrator_event(integrator)))
      return LW_PROGRESS_STEP_VANISHED;
    lw_snake_audit_state(run, reached, run->y);
    lw_integrator_start(integrator, reached, run->y);
  }
}

bool lw_snake_step_end(void* context, double t, const double* y, double* moved)
{
  lwSnakeRun* run = context;
  bool moves      = run->full && run->def.stabilise;
  if (moves)
  {
    memcpy(run->y, y, (size_t)run->integrator->size * sizeof *y);
    lw_snake_project(run);
    memcpy(moved, run->y, (size_t)run->integrator->size * sizeof *y);
  }
  lw_snake_audit_state(run, t, moves ? moved : y);
  return moves;
}

void lw_snake_full_sample(lwSnakeRun* run, lwSnakeSample* sample)
{
  lwSnakeFull* full = run->full;
  int size          = full->size;
  const double *y = run->y, *theta = y + 2, *qd = y + size;
  memcpy(sample->theta, theta, (size_t)run->n * sizeof *y);
  if (sample->rates) memcpy(sample->rates, qd, (size_t)size * sizeof *y);
  sample->u[0]      = qd[0] * lw_cos(theta[0]) + qd[1] * lw_sin(theta[0]);
  sample->u[1]      = qd[2];
  sample->x         = y[0];
  sample->y         = y[1];
  sample->work      = y[2 * size];
  sample->slip_loss = y[2 * size + 1];
  sample->stop_loss = full->stop_loss;
  sample->sideways  = 0;
  sample->kinetic   = lw_snake_full_kinetic(run->snake, theta, qd, full->lambda);
  for (int k = 0; k < run->n; ++k) sample->sideways = fmax(sample->sideways, fabs(full->lambda[k]));
}

void lw_snake_full_forces(lwSnakeRun* run, double t, const double* y)
{
  lwSnakeFull* full = run->full;
  if (full->contacts)
  {
    lw_snake_contact_accelerations(run, t, y);
    for (int k = 0; k < run->n; ++k) run->lambda[k] = -full->force[k];
    return;
  }
  lw_snake_full_drive(run, t, y);
  lw_snake_chain_accelerations(&full->chain, y, y + full->size, run->torque, full->qdd,
                               run->lambda);
}
