// SPDX-License-Identifier: MIT
// Whether fixed steps are within the stability of their method, told from the linear model of a run
// where it stands: J = d rates / d state by differences, its eigenvalues lambda, and for each the
// factor R(h lambda) by which one step of the method multiplies that mode, where exact motion has
// exp(h lambda).
#include <complex.h>
#include <float.h>
#include <math.h>

#include "arm/arm_internal.h"
#include "linkwork/linear.h"
#include "math/elementary.h"

enum
{
  MOST_STATES = 600  // eigenvalues of more take seconds
};

// A mode grows if a step multiplies it by more than 1 and than exact motion does, both by this part.
static const double EXCESS = 1e-3;

// A step of y' = lambda y, tableau.h.
static double complex step_factor_of(const lwTableau* tableau, double complex z)
{
  double complex k[LW_MAX_STAGES], y = 1;
  for (int i = 0; i <= tableau->end; ++i)
  {
    y = 1;
    for (int j = 0; j < i; ++j) y += tableau->a[i * tableau->stages + j] * k[j];
    k[i] = z * y;
  }
  return y;
}

static bool mode_blows_up(const lwTableau* tableau, const lwMode* mode, double h)
{
  double factor = cabs(step_factor_of(tableau, h * (mode->re + I * mode->im)));
  return factor > (1 + EXCESS) * fmax(1, lw_exp(h * mode->re));
}

// d rates / d state into J (size, size).
static bool take_rates_jacobian(lwArmRun* run, double* y, double* rates, double* J)
{
  size_t size   = (size_t)run->size;
  double* moved = rates + size;
  lw_arm_rates(run, run->t, run->y, rates);
  for (size_t i = 0; i < size; ++i) y[i] = run->y[i];
  for (size_t j = 0; j < size; ++j)
  {
    y[j] += sqrt(DBL_EPSILON) * fmax(1, fabs(run->y[j]));
    lw_arm_rates(run, run->t, y, moved);
    for (size_t i = 0; i < size; ++i) J[i * size + j] = (moved[i] - rates[i]) / (y[j] - run->y[j]);
    y[j] = run->y[j];
  }
  lw_arm_evaluate(run, run->t, run->y);  // what belongs to the state reached
  return lw_all_finite(J, size * size);
}

// The joint that moves most in a mode, by its velocity.
static int most_moved(const lwArmRun* run, const double* shape)
{
  int most        = 0;
  const double* v = shape + 2 * (size_t)run->nq;
  for (int k = 1; k < run->n; ++k)
    if (lw_hypot(v[2 * k], v[2 * k + 1]) > lw_hypot(v[2 * most], v[2 * most + 1])) most = k;
  return most;
}

// The longest step, up to h, with which a mode does not grow.
static double longest_stable(const lwTableau* tableau, const lwMode* mode, double h)
{
  double low = 0, high = h;
  for (int i = 0; i < 50; ++i)
  {
    double middle = (low + high) / 2;
    if (mode_blows_up(tableau, mode, middle))
      high = middle;
    else
      low = middle;
  }
  return low;
}

static void judge_modes(const lwArmRun* run, const lwMode* modes, const double* shapes, int count,
                        lwStableStep* found)
{
  const lwIntegrator* integrator = run->integrator;
  double h                       = integrator->def.step;
  for (int m = 0; m < count; ++m)
  {
    if (!mode_blows_up(integrator->tableau, &modes[m], h)) continue;
    double step = longest_stable(integrator->tableau, &modes[m], h);
    if (step >= found->step) continue;
    *found =
        (lwStableStep){step, modes[m], most_moved(run, shapes + 2 * (size_t)m * (size_t)run->size)};
  }
}

lwStatus lw_arm_run_stable_step(lwArmRun* run, lwStableStep* found)
{
  size_t size = (size_t)run->size;
  int count   = 0;
  *found      = (lwStableStep){.step = INFINITY, .joint = -1};
  bool fixed  = run->integrator->tableau && !run->integrator->method->adaptive;
  if (!fixed || run->n == 0 || run->size > MOST_STATES || !lw_lapack_available()) return LW_OK;
  lwArena arena   = {0};
  double* y       = lw_arena_take(&arena, 3 * size, sizeof *y);
  double* J       = lw_arena_take(&arena, size * size, sizeof *J);
  double* shapes  = lw_arena_take(&arena, 2 * size * size, sizeof *shapes);
  lwMode* modes   = lw_arena_take(&arena, size, sizeof *modes);
  lwStatus status = lw_arena_failed(&arena) ? LW_ERROR_MEMORY : LW_OK;
  if (status == LW_OK && take_rates_jacobian(run, y, y + size, J) &&
      lw_modes(run->size, J, NULL, modes, shapes, &count) == LW_OK)
    judge_modes(run, modes, shapes, count, found);
  lw_arena_free(&arena);
  return status;
}
