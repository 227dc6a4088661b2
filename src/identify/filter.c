// SPDX-License-Identifier: MIT
#include "identify/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"

// y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''
typedef struct Biquad
{
  double b0, b1, b2, a1, a2;
} Biquad;

// The bilinear transform of a second-order low-pass filter of quality 1 / (2 cos(angle)).
static Biquad low_pass(double warped, double angle)
{
  double w2 = warped * warped, norm = 1 + 2 * lw_cos(angle) * warped + w2;
  return (Biquad){w2 / norm, 2 * w2 / norm, w2 / norm, 2 * (w2 - 1) / norm,
                  (1 - 2 * lw_cos(angle) * warped + w2) / norm};
}

// From the last sample to the first if step is -1. Starts as if
// the first value had always been there.
static void run_biquad(const Biquad* f, double* x, long count, int step)
{
  double* at   = step > 0 ? x : x + count - 1;
  double start = *at, x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (long k = 0; k < count; ++k, at += step)
  {
    double in = *at - start, out = f->b0 * in + f->b1 * x1 + f->b2 * x2 - f->a1 * y1 - f->a2 * y2;
    x2  = x1;
    x1  = in;
    y2  = y1;
    y1  = out;
    *at = out + start;
  }
}

bool lw_filter_zero_phase(double* x, long count, double rate, double cutoff)
{
  if (count < 3 || cutoff >= rate / 2) return true;
  // Each pass has 1/sqrt(2) at the cutoff; together they have half the amplitude there.
  double warped      = lw_tan(LW_PI * cutoff / rate);
  const Biquad two[] = {low_pass(warped, LW_PI / 8), low_pass(warped, 3 * LW_PI / 8)};
  long pad           = (long)ceil(3 * rate / cutoff);
  if (pad > count - 1) pad = count - 1;
  double* all = malloc((size_t)(count + 2 * pad) * sizeof *all);
  if (!all) return false;
  for (long k = 0; k < pad; ++k)
  {
    all[k]               = 2 * x[0] - x[pad - k];
    all[pad + count + k] = 2 * x[count - 1] - x[count - 2 - k];
  }
  memcpy(all + pad, x, (size_t)count * sizeof *x);
  for (int step = 1; step >= -1; step -= 2)
    for (int k = 0; k < 2; ++k) run_biquad(&two[k], all, count + 2 * pad, step);
  memcpy(x, all + pad, (size_t)count * sizeof *x);
  free(all);
  return true;
}

void lw_filter_derivatives(const double* x, long count, double dt, double* first, double* second)
{
  // Coefficients of central differences by half width;
  // the second derivative has its middle in front.
  static const double one[4][4] = {{1. / 2},
                                   {2. / 3, -1. / 12},
                                   {3. / 4, -3. / 20, 1. / 60},
                                   {4. / 5, -1. / 5, 4. / 105, -1. / 280}};
  static const double two[4][5] = {{-2, 1},
                                   {-5. / 2, 4. / 3, -1. / 12},
                                   {-49. / 18, 3. / 2, -3. / 20, 1. / 90},
                                   {-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560}};
  for (long k = 0; k < count; ++k)
  {
    long half = k < count - 1 - k ? k : count - 1 - k;
    if (half > 4) half = 4;
    first[k] = second[k] = 0;
    if (half == 0) continue;
    second[k] = two[half - 1][0] * x[k] / (dt * dt);
    for (long j = 1; j <= half; ++j)
    {
      first[k] += one[half - 1][j - 1] * (x[k + j] - x[k - j]) / dt;
      second[k] += two[half - 1][j] * (x[k + j] + x[k - j]) / (dt * dt);
    }
  }
  if (count < 3) return;
  first[0]          = first[1];
  first[count - 1]  = first[count - 2];
  second[0]         = second[1];
  second[count - 1] = second[count - 2];
}

static int compare_sizes(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double lw_filter_noise(const double* x, long count, double* capacity)
{
  double square = 0;
  long rows     = count - 4;
  if (rows < 1) return 0;
  for (long k = 0; k < rows; ++k)
  {
    capacity[k] = fabs(x[k] - 4 * x[k + 1] + 6 * x[k + 2] - 4 * x[k + 3] + x[k + 4]);
    square += capacity[k] * capacity[k] / (double)rows;
  }
  qsort(capacity, (size_t)rows, sizeof *capacity, compare_sizes);
  double middle = capacity[rows / 2] / 0.6745;  // the median of a normal distribution's sizes
  return (middle > 0 ? middle : sqrt(square)) / sqrt(70);
}
