// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "identify/equations.h"
#include "linear/lapack.h"

static const int PASSES = 5;   // weights follow residuals, columns of torque constants predictions
static const long LAGS  = 16;  // of correlations in time

static const double SINGULAR   = 1e9;  // condition number beyond which nothing is determined
static const double LEAST_GAIN = 0.1;  // ratio of torque constants that weights allow for

typedef struct Work
{
  int m, count;   // equations, base parameters
  double *A, *b;  // (m, count), (m) weighted; then R and Q^T b
  double* scale;  // (count) lengths of the columns
  double* full;   // (unknowns) values, those of base parameters alone
  double* R;      // (count, count) column by column
  double* share;  // (n) unknowns that the rows of each joint determine
} Work;

double lw_equations_residual(const lwEquations* equations, const double* values, int i, long k)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows,
         at  = (size_t)i * rows + (size_t)k;
  double sum = equations->b[at];
  for (size_t c = 0; c < (size_t)equations->unknowns.count; ++c)
    sum -= equations->W[c * n * rows + at] * values[c];
  return sum;
}

double lw_equations_weigh(const lwEquations* equations, const double* noise, const double* from,
                          double* column)
{
  size_t rows   = (size_t)equations->rows;
  double square = 0;
  for (size_t i = 0; i < (size_t)equations->n; ++i)
    for (size_t k = 0; equations->moved[i] && k < (size_t)equations->fitted; ++k, ++column)
    {
      *column = equations->left_out[i * rows + k] ? 0 : from[i * rows + k] / noise[i];
      square += *column * *column;
    }
  return square;
}

// The weighted equations, columns divided by their lengths.
static void fill_work(Work* work, const lwEquations* equations, const lwBaseParameters* base,
                      const double* noise)
{
  size_t stride = (size_t)equations->n * (size_t)equations->rows, m = (size_t)work->m;
  for (int c = 0; c < base->count; ++c)
  {
    double* column  = work->A + (size_t)c * m;
    const double* W = equations->W + (size_t)base->kept[c] * stride;
    double square   = lw_equations_weigh(equations, noise, W, column);
    work->scale[c]  = square > 0 ? sqrt(square) : 1;
    for (size_t k = 0; k < m; ++k) column[k] /= work->scale[c];
  }
  lw_equations_weigh(equations, noise, equations->b, work->b);
}

static void solve_triangle(const Work* work, double* x)
{
  size_t count = (size_t)work->count;
  for (int i = work->count - 1; i >= 0; --i)
  {
    x[i] = work->b[i];
    for (int j = i + 1; j < work->count; ++j) x[i] -= work->R[(size_t)j * count + (size_t)i] * x[j];
    x[i] /= work->R[(size_t)i * count + (size_t)i];
  }
  for (int i = 0; i < work->count; ++i) x[i] /= work->scale[i];
}

// (R^T R)^-1 with the lengths of the columns taken out again.
static lwStatus find_covariance(const Work* work, double* covariance)
{
  size_t count    = (size_t)work->count;
  double* inverse = calloc(count * count + 1, sizeof *inverse);  // of R, column by column
  if (!inverse) return LW_ERROR_MEMORY;
  for (size_t j = 0; j < count; ++j)
    for (size_t i = j + 1; i-- > 0;)
    {
      double sum = i == j;
      for (size_t k = i + 1; k <= j; ++k) sum -= work->R[k * count + i] * inverse[j * count + k];
      inverse[j * count + i] = sum / work->R[i * count + i];
    }
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
    {
      double sum = 0;
      for (size_t k = i > j ? i : j; k < count; ++k)
        sum += inverse[k * count + i] * inverse[k * count + j];
      covariance[i * count + j] = sum / (work->scale[i] * work->scale[j]);
    }
  free(inverse);
  return LW_OK;
}

// The residuals of joint i, into rest (fitted); returns the sum of the squares of its torques.
static double take_residuals(const lwEquations* equations, const lwBaseParameters* base,
                             const double* x, size_t i, double* rest)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows;
  double size = 0;
  for (size_t k = 0; k < (size_t)equations->fitted; ++k)
  {
    rest[k] = equations->left_out[i * rows + k] ? 0 : equations->b[i * rows + k];
    size += rest[k] * rest[k];
    for (size_t c = 0; c < (size_t)base->count && !equations->left_out[i * rows + k]; ++c)
      rest[k] -= equations->W[((size_t)base->kept[c] * n + i) * rows + k] * x[c];
  }
  return size;
}

// How much more a mean of residuals varies than if they were independent: 1 + 2 (sum of the
// autocorrelations, with Bartlett's weights), less two standard deviations of this number, so that
// only correlation beyond doubt counts.
static double correlation_factor(const double* rest, long count, double square)
{
  double factor = 1;
  long most     = count / 5 < LAGS ? count / 5 : LAGS;
  for (long lag = 1; lag <= most && square > 0; ++lag)
  {
    double sum = 0;
    for (long k = lag; k < count; ++k) sum += rest[k] * rest[k - lag];
    factor += 2 * (1 - (double)lag / (double)(most + 1)) * sum / square;
  }
  return factor * (1 - 2 * sqrt(4 * (double)most / (3 * fmax((double)count, 1))));
}

// Row k of joint i in an orthonormal basis, R^-T a, into y (count): the sum of its squares is the
// leverage of the row.
static double leverage(const Work* work, const lwEquations* equations, const lwBaseParameters* base,
                       double noise, size_t at, double* y)
{
  size_t count = (size_t)work->count, stride = (size_t)equations->n * (size_t)equations->rows;
  double square = 0;
  for (size_t c = 0; c < count; ++c)
  {
    const double* column = work->R + c * count;
    y[c] = equations->W[(size_t)base->kept[c] * stride + at] / (noise * work->scale[c]);
    for (size_t k = 0; k < c; ++k) y[c] -= column[k] * y[k];
    y[c] /= column[c];
    square += y[c] * y[c];
  }
  return square;
}

// The degrees of freedom that each joint's residuals lose to the unknowns: leverages of its rows.
static void find_shares(const Work* work, const lwEquations* equations,
                        const lwBaseParameters* base, const double* noise, double* y)
{
  size_t rows = (size_t)equations->rows;
  for (size_t i = 0; i < (size_t)equations->n; ++i)
  {
    work->share[i] = 0;
    for (size_t k = 0; equations->moved[i] && k < (size_t)equations->fitted; ++k)
      if (!equations->left_out[i * rows + k])
        work->share[i] += leverage(work, equations, base, noise[i], i * rows + k, y);
  }
}

// Standard deviations of the residuals, correlation in time included: what the filter makes of
// white noise, or what the residuals show, if that is more. At least 1e-5 of the torques, which is
// what the filter leaves of them.
static void find_noise(const Work* work, const lwEquations* equations, const lwBaseParameters* base,
                       const double* x, double* rest, double* noise)
{
  for (size_t i = 0; i < (size_t)equations->n; ++i)
  {
    double square = 0, size = take_residuals(equations, base, x, i, rest);
    long used = equations->fitted;
    for (long k = 0; k < equations->fitted; ++k)
      used -= equations->left_out[(long)i * equations->rows + k];
    double left = fmax((double)used - work->share[i], fmax(0.05 * (double)used, 1));
    for (long k = 0; k < equations->fitted; ++k) square += rest[k] * rest[k];
    double factor =
        fmax(equations->correlation, correlation_factor(rest, equations->fitted, square));
    noise[i] =
        fmax(sqrt(factor * square / left), 1e-5 * sqrt(size / fmax((double)used, 1)) + 1e-300);
  }
}

// --- torque constants

// Y pi - T d = T has the noise of the currents on both sides, which pulls d towards the noise. So
// the equations become those of Gauss and Newton for T = Y pi / (1 + d), where only T is measured:
// Y pi - T^ d = (1 + d0) T - T^ d0, T^ = Y pi0 / (1 + d0).
static void linearise_gains(lwEquations* equations, const lwBaseParameters* base, const double* x,
                            double* full)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows;
  const lwUnknowns* unknowns = &equations->unknowns;
  for (int b = 0; b < base->count; ++b) full[base->kept[b]] = x[b];
  for (size_t i = 0; i < n; ++i)
  {
    double gain = fmax(lw_equations_gain(equations, full, (int)i), LEAST_GAIN);
    for (size_t k = 0; equations->moved[i] && k < rows; ++k)
    {
      double predicted = 0, *b = &equations->b[i * rows + k];
      for (int c = 0; c < unknowns->count; ++c)
        if (unknowns->of[c].kind != LW_UNKNOWN_GAIN)
          predicted += equations->W[((size_t)c * n + i) * rows + k] * full[c];
      predicted /= gain;
      *b = gain * equations->measured[i * rows + k] - predicted * (gain - 1);
      for (int c = unknowns->inertial; c < unknowns->count; ++c)
        if (unknowns->of[c].kind == LW_UNKNOWN_GAIN)
          equations->W[((size_t)c * n + i) * rows + k] =
              lw_equations_gain_column(equations, c, (int)i, predicted);
    }
  }
}

// Which base parameters a singular matrix cannot tell apart: those
// whose columns depend on earlier ones.
static void name_singular(const Work* work, const lwEquations* equations,
                          const lwBaseParameters* base, double condition, lwDiag* diag)
{
  int worst = 0;
  for (int c = 1; c < work->count; ++c)
    if (fabs(work->R[(size_t)c * (size_t)work->count + (size_t)c]) <
        fabs(work->R[(size_t)worst * (size_t)work->count + (size_t)worst]))
      worst = c;
  char* name = lw_base_name(base, &equations->unknowns, worst);
  LW_REFUSE(diag, "record another motion; linkwork excite makes one",
            "the motion in the log does not determine %s: the condition number is %.2g",
            name ? name : "a parameter", condition);
  free(name);
}

static lwStatus solve_once(lwLeastSquares* least, Work* work, const lwEquations* equations,
                           const lwBaseParameters* base, lwDiag* diag)
{
  fill_work(work, equations, base, least->noise);
  lwStatus status = lw_lapack_qr(work->m, work->count, work->A, 1, work->b);
  size_t count    = (size_t)work->count;
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i <= j; ++i) work->R[j * count + i] = work->A[j * (size_t)work->m + i];
  memcpy(work->A, work->R, count * count * sizeof *work->A);  // which is free now, and m >= count
  if (status == LW_OK) status = lw_lapack_condition(work->count, work->A, &least->condition);
  if (status != LW_OK) return status;
  if (!(least->condition < SINGULAR))
  {
    name_singular(work, equations, base, least->condition, diag);
    return LW_ERROR_NUMERICAL;
  }
  solve_triangle(work, least->value);
  least->cost = 0;
  for (int k = work->count; k < work->m; ++k) least->cost += work->b[k] * work->b[k];
  return LW_OK;
}

// The first weights: the sizes of the torques.
static void begin_noise(const lwEquations* equations, double* noise)
{
  size_t rows = (size_t)equations->rows;
  for (size_t i = 0; i < (size_t)equations->n; ++i)
  {
    double square = 0;
    for (size_t k = 0; k < (size_t)equations->fitted; ++k)
      square += equations->b[i * rows + k] * equations->b[i * rows + k];
    noise[i] = square > 0 ? sqrt(square / (double)equations->fitted) : 1;
  }
}

static lwStatus iterate(lwLeastSquares* least, Work* work, lwEquations* equations,
                        const lwBaseParameters* base, lwDiag* diag)
{
  lwStatus status = LW_OK;
  bool gains      = false;
  for (int c = equations->unknowns.inertial; c < equations->unknowns.count; ++c)
    gains = gains || equations->unknowns.of[c].kind == LW_UNKNOWN_GAIN;
  int passes = gains ? PASSES : PASSES - 2;
  begin_noise(equations, least->noise);
  for (int pass = 0; pass < passes && status == LW_OK; ++pass)
  {
    status = solve_once(least, work, equations, base, diag);
    if (status != LW_OK || pass + 1 == passes) continue;
    if (gains) linearise_gains(equations, base, least->value, work->full);
    find_shares(work, equations, base, least->noise, work->b);  // b is free
    find_noise(work, equations, base, least->value, work->b, least->noise);
  }
  if (status == LW_OK) status = find_covariance(work, least->covariance);
  return status;
}

lwStatus lw_least_squares(lwLeastSquares* least, lwEquations* equations,
                          const lwBaseParameters* base, lwDiag* diag)
{
  size_t count = (size_t)base->count;
  long m       = 0;
  for (int i = 0; i < equations->n; ++i) m += equations->moved[i] ? equations->fitted : 0;
  *least = (lwLeastSquares){.count = base->count, .equations = m};
  if (equations->used < 2 * base->count || m > 1 << 28)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the log gives %ld equations for %d unknowns, expected at least %d",
                     equations->used, base->count, 2 * base->count);
  Work work               = {.m = (int)m, .count = base->count};
  const lwArray results[] = {{&least->value, count},
                             {&least->covariance, count * count},
                             {&least->noise, (size_t)equations->n},
                             {0}};
  const lwArray arrays[]  = {{&work.A, (size_t)m * count},
                             {&work.b, (size_t)m},
                             {&work.scale, count},
                             {&work.full, (size_t)equations->unknowns.count},
                             {&work.R, count * count},
                             {&work.share, (size_t)equations->n},
                             {0}};
  bool made               = lw_arrays_take(NULL, results) && lw_arrays_take(NULL, arrays);
  lwStatus status         = made ? iterate(least, &work, equations, base, diag) : LW_ERROR_MEMORY;
  free(work.A);
  return status;
}

void lw_least_squares_free(lwLeastSquares* least)
{
  free(least->value);
}
