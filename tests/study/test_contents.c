// SPDX-License-Identifier: MIT
// The description of a results database: when two are of one study, and checksums that notice every
// change.
#include "study/contents.h"

#include <math.h>
#include <string.h>

#include "support/studies.h"
#include "support/testing.h"

static const char STUDY[] =
    "linkwork: 1\nstudy: two motors\n"
    "run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml, duration: 1, dt: 0.1, "
    "waypoints: [[0, 0], [1, 1]]}}\n"
    "vary: {a: {uniform: [0, 1]}, b: {choice: {small: {gravity.z: -9}, "
    "large: {gravity.z: -10}}}}\n"
    "measure: {m: {peak: tau1, below: 3}, n: {final: q1}}\n"
    "bands: {columns: [q1, tau2], steps: 4}\n";

static void a_study_is_described(void** unused)
{
  (void)unused;
  lwArena arena = {0};
  lwContents contents;
  lwStudy* study = study_of(STUDY);
  assert_true(lw_contents_of_study(study, &arena, &contents));
  assert_string_equal(contents.name, "two motors");
  assert_string_equal(contents.design, "sobol");
  assert_string_equal(contents.text, STUDY);
  assert_int_equal(strlen(contents.fingerprint), 16);
  assert_int_equal(contents.samples, 1024);
  assert_int_equal(contents.commands, 0);
  assert_int_equal(contents.parameter_count, 2);
  assert_string_equal(contents.parameters[1], "b");
  assert_same(contents.measures[0].below, 3);
  assert_infinite(contents.measures[1].below);
  assert_int_equal(contents.choice_count, 2);
  assert_string_equal(contents.choices[1].name, "large");
  assert_int_equal(contents.choices[1].value, 2);
  assert_int_equal(contents.band_count, 2);
  assert_string_equal(contents.bands[1], "tau2");
  assert_int_equal(contents.band_steps, 5);
  assert_same(lw_band_time(&contents, 2), 0.5);
  lw_study_destroy(study);
  lw_arena_free(&arena);
}

// Other contents than these, by one entry.
static void other_studies_are_refused(void** unused)
{
  (void)unused;
  lwArena arena = {0};
  lwContents own, other;
  lwStudy* study = study_of(STUDY);
  assert_true(lw_contents_of_study(study, &arena, &own));
  assert_true(lw_contents_of_study(study, &arena, &other));
  assert_int_equal(lw_contents_compare(&own, &other, "x.db", NULL), LW_OK);
  static const struct
  {
    const char* part;
    int change;
  } cases[]    = {{"'name' is another, expected two motors", 0},
                  {"'points' is 7, expected 1024", 1},
                  {"'end' is 2, expected 1", 2},
                  {"its columns differ", 3},
                  {"its columns differ", 4},
                  {"its columns differ", 5},
                  {"results of linkwork 0.0.1, expected ", 6}};
  uint64_t sum = lw_contents_sum(&own);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwContents changed = other;
    lwStoredMeasure measures[2];
    lwStoredChoice choices[2];
    const char* bands[2] = {"q1", "tau1"};
    memcpy(measures, other.measures, sizeof measures);
    memcpy(choices, other.choices, sizeof choices);
    measures[0].below = 4;
    choices[0].name   = "tiny";
    if (cases[i].change == 0) changed.name = "another";
    if (cases[i].change == 1) changed.points = 7;
    if (cases[i].change == 2) changed.band_end = 2;
    if (cases[i].change == 3) changed.measures = measures;
    if (cases[i].change == 4) changed.choices = choices;
    if (cases[i].change == 5) changed.bands = bands;
    if (cases[i].change == 6) changed.version = "0.0.1";
    lwDiag* diag = lw_diag_create();
    assert_int_equal(lw_contents_compare(&own, &changed, "x.db", diag), LW_ERROR_INPUT);
    assert_contains(lw_diag_message(diag, 0)->text, "x.db: these are results of ");
    assert_contains(lw_diag_message(diag, 0)->text, cases[i].part);
    assert_true(lw_contents_sum(&changed) != sum);
    lw_diag_destroy(diag);
  }
  lw_study_destroy(study);
  lw_arena_free(&arena);
}

// NaN is kept as NULL and -0 as 0, so that they have one sum each.
static void sums_of_numbers(void** unused)
{
  (void)unused;
  assert_true(lw_sum_real(1, NAN) == lw_sum_real(1, -NAN));
  assert_true(lw_sum_real(1, 0.0) == lw_sum_real(1, -0.0));
  assert_true(lw_sum_real(1, 1.0) != lw_sum_real(1, nextafter(1, 2)));
  assert_true(lw_sum_real(1, 1.0) != lw_sum_real(2, 1.0));
  assert_true(lw_sum_text(lw_sum_text(0, "a"), "b") != lw_sum_text(lw_sum_text(0, "ab"), ""));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_study_is_described),
      cmocka_unit_test(other_studies_are_refused),
      cmocka_unit_test(sums_of_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
