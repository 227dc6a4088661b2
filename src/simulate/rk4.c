// SPDX-License-Identifier: MIT
// The classical Runge-Kutta method of fourth order (Kutta 1901), fixed steps.
//
//   k1 = f(t, y)   k2 = f(t + h/2, y + h/2 k1)   k3 = f(t + h/2, y + h/2 k2)   k4 = f(t + h, y + h k3)
//   y(t + h) = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// A whole number of equal steps, none longer than asked for, leads to the time that is asked for.
#include <math.h>
#include <string.h>

#include "simulate/integrator.h"

enum
{
  STAGE,  // y + .. k
  RATES,  // k
  SUM,    // h/6 (k1 + 2 k2 + ..)
  ARRAYS
};

static void start(lwIntegrator* integrator)
{
  (void)integrator;
}

// sum += weight * rates; stage = y + ahead * rates
static void take_stage(lwIntegrator* integrator, double weight, double ahead)
{
  const double* y = integrator->y;
  const double* k = integrator->array[RATES];
  double* stage   = integrator->array[STAGE];
  double* sum     = integrator->array[SUM];
  for (int i = 0; i < integrator->size; ++i)
  {
    sum[i] += weight * k[i];
    stage[i] = y[i] + ahead * k[i];
  }
}

// One step from t; false if the state behind it is not finite, and y stays.
static bool step(lwIntegrator* integrator, double t, double h)
{
  double *k = integrator->array[RATES], *stage = integrator->array[STAGE];
  double *y = integrator->y, *sum = integrator->array[SUM];
  size_t bytes = (size_t)integrator->size * sizeof *y;
  memset(sum, 0, bytes);
  lw_integrator_rate(integrator, t, y, k);
  take_stage(integrator, h / 6, h / 2);
  lw_integrator_rate(integrator, t + h / 2, stage, k);
  take_stage(integrator, h / 3, h / 2);
  lw_integrator_rate(integrator, t + h / 2, stage, k);
  take_stage(integrator, h / 3, h);
  lw_integrator_rate(integrator, t + h, stage, k);
  take_stage(integrator, h / 6, 0);
  for (int i = 0; i < integrator->size; ++i) stage[i] = y[i] + sum[i];
  if (!lw_all_finite(stage, integrator->size)) return false;
  memcpy(y, stage, bytes);
  return true;
}

static bool advance(lwIntegrator* integrator, double t, double* y, const volatile int* stop)
{
  double from  = integrator->t;
  double count = fmax(ceil((t - from) / integrator->def.step - 1e-6), t > from);
  double h     = count > 0 ? (t - from) / count : 0;
  bool going   = true;
  for (double i = 0; i < count && going; ++i)
  {
    going = step(integrator, from + i * h, h);
    if (!going) break;
    integrator->t = i + 1 < count ? from + (i + 1) * h : t;
    ++integrator->steps;
    going = !(stop && *stop) || integrator->t == t;
  }
  memcpy(y, integrator->y, (size_t)integrator->size * sizeof *y);
  integrator->reached = integrator->t;
  return going;
}

const lwIntegratorKind lw_rk4 = {"rk4", ARRAYS, start, advance};
