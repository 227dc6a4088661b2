// SPDX-License-Identifier: MIT
// A snake over time in theta and u: y = (theta_1..n, u_1, u_2, x, y, work);
// and what both kinds of runs share.
//
//   theta' = omega   u' = M^-1 (F - N omega)   x', y' = velocity of the middle of link 1
//   work'  = sum T_k (omega_k+1 - omega_k)
//
// Kinetic energy less work is the energy function S of nia2005, section VI.3: its rate is zero.
#include "arm/snake_run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/snake_workspace.h"  // for what is asserted
#include "arm/snake_record.h"
#include "base/diag.h"
#include "math/elementary.h"

static double power_of_torques(const double* torque, const double* omega, int joints)
{
  double sum = 0;
  for (int k = 0; k < joints; ++k) sum += torque[k] * (omega[k + 1] - omega[k]);
  return sum;
}

void lw_snake_drive(lwSnakeRun* run, double t, const double* theta, const double u[2],
                    const double place[2])
{
  const lwSnakeRunDef* def = &run->def;
  if (def->law)
    lw_law_values(def->law, t, run->n, run->n - 1, run->torque);
  else if (def->drive)
    def->drive(def->context, t, theta, u, place, run->torque);
}

// Rolling resistance -c V_k of every wheel: M udot changes by -c sum (dV_k/du) V_k. Returns the power
// that it takes, c sum V_k^2. V is linear in u.
static double roll(lwSnakeRun* run, const double* theta, const double u[2], double udot[2])
{
  static const double unit[2][2] = {{1, 0}, {0, 1}};
  double M[4], f[2] = {0, 0}, power = 0, c = run->def.rolling_resistance;
  for (int i = 0; i < 2; ++i)
  {
    lwSnakeStates state    = {.theta = theta, .u = unit[i]};
    lwSnakeAnswers answers = {.V = run->rolling + i * run->n, .M = M};
    lw_snake_answer(run->snake, run->ws, &state, &answers);
  }
  for (int k = 0; k < run->n; ++k)
  {
    double g[2] = {run->rolling[k], run->rolling[run->n + k]}, V = g[0] * u[0] + g[1] * u[1];
    f[0] -= c * g[0] * V;
    f[1] -= c * g[1] * V;
    power += c * V * V;
  }
  double det = M[0] * M[3] - M[1] * M[2];
  udot[0] += (M[3] * f[0] - M[1] * f[1]) / det;
  udot[1] += (M[0] * f[1] - M[2] * f[0]) / det;
  return power;
}

static void reduced_rates(void* context, double t, const double* y, double* rates)
{
  lwSnakeRun* run = context;
  int n           = run->n;
  const double* u = y + n;
  lw_snake_drive(run, t, y, u, y + n + 2);
  lwSnakeStates state    = {.theta = y, .u = u, .torque = run->torque};
  lwSnakeAnswers answers = {.udot = rates + n, .omega = rates};
  lw_snake_answer(run->snake, run->ws, &state, &answers);
  double loss = run->def.rolling_resistance > 0 ? roll(run, y, u, rates + n) : 0;
  double c = lw_cos(y[0]), s = lw_sin(y[0]), side = run->offset * u[1];
  rates[n + 2] = u[0] * c + side * s;
  rates[n + 3] = u[0] * s - side * c;
  rates[n + 4] = power_of_torques(run->torque, rates, n - 1) - loss;
}

static bool has_limit(const lwSnake* snake)
{
  for (int k = 0; k < lw_snake_count(snake); ++k)
    if (isfinite(lw_snake_get(snake, k).friction_limit)) return true;
  return false;
}

static lwStatus take_run(lwSnakeRun* run, int size, bool may_slip)
{
  lwArena* arena = &run->arena;
  size_t n       = (size_t)run->n;
  run->y         = lw_arena_take(arena, (size_t)size, sizeof(double));
  run->torque    = lw_arena_take(arena, n, sizeof(double));
  run->notes     = lw_arena_take(arena, LW_MAX_NOTES, sizeof *run->notes);
  run->beyond    = lw_arena_take(arena, n, sizeof *run->beyond);
  run->rolling   = lw_arena_take(arena, 2 * n, sizeof(double));
  if (!may_slip && has_limit(run->snake)) run->lambda = lw_arena_take(arena, n, sizeof(double));
  return lw_arena_failed(arena) ? LW_ERROR_MEMORY : LW_OK;
}

// Mass times gravity times length, J.
static double snake_weight(const lwSnake* snake)
{
  double mass = 0, length = 0;
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    mass += lw_snake_get(snake, k).mass;
    length += lw_snake_get(snake, k).length;
  }
  return mass * LW_EARTH_GRAVITY * length;
}

lwSnakeRunDef lw_snake_run_def(void)
{
  return (lwSnakeRunDef){.integrator = lw_integrator_def(), .cookie = LW_COOKIE};
}

lwStatus lw_snake_run_create(const lwSnakeRunDef* def, lwDiag* diag, lwSnakeRun** run)
{
  *run            = NULL;
  lwStatus status = lw_def_check(def->cookie, "lw_snake_run_def()", diag);
  if (status == LW_OK && !def->ws) status = lw_snake_full_check(def, diag);
  if (status == LW_OK && def->rolling_resistance > 0 && has_limit(def->snake))
    status = lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "wheels with a friction_limit cannot have rolling resistance");
  if (status != LW_OK) return status;
  assert((!def->ws || def->ws->snake == def->snake) && "the workspace was made for another snake");
  lwSnakeRun* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  *made    = (lwSnakeRun){.def    = *def,
                          .snake  = def->snake,
                          .n      = lw_snake_count(def->snake),
                          .offset = lw_snake_get(def->snake, 0).wheel_offset,
                          .ws     = def->ws,
                          .energy = {.weight = snake_weight(def->snake)}};
  int size = def->ws ? made->n + 5 : 2 * (made->n + 2) + 2;
  status   = take_run(made, size, !def->ws && def->slip);
  if (status == LW_OK)
    status = def->ws ? lw_integrator_create(&def->integrator, size, reduced_rates, made, diag,
                                            &made->integrator)
                     : lw_snake_full_create(made, diag);
  if (status == LW_OK) lw_integrator_on_step(made->integrator, lw_snake_step_end, made);
  if (status != LW_OK) lw_snake_run_destroy(made);
  if (status == LW_OK) *run = made;
  return status;
}

void lw_snake_run_destroy(lwSnakeRun* run)
{
  if (!run) return;
  if (!run->def.ws) lw_snake_workspace_destroy(run->ws);
  lw_integrator_destroy(run->integrator);
  lw_arena_free(&run->arena);
  free(run);
}

// --- from sample to sample

void lw_snake_run_start(lwSnakeRun* run, const lwSnakeSample* sample)
{
  int n = run->n;
  if (run->full)
  {
    lw_snake_full_start(run, sample);
    return;
  }
  memcpy(run->y, sample->theta, (size_t)n * sizeof *run->y);
  run->y[n]     = sample->u[0];
  run->y[n + 1] = sample->u[1];
  run->y[n + 2] = sample->x;
  run->y[n + 3] = sample->y;
  run->y[n + 4] = sample->work;
  lw_integrator_start(run->integrator, sample->t, run->y);
  lw_snake_audit_state(run, sample->t, run->y);
}

static void reduced_sample(lwSnakeRun* run, lwSnakeSample* sample)
{
  int n           = run->n;
  const double* y = run->y;
  memcpy(sample->theta, y, (size_t)n * sizeof *y);
  sample->u[0]           = y[n];
  sample->u[1]           = y[n + 1];
  sample->x              = y[n + 2];
  sample->y              = y[n + 3];
  sample->work           = y[n + 4];
  sample->sideways       = 0;
  lwSnakeStates state    = {.theta = sample->theta, .u = sample->u, .torque = run->torque};
  lwSnakeAnswers answers = {.kinetic = &sample->kinetic};
  if (sample->rates) answers.rates = sample->rates, answers.omega = sample->rates + 2;
  lw_snake_answer(run->snake, run->ws, &state, &answers);
}

static void enter_sample(lwSnakeRun* run, lwSnakeSample* sample)
{
  lwAudit* audit       = &run->audit;
  sample->S            = sample->kinetic - sample->work + sample->slip_loss + sample->stop_loss;
  audit->drive_work    = sample->work;
  audit->friction_work = 0 - sample->slip_loss;
  audit->stop_work     = 0 - sample->stop_loss;
}

lwProgress lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeSample* sample,
                           const volatile sig_atomic_t* stop)
{
  lwProgress progress = run->full ? lw_snake_full_advance(run, t, stop)
                                  : lw_integrator_advance(run->integrator, t, run->y, stop);
  sample->t           = lw_integrator_time(run->integrator);
  sample->slip_loss = sample->stop_loss = 0;
  (run->full ? lw_snake_full_sample : reduced_sample)(run, sample);
  enter_sample(run, sample);
  return progress;
}

// --- the audit

// NOLINTNEXTLINE(readability-non-const-parameter): the workspace writes kinetic
static double reduced_energy(lwSnakeRun* run, const double* y, double* kinetic)
{
  lwSnakeStates state    = {.theta = y, .u = y + run->n};
  lwSnakeAnswers answers = {.kinetic = kinetic};
  lw_snake_answer(run->snake, run->ws, &state, &answers);
  return *kinetic - y[run->n + 4];
}

static double full_energy(lwSnakeRun* run, const double* y, double* kinetic)
{
  const lwSnakeFull* full = run->full;
  double* worst           = &run->audit.worst_sideways;
  *kinetic                = lw_snake_full_kinetic(run->snake, y + 2, y + full->size, full->lambda);
  for (int k = 0; k < run->n; ++k) *worst = fmax(*worst, fabs(full->lambda[k]));
  return *kinetic - y[2 * full->size] + y[2 * full->size + 1] + full->stop_loss;
}

static void reduced_forces(lwSnakeRun* run, double t, const double* y)
{
  const double* u        = y + run->n;
  lwSnakeStates state    = {.theta = y, .u = u, .torque = run->torque};
  lwSnakeAnswers answers = {.lambda = run->lambda};
  lw_snake_drive(run, t, y, u, u + 2);
  lw_snake_answer(run->snake, run->ws, &state, &answers);
}

// Notes wheels that begin to need more than their limits.
static void note_beyond(lwSnakeRun* run, double t, const double* y)
{
  if (!run->lambda) return;
  (run->full ? lw_snake_full_forces : reduced_forces)(run, t, y);
  for (int k = 0; k < run->n; ++k)
  {
    bool beyond = fabs(run->lambda[k]) > lw_snake_get(run->snake, k).friction_limit;
    if (beyond && !run->beyond[k])
      lw_audit_note(&run->audit, run->notes, (lwNote){t, LW_NOTE_BEYOND, k});
    run->beyond[k] = beyond;
  }
}

void lw_snake_audit_state(lwSnakeRun* run, double t, const double* y)
{
  double kinetic, S = (run->full ? full_energy : reduced_energy)(run, y, &kinetic);
  if (!run->begun) run->S0 = S;
  run->begun     = true;
  double work    = y[run->full ? 2 * run->full->size : run->n + 4];
  double works[] = {work, run->full ? y[2 * run->full->size + 1] : 0,
                    run->full ? run->full->stop_loss : 0};
  lw_energy_see(&run->energy, kinetic, 0, works, 3, S - run->S0);
  note_beyond(run, t, y);
}

lwAudit lw_snake_run_audit(const lwSnakeRun* run)
{
  return lw_audit_judged(&run->audit, run->notes, &run->energy, run->integrator);
}

double lw_snake_run_time(const lwSnakeRun* run)
{
  return lw_integrator_time(run->integrator);
}

const char* lw_snake_run_why(lwSnakeRun* run, lwProgress progress)
{
  double t = lw_integrator_time(run->integrator), ahead = run->def.integrator.step;
  for (int i = 0; i < 3; ++i)
  {
    if (run->full)
      lw_snake_full_drive(run, t + ahead * i / 2, run->y);
    else
      lw_snake_drive(run, t + ahead * i / 2, run->y, run->y + run->n, run->y + run->n + 2);
    for (int k = 0; k + 1 < run->n; ++k)
      if (!isfinite(run->torque[k])) return "the torques are not finite";
  }
  if (progress == LW_PROGRESS_BUDGET) return "the budget is used up";
  return progress == LW_PROGRESS_STEP_VANISHED ? "the motion is too fast for any step"
                                               : "the motion is not finite";
}

// --- recordings

void lw_snake_record_groups(int n, bool full, lwColumnGroup groups[LW_SNAKE_GROUPS])
{
  const lwColumnGroup all[LW_SNAKE_GROUPS] = {
      {.symbol = "t", .unit = "s", .width = 1, .single = true},
      {.symbol = "theta", .unit = "rad", .width = n},
      {.symbol = "u1", .unit = "m/s", .width = 1, .single = true},
      {.symbol = "u2", .unit = "rad/s", .width = 1, .single = true},
      {.symbol = "x", .unit = "m", .width = 1, .single = true},
      {.symbol = "y", .unit = "m", .width = 1, .single = true},
      {.symbol = "kinetic", .unit = "J", .width = 1, .single = true},
      {.symbol = "work", .unit = "J", .width = 1, .single = true},
      {.symbol = "S", .unit = "J", .width = 1, .single = true},
      {.symbol = "sideways", .unit = "m/s", .width = full, .single = true},
      {.symbol = "slip_loss", .unit = "J", .width = full, .single = true},
      {.symbol = "stop_loss", .unit = "J", .width = full, .single = true},
      {.symbol = "phi", .unit = "rad", .width = n - 1}};
  memcpy(groups, all, sizeof all);
}

void lw_snake_record_values(int n, bool full, const lwSnakeSample* sample, double* values)
{
  const lwSnakeSample* at = sample;
  const double others[]   = {at->u[0], at->u[1], at->x,        at->y,         at->kinetic,
                             at->work, at->S,    at->sideways, at->slip_loss, at->stop_loss};
  size_t count            = full ? 10 : 7;
  double* phi             = values + 1 + n + count;
  values[0]               = at->t;
  memcpy(values + 1, at->theta, (size_t)n * sizeof *values);
  memcpy(values + 1 + n, others, count * sizeof *values);
  for (int k = 0; k + 1 < n; ++k) phi[k] = at->theta[k + 1] - at->theta[k];
}
