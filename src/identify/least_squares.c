// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "identify/fit.h"
#include "linear/lapack.h"

enum
{
  PASSES = 3,  // the weights follow the residuals
  LAGS   = 16  // of correlations in time
};

static const double SINGULAR   = 1e9;  // condition number beyond which nothing is determined
static const double LEAST_GAIN = 0.1;  // ratio of torque constants that weights allow for

typedef struct Work
{
  int m, count;   // equations, base parameters
  double *A, *b;  // (m, count), (m) weighted; then R and Q^T b
  double* scale;  // (count) lengths of the columns
  double* full;   // (unknowns) values, those of base parameters alone
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

static int moved_joints(const lwEquations* equations)
{
  int count = 0;
  for (int i = 0; i < equations->n; ++i) count += equations->moved[i];
  return count;
}

// The equations of joints that moved, each divided by its noise, columns by their lengths.
static void fill_work(Work* work, const lwEquations* equations, const lwBaseParameters* base,
                      const double* noise)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows, m = (size_t)work->m;
  for (size_t c = 0; c <= (size_t)base->count; ++c)
  {
    bool right         = c == (size_t)base->count;
    double* column     = right ? work->b : work->A + c * m;
    const double* from = right ? equations->b : equations->W + (size_t)base->kept[c] * n * rows;
    double square      = 0;
    size_t at          = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; equations->moved[i] && k < (size_t)equations->fitted; ++k)
      {
        column[at] = equations->left_out[i * rows + k] ? 0 : from[i * rows + k] / noise[i];
        square += column[at] * column[at];
        ++at;
      }
    if (right) break;
    work->scale[c] = square > 0 ? sqrt(square) : 1;
    for (size_t k = 0; k < m; ++k) column[k] /= work->scale[c];
  }
}

static void solve_triangle(const Work* work, double* x)
{
  size_t m = (size_t)work->m;
  for (int i = work->count - 1; i >= 0; --i)
  {
    x[i] = work->b[i];
    for (int j = i + 1; j < work->count; ++j) x[i] -= work->A[(size_t)j * m + (size_t)i] * x[j];
    x[i] /= work->A[(size_t)i * m + (size_t)i];
  }
  for (int i = 0; i < work->count; ++i) x[i] /= work->scale[i];
}

// (R^T R)^-1 with the lengths of the columns taken out again.
static lwStatus find_covariance(const Work* work, double* covariance)
{
  size_t m = (size_t)work->m, count = (size_t)work->count;
  double* inverse = calloc(count * count + 1, sizeof *inverse);  // of R, column by column
  if (!inverse) return LW_ERROR_MEMORY;
  for (size_t j = 0; j < count; ++j)
    for (size_t i = j + 1; i-- > 0;)
    {
      double sum = i == j;
      for (size_t k = i + 1; k <= j; ++k) sum -= work->A[k * m + i] * inverse[j * count + k];
      inverse[j * count + i] = sum / work->A[i * m + i];
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

static lwStatus find_condition(const Work* work, double* condition)
{
  size_t count   = (size_t)work->count;
  double* R      = calloc(count * count + count + 1, sizeof *R);
  double* values = R ? R + count * count : NULL;
  if (!R) return LW_ERROR_MEMORY;
  for (size_t j = 0; j < count; ++j)
    for (size_t i = 0; i <= j; ++i) R[j * count + i] = work->A[j * (size_t)work->m + i];
  lwStatus status = lw_lapack_singular(work->count, work->count, R, values);
  *condition      = count > 0 && values[count - 1] > 0 ? values[0] / values[count - 1] : INFINITY;
  free(R);
  return status;
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

// The effect of correlation in time on the variance of means: 1 + 2 (sum of the autocorrelations).
// Negative ones are not counted, so that standard errors are too large rather than too small.
static double correlation_factor(const double* rest, long count, double square)
{
  double factor = 1;
  long most     = count / 5 < LAGS ? count / 5 : LAGS;
  for (long lag = 1; lag <= most && square > 0; ++lag)
  {
    double sum = 0;
    for (long k = lag; k < count; ++k) sum += rest[k] * rest[k - lag];
    factor += 2 * fmax(sum / square, 0);
  }
  return factor;
}

// Standard deviations of the residuals, correlation in time included; each joint loses its
// share of the degrees of freedom to the unknowns. At least 1e-5 of the torques, which is what
// the filter leaves of them. With currents the noise is that of the currents; otherwise a joint
// with a small constant would seem exact.
static void find_noise(const lwEquations* equations, const lwBaseParameters* base, const double* x,
                       double* rest, double* full, double* noise)
{
  for (int b = 0; b < base->count; ++b) full[base->kept[b]] = x[b];
  double free_part = fmax(1 - base->count / fmax((double)equations->used, 1), 0.01);
  for (size_t i = 0; i < (size_t)equations->n; ++i)
  {
    double square = 0, size = take_residuals(equations, base, x, i, rest);
    long used = equations->fitted;
    for (long k = 0; k < equations->fitted; ++k)
      used -= equations->left_out[(long)i * equations->rows + k];
    double share = fmax((double)used, 1) * free_part;
    for (long k = 0; k < equations->fitted; ++k) square += rest[k] * rest[k];
    double factor = correlation_factor(rest, equations->fitted, square);
    double gain   = fmax(fabs(lw_equations_gain(equations, full, (int)i)), LEAST_GAIN);
    noise[i]      = fmax(sqrt(factor * square / share) / gain, 1e-5 * sqrt(size / share) + 1e-300);
  }
}

// Which base parameters a singular matrix cannot tell apart: those
// whose columns depend on earlier ones.
static void name_singular(const Work* work, const lwEquations* equations,
                          const lwBaseParameters* base, double condition, lwDiag* diag)
{
  int worst = 0;
  for (int c = 1; c < work->count; ++c)
    if (fabs(work->A[(size_t)c * (size_t)work->m + (size_t)c]) <
        fabs(work->A[(size_t)worst * (size_t)work->m + (size_t)worst]))
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
  if (status == LW_OK) status = find_condition(work, &least->condition);
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

static lwStatus iterate(lwLeastSquares* least, Work* work, const lwEquations* equations,
                        const lwBaseParameters* base, lwDiag* diag)
{
  lwStatus status = LW_OK;
  begin_noise(equations, least->noise);
  for (int pass = 0; pass < PASSES && status == LW_OK; ++pass)
  {
    status = solve_once(least, work, equations, base, diag);
    if (status == LW_OK && pass + 1 < PASSES)
      find_noise(equations, base, least->value, work->b, work->full, least->noise);  // b is free
  }
  if (status == LW_OK) status = find_covariance(work, least->covariance);
  return status;
}

lwStatus lw_least_squares(lwLeastSquares* least, const lwEquations* equations,
                          const lwBaseParameters* base, lwDiag* diag)
{
  size_t count      = (size_t)base->count;
  long m            = equations->fitted * moved_joints(equations);
  *least            = (lwLeastSquares){.count = base->count, .equations = m};
  least->value      = calloc(count + 1, sizeof(double));
  least->covariance = calloc(count * count + 1, sizeof(double));
  least->noise      = calloc((size_t)equations->n + 1, sizeof(double));
  if (equations->used < 2 * base->count || m > 1 << 28)
  {
    LW_REFUSE(diag, NULL, "the log gives %ld equations for %d unknowns, expected at least %d",
              equations->used, base->count, 2 * base->count);
    return LW_ERROR_INPUT;
  }
  Work work = {.m = (int)m, .count = base->count};
  work.A    = calloc((size_t)m * count + 1, sizeof(double));
  work.b    = calloc((size_t)m + count + (size_t)equations->unknowns.count + 1, sizeof(double));
  bool made = least->value && least->covariance && least->noise && work.A && work.b;
  lwStatus status = made ? LW_OK : LW_ERROR_MEMORY;
  work.scale      = made ? work.b + m : NULL;
  work.full       = made ? work.scale + count : NULL;
  if (made) status = iterate(least, &work, equations, base, diag);
  free(work.A);
  free(work.b);
  return status;
}

void lw_least_squares_free(lwLeastSquares* least)
{
  free(least->value);
  free(least->covariance);
  free(least->noise);
}
