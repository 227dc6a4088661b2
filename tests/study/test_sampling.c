// SPDX-License-Identifier: MIT
// Points and distributions of studies: stratified as their designs promise, independent of the
// order of computation, and with the moments and quantiles of closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_internal.h"
#include "support/studies.h"
#include "support/testing.h"

enum
{
  POINTS = 4096
};

static double draw_one(const lwStudy* study, long k, int d)
{
  double values[8];
  lw_study_draw(study, k, values);
  return values[d];
}

// --- points

// The first points of the sequence as printed by Joe & Kuo; ours are in binary instead of Gray code
// order.
static void test_known_points(void** state)
{
  (void)state;
  static lwSobol sobol;
  static const double known[4][3] = {
      {0, 0, 0}, {0.5, 0.5, 0.5}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.25}};
  lw_sobol_init(&sobol);
  for (uint32_t k = 0; k < 4; ++k)
    for (int d = 0; d < 3; ++d) assert_same(lw_sobol_bits(&sobol, k, d) * 0x1p-32, known[k][d]);
  // direction numbers of the whole table: odd numbers below 2^i
  const char* at = NULL;
  for (int d = 1; d < LW_SOBOL_DIMENSIONS; ++d)
  {
    lwSobolRow row = lw_sobol_row(&at);
    assert_true(row.s > 0);
    for (int i = 0; i < row.s; ++i)
    {
      assert_same(row.m[i] % 2, 1);
      assert_less(row.m[i], 2u << i);
    }
  }
  assert_string_equal(at, "\n");
}

// Every dimension has one point in each of 2^k equal intervals, before and after scrambling.
static void test_stratified(void** state)
{
  (void)state;
  static lwSobol sobol;
  static bool plain[POINTS], scrambled[POINTS];
  lw_sobol_init(&sobol);
  for (int d = 0; d < LW_SOBOL_DIMENSIONS; ++d)
  {
    memset(plain, 0, sizeof plain);
    memset(scrambled, 0, sizeof scrambled);
    for (uint32_t k = 0; k < POINTS; ++k)
    {
      plain[lw_sobol_bits(&sobol, k, d) >> 20]                       = true;
      scrambled[(int)(lw_sobol_scrambled(&sobol, 7, k, d) * POINTS)] = true;
    }
    for (int i = 0; i < POINTS; ++i) assert_true(plain[i] && scrambled[i]);
  }
}

// Two dimensions form a net: 2^12 points, one in each of the 64 x 64 squares, also after
// scrambling.
static void test_net(void** state)
{
  (void)state;
  static lwSobol sobol;
  static bool hit[64][64];
  memset(hit, 0, sizeof hit);
  lw_sobol_init(&sobol);
  for (uint32_t k = 0; k < POINTS; ++k)
    hit[(int)(lw_sobol_scrambled(&sobol, 3, k, 0) * 64)]
       [(int)(lw_sobol_scrambled(&sobol, 3, k, 1) * 64)] = true;
  for (int i = 0; i < 64 * 64; ++i) assert_true(hit[i / 64][i % 64]);
}

static void test_permutation(void** state)
{
  (void)state;
  static const uint64_t sizes[] = {1, 2, 7, 64, 1000, 4097};
  static bool hit[5000];
  for (int s = 0; s < 6; ++s)
  {
    memset(hit, 0, sizeof hit);
    for (uint64_t k = 0; k < sizes[s]; ++k)
    {
      uint64_t to = lw_study_permuted(5, 1, sizes[s], k);
      assert_less(to, sizes[s]);
      assert_false(hit[to]);
      hit[to] = true;
    }
  }
}

static const char latin_text[] =
    "linkwork: 1\nstudy: s\nsampling: {method: latin-hypercube, samples: 1000}\n"
    "vary: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}\nmeasure: {y: {value: a + b}}\n";

static void test_latin(void** state)
{
  (void)state;
  lwStudy* study = study_of(latin_text);
  static bool hit[2][1000];
  memset(hit, 0, sizeof hit);
  for (long k = 0; k < 1000; ++k)
    for (int d = 0; d < 2; ++d) hit[d][(int)(draw_one(study, k, d) * 1000)] = true;
  for (int i = 0; i < 1000; ++i) assert_true(hit[0][i] && hit[1][i]);
  lw_study_destroy(study);
}

// Increasing the number of samples does not change the first ones.
static void test_prefix(void** state)
{
  (void)state;
  static const char* const methods[] = {"sobol", "monte-carlo", "saltelli"};
  for (int m = 0; m < 3; ++m)
  {
    char text[300];
    snprintf(text, sizeof text,
             "linkwork: 1\nstudy: s\nsampling: {method: %s, samples: 64, seed: 9}\n"
             "vary: {a: {normal: [0, 1]}, b: {uniform: [0, 1]}}\nmeasure: {y: {value: a + b}}\n",
             methods[m]);
    lwStudy *small = study_of(text), *large = study_of(text);
    assert_int_equal(lw_study_set_samples(large, 1000, NULL), LW_OK);
    for (long k = 0; k < 64; ++k)
      for (int d = 0; d < 2; ++d) assert_same(draw_one(small, k, d), draw_one(large, k, d));
    lw_study_destroy(small);
    lw_study_destroy(large);
  }
}

static void test_levels(void** state)
{
  (void)state;
  lwStudy* study = study_of("linkwork: 1\nstudy: s\nsampling: {method: factorial}\n"
                            "vary: {a: {uniform: [0, 1], levels: 5}, b: {discrete: [3, 1, 4]}}\n"
                            "measure: {y: {value: a}}\n");
  assert_int_equal(lw_study_samples(study), 15);
  assert_same(draw_one(study, 1, 0), 0.25);
  assert_same(draw_one(study, 4, 0), 1);
  assert_same(draw_one(study, 14, 1), 4);
  assert_same(draw_one(study, 5, 1), 1);
  lw_study_destroy(study);
  study = study_of("linkwork: 1\nstudy: s\nsampling: {method: corners}\n"
                   "vary: {a: {uniform: [0, 1]}, b: {normal: [3, 1], within: [2, 5]}}\n"
                   "measure: {y: {value: a}}\n");
  assert_int_equal(lw_study_samples(study), 4);
  assert_same(draw_one(study, 3, 0), 1);
  assert_same(draw_one(study, 3, 1), 5);
  assert_same(draw_one(study, 1, 1), 2);
  lw_study_destroy(study);
}

// --- distributions

static void test_normal(void** state)
{
  (void)state;
  for (double u = 1e-12; u < 1; u = u < 0.01 ? 3 * u : u + 0.013)
  {
    double z = lw_normal_quantile(u), back = lw_normal_cdf(z);
    // in the tails u falls as exp(-z^2 / 2): an error of 1 ulp in z gives z^2 ulp in u
    assert_near(back, u, (4 + 2 * z * z) * 0x1p-52 * u);
  }
  assert_closer(lw_normal_quantile(0.975), 1.959963984540054, 1e-15 * 4);
}

// Mean and standard deviation of a distribution, from the midpoints of 100 000 intervals of (0, 1).
static void moments_of(const lwDistribution* spread, double* mean, double* deviation)
{
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i)
  {
    double x = lw_distribution_quantile(spread, (i + 0.5) / 100000);
    sum += x / 100000;
    squares += x * x / 100000;
  }
  *mean      = sum;
  *deviation = sqrt(squares - sum * sum);
}

static void test_moments(void** state)
{
  (void)state;
  static const double values[] = {1, 2, 6}, weights[] = {0.5, 0.25, 0.25};
  const double inf = INFINITY;
  // truncated standard normal on [-1, 2]: mean (phi(-1) - phi(2)) / Z, Z = 0.8185946, variance 1 +
  // (-phi(-1) - 2 phi(2)) / Z - mean^2
  const struct
  {
    lwDistribution spread;
    double mean, deviation;
  } known[] = {
      {{.kind = LW_DISTRIBUTION_UNIFORM, .a = 2, .b = 5, .low = -inf, .high = inf},
       3.5,
       0.8660254038},
      {{.kind = LW_DISTRIBUTION_NORMAL, .a = 2, .b = 3, .low = -inf, .high = inf}, 2, 3},
      {{.kind = LW_DISTRIBUTION_NORMAL, .a = 0, .b = 1, .low = -1, .high = 2},
       0.2296372,
       0.7207231},
      {{.kind = LW_DISTRIBUTION_LOGNORMAL, .a = 2, .b = 0.5, .low = -inf, .high = inf},
       2.2662969,
       1.2078056},
      {{.kind = LW_DISTRIBUTION_TRIANGULAR, .a = 0, .b = 1, .c = 5, .low = -inf, .high = inf},
       2,
       1.0801235},
      {{.kind = LW_DISTRIBUTION_DISCRETE, .count = 3, .values = values, .weights = weights},
       2.5,
       2.0615528},
  };
  for (int i = 0; i < 6; ++i)
  {
    double mean, deviation;
    moments_of(&known[i].spread, &mean, &deviation);
    assert_closer(mean, known[i].mean, 1e-4);  // the outermost tails are missing
    assert_closer(deviation, known[i].deviation, 2e-3);
  }
}

static void test_correlated(void** state)
{
  (void)state;
  lwStudy* study =
      study_of("linkwork: 1\nstudy: s\nsampling: {samples: 4096}\n"
               "vary: {a: {normal: [0, 1]}, b: {normal: [5, 2]}, c: {uniform: [0, 1]}}\n"
               "correlated: [{of: [a, b], correlation: 0.7}]\nmeasure: {y: {value: a}}\n");
  double ab = 0, ac = 0, aa = 0, bb = 0;
  for (long k = 0; k < POINTS; ++k)
  {
    double v[3];
    lw_study_draw(study, k, v);
    ab += v[0] * (v[1] - 5) / 2 / POINTS;
    ac += v[0] * (v[2] - 0.5) / POINTS;
    aa += v[0] * v[0] / POINTS;
    bb += (v[1] - 5) * (v[1] - 5) / 4 / POINTS;
  }
  assert_closer(ab, 0.7, 0.01);
  assert_closer(aa, 1, 0.01);
  assert_closer(bb, 1, 0.01);
  assert_closer(ac, 0, 0.01);
  lw_study_destroy(study);
}

// --- results

// y = 2 a + 3 b with independent normal a and b is normal with mean 2 * 1 + 3 * 2 and variance
// 4 * 0.25 + 9 * 0.04.
static void test_linear(void** state)
{
  (void)state;
  lwStudy* study        = study_of("linkwork: 1\nstudy: s\nsampling: {samples: 4096, seed: 4}\n"
                                          "vary: {a: {normal: [1, 0.5]}, b: {normal: [2, 0.2]}}\n"
                                          "measure: {y: {value: 2*a + 3*b, below: 8}}\n");
  lwStudyWorker* worker = NULL;
  size_t bytes          = lw_study_row_bytes(study);
  char* rows            = malloc(bytes * POINTS);
  long below[7] = {0}, passed = 0;
  assert_int_equal(lw_study_worker_create(study, NULL, NULL, &worker), LW_OK);
  assert_int_equal(lw_study_work(worker, 0, POINTS, rows), LW_OK);
  for (int k = 0; k < POINTS; ++k)
  {
    const lwStudyRow* row = (const lwStudyRow*)(rows + bytes * (size_t)k);
    double z              = (lw_study_row_numbers(row)[2] - 8) / sqrt(1.36);
    for (int i = 0; i < 7; ++i) below[i] += z < 0.8 * (i - 3);
    passed += row->pass;
  }
  // scrambled Sobol' points are off by less than 1 / 200 here; random points would sometimes be off
  // by 1 / 40
  for (int i = 0; i < 7; ++i)
    assert_closer((double)below[i] / POINTS, lw_normal_cdf(0.8 * (i - 3)), 0.005);
  assert_int_equal(passed, below[3]);
  lw_study_worker_destroy(worker);
  free(rows);
  lw_study_destroy(study);
}

static const char puma_text[] =
    "linkwork: 1\nstudy: s\nsampling: {samples: 40, seed: 2}\n"
    "payload: {link: flange_plate, mass: 1, com: [0, 0, 0.1]}\n"
    "run: {inverse: {robot: " LW_ROBOTS "/puma560.yaml, duration: 3, dt: 0.02, "
    "waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}}\n"
    "vary: {m: {set: payload.mass, uniform: [-0.2, 2]}, f: {scale: joints.*.viscous, normal: [1, "
    "0.1]},\n"
    "  l: {add: joints.elbow.a, uniform: [-0.01, 0.01]}, s: {set: trajectory.time, uniform: [1, "
    "2]}}\n"
    "measure: {p: {peak: torque2}, r: {rms: torque3}, q: {quantile: abs(power2), at: 0.9}}\n"
    "bands: {columns: [torque2], steps: 10}\n";

// A sample has the same bits, whichever samples are computed together. Samples with a negative
// payload fail with a message.
static void test_any_split(void** state)
{
  (void)state;
  lwStudy* study        = study_of(puma_text);
  size_t bytes          = lw_study_row_bytes(study);
  lwStudyWorker* worker = NULL;
  char *all = malloc(40 * bytes), *one = malloc(bytes);
  int impossible = 0;
  assert_int_equal(lw_study_worker_create(study, NULL, NULL, &worker), LW_OK);
  assert_int_equal(lw_study_work(worker, 0, 40, all), LW_OK);
  for (long k = 39; k >= 0; --k)
  {
    const lwStudyRow* row = (const lwStudyRow*)(all + bytes * (size_t)k);
    assert_int_equal(lw_study_work(worker, k, 1, one), LW_OK);
    assert_memory_equal(one, row, bytes);
    impossible += row->state == LW_SAMPLE_STATE_IMPOSSIBLE;
    assert_int_equal(row->state == LW_SAMPLE_STATE_IMPOSSIBLE, lw_study_row_numbers(row)[0] < 0);
    assert_int_equal(row->why[0] == 0, row->state == LW_SAMPLE_STATE_DONE);
  }
  assert_greater(impossible, 0);
  assert_less(impossible, 10);
  lw_study_worker_destroy(worker);
  free(all);
  free(one);
  lw_study_destroy(study);
}

// --- bands

static void test_sketch(void** state)
{
  (void)state;
  lwSketch forward = {0}, backward = {0};
  for (int i = -500; i <= 500; ++i)
  {
    assert_true(lw_sketch_add(&forward, lw_sketch_key(i * 0.37), 1));
    assert_true(lw_sketch_add(&backward, lw_sketch_key(-i * 0.37), 1));
  }
  assert_int_equal(forward.count, backward.count);
  assert_memory_equal(forward.key, backward.key, (size_t)forward.count * sizeof *forward.key);
  assert_memory_equal(forward.times, backward.times, (size_t)forward.count * sizeof *forward.times);
  for (double p = 0.02; p < 1; p += 0.07)
  {
    double exact = 0.37 * (ceil(p * 1001) - 501);
    assert_near(lw_sketch_quantile(&forward, p), exact, 0.004 * fabs(exact) + 1e-12);
  }
  lw_sketch_free(&forward);
  lw_sketch_free(&backward);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_points), cmocka_unit_test(test_stratified),
      cmocka_unit_test(test_net),          cmocka_unit_test(test_permutation),
      cmocka_unit_test(test_latin),        cmocka_unit_test(test_prefix),
      cmocka_unit_test(test_levels),       cmocka_unit_test(test_normal),
      cmocka_unit_test(test_moments),      cmocka_unit_test(test_correlated),
      cmocka_unit_test(test_linear),       cmocka_unit_test(test_any_split),
      cmocka_unit_test(test_sketch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
