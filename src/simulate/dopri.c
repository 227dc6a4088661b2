// SPDX-License-Identifier: MIT
// Dormand & Prince 1980, a Runge-Kutta pair of orders 5 and 4 with seven stages, of which the last is the first of the
// next step. Step control after Gustafsson as in Hairer, Norsett & Wanner, "Solving Ordinary Differential Equations I",
// II.4; interpolation of fourth order between the ends of a step after Shampine, II.6.
//
// The error of a step is measured in every entry: the largest |e_i| / (absolute + relative max(|y_i|)) decides.
#include <float.h>
#include <math.h>
#include <string.h>

#include "simulate/integrator.h"

enum
{
  STAGES = 7,
  STAGE  = STAGES,  // y + h sum a k
  AHEAD,            // state at the end of the last step
  BEHIND,           // state at its beginning
  ARRAYS,

  MAX_REJECTED = 100  // in a row
};

static const double C[STAGES]         = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double A[STAGES][STAGES] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

// Difference of the two orders.
static const double E[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

// Of the interpolation: its fifth coefficient.
static const double D[STAGES] = {-12715105075.0 / 11282082432,  0,
                                 87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                 701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                 69997945.0 / 29380423};

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10, BETA = 0.04;

static double size_of(const lwIntegrator* integrator, double a, double b)
{
  return integrator->def.absolute + integrator->def.relative * fmax(fabs(a), fabs(b));
}

// The largest |v_i| in units of its tolerance; NaN if one is.
static double norm(const lwIntegrator* integrator, const double* v, const double* a,
                   const double* b)
{
  double most = 0;
  for (int i = 0; i < integrator->size; ++i)
  {
    double part = fabs(v[i]) / size_of(integrator, a[i], b[i]);
    if (!(part <= most)) most = part;
    if (isnan(part)) return part;
  }
  return most;
}

// A first step that changes y by about a hundredth of what the rates' size suggests, II.4.
static double first_step(lwIntegrator* integrator)
{
  double *k = integrator->array[0], *stage = integrator->array[STAGE],
         *ahead   = integrator->array[1];
  const double* y = integrator->y;
  double d0 = norm(integrator, y, y, y), d1 = norm(integrator, k, y, y);
  double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  for (int i = 0; i < integrator->size; ++i) stage[i] = y[i] + h * k[i];
  lw_integrator_rate(integrator, integrator->t + h, stage, ahead);
  for (int i = 0; i < integrator->size; ++i) stage[i] = (ahead[i] - k[i]) / h;
  double d2     = norm(integrator, stage, y, y);
  double larger = fmax(d1, d2);
  double wanted = larger <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / larger, 1.0 / 5);
  return fmin(100 * h, wanted);
}

static void start(lwIntegrator* integrator)
{
  integrator->error = 1e-4;
}

// stage = y + h sum_j a_j k_j, j < count
static void combine(lwIntegrator* integrator, const double a[STAGES], int count, double h)
{
  double* stage = integrator->array[STAGE];
  for (int i = 0; i < integrator->size; ++i)
  {
    double sum = 0;
    for (int j = 0; j < count; ++j) sum += a[j] * integrator->array[j][i];
    stage[i] = integrator->y[i] + h * sum;
  }
}

// Tries a step from y: the stages, the state behind it in AHEAD. Returns its error in units of the tolerance.
static double try_step(lwIntegrator* integrator, double h)
{
  double *stage = integrator->array[STAGE], *ahead = integrator->array[AHEAD];
  for (int s = 1; s < STAGES; ++s)
  {
    combine(integrator, A[s], s, h);
    if (s == STAGES - 1) memcpy(ahead, stage, (size_t)integrator->size * sizeof *ahead);
    lw_integrator_rate(integrator, integrator->t + C[s] * h, stage, integrator->array[s]);
  }
  for (int i = 0; i < integrator->size; ++i)
  {
    double sum = 0;
    for (int j = 0; j < STAGES; ++j) sum += E[j] * integrator->array[j][i];
    stage[i] = h * sum;
  }
  return norm(integrator, stage, integrator->y, ahead);
}

// What the step is to be multiplied by after an error; last is the error before it.
static double factor(double error, double last)
{
  double wanted = SAFETY * pow(fmax(error, 1e-10), -(0.2 - 0.75 * BETA)) * pow(last, BETA);
  return fmin(GROW, fmax(SHRINK, wanted));
}

// One step that is accurate enough. The states at its ends are in BEHIND and AHEAD, its rates in the stages.
// False: there is none.
static bool step(lwIntegrator* integrator)
{
  size_t bytes = (size_t)integrator->size * sizeof(double);
  double* y    = integrator->y;
  if (integrator->first)
  {
    lw_integrator_rate(integrator, integrator->t, y, integrator->array[0]);
    if (!lw_all_finite(integrator->array[0], integrator->size)) return false;
    integrator->step = first_step(integrator);
  }
  else
    memcpy(integrator->array[0], integrator->array[STAGES - 1], bytes);
  for (int tries = 0; tries < MAX_REJECTED; ++tries)
  {
    double h = integrator->step;
    if (!(h > 16 * DBL_EPSILON * fabs(integrator->t)) || !isfinite(h)) return false;
    double error = try_step(integrator, h);
    if (error <= 1)
    {
      memcpy(integrator->array[BEHIND], y, bytes);
      memcpy(y, integrator->array[AHEAD], bytes);
      integrator->step *=
          tries > 0 ? fmin(1, factor(error, integrator->error)) : factor(error, integrator->error);
      integrator->length = h;
      integrator->first  = false;
      integrator->t += h;
      ++integrator->steps;
      integrator->error = fmax(error, 1e-4);
      return lw_all_finite(integrator->array[STAGES - 1], integrator->size);
    }
    integrator->step *= isfinite(error) ? fmax(SHRINK, SAFETY * pow(error, -0.2)) : 0.1;
  }
  return false;
}

// The state at a time within the last step.
static void interpolate(const lwIntegrator* integrator, double t, double* y)
{
  const double *behind = integrator->array[BEHIND], *ahead = integrator->y;
  double h    = integrator->length;
  double part = 1 - (integrator->t - t) / h, rest = 1 - part;
  for (int i = 0; i < integrator->size; ++i)
  {
    double sum = 0, change = ahead[i] - behind[i];
    for (int j = 0; j < STAGES; ++j) sum += D[j] * integrator->array[j][i];
    double begin = h * integrator->array[0][i] - change;
    double end   = change - h * integrator->array[STAGES - 1][i] - begin;
    y[i]         = behind[i] + part * (change + rest * (begin + part * (end + rest * h * sum)));
  }
}

static bool advance(lwIntegrator* integrator, double t, double* y, const volatile int* stop)
{
  bool going = true;
  while (going && integrator->t < t)
  {
    if (stop && *stop) going = false;
    if (going) going = step(integrator);
  }
  bool there          = integrator->t >= t;
  integrator->reached = there ? t : integrator->t;
  if (there && !integrator->first && t < integrator->t)
    interpolate(integrator, t, y);
  else
    memcpy(y, integrator->y, (size_t)integrator->size * sizeof *y);
  return there && going;
}

const lwIntegratorKind lw_dopri = {"dopri", ARRAYS, start, advance};
