// SPDX-License-Identifier: MIT
// bdf: backward differentiation of orders 1 to 5 for stiff equations, in the form of Shampine &
// Reichelt 1997, "The MATLAB ODE Suite" (NDF: a fraction kappa of the next difference makes the
// error constants of orders 1 to 4 smaller).
//
// The state is the array of backward differences of y at times h apart, D_0 = y, D_1 = y
// - y(t - h), and so on: steps are of equal length for a while, and when the length
// changes, the differences are those of the same polynomial at the new distance. A step
// of order k from t to t + h:
//
//   p = sum_(m=0..k) D_m                              predicted: the polynomial at t + h
//   (1 - kappa_k) gamma_k (y - p) + sum_(m=1..k) gamma_m D_m = h f(t + h, y)
//   gamma_m = 1 + 1/2 + .. + 1/m
//   error = (kappa_k gamma_k + 1/(k + 1)) (y - p)     for y - p is about the difference D_(k+1)
//
// With alpha_k = (1 - kappa_k) gamma_k the equation for d = y - p is d + psi = c f(t + h, p + d),
// where psi = sum gamma_m D_m / alpha_k and c = h / alpha_k. Newton's method solves it with the
// matrix 1 - c J. J is by differences of the rates and is kept until it no longer serves; the
// factors are kept as long as c is.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/lu.h"
#include "ode/integrator.h"

enum
{
  MAX_ORDER   = 5,
  DIFFERENCES = MAX_ORDER + 3,  // two beyond the order, to judge the next one
  MAX_NEWTON  = 4,
  MAX_TRIES   = 100
};

static const double SHRINK = 0.2, GROW = 10, WORTHWHILE = 1.2;

//                               order:          1        2         3        4      5
static const double KAPPA[MAX_ORDER + 2] = {0, -0.1850, -1.0 / 9, -0.0823, -0.0415, 0, 0};
static const double GAMMA[MAX_ORDER + 2] = {0,         1,          3.0 / 2,  11.0 / 6,
                                            25.0 / 12, 137.0 / 60, 49.0 / 20};

struct lwBdf
{
  int order;               // of the next step
  int equal;               // steps taken with this order and length
  double h;                // s, between the differences
  double* D[DIFFERENCES];  // (size) each
  double* predicted;       // (size) p
  double* change;          // (size) d
  double* psi;             // (size)
  double* rate;            // (size)
  double* residual;        // (size)
  double* jacobian;        // (size x size)
  double* factors;         // (size x size) of 1 - c J
  int* pivots;             // (size)
  double c;                // s, of the factors; 0: there are none
  double contraction;   // by which an iteration lessens the error; 0: not known for these factors
  bool jacobian_given;  // there is one
  bool jacobian_new;    // taken in this step
  bool bad_rates;       // were met in this step
  int next_order;       // for the step after the last, and
  double next_factor;   // how much longer it is to be
};

static double alpha(int k)
{
  return (1 - KAPPA[k]) * GAMMA[k];
}

static double error_constant(int k)
{
  return KAPPA[k] * GAMMA[k] + 1.0 / (k + 1);
}

static bool bdf_prepare(lwIntegrator* integrator)
{
  lwArena* arena = &integrator->arena;
  size_t size    = (size_t)integrator->size;
  lwBdf* bdf     = lw_arena_take(arena, 1, sizeof *bdf);
  if (!bdf) return false;
  double** arrays[] = {&bdf->predicted, &bdf->change, &bdf->psi, &bdf->rate, &bdf->residual};
  for (int i = 0; i < DIFFERENCES; ++i) bdf->D[i] = lw_arena_take(arena, size, sizeof(double));
  for (int i = 0; i < 5; ++i) *arrays[i] = lw_arena_take(arena, size, sizeof(double));
  bdf->jacobian   = lw_arena_take(arena, size * size, sizeof(double));
  bdf->factors    = lw_arena_take(arena, size * size, sizeof(double));
  bdf->pivots     = lw_arena_take(arena, size, sizeof(int));
  integrator->bdf = bdf;
  return !lw_arena_failed(arena);
}

static void bdf_start(lwIntegrator* integrator)
{
  lwBdf* bdf          = integrator->bdf;
  bdf->jacobian_given = false;
  bdf->c              = 0;
}

// The first step: order 1, and y' in place of a difference.
static bool bdf_begin(lwIntegrator* integrator)
{
  lwBdf* bdf  = integrator->bdf;
  size_t size = (size_t)integrator->size, bytes = size * sizeof(double);
  lw_integrator_rate(integrator, integrator->t, integrator->y, bdf->rate);
  if (!lw_all_finite(bdf->rate, (size_t)integrator->size)) return false;
  bdf->h = lw_first_step(integrator, 2, bdf->rate, bdf->residual);
  for (int m = 1; m < DIFFERENCES; ++m) memset(bdf->D[m], 0, bytes);
  memcpy(bdf->D[0], integrator->y, bytes);
  for (size_t i = 0; i < size; ++i) bdf->D[1][i] = bdf->h * bdf->rate[i];
  bdf->order = bdf->next_order = 1;
  bdf->next_factor             = 1;
  bdf->equal                   = 0;
  return true;
}

// --- another step length

// The polynomial through the differences is sum_m D_m s (s + 1) .. (s + m - 1) / m! at t + s h. Row
// m, column l: what D_m is multiplied by at s = -factor l. With factor 1 these are (-1)^m times
// binomials, which make differences of values.
static void weights_at(int k, double factor, double R[MAX_ORDER + 1][MAX_ORDER + 1])
{
  for (int l = 0; l <= k; ++l)
  {
    R[0][l] = 1;
    for (int m = 1; m <= k; ++m) R[m][l] = R[m - 1][l] * (m - 1 - factor * l) / m;
  }
}

// The differences of the same polynomial at `factor` times the distance: its values there,
// R(factor)^T D, then theirs, R(1)^T.
static void rescale_differences(lwIntegrator* integrator, double factor)
{
  lwBdf* bdf = integrator->bdf;
  int k      = bdf->order;
  double R[MAX_ORDER + 1][MAX_ORDER + 1], U[MAX_ORDER + 1][MAX_ORDER + 1];
  double T[MAX_ORDER + 1][MAX_ORDER + 1];
  weights_at(k, factor, R);
  weights_at(k, 1, U);
  for (int m = 0; m <= k; ++m)
    for (int l = 0; l <= k; ++l)
    {
      T[l][m] = 0;
      for (int j = 0; j <= k; ++j) T[l][m] += R[m][j] * U[j][l];
    }
  for (int i = 0; i < integrator->size; ++i)
  {
    double before[MAX_ORDER + 1];
    for (int m = 0; m <= k; ++m) before[m] = bdf->D[m][i];
    for (int l = 1; l <= k; ++l)
    {
      bdf->D[l][i] = 0;
      for (int m = 1; m <= k; ++m) bdf->D[l][i] += T[l][m] * before[m];
    }
  }
  bdf->h *= factor;
  bdf->equal = 0;
}

// --- Newton's method

// How much to change y_j for a difference of the rates that is neither lost in rounding
// nor too coarse; Hindmarsh et al. 2005, "SUNDIALS", 2.3. size is that of the rates in
// units of the tolerance.
static double jacobian_increment(const lwIntegrator* integrator, int j, double y, double rate,
                                 double size)
{
  double tolerance = integrator->absolute[j] + integrator->relative[j] * fabs(y);
  double noise     = 1000 * integrator->bdf->h * DBL_EPSILON * integrator->size * size * tolerance;
  double least     = fmax(sqrt(DBL_EPSILON) * fabs(y), noise);
  return copysign(least > 0 ? least : tolerance, rate);
}

// J at time t in the predicted state. False: it is not finite.
static bool take_jacobian(lwIntegrator* integrator, double t)
{
  lwBdf* bdf = integrator->bdf;
  double *p = bdf->predicted, *column = bdf->residual;
  int n = integrator->size;
  lw_integrator_rate(integrator, t, p, bdf->rate);
  double size         = lw_tolerance_norm(integrator, bdf->rate, p, p);
  bdf->jacobian_given = bdf->jacobian_new = false;
  bdf->c                                  = 0;
  if (!isfinite(size)) return false;
  for (int j = 0; j < n; ++j)
  {
    double kept = p[j];
    p[j] += jacobian_increment(integrator, j, kept, bdf->rate[j], size);
    double by = p[j] - kept;
    lw_integrator_rate(integrator, t, p, column);
    p[j] = kept;
    if (by == 0 || !lw_all_finite(column, (size_t)n)) return false;
    for (int i = 0; i < n; ++i)
      bdf->jacobian[(size_t)i * (size_t)n + (size_t)j] = (column[i] - bdf->rate[i]) / by;
  }
  ++integrator->stats.jacobians;
  bdf->jacobian_given = bdf->jacobian_new = true;
  return true;
}

// The factors of 1 - c J.
static bool factor_matrix(lwIntegrator* integrator, double c)
{
  lwBdf* bdf = integrator->bdf;
  size_t n   = (size_t)integrator->size;
  for (size_t i = 0; i < n * n; ++i) bdf->factors[i] = -c * bdf->jacobian[i];
  for (size_t i = 0; i < n; ++i) bdf->factors[i * n + i] += 1;
  bdf->contraction = 0;
  bdf->c           = lw_lu_factor(bdf->factors, integrator->size, bdf->pivots) ? c : 0;
  return bdf->c != 0;
}

// How small the error of Newton's method must be, in units of the
// tolerance, not to affect the steps.
static double newton_bound(const lwIntegrator* integrator)
{
  double least = 1;
  for (int i = 0; i < integrator->size; ++i) least = fmin(least, integrator->relative[i]);
  return fmax(10 * DBL_EPSILON / least, fmin(0.03, sqrt(least)));
}

// One iteration: d and the state in `stage` become better. Returns by how much they changed, NaN if
// the rates are not finite.
static double newton_iterate(lwIntegrator* integrator, double t)
{
  lwBdf* bdf = integrator->bdf;
  double *y = integrator->stage, *d = bdf->change, *residual = bdf->residual;
  int n = integrator->size;
  lw_integrator_rate(integrator, t, y, bdf->rate);
  for (int i = 0; i < n; ++i) residual[i] = bdf->c * bdf->rate[i] - bdf->psi[i] - d[i];
  lw_lu_solve(bdf->factors, n, bdf->pivots, residual);
  for (int i = 0; i < n; ++i)
  {
    d[i] += residual[i];
    y[i] = bdf->predicted[i] + d[i];
  }
  return lw_tolerance_norm(integrator, residual, bdf->predicted, bdf->predicted);
}

// Solves d + psi = c f(t, p + d); the state is in `stage`. Returns the number of iterations, 0 if
// they do not converge.
static int newton_solve(lwIntegrator* integrator, double t)
{
  lwBdf* bdf   = integrator->bdf;
  size_t bytes = (size_t)integrator->size * sizeof(double);
  double bound = newton_bound(integrator), last = 0;
  memset(bdf->change, 0, bytes);
  memcpy(integrator->stage, bdf->predicted, bytes);
  for (int i = 1; i <= MAX_NEWTON; ++i)
  {
    double by = newton_iterate(integrator, t);
    if (!isfinite(by))
    {
      bdf->bad_rates = true;
      return 0;
    }
    if (i > 1) bdf->contraction = fmax(by / last, 0.3 * bdf->contraction);
    double q = bdf->contraction;
    if (by == 0 || (q > 0 && q < 1 && q / (1 - q) * by < bound)) return i;
    if (i > 1 && (q >= 1 || lw_pow(q, MAX_NEWTON - i) / (1 - q) * by > bound)) break;
    last = by;
  }
  bdf->contraction = 0;
  return 0;
}

// --- steps

// Predicts and solves, with the Jacobian at hand or, if there is none or it does not serve, a new
// one. Returns the number of iterations, 0 on failure.
static int predict_and_solve(lwIntegrator* integrator, double end)
{
  lwBdf* bdf = integrator->bdf;
  int k      = bdf->order;
  double a = alpha(k), c = bdf->h / a;
  for (int i = 0; i < integrator->size; ++i)
  {
    double p = 0, psi = 0;
    for (int m = k; m > 0; --m)
    {
      p += bdf->D[m][i];
      psi += GAMMA[m] * bdf->D[m][i];
    }
    bdf->predicted[i] = bdf->D[0][i] + p;
    bdf->psi[i]       = psi / a;
  }
  for (int tries = 0; tries < 2; ++tries)
  {
    if (!bdf->jacobian_given && !take_jacobian(integrator, end))
    {
      bdf->bad_rates = true;
      return 0;
    }
    if (bdf->c != c && !factor_matrix(integrator, c)) return 0;
    int iterations = newton_solve(integrator, end);
    if (iterations > 0) return iterations;
    if (bdf->jacobian_new) return 0;
    bdf->jacobian_given = false;
  }
  return 0;
}

// The error of order k in units of the tolerance, of which `difference` is D_(k+1).
static double error_of(const lwIntegrator* integrator, int k, const double* difference)
{
  return error_constant(k) *
         lw_tolerance_norm(integrator, difference, integrator->behind, integrator->y);
}

// What the step is to be multiplied by for an error of order k.
static double step_factor(double safety, double error, int k)
{
  return fmin(GROW, safety * lw_pow(fmax(error, 1e-20), -1.0 / (k + 1)));
}

// Which order allows the longest steps, and how long they are,
// once there are enough differences to tell.
static void choose_next(lwIntegrator* integrator, double error, double safety)
{
  lwBdf* bdf       = integrator->bdf;
  int k            = bdf->order;
  bdf->next_order  = k;
  bdf->next_factor = 1;
  if (bdf->equal < k + 1) return;
  double best = step_factor(safety, error, k);
  double less = k > 1 ? step_factor(safety, error_of(integrator, k - 1, bdf->D[k]), k - 1) : 0;
  double more =
      k < MAX_ORDER ? step_factor(safety, error_of(integrator, k + 1, bdf->D[k + 2]), k + 1) : 0;
  if (less > best) best = less, bdf->next_order = k - 1;
  if (more > best) best = more, bdf->next_order = k + 1;
  if (best < 1 || best >= WORTHWHILE)
    bdf->next_factor = best;
  else
    bdf->next_order = k;
}

// Goes to the state in `stage`, at time `end`.
static void accept_bdf_step(lwIntegrator* integrator, double end)
{
  lwBdf* bdf  = integrator->bdf;
  size_t size = (size_t)integrator->size, bytes = size * sizeof(double);
  int k = bdf->order;
  for (size_t i = 0; i < size; ++i)
  {
    bdf->D[k + 2][i] = bdf->change[i] - bdf->D[k + 1][i];
    bdf->D[k + 1][i] = bdf->change[i];
    for (int m = k; m >= 0; --m) bdf->D[m][i] += bdf->D[m + 1][i];
  }
  memcpy(integrator->behind, integrator->y, bytes);
  memcpy(integrator->y, bdf->D[0], bytes);
  ++bdf->equal;
  lw_integrator_accept(integrator, bdf->h, end);
}

// Tries a step to `end`. Returns 0 if it was good, otherwise the factor for the next step length.
static double try_bdf_step(lwIntegrator* integrator, double end)
{
  lwBdf* bdf     = integrator->bdf;
  int iterations = predict_and_solve(integrator, end);
  if (iterations == 0 || !lw_all_finite(integrator->stage, (size_t)integrator->size)) return 0.5;
  double safety = 0.9 * (2 * MAX_NEWTON + 1) / (2 * MAX_NEWTON + iterations);
  double error  = error_constant(bdf->order) *
                 lw_tolerance_norm(integrator, bdf->change, integrator->y, integrator->stage);
  if (!(error <= 1)) return fmax(SHRINK, step_factor(safety, error, bdf->order));
  accept_bdf_step(integrator, end);
  choose_next(integrator, error, safety);
  return 0;
}

static lwProgress bdf_step(lwIntegrator* integrator, double limit)
{
  lwBdf* bdf = integrator->bdf;
  if (integrator->first && !bdf_begin(integrator)) return LW_PROGRESS_NOT_FINITE;
  bdf->next_factor = fmin(bdf->next_factor, integrator->longest / bdf->h);
  bool change      = bdf->next_order != bdf->order || bdf->next_factor != 1;
  bdf->order       = bdf->next_order;
  if (change) rescale_differences(integrator, bdf->next_factor);
  bdf->next_factor  = 1;
  bdf->jacobian_new = bdf->bad_rates = false;
  for (int tries = 0; tries < MAX_TRIES; ++tries)
  {
    double h = lw_limited_step(integrator, bdf->h, limit, tries > 0);
    if (h == 0) break;
    if (h != bdf->h) rescale_differences(integrator, h / bdf->h);
    bdf->h        = h;
    double end    = h == limit - integrator->t ? limit : integrator->t + h;
    double factor = try_bdf_step(integrator, end);
    if (factor == 0) return LW_PROGRESS_ARRIVED;
    ++integrator->stats.rejected;
    rescale_differences(integrator, factor);
  }
  return bdf->bad_rates ? LW_PROGRESS_NOT_FINITE : LW_PROGRESS_STEP_VANISHED;
}

// The polynomial through the last differences.
static void bdf_between(lwIntegrator* integrator, double t, double* y)
{
  const lwBdf* bdf = integrator->bdf;
  double h = integrator->length, weight = 1, weights[MAX_ORDER + 1];
  for (int m = 0; m < bdf->order; ++m)
  {
    weight *= (t - (integrator->t - m * h)) / ((m + 1) * h);
    weights[m + 1] = weight;
  }
  for (int i = 0; i < integrator->size; ++i)
  {
    double sum = 0;
    for (int m = bdf->order; m > 0; --m) sum += weights[m] * bdf->D[m][i];
    y[i] = bdf->D[0][i] + sum;
  }
}

// The polynomial of bdf_between(): the sum of D_m (x - 1) x .. (x + m - 2) / m! at x = (time -
// before) / h.
static void bdf_powers(lwIntegrator* integrator, int entry, double* coefficients)
{
  const lwBdf* bdf               = integrator->bdf;
  double term[LW_MAX_DEGREE + 1] = {1};
  memset(coefficients, 0, (LW_MAX_DEGREE + 1) * sizeof *coefficients);
  coefficients[0] = bdf->D[0][entry];
  for (int m = 1; m <= bdf->order; ++m)
  {
    for (int i = m; i >= 0; --i)  // times (x + m - 2) / m
      term[i] = ((i > 0 ? term[i - 1] : 0) + (m - 2) * term[i]) / m;
    for (int i = 0; i <= m; ++i) coefficients[i] += bdf->D[m][entry] * term[i];
  }
}

// All earlier values move along, so their differences stay.
static void bdf_move(lwIntegrator* integrator)
{
  size_t bytes = (size_t)integrator->size * sizeof(double);
  memcpy(integrator->y, integrator->stage, bytes);
  memcpy(integrator->bdf->D[0], integrator->stage, bytes);
}

static void bdf_keep(lwIntegrator* integrator, lwStateBytes* state)
{
  lwBdf* bdf             = integrator->bdf;
  size_t size            = (size_t)integrator->size;
  double* const single[] = {&bdf->h, &bdf->c, &bdf->contraction, &bdf->next_factor};
  for (int i = 0; i < 4; ++i) lw_state_numbers(state, single[i], 1);
  for (int i = 0; i < DIFFERENCES; ++i) lw_state_numbers(state, bdf->D[i], size);
  lw_state_numbers(state, bdf->jacobian, size * size);
  lw_state_numbers(state, bdf->factors, size * size);
  lw_state_ints(state, bdf->pivots, size, 0, integrator->size - 1);
  lw_state_ints(state, &bdf->order, 1, 0, MAX_ORDER);
  lw_state_ints(state, &bdf->next_order, 1, 0, MAX_ORDER);
  lw_state_ints(state, &bdf->equal, 1, 0, INT_MAX / 2);
  lw_state_flags(state, &bdf->jacobian_given, 1);
}

const lwIntegratorMethod lw_bdf_method = {"bdf", NULL, "Shampine & Reichelt 1997", true, 5, 5,
                                          5,     0};
const lwStepper lw_bdf_stepper         = {bdf_prepare, bdf_start, bdf_step, bdf_between,
                                          bdf_powers,  bdf_move,  bdf_keep};
