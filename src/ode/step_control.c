// SPDX-License-Identifier: MIT
// What errors mean for steps. The error of a step is measured in every entry: the largest |e_i| /
// (absolute_i + relative_i |y_i|) decides, so that no entry hides behind the others.
#include <float.h>
#include <math.h>
#include <time.h>

#include "math/elementary.h"
#include "ode/integrator.h"

double lw_tolerance_norm(const lwIntegrator* integrator, const double* v, const double* a,
                         const double* b)
{
  const double *relative = integrator->relative, *absolute = integrator->absolute;
  double most = 0, sum = 0;
  for (int i = 0; i < integrator->size; ++i)
  {
    double larger = fabs(a[i]) > fabs(b[i]) ? fabs(a[i]) : fabs(b[i]);
    double part   = fabs(v[i]) / (absolute[i] + relative[i] * larger);
    most          = part > most ? part : most;
    sum += part;
  }
  return isnan(sum) ? sum : most;
}

// Hairer, Norsett & Wanner, "Solving Ordinary Differential Equations I", II.4: a step that changes
// y by about a hundredth of what the sizes of y, y' and y'' suggest.
double lw_first_step(lwIntegrator* integrator, double exponent, const double* rate, double* spare)
{
  const double* y = integrator->y;
  double* stage   = integrator->stage;
  int size        = integrator->size;
  double capacity = fmin(lw_integrator_limit(integrator) - integrator->t, integrator->longest);
  if (integrator->def.first > 0) return integrator->def.first;
  double d0 = lw_tolerance_norm(integrator, y, y, y);
  double d1 = lw_tolerance_norm(integrator, rate, y, y);
  double h  = fmin(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, capacity);
  for (int i = 0; i < size; ++i) stage[i] = y[i] + h * rate[i];
  lw_integrator_rate(integrator, integrator->t + h, stage, spare);
  for (int i = 0; i < size; ++i) spare[i] = (spare[i] - rate[i]) / h;
  double larger = fmax(d1, lw_tolerance_norm(integrator, spare, y, y));
  if (!isfinite(larger)) return h;
  double wanted = larger <= 1e-15 ? fmax(1e-6, 1e-3 * h) : lw_pow(0.01 / larger, 1 / exponent);
  return fmin(100 * h, wanted);
}

bool lw_progress_is_lost(lwPace* pace, long turns, double t, double to, double end)
{
  const long enough = 1 << 13;
  if (turns - pace->turns < enough) return false;
  double advance = t - pace->t;
  *pace          = (lwPace){t, turns};
  double scale   = isfinite(to) ? fmax(fabs(t), fabs(to)) : fabs(t);
  return advance < 64 * DBL_EPSILON * (double)enough * scale ||
         advance <= (double)enough / LW_MOST_STEPS * fmax(fabs(t), end);
}

double lw_clock_seconds(void)
{
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool lw_budget_is_used(const lwIntegrator* integrator)
{
  const lwIntegratorDef* def = &integrator->def;
  double most                = def->most_steps > 0 ? def->most_steps : LW_MOST_STEPS;
  return (double)integrator->stats.steps >= most ||
         (def->most_seconds > 0 && lw_clock_seconds() - integrator->made >= def->most_seconds);
}

bool lw_chatters(lwChatter* chatter, double t, long* events)
{
  const long most = sizeof chatter->recent / sizeof chatter->recent[0];
  double* oldest  = &chatter->recent[(*events)++ % most];
  bool too_many   = *events > most && t - *oldest < 1e-6;
  *oldest         = t;
  return too_many;
}

// It stays what it is up to the next power of 2, so that a method with steps of equal length need
// not change it in every step while t grows.
static double shortest_step(const lwIntegrator* integrator)
{
  int exponent;
  frexp(integrator->t, &exponent);
  return fmax(ldexp(8 * DBL_EPSILON, exponent), DBL_MIN);
}

double lw_limited_step(const lwIntegrator* integrator, double wanted, double limit, bool again)
{
  double left = limit - integrator->t, h = fmin(wanted, integrator->longest);
  if (!again) h = fmax(h, 2 * shortest_step(integrator));
  if (h >= left * (1 - 1e-12)) return left;  // however short: not to worry about
  if (!(h > shortest_step(integrator))) return 0;
  return h > left / 2 ? left / 2 : h;
}
