// SPDX-License-Identifier: MIT
// Statistics of columns over time against their closed forms: t itself is a column.
#include <stdlib.h>

#include "support/studies.h"
#include "support/testing.h"

// Records at t = 0, 0.1, .. 2 of a double pendulum that stands still after 0 s of moving.
#define HEAD                                                                                       \
  "linkwork: 1\n"                                                                                  \
  "study: statistics\n"                                                                            \
  "sampling: {method: corners}\n"                                                                  \
  "run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml, duration: 2, dt: 0.1, "                     \
  "waypoints: [[0, 0], [1, 2]]}}\n"                                                                \
  "vary: {a: {uniform: [3, 5]}}\n"

static void statistics_of_time(void** unused)
{
  (void)unused;
  lwStudy* study = study_of(HEAD "measure:\n"
                                 "  largest: {max: t}\n"
                                 "  least: {min: t}\n"
                                 "  first: {first: t}\n"
                                 "  last: {final: t}\n"
                                 "  mean: {mean: t}\n"
                                 "  rms: {rms: t}\n"
                                 "  area: {integral: t}\n"
                                 "  quarter: {quantile: t, at: 0.25}\n"
                                 "  third: {row: t, at: 3}\n"
                                 "  peak: {peak: t - 1.5}\n"
                                 "  signed: {max: t - 1.5}\n"
                                 "  square: {integral: t * t}\n"
                                 "  scaled: {final: a * t}\n"
                                 "  sum: {value: area + a}\n");
  void* rows     = study_rows(study, 0, 2);
  for (int i = 0; i < 2; ++i)
  {
    const lwStudyRow* row = study_row(study, rows, i);
    double a              = lw_study_row_numbers(row)[0];
    assert_int_equal(row->state, LW_SAMPLE_STATE_DONE);
    assert_same(a, i == 0 ? 3 : 5);
    const struct
    {
      const char* name;
      double expected;
    } cases[] = {{"largest", 2},
                 {"least", 0},
                 {"first", 0},
                 {"last", 2},
                 {"mean", 1},
                 {"area", 2},
                 {"quarter", 0.5},
                 {"third", 0.2},
                 {"peak", 1.5},
                 {"signed", 0.5},
                 {"scaled", 2 * a},
                 {"sum", 2 + a},
                 {"square", 8.0 / 3 + 2 * 0.1 * 0.1 / 6}};  // trapezia: T^3/3 + T h^2/6
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
      if (fabs(study_measure(study, row, cases[k].name) - cases[k].expected) > 1e-12)
        fail_msg("%s is %.17g, expected %.17g", cases[k].name,
                 study_measure(study, row, cases[k].name), cases[k].expected);
    double rms =
        study_measure(study, row, "rms");  // of a straight line 2 / sqrt 3, of records more
    assert_at_least(rms, 2 / sqrt(3) - 1e-12);
    assert_less(rms, 1.19);
  }
  free(rows);
  lw_study_destroy(study);
}

// A sample passes if it is within all criteria.
static void criteria_decide(void** unused)
{
  (void)unused;
  lwStudy* study =
      study_of(HEAD "measure: {low: {value: a, above: 2}, high: {value: a, below: 4}}\n");
  void* rows = study_rows(study, 0, 2);
  assert_int_equal(study_row(study, rows, 0)->pass, 1);
  assert_int_equal(study_row(study, rows, 1)->pass, 0);
  free(rows);
  lw_study_destroy(study);
}

// Bands are columns at equal times, from the first record to the last.
static void bands_follow_measures(void** unused)
{
  (void)unused;
  lwStudy* study =
      study_of(HEAD "measure: {one: {final: q1}}\nbands: {columns: [t, q2], steps: 4}\n");
  void* rows            = study_rows(study, -1, 1);  // the nominal sample
  const lwStudyRow* row = study_row(study, rows, 0);
  const double* numbers = lw_study_row_numbers(row);
  assert_int_equal(row->sample, -1);
  assert_near(numbers[0], 4, 1e-15);
  assert_near(study_measure(study, row, "one"), 1, 1e-12);
  for (int k = 0; k < 5; ++k) assert_near(numbers[2 + k], 0.5 * k, 1e-12);
  for (int k = 0; k < 5; ++k)  // a quintic is antisymmetric about its middle
    assert_near(numbers[7 + k] + numbers[7 + 4 - k], 2, 1e-12);
  free(rows);
  lw_study_destroy(study);
}

static void wrong_measures_are_refused(void** unused)
{
  (void)unused;
  study_refused(HEAD "measure: {x: {peak: nothing}}\n", "nothing");
  study_refused(HEAD "measure: {x: {peak: q1 +}}\n", "");
  study_refused(HEAD "measure: {x: {largest: q1}}\n", "largest");
  study_refused(HEAD "measure: {a: {peak: q1}}\n", "a");
  study_refused(HEAD "measure: {x: {quantile: q1, at: 2}}\n", "");
  study_refused(HEAD "measure: {x: {value: y}, y: {value: a}}\n", "y");
  study_refused(HEAD "measure: {x: {peak: q1}}\nbands: {columns: [q3], steps: 5}\n", "q3");
  study_refused(HEAD "measure: {x: {peak: q1}}\nbands: {columns: [q1], steps: 0}\n", "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statistics_of_time),
      cmocka_unit_test(criteria_decide),
      cmocka_unit_test(bands_follow_measures),
      cmocka_unit_test(wrong_measures_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
