// SPDX-License-Identifier: MIT
// Statistics of a study's results against closed forms: quantiles, intervals, tornados, Sobol'
// indices of a function whose variances are known.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/study/study_data.h"
#include "support/testing.h"

enum
{
  MOST = 4096
};

// One measure and up to three parameters over rows of plain numbers.
typedef struct Table
{
  lwStudyData data;
  lwStudyColumn measure, parameters[3];
  double y[MOST], x[3][MOST], scratch[2 * (MOST + 4)];
  long sample[MOST];
} Table;

static Table* table_of(long rows, int parameters)
{
  Table* table = calloc(1, sizeof *table);
  assert_non_null(table);
  table->measure = (lwStudyColumn){"y", table->y, INFINITY, -INFINITY};
  for (int p = 0; p < 3; ++p)
    table->parameters[p] = (lwStudyColumn){"x", table->x[p], INFINITY, -INFINITY};
  for (long i = 0; i < rows; ++i) table->sample[i] = 10 + i;
  table->data = (lwStudyData){.design          = "sobol",
                              .rows            = rows,
                              .samples         = rows,
                              .points          = rows,
                              .sample          = table->sample,
                              .scratch         = table->scratch,
                              .parameter_count = parameters,
                              .measure_count   = 1,
                              .parameters      = table->parameters,
                              .measures        = &table->measure};
  return table;
}

// Of 0, 1, .. n - 1 in another order: mean (n-1)/2, variance n(n+1)/12, quantiles p (n-1).
static void summaries_of_a_ramp(void** unused)
{
  (void)unused;
  const long n = 101;
  Table* table = table_of(n, 0);
  for (long i = 0; i < n; ++i) table->y[i] = (double)(i * 37 % n);
  lwStudySummary s = lw_study_summary(&table->data, 0);
  assert_int_equal(s.count, n);
  assert_same(s.mean, 50);
  assert_near(s.deviation, sqrt(101.0 * 102 / 12), 1e-12);
  assert_same(s.low, 0);
  assert_same(s.high, 100);
  assert_near(s.p01, 1, 1e-12);
  assert_near(s.p05, 5, 1e-12);
  assert_same(s.p50, 50);
  assert_near(s.p95, 95, 1e-12);
  assert_near(s.p99, 99, 1e-12);
  assert_int_equal(s.lowest, 10);  // the sample, not the row
  assert_same(table->y[s.highest - 10], 100);
  assert_nan(s.pass);
  s = lw_study_summary_of_first(&table->data, 0, 1);
  assert_int_equal(s.count, 1);
  assert_same(s.mean, 0);
  assert_same(s.deviation, 0);
  free(table);
}

// Rows without results do not count; without any there are no numbers.
static void rows_without_results_are_left_out(void** unused)
{
  (void)unused;
  Table* table = table_of(4, 0);
  table->y[0] = NAN, table->y[1] = 3, table->y[2] = NAN, table->y[3] = 5;
  lwStudySummary s = lw_study_summary(&table->data, 0);
  assert_int_equal(s.count, 2);
  assert_same(s.mean, 4);
  assert_near(s.deviation, sqrt(2), 1e-15);
  assert_int_equal(s.lowest, 11);
  assert_int_equal(s.highest, 13);
  table->y[1] = table->y[3] = NAN;
  s                         = lw_study_summary(&table->data, 0);
  assert_int_equal(s.count, 0);
  assert_nan(s.mean);
  assert_nan(s.p50);
  lwStudyHold hold = lw_study_hold(&table->data, -1, NULL);
  assert_int_equal(hold.count, 0);
  assert_nan(hold.pass);
  free(table);
}

// Wilson's interval solves (p - x)^2 = z^2 x (1 - x) / n.
static void intervals_solve_their_equation(void** unused)
{
  (void)unused;
  const double z = 1.959963984540054;
  for (int passed = 0; passed <= 20; ++passed)
  {
    Table* table         = table_of(20, 0);
    table->measure.below = 0.5;
    for (int i = 0; i < 20; ++i) table->y[i] = i < passed ? 0 : 1;
    lwStudySummary s = lw_study_summary(&table->data, 0);
    lwStudyHold hold = lw_study_hold(&table->data, 0, NULL);
    double p         = passed / 20.0;
    assert_same(s.pass, p);
    assert_same(hold.pass, p);
    assert_same(hold.low, s.pass_low);
    assert_same(hold.high, s.pass_high);
    for (int end = 0; end < 2; ++end)
    {
      double x = end ? s.pass_high : s.pass_low;
      assert_near((p - x) * (p - x), z * z * x * (1 - x) / 20, 1e-12);
    }
    assert_at_most(s.pass_low, p);
    assert_at_least(s.pass_high, p);
    free(table);
  }
}

// Criteria are open: a value at the bound does not meet it.
static void criteria_are_open(void** unused)
{
  (void)unused;
  Table* table         = table_of(3, 1);
  table->measure.below = 2, table->measure.above = 0;
  table->y[0] = 0, table->y[1] = 1, table->y[2] = 2;
  assert_true(lw_study_has_criterion(&table->measure));
  assert_near(lw_study_hold(&table->data, -1, NULL).pass, 1.0 / 3, 1e-15);
  table->x[0][0] = 1, table->x[0][1] = 2, table->x[0][2] = 2;
  lwStudyHold hold = lw_study_hold(&table->data, 0, &(lwStoredChoice){.parameter = 0, .value = 2});
  assert_int_equal(hold.count, 2);
  assert_same(hold.pass, 0.5);
  free(table);
}

// y = 3 x1 - x2: means over the tenths of each parameter, and the larger bar first.
static void tornados_of_a_plane(void** unused)
{
  (void)unused;
  Table* table = table_of(1000, 2);
  for (int i = 0; i < 1000; ++i)
  {
    table->x[0][i] = i % 10;  // both parameters take every pair of values equally often
    table->x[1][i] = i / 10 % 10;
    table->y[i]    = 3 * table->x[0][i] - table->x[1][i];
  }
  double ends[2];
  lw_study_tornado(&table->data, 0, 1, ends);
  assert_near(ends[0] - ends[1], 9, 0.5);
  lw_study_tornado(&table->data, 0, 0, ends);
  assert_near(ends[1] - ends[0], 27, 0.5);
  lwStudyBar* bars = lw_study_bars(&table->data, 0);
  assert_non_null(bars);
  assert_int_equal(bars[0].parameter, 0);
  assert_int_equal(bars[1].parameter, 1);
  assert_greater(bars[0].size, bars[1].size);
  free(bars);
  free(table);
}

static void histograms_count_everything(void** unused)
{
  (void)unused;
  Table* table = table_of(200, 0);
  long counts[LW_STUDY_BINS], sum = 0;
  for (int i = 0; i < 200; ++i) table->y[i] = i / 200.0;
  table->y[7] = 1;  // at the upper end
  table->y[8] = NAN;
  lw_study_histogram(&table->data, 0, 0, 1, counts);
  for (int k = 0; k < LW_STUDY_BINS; ++k) sum += counts[k];
  assert_int_equal(sum, 199);
  assert_int_equal(counts[0], 8);
  assert_int_equal(counts[5], 10);
  assert_int_equal(counts[LW_STUDY_BINS - 1], 11);
  free(table);
}

// y = x1 + 2 x2 + 0 x3 with equal variances: first-order and total indices 1/5, 4/5 and 0. Blocks
// of a matrix A, then A with one column of B each, then B, as the design has them.
static void indices_of_a_sum(void** unused)
{
  (void)unused;
  enum
  {
    P      = 3,
    BLOCKS = 800
  };
  Table* table       = table_of(BLOCKS * (P + 2), P);
  table->data.design = "saltelli";
  table->data.points = BLOCKS;
  for (long k = 0; k < BLOCKS * (P + 2); ++k) table->sample[k] = k;
  lwRandom random = {4};
  for (int b = 0; b < BLOCKS; ++b)
  {
    double A[P], B[P];
    for (int p = 0; p < P; ++p)
      A[p] = lw_random_between(&random, 0, 1), B[p] = lw_random_between(&random, 0, 1);
    for (int part = 0; part < P + 2; ++part)
    {
      long row = b * (P + 2) + part;
      for (int p = 0; p < P; ++p)
        table->x[p][row] = part == 0 ? A[p] : part == 1 ? B[p] : part - 2 == p ? B[p] : A[p];
      table->y[row] = table->x[0][row] + 2 * table->x[1][row];
    }
  }
  static const double exact[P] = {0.2, 0.8, 0};
  for (int p = 0; p < P; ++p)
  {
    lwStudyIndex first, total;
    assert_true(lw_study_indices(&table->data, 0, p, &first, &total));
    assert_near(first.value, exact[p], 0.1);  // of 800 random pairs
    assert_near(total.value, exact[p], 0.1);
    assert_at_most(total.low, total.value);
    assert_at_least(total.high, total.value);
    assert_at_most(first.low, first.value);
    assert_at_least(first.high, first.value);
  }
  lwStudyIndex none;
  table->data.design = "sobol";
  assert_false(lw_study_indices(&table->data, 0, 0, &none, &none));
  free(table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(summaries_of_a_ramp),
      cmocka_unit_test(rows_without_results_are_left_out),
      cmocka_unit_test(intervals_solve_their_equation),
      cmocka_unit_test(criteria_are_open),
      cmocka_unit_test(tornados_of_a_plane),
      cmocka_unit_test(histograms_count_everything),
      cmocka_unit_test(indices_of_a_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
