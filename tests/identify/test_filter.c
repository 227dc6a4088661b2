// SPDX-License-Identifier: MIT
// The zero-phase filter for identification: no delay, half the amplitude at the cutoff (1/sqrt 2
// each forwards and backwards), constants and slopes unchanged, differences exact for polynomials.
#include "identify/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/testing.h"

enum
{
  COUNT = 4000
};

static const double RATE = 500;

static double* sine(double hertz)
{
  double* x = malloc(COUNT * sizeof *x);
  assert_non_null(x);
  for (int k = 0; k < COUNT; ++k) x[k] = sin(2 * acos(-1) * hertz * k / RATE);
  return x;
}

// Amplitudes of the sine and cosine of this frequency, in the middle half of the samples.
static void amplitudes(const double* x, double hertz, double* in_phase, double* across)
{
  double w = 2 * acos(-1) * hertz / RATE, s = 0, c = 0, ss = 0, cc = 0;
  for (int k = COUNT / 4; k < 3 * COUNT / 4; ++k)
  {
    s += x[k] * sin(w * k);
    c += x[k] * cos(w * k);
    ss += sin(w * k) * sin(w * k);
    cc += cos(w * k) * cos(w * k);
  }
  *in_phase = s / ss;
  *across   = c / cc;
}

// Butterworth of fourth order, twice: 1 / (1 + (tan(pi f / rate) / tan(pi cutoff / rate))^8).
static void the_response_is_butterworths(void** unused)
{
  (void)unused;
  static const double hertz[] = {0.5, 2, 5, 8, 10, 12, 20, 50};
  const double cutoff         = 10;
  for (size_t k = 0; k < sizeof hertz / sizeof *hertz; ++k)
  {
    double *x = sine(hertz[k]), in_phase, across, pi = acos(-1);
    assert_true(lw_filter_zero_phase(x, COUNT, RATE, cutoff));
    amplitudes(x, hertz[k], &in_phase, &across);
    double right = 1 / (1 + pow(tan(pi * hertz[k] / RATE) / tan(pi * cutoff / RATE), 8));
    assert_near(in_phase, right, 2e-3);
    assert_near(across, 0, 2e-3);  // no delay
    free(x);
  }
}

static void slopes_stay(void** unused)
{
  (void)unused;
  double* x = malloc(COUNT * sizeof *x);
  assert_non_null(x);
  for (int k = 0; k < COUNT; ++k) x[k] = 3 - 0.01 * k;
  assert_true(lw_filter_zero_phase(x, COUNT, RATE, 10));
  for (int k = COUNT / 10; k < COUNT - COUNT / 10; ++k)  // errors are larger near the ends
    assert_near(x[k], 3 - 0.01 * k, 1e-9 * 40);
  free(x);
}

// A sine that begins and ends at zero goes on through both ends by point reflection, so it stays as
// in the middle up to what three periods of the cutoff leave of the start, 1e-3.
static void ends_are_reflected(void** unused)
{
  (void)unused;
  const int count  = 1001;  // 4 periods of 2 Hz
  const double top = 2 * acos(-1) * 2 / RATE;
  double* x        = sine(2);
  assert_true(lw_filter_zero_phase(x, count, RATE, 10));
  for (int k = 0; k < count; ++k) assert_near(x[k], sin(top * k), 1e-3);
  for (int k = 0; k < count; ++k) x[k] = 5 + sin(top * k);  // the same about another value
  assert_true(lw_filter_zero_phase(x, count, RATE, 10));
  for (int k = 0; k < count; ++k) assert_near(x[k], 5 + sin(top * k), 1e-3);
  free(x);
}

// Fewer samples than three periods of the cutoff: all of them are reflected, and a constant stays.
// Fewer than three cannot be filtered, and neither can a cutoff beyond half the rate.
static void short_signals_are_filtered(void** unused)
{
  (void)unused;
  for (int count = 1; count <= 40; ++count)
  {
    double x[40], y[40];
    for (int k = 0; k < count; ++k) x[k] = 3, y[k] = k * k;
    assert_true(lw_filter_zero_phase(x, count, RATE, 10));
    for (int k = 0; k < count; ++k) assert_near(x[k], 3, 1e-14);
    assert_true(lw_filter_zero_phase(y, count, RATE, count < 3 ? 10 : RATE / 2));
    for (int k = 0; k < count; ++k) assert_same(y[k], k * k);
  }
}

static void the_filter_is_linear_and_keeps_time_reversal(void** unused)
{
  (void)unused;
  double *x = sine(3), *turned = malloc(COUNT * sizeof *turned);
  assert_non_null(turned);
  for (int k = 0; k < COUNT; ++k) x[k] += 0.3 * sin(0.9 * k) + (k % 7 == 3);
  for (int k = 0; k < COUNT; ++k) turned[k] = 2 * x[COUNT - 1 - k];
  assert_true(lw_filter_zero_phase(x, COUNT, RATE, 15));
  assert_true(lw_filter_zero_phase(turned, COUNT, RATE, 15));
  for (int k = COUNT / 10; k < COUNT - COUNT / 10; ++k)
    assert_near(turned[COUNT - 1 - k], 2 * x[k], 1e-6);
  free(x);
  free(turned);
}

// Central differences of eighth order are exact for polynomials of degree 8, up to rounding.
static void derivatives_of_polynomials(void** unused)
{
  (void)unused;
  enum
  {
    MIDDLE = 20,
    FEW    = 2 * MIDDLE + 1
  };
  double x[FEW], first[FEW], second[FEW], dt = 0.05;
  for (int k = 0; k < FEW; ++k)
  {
    double t = dt * (k - MIDDLE);
    x[k]     = 1 - 2 * t + 3 * t * t - pow(t, 5) + 0.5 * pow(t, 7);
  }
  lw_filter_derivatives(x, FEW, dt, first, second);
  for (int k = 4; k < FEW - 4; ++k)
  {
    double t = dt * (k - MIDDLE);
    assert_near(first[k], -2 + 6 * t - 5 * pow(t, 4) + 3.5 * pow(t, 6), 1e-11);
    assert_near(second[k], 6 - 20 * pow(t, 3) + 21 * pow(t, 5), 1e-10);
  }
}

// The standard deviation of noise is found under a motion of a thousand times its size, with a
// jump.
static void noise_is_told_from_motion(void** unused)
{
  (void)unused;
  static const double sizes[] = {1e-6, 1e-3, 0.1};
  for (size_t s = 0; s < 3; ++s)
  {
    double *x = sine(0.5), *capacity = malloc(COUNT * sizeof *capacity);
    assert_non_null(capacity);
    lwRandom random = {s + 1};
    for (int k = 0; k < COUNT; ++k)
    {
      double sum = -6;  // of twelve uniform numbers: nearly normal, variance 1
      for (int j = 0; j < 12; ++j) sum += lw_random_between(&random, 0, 1);
      x[k] = 1000 * sizes[s] * (x[k] + (k > COUNT / 3)) + sizes[s] * sum;
    }
    assert_near(lw_filter_noise(x, COUNT, capacity), sizes[s], 0.06 * sizes[s]);
    free(x);
    free(capacity);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_response_is_butterworths),
                                     cmocka_unit_test(slopes_stay),
                                     cmocka_unit_test(ends_are_reflected),
                                     cmocka_unit_test(short_signals_are_filtered),
                                     cmocka_unit_test(the_filter_is_linear_and_keeps_time_reversal),
                                     cmocka_unit_test(derivatives_of_polynomials),
                                     cmocka_unit_test(noise_is_told_from_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
