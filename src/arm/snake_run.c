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

#include "answer/snake_workspace.h"

static double power_of_torques(const double* torque, const double* omega, int joints)
{
  double sum = 0;
  for (int k = 0; k < joints; ++k) sum += torque[k] * (omega[k + 1] - omega[k]);
  return sum;
}

static void reduced_rates(void* context, double t, const double* y, double* rates)
{
  lwSnakeRun* run = context;
  int n           = run->n;
  const double* u = y + n;
  if (run->drive) run->drive(run->context, t, y, u, run->torque);
  lwSnakeStates state = {.theta = y, .u = u, .torque = run->torque};
  lw_snake_motion(run->snake, run->ws, &state, rates + n, rates);
  double c = cos(y[0]), s = sin(y[0]), side = run->offset * u[1];
  rates[n + 2] = u[0] * c + side * s;
  rates[n + 3] = u[0] * s - side * c;
  rates[n + 4] = power_of_torques(run->torque, rates, n - 1);
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

static lwSnakeRun* new_run(const lwSnake* snake, lwSnakeDrive* drive, void* context)
{
  lwSnakeRun* run = calloc(1, sizeof *run);
  if (run)
    *run = (lwSnakeRun){.snake   = snake,
                        .n       = lw_snake_count(snake),
                        .offset  = lw_snake_get(snake, 0).wheel_offset,
                        .drive   = drive,
                        .context = context,
                        .energy  = {.weight = snake_weight(snake)}};
  return run;
}

static lwStatus hand_over(lwStatus status, lwSnakeRun* made, lwSnakeRun** run)
{
  *run = status == LW_OK ? made : NULL;
  if (status != LW_OK) lw_snake_run_destroy(made);
  return status;
}

lwStatus lw_snake_run_create(const lwSnake* snake, lwSnakeWorkspace* ws, const lwIntegratorDef* def,
                             lwSnakeDrive* drive, void* context, lwDiag* diag, lwSnakeRun** run)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  lwSnakeRun* made = new_run(snake, drive, context);
  lwStatus status  = made ? take_run(made, lw_snake_count(snake) + 5, false) : LW_ERROR_MEMORY;
  if (made) made->ws = ws;
  if (status == LW_OK)
    status = lw_integrator_create(def, made->n + 5, reduced_rates, made, diag, &made->integrator);
  if (status == LW_OK) lw_integrator_on_step(made->integrator, lw_snake_step_end, made);
  return hand_over(status, made, run);
}

lwStatus lw_snake_run_create_full(const lwSnakeRunDef* def, lwDiag* diag, lwSnakeRun** run)
{
  *run            = NULL;
  lwStatus status = lw_snake_full_check(def, diag);
  if (status != LW_OK) return status;
  lwSnakeRun* made = new_run(def->snake, def->drive, def->context);
  status           = made ? take_run(made, 2 * (made->n + 2) + 2, def->slip) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_snake_full_create(made, def, diag);
  return hand_over(status, made, run);
}

void lw_snake_run_destroy(lwSnakeRun* run)
{
  if (!run) return;
  if (run->full) lw_snake_workspace_destroy(run->ws);
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
  lwSnakeAudit* audit = &run->audit;
  sample->S           = sample->kinetic - sample->work + sample->slip_loss + sample->stop_loss;
  audit->work         = sample->work;
  audit->slip_loss    = sample->slip_loss;
  audit->stop_loss    = sample->stop_loss;
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

const lwIntegrator* lw_snake_run_integrator(const lwSnakeRun* run)
{
  return run->integrator;
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
  if (run->drive) run->drive(run->context, t, y, u, run->torque);
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
    if (beyond && !run->beyond[k]) lw_snake_note(run, t, LW_SNAKE_NOTE_BEYOND, k);
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

void lw_snake_note(lwSnakeRun* run, double t, lwSnakeNoteKind kind, int which)
{
  lwSnakeAudit* audit = &run->audit;
  if (audit->counts[kind]++ == 0) audit->first[kind] = t;
  if (audit->note_count == LW_MAX_NOTES) return;
  run->notes[audit->note_count++] = (lwSnakeNote){t, kind, which};
}

lwSnakeAudit lw_snake_run_audit(const lwSnakeRun* run)
{
  lwSnakeAudit audit = run->audit;
  audit.steps        = lw_integrator_stats(run->integrator);
  audit.notes        = run->notes;
  lwVerdict verdict  = lw_energy_judge(&run->energy, run->integrator);
  audit.peak_kinetic = run->energy.kinetic;
  audit.worst_S      = run->energy.S;
  audit.turnover     = verdict.turnover;
  audit.bound        = verdict.bound;
  audit.trusted      = verdict.trusted;
  return audit;
}
