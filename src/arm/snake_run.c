// SPDX-License-Identifier: MIT
// A snake over time: y = (theta_1..n, u_1, u_2, x, y, work).
//
//   theta' = omega   u' = M^-1 (F - N omega)   x', y' = velocity of the middle of link 1
//   work'  = sum T_k (omega_k+1 - omega_k)
//
// Kinetic energy less work is the energy function S of nia2005, section VI.3: its rate is zero.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/arm.h"
#include "ode/integrator.h"

struct lwSnakeRun
{
  const lwSnake* snake;
  lwSnakeWorkspace* ws;
  int n;
  double offset;  // m, of the wheel of link 1 ahead of its middle
  lwSnakeDrive* drive;
  void* context;
  lwIntegrator* integrator;
  double* torque;  // (n-1) N m
  double* y;       // (n + 5)
};

static double power_of_torques(const double* torque, const double* omega, int joints)
{
  double sum = 0;
  for (int k = 0; k < joints; ++k) sum += torque[k] * (omega[k + 1] - omega[k]);
  return sum;
}

static void rates_of(void* context, double t, const double* y, double* rates)
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

lwStatus lw_snake_run_create(const lwSnake* snake, lwSnakeWorkspace* ws, const lwIntegratorDef* def,
                             lwSnakeDrive* drive, void* context, lwDiag* diag, lwSnakeRun** run)
{
  int n            = lw_snake_count(snake);
  lwSnakeRun* made = calloc(1, sizeof *made);
  double* values   = calloc(2 * (size_t)n + 4, sizeof *values);
  lwStatus status  = made && values ? LW_OK : LW_ERROR_MEMORY;
  *run             = NULL;
  if (made)
    *made = (lwSnakeRun){.snake   = snake,
                         .ws      = ws,
                         .n       = n,
                         .offset  = lw_snake_get(snake, 0).wheel_offset,
                         .drive   = drive,
                         .context = context,
                         .y       = values,
                         .torque  = values ? values + n + 5 : NULL};
  if (status == LW_OK)
    status = lw_integrator_create(def, n + 5, rates_of, made, diag, &made->integrator);
  if (status == LW_OK) *run = made;
  if (status == LW_OK) return status;
  free(values);
  free(made);
  return status;
}

void lw_snake_run_destroy(lwSnakeRun* run)
{
  if (!run) return;
  lw_integrator_destroy(run->integrator);
  free(run->y);
  free(run);
}

void lw_snake_run_start(lwSnakeRun* run, const lwSnakeSample* sample)
{
  int n = run->n;
  memcpy(run->y, sample->theta, (size_t)n * sizeof *run->y);
  run->y[n]     = sample->u[0];
  run->y[n + 1] = sample->u[1];
  run->y[n + 2] = sample->x;
  run->y[n + 3] = sample->y;
  run->y[n + 4] = sample->work;
  lw_integrator_start(run->integrator, sample->t, run->y);
}

lwProgress lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeSample* sample,
                           const volatile sig_atomic_t* stop)
{
  int n               = run->n;
  const double* y     = run->y;
  lwProgress progress = lw_integrator_advance(run->integrator, t, run->y, stop);
  memcpy(sample->theta, y, (size_t)n * sizeof *y);
  sample->t    = lw_integrator_time(run->integrator);
  sample->u[0] = y[n];
  sample->u[1] = y[n + 1];
  sample->x    = y[n + 2];
  sample->y    = y[n + 3];
  sample->work = y[n + 4];
  return progress;
}

const lwIntegrator* lw_snake_run_integrator(const lwSnakeRun* run)
{
  return run->integrator;
}
