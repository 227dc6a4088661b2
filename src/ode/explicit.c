// SPDX-License-Identifier: MIT
// Explicit Runge-Kutta methods, with fixed steps and with steps chosen by their error;
// tableau.h has the equations.
//
// Step control after Gustafsson 1991: with errors e_n in units of the tolerance, which grow with
// the power k of the step, the next step is 0.9 e_n^(-0.7/k) e_(n-1)^(0.4/k) times as long, but not
// longer after a rejected step. A rejected step is repeated 0.9 e_n^(-1/k) times as long.
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "ode/integrator.h"

static const int MAX_REJECTED = 100;  // in a row

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 5;

// The sums of a method.
struct lwSums
{
  lwStageTerms row[LW_MAX_STAGES];
  lwStageTerms error, error3;
};

static bool explicit_prepare(lwIntegrator* integrator)
{
  lwArena* arena    = &integrator->arena;
  size_t size       = (size_t)integrator->size;
  integrator->ahead = lw_arena_take(arena, size, sizeof(double));
  integrator->sums  = lw_arena_take(arena, 1, sizeof *integrator->sums);
  for (int i = 0; i < integrator->tableau->stages; ++i)
    integrator->k[i] = lw_arena_take(arena, size, sizeof(double));
  if (lw_arena_failed(arena)) return false;
  const lwTableau* tableau = integrator->tableau;
  int n                    = tableau->stages;
  for (int i = 0; i < n; ++i) integrator->sums->row[i] = lw_stage_terms(tableau->a + i * n, n);
  if (tableau->e) integrator->sums->error = lw_stage_terms(tableau->e, n);
  if (tableau->e3) integrator->sums->error3 = lw_stage_terms(tableau->e3, n);
  return true;
}

static void explicit_start(lwIntegrator* integrator)
{
  integrator->step       = 0;
  integrator->reach      = 0;
  integrator->error      = 1;
  integrator->rate_known = integrator->dense = false;
}

// --- stages

// out = base + w_0 k_0 + w_1 k_1 + ..
typedef struct Sum
{
  int size;
  const double* base;  // or NULL
  double* out;
  double weight[LW_MAX_STAGES];
  const double* k[LW_MAX_STAGES];
} Sum;

// The iterations of the following loop are independent, even where out is one of its inputs.
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

// Up to four terms, from the first one given; count and based are known to the compiler.
// A k may be out itself.
__attribute__((always_inline)) static inline void add_some(int count, bool based, const Sum* sum,
                                                           int first)
{
  const double* base     = sum->base;
  double* out            = sum->out;
  int size               = sum->size;
  const double* const* k = sum->k + first;
  const double* w        = sum->weight + first;
  const double *k0 = k[0], *k1 = k[count > 1], *k2 = k[count > 2 ? 2 : 0],
               *k3 = k[count > 3 ? 3 : 0];
  double w0 = w[0], w1 = w[count > 1], w2 = w[count > 2 ? 2 : 0], w3 = w[count > 3 ? 3 : 0];
  INDEPENDENT
  for (int i = 0; i < size; ++i)
  {
    double total = w0 * k0[i];
    if (count > 1) total += w1 * k1[i];
    if (count > 2) total += w2 * k2[i];
    if (count > 3) total += w3 * k3[i];
    out[i] = based ? base[i] + total : total;
  }
}

typedef void Add(const Sum* sum, int first);

#define ADD(name, count, based)                                                                    \
  static void name(const Sum* sum, int first)                                                      \
  {                                                                                                \
    add_some(count, based, sum, first);                                                            \
  }
ADD(add_1, 1, false)
ADD(add_2, 2, false)
ADD(add_3, 3, false)
ADD(add_4, 4, false)
ADD(add_1_based, 1, true)
ADD(add_2_based, 2, true)
ADD(add_3_based, 3, true)
ADD(add_4_based, 4, true)
#undef ADD

static Add* const ADDS[2][5] = {{NULL, add_1, add_2, add_3, add_4},
                                {NULL, add_1_based, add_2_based, add_3_based, add_4_based}};

// out = base + h sum of the terms; base NULL: without it. Sums of more than four go on from the
// first four as from a stage.
static void combine_stages(const lwIntegrator* integrator, const double* base,
                           const lwStageTerms* terms, double h, double* out)
{
  Sum sum;
  sum.size  = integrator->size;
  sum.base  = base;
  sum.out   = out;
  int first = 0, count = terms->count;
  for (int j = 0; j < count; ++j)
  {
    sum.weight[j] = h * terms->weight[j];
    sum.k[j]      = integrator->k[terms->stage[j]];
  }
  while (count - first > 4)
  {
    add_4(&sum, first);
    first += 3;
    sum.weight[first] = 1;
    sum.k[first]      = out;
  }
  ADDS[base != NULL][count - first](&sum, first);
}

// A step from state y at t.
typedef struct Step
{
  double t;         // s
  const double* y;  // (size)
  double h;         // s
  double end;       // s, t + h up to rounding
} Step;

// Stages first <= i < last of a step.
static void take_stages(lwIntegrator* integrator, int first, int last, const Step* step)
{
  const double* c = integrator->tableau->c;
  for (int i = first; i < last; ++i)
  {
    combine_stages(integrator, step->y, &integrator->sums->row[i], step->h, integrator->stage);
    lw_integrator_rate(integrator, c[i] == 1 ? step->end : step->t + c[i] * step->h,
                       integrator->stage, integrator->k[i]);
  }
}

// The result of a step whose first stage is known, into out.
static void take_result(lwIntegrator* integrator, const Step* step, double* out)
{
  int last = integrator->tableau->end;
  take_stages(integrator, 1, last, step);
  combine_stages(integrator, step->y, &integrator->sums->row[last], step->h, out);
}

// The last stage of the last step becomes the first of the next, unless that begins elsewhere.
static void take_first_stage(lwIntegrator* integrator)
{
  int end       = integrator->tableau->end;
  double* first = integrator->k[0];
  if (integrator->rate_known && !integrator->moved)
  {
    integrator->k[0]   = integrator->k[end];
    integrator->k[end] = first;
  }
  else
    lw_integrator_rate(integrator, integrator->t, integrator->y, first);
  integrator->rate_known = integrator->dense = false;
}

// Goes to the state in `ahead`, at time `end`.
static void accept_explicit_step(lwIntegrator* integrator, double h, double end)
{
  double* behind     = integrator->behind;
  integrator->behind = integrator->y;
  integrator->y      = integrator->ahead;
  integrator->ahead  = behind;
  lw_integrator_accept(integrator, h, end);
}

// --- fixed steps

// The step ends on the grid, or at a limit that comes first, from which the grid goes on. A limit
// within a millionth of a step from the grid counts as on it.
static lwProgress fixed_step(lwIntegrator* integrator, double limit)
{
  double t = integrator->t, step = fmin(integrator->def.step, integrator->longest);
  lwClock next = {integrator->grid.start, step, integrator->grid.k + 1};
  double end   = lw_clock_time(&next);
  if (end > limit - 1e-6 * step)
  {
    next = (lwClock){limit, step, 0};
    end  = limit;
  }
  double h = end - t;  // not `step`: so rounding of the times does not add up in the state
  if (!(end > t)) return LW_PROGRESS_STEP_VANISHED;
  take_first_stage(integrator);
  take_result(integrator, &(Step){t, integrator->y, h, end}, integrator->ahead);
  if (!lw_all_finite(integrator->ahead, (size_t)integrator->size)) return LW_PROGRESS_NOT_FINITE;
  accept_explicit_step(integrator, h, end);
  integrator->grid = next;
  return LW_PROGRESS_ARRIVED;
}

// --- adaptive steps

// Tries a step: its error in units of the tolerance, NaN if something is not finite.
static double try_explicit_step(lwIntegrator* integrator, double h, double end)
{
  const lwTableau* tableau = integrator->tableau;
  double *y = integrator->y, *ahead = integrator->ahead, *e = integrator->stage;
  take_result(integrator, &(Step){integrator->t, y, h, end}, ahead);
  if (!lw_all_finite(ahead, (size_t)integrator->size)) return (double)NAN;
  if (tableau->e[tableau->end] != 0)
  {
    lw_integrator_rate(integrator, end, ahead, integrator->k[tableau->end]);
    integrator->rate_known = true;
  }
  combine_stages(integrator, NULL, &integrator->sums->error, h, e);
  double error = lw_tolerance_norm(integrator, e, y, ahead);
  if (!tableau->e3 || !(error > 1e-10)) return error;
  // Hairer, Norsett & Wanner, II.10: the error of fifth order, made one of eighth by that of third
  combine_stages(integrator, NULL, &integrator->sums->error3, h, e);
  double third = lw_tolerance_norm(integrator, e, y, ahead);
  return error * error / sqrt(error * error + 0.01 * third * third);
}

// Length of the next step after one of length h that was good.
static double next_step_length(const lwIntegrator* integrator, double h, double error,
                               bool rejected)
{
  double exponent = integrator->tableau->exponent;
  double wanted   = SAFETY * lw_pow(fmax(error, 1e-10), -0.7 / exponent) *
                  lw_pow(integrator->error, 0.4 / exponent);
  double times = fmin(GROW, fmax(SHRINK, wanted));
  if (rejected) return h * fmin(1, times);
  return h < integrator->step ? fmax(integrator->step, h * times) : h * times;  // it was limited
}

// Goes to the end of a step of length h that was good.
static void accept_adaptive_step(lwIntegrator* integrator, double h, double error, bool rejected)
{
  double end        = integrator->tried;
  integrator->step  = next_step_length(integrator, h, error, rejected);
  integrator->error = fmax(error, 1e-4);
  integrator->reach = fmax(h, 0.9 * integrator->reach);
  accept_explicit_step(integrator, h, end);
}

// Rates may be lost in rounding near an instant, as those of loops in a singular position, although
// the motion through it is smooth. Shorter and shorter steps would only come closer to it. So after
// a step was rejected twice, steps about as long as recent ones are tried: their stages stand
// elsewhere, and if none is lost, the error says that the motion is smooth.
static bool hop(lwIntegrator* integrator, double limit)
{
  double length = 1.25 * integrator->reach;
  for (int i = 0; i < 18; ++i, length *= 0.8)
  {
    double h = lw_limited_step(integrator, length, limit, true);
    if (h == 0) continue;
    integrator->tried = h == limit - integrator->t ? limit : integrator->t + h;
    double error      = try_explicit_step(integrator, h, integrator->tried);
    if (error <= 1)
    {
      accept_adaptive_step(integrator, h, error, true);
      return true;
    }
    ++integrator->stats.rejected;
    integrator->rate_known = false;
  }
  return false;
}

static lwProgress adaptive_step(lwIntegrator* integrator, double limit)
{
  double exponent = integrator->tableau->exponent, error = 0;
  take_first_stage(integrator);
  if (!lw_all_finite(integrator->k[0], (size_t)integrator->size)) return LW_PROGRESS_NOT_FINITE;
  if (integrator->first && integrator->step == 0)
    integrator->step = lw_first_step(integrator, exponent, integrator->k[0], integrator->ahead);
  for (int tries = 0; tries < MAX_REJECTED; ++tries)
  {
    double h = lw_limited_step(integrator, integrator->step, limit, tries > 0);
    if (h == 0) break;
    integrator->tried = h == limit - integrator->t ? limit : integrator->t + h;
    error             = try_explicit_step(integrator, h, integrator->tried);
    if (error <= 1)
    {
      accept_adaptive_step(integrator, h, error, tries > 0);
      return LW_PROGRESS_ARRIVED;
    }
    ++integrator->stats.rejected;
    integrator->rate_known = false;
    if (integrator->hops && tries == 1 && hop(integrator, limit)) return LW_PROGRESS_ARRIVED;
    integrator->step =
        h * (isfinite(error) ? fmax(SHRINK, SAFETY * lw_pow(error, -1 / exponent)) : 0.1);
  }
  return isfinite(error) ? LW_PROGRESS_STEP_VANISHED : LW_PROGRESS_NOT_FINITE;
}

// --- interpolation

// The stages that interpolation needs.
static void take_dense_stages(lwIntegrator* integrator)
{
  const lwTableau* tableau = integrator->tableau;
  const double* end        = integrator->moved ? integrator->ahead : integrator->y;
  if (!integrator->rate_known)
    lw_integrator_rate(integrator, integrator->t, end, integrator->k[tableau->end]);
  Step last = {integrator->before, integrator->behind, integrator->length, integrator->t};
  if (!integrator->dense) take_stages(integrator, tableau->end + 1, tableau->stages, &last);
  integrator->rate_known = integrator->dense = true;
}

static void explicit_between(lwIntegrator* integrator, double t, double* y)
{
  double weights[LW_MAX_STAGES];
  const lwTableau* tableau = integrator->tableau;
  double h                 = integrator->length;
  take_dense_stages(integrator);
  lw_tableau_weights(tableau, 1 - (integrator->t - t) / h, weights);
  lwStageTerms terms = lw_stage_terms(weights, tableau->stages);
  combine_stages(integrator, integrator->behind, &terms, h, y);
}

// Multiplies a polynomial of degree below LW_MAX_DEGREE by s, or by 1 - s.
static void times_s(double* c, bool less)
{
  for (int i = LW_MAX_DEGREE; i >= 0; --i)
    c[i] = less ? c[i] - (i > 0 ? c[i - 1] : 0) : i > 0 ? c[i - 1] : 0;
}

// From the innermost term of tableau.h outward.
static void explicit_powers(lwIntegrator* integrator, int entry, double* coefficients)
{
  const lwTableau* tableau = integrator->tableau;
  take_dense_stages(integrator);
  const double* end = integrator->moved ? integrator->ahead : integrator->y;
  double h = integrator->length, k0 = integrator->k[0][entry];
  double begin = integrator->behind[entry], F0 = end[entry] - begin;
  double F[3] = {F0, h * k0 - F0, 2 * F0 - h * (k0 + integrator->k[tableau->end][entry])};
  memset(coefficients, 0, (LW_MAX_DEGREE + 1) * sizeof *coefficients);
  for (int m = 2 + tableau->further; m >= 0; --m)
  {
    times_s(coefficients, m % 2 == 0);
    double term = 0;
    for (int j = 0; j < tableau->stages && m > 2; ++j)
      term += tableau->d[(m - 3) * tableau->stages + j] * integrator->k[j][entry];
    coefficients[0] += m < 3 ? F[m] : h * term;
  }
  times_s(coefficients, false);
  coefficients[0] = begin;
}

static void explicit_move(lwIntegrator* integrator)
{
  double* spare     = integrator->ahead;
  integrator->ahead = integrator->y;
  integrator->y     = integrator->stage;
  integrator->stage = spare;
}

static void explicit_keep(lwIntegrator* integrator, lwStateBytes* state)
{
  size_t size = (size_t)integrator->size;
  lw_state_numbers(state, integrator->ahead, size);
  for (int i = 0; i < integrator->tableau->stages; ++i)
    lw_state_numbers(state, integrator->k[i], size);
}

const lwStepper lw_fixed_stepper    = {explicit_prepare, explicit_start,  fixed_step,
                                       explicit_between, explicit_powers, explicit_move,
                                       explicit_keep};
const lwStepper lw_adaptive_stepper = {explicit_prepare, explicit_start,  adaptive_step,
                                       explicit_between, explicit_powers, explicit_move,
                                       explicit_keep};
