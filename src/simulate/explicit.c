// SPDX-License-Identifier: MIT
// Explicit Runge-Kutta methods, with fixed steps and with steps chosen by their error; tableau.h has the equations.
//
// Step control after Gustafsson as in Hairer, Norsett & Wanner, "Solving Ordinary Differential Equations I", IV.2 (of the
// second volume) and II.4: a proportional and an integral part, and no growth after a step that was rejected.
#include <math.h>
#include <string.h>

#include "simulate/integrator.h"

enum
{
  MAX_REJECTED = 100  // in a row
};

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10;

static bool prepare(lwIntegrator* integrator)
{
  lwArena* arena    = &integrator->arena;
  size_t size       = (size_t)integrator->size;
  integrator->ahead = lw_arena_take(arena, size, sizeof(double));
  bool good         = integrator->ahead != NULL;
  for (int i = 0; i < integrator->tableau->stages; ++i)
  {
    integrator->k[i] = lw_arena_take(arena, size, sizeof(double));
    good             = good && integrator->k[i];
  }
  return good;
}

static void start(lwIntegrator* integrator)
{
  integrator->step       = 0;
  integrator->error      = 1e-4;
  integrator->rate_known = integrator->dense = false;
}

// --- stages

// A sum over stages, without those of weight 0.
typedef struct Sum
{
  int count;
  double weight[LW_MAX_STAGES + 4];  // behind the last there are zeros, of the first stage
  const double* k[LW_MAX_STAGES + 4];
} Sum;

static Sum sum_of(const lwIntegrator* integrator, const double* weights, int count, double h)
{
  Sum sum;
  sum.count = 0;
  for (int j = 0; j < count; ++j)
  {
    if (weights[j] == 0) continue;
    sum.weight[sum.count] = h * weights[j];
    sum.k[sum.count++]    = integrator->k[j];
  }
  for (int j = 0; j < 4; ++j)
    sum.weight[sum.count + j] = 0, sum.k[sum.count + j] = integrator->k[0];
  return sum;
}

// out = base + h sum_j weights_j k_j, j < count; base NULL: without it. Four stages at a time.
static void combine(const lwIntegrator* integrator, const double* base, const double* weights,
                    int count, double h, double* restrict out)
{
  Sum sum  = sum_of(integrator, weights, count, h);
  int size = integrator->size;
  for (int j = 0; j == 0 || j < sum.count; j += 4)
  {
    const double *k0 = sum.k[j], *k1 = sum.k[j + 1], *k2 = sum.k[j + 2], *k3 = sum.k[j + 3];
    double w0 = sum.weight[j], w1 = sum.weight[j + 1], w2 = sum.weight[j + 2],
           w3 = sum.weight[j + 3];
    if (j == 0)
      for (int i = 0; i < size; ++i) out[i] = w0 * k0[i] + w1 * k1[i] + w2 * k2[i] + w3 * k3[i];
    else
      for (int i = 0; i < size; ++i) out[i] += w0 * k0[i] + w1 * k1[i] + w2 * k2[i] + w3 * k3[i];
  }
  for (int i = 0; base && i < size; ++i) out[i] += base[i];
}

// The time of stage i of a step from t, which ends at `end` exactly.
static double stage_time(const lwTableau* tableau, int i, double t, double h, double end)
{
  return tableau->c[i] == 1 ? end : t + tableau->c[i] * h;
}

// Stages first <= i < last of a step of length h from state y at t.
static void take_stages(lwIntegrator* integrator, int first, int last, double t, const double* y,
                        double h, double end)
{
  const lwTableau* tableau = integrator->tableau;
  for (int i = first; i < last; ++i)
  {
    combine(integrator, y, tableau->a + i * tableau->stages, i, h, integrator->stage);
    lw_integrator_rate(integrator, stage_time(tableau, i, t, h, end), integrator->stage,
                       integrator->k[i]);
  }
}

// The result of a step of length h from state y at t, whose first stage is known, into out.
static void take_result(lwIntegrator* integrator, double t, const double* y, double h, double end,
                        double* out)
{
  const lwTableau* tableau = integrator->tableau;
  int last                 = tableau->end;
  take_stages(integrator, 1, last, t, y, h, end);
  combine(integrator, y, tableau->a + last * tableau->stages, last, h, out);
}

// k_end, the rate at t.
static void take_end_rate(lwIntegrator* integrator)
{
  double* rate = integrator->k[integrator->tableau->end];
  if (!integrator->rate_known) lw_integrator_rate(integrator, integrator->t, integrator->y, rate);
  integrator->rate_known = true;
}

// The last stage of the last step becomes the first of the next.
static void take_first_stage(lwIntegrator* integrator)
{
  int end       = integrator->tableau->end;
  double* first = integrator->k[0];
  if (integrator->rate_known)
  {
    integrator->k[0]   = integrator->k[end];
    integrator->k[end] = first;
  }
  else
    lw_integrator_rate(integrator, integrator->t, integrator->y, first);
  integrator->rate_known = integrator->dense = false;
}

// Goes to the state in `ahead`, at time `end`.
static void accept(lwIntegrator* integrator, double h, double end)
{
  double* behind     = integrator->behind;
  integrator->behind = integrator->y;
  integrator->y      = integrator->ahead;
  integrator->ahead  = behind;
  integrator->before = integrator->t;
  integrator->t      = end;
  integrator->length = h;
  integrator->first  = false;
  lw_integrator_count(integrator, h);
}

// --- fixed steps

// A whole number of equal steps, none longer than asked for, leads to the limit.
static lwProgress fixed_step(lwIntegrator* integrator, double limit)
{
  double t     = integrator->t;
  double count = fmax(ceil((limit - t) / integrator->def.step - 1e-6), 1);
  double h     = (limit - t) / count;
  double end   = count == 1 ? limit : t + h;
  if (!(end > t)) return LW_STEP_VANISHED;
  take_first_stage(integrator);
  take_result(integrator, t, integrator->y, h, end, integrator->ahead);
  if (!lw_all_finite(integrator->ahead, integrator->size)) return LW_NOT_FINITE;
  accept(integrator, h, end);
  return LW_ARRIVED;
}

// Hermite's cubic: good enough to look for events.
static void fixed_between(lwIntegrator* integrator, double t, double* y)
{
  take_end_rate(integrator);
  const double *behind = integrator->behind, *ahead = integrator->y;
  const double *k0 = integrator->k[0], *k1 = integrator->k[integrator->tableau->end];
  double h = integrator->length, s = (t - integrator->before) / h, r = 1 - s;
  for (int i = 0; i < integrator->size; ++i)
  {
    double change = ahead[i] - behind[i];
    double begin = h * k0[i] - change, bend = 2 * change - h * (k0[i] + k1[i]);
    y[i] = behind[i] + s * (change + r * (begin + s * bend));
  }
}

// The step again, shorter: the state has the order of the method.
static void fixed_exactly(lwIntegrator* integrator, double t, double* y)
{
  double h = t - integrator->before;
  take_result(integrator, integrator->before, integrator->behind, h, t, y);
}

// --- adaptive steps

// Tries a step: its error in units of the tolerance, NaN if something is not finite.
static double try_step(lwIntegrator* integrator, double h, double end)
{
  const lwTableau* tableau = integrator->tableau;
  double *y = integrator->y, *ahead = integrator->ahead, *e = integrator->stage;
  int count = tableau->end + 1;
  take_result(integrator, integrator->t, y, h, end, ahead);
  if (!lw_all_finite(ahead, integrator->size)) return (double)NAN;
  if (tableau->e[tableau->end] != 0)
  {
    lw_integrator_rate(integrator, end, ahead, integrator->k[tableau->end]);
    integrator->rate_known = true;
  }
  combine(integrator, NULL, tableau->e, count, h, e);
  double error = lw_tolerance_norm(integrator, e, y, ahead);
  if (!tableau->e3 || error == 0) return error;
  // Hairer, Norsett & Wanner, II.10: the error of fifth order, made one of eighth by that of third
  combine(integrator, NULL, tableau->e3, count, h, e);
  double third = lw_tolerance_norm(integrator, e, y, ahead);
  return error * error / sqrt(error * error + 0.01 * third * third);
}

// What the step is to be multiplied by after an error; last is the error before it.
static double factor(double exponent, double error, double last)
{
  double beta   = 0.2 / exponent;
  double wanted = SAFETY * pow(fmax(error, 1e-10), 0.75 * beta - 1 / exponent) * pow(last, beta);
  return fmin(GROW, fmax(SHRINK, wanted));
}

// Length of the next step after one of length h that was good.
static double next_step(const lwIntegrator* integrator, double h, double error, bool rejected)
{
  double times = factor(integrator->tableau->exponent, error, integrator->error);
  if (rejected) return h * fmin(1, times);
  return h < integrator->step ? fmax(integrator->step, h * times) : h * times;  // it was limited
}

static lwProgress adaptive_step(lwIntegrator* integrator, double limit)
{
  double exponent = integrator->tableau->exponent, error = 0;
  take_first_stage(integrator);
  if (!lw_all_finite(integrator->k[0], integrator->size)) return LW_NOT_FINITE;
  if (integrator->first && integrator->step == 0)
    integrator->step = lw_first_step(integrator, exponent, integrator->k[0], integrator->ahead);
  for (int tries = 0; tries < MAX_REJECTED; ++tries)
  {
    double h = lw_limited_step(integrator, integrator->step, limit);
    if (lw_step_vanished(integrator, h, limit)) break;
    double end             = h == limit - integrator->t ? limit : integrator->t + h;
    integrator->rate_known = false;
    error                  = try_step(integrator, h, end);
    if (error <= 1)
    {
      integrator->step  = next_step(integrator, h, error, tries > 0);
      integrator->error = fmax(error, 1e-4);
      accept(integrator, h, end);
      return LW_ARRIVED;
    }
    ++integrator->stats.rejected;
    integrator->step =
        h * (isfinite(error) ? fmax(SHRINK, SAFETY * pow(error, -1 / exponent)) : 0.1);
  }
  return isfinite(error) ? LW_STEP_VANISHED : LW_NOT_FINITE;
}

static void adaptive_between(lwIntegrator* integrator, double t, double* y)
{
  double weights[LW_MAX_STAGES];
  const lwTableau* tableau = integrator->tableau;
  double h                 = integrator->length;
  take_end_rate(integrator);
  if (!integrator->dense)
    take_stages(integrator, tableau->end + 1, tableau->stages, integrator->before,
                integrator->behind, h, integrator->t);
  integrator->dense = true;
  lw_tableau_weights(tableau, 1 - (integrator->t - t) / h, weights);
  combine(integrator, integrator->behind, weights, tableau->stages, h, y);
}

const lwStepper lw_fixed_stepper = {true, prepare, start, fixed_step, fixed_between, fixed_exactly};
const lwStepper lw_adaptive_stepper = {false,         prepare,          start,
                                       adaptive_step, adaptive_between, adaptive_between};
