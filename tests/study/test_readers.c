// SPDX-License-Identifier: MIT
// Study files that are wrong: every key of every mapping is checked, and the message says what was
// expected.
#include <stdio.h>

#include "support/studies.h"
#include "support/testing.h"

#define START "linkwork: 1\nstudy: x\n"
#define ARM                                                                                        \
  START "run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml, duration: 1, "                        \
        "waypoints: [[0, 0], [1, 1]]}}\n"
#define VARY "measure: {m: {value: a}}\nvary: {a: "

static void refuse_all(const char* before, const char* const (*cases)[2], size_t count)
{
  char text[2000];
  for (size_t i = 0; i < count; ++i)
  {
    snprintf(text, sizeof text, "%s%s\n", before, cases[i][0]);
    study_refused(text, cases[i][1]);
  }
}

#define REFUSE_ALL(before, cases) refuse_all(before, cases, sizeof(cases) / sizeof *(cases))

static void wrong_distributions(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"{uniform: [2, 1]}}", "uniform: low must not be above high"},
      {"{normal: [0, 0]}}", "normal: the deviation must be above 0"},
      {"{log-normal: [-1, 1]}}", "log-normal: median and sigma must be above 0"},
      {"{triangular: [0, 3, 2]}}", "triangular: expected low <= mode <= high"},
      {"{uniform: [1]}}", "'uniform' must be [low, high], found 1 numbers"},
      {"{uniform: 3}}", "'uniform' must be a list of numbers, found '3'"},
      {"{discrete: []}}", "'discrete' must be a list of numbers"},
      {"{uniform: [0, x]}}", "x"},
      {"{uniform: [0, 1], normal: [0, 1]}}", "parameter 'a' has 2 distributions, expected one of"},
      {"{set: gravity}}", "parameter 'a' has 0 distributions"},
      {"{normal: [0, 1], within: [1, 0]}}", "within"},
      {"{uniform: [0, 1], within: [0, 1]}}", "within"},
      {"{uniform: [0, 1], weights: [1]}}", "'weights' are one number above 0 for each value"},
      {"{discrete: [1, 2], weights: [1, -1]}}", "'weights' are one number above 0 for each value"},
      {"{uniform: [0, 1], levels: 1.5}}", "'levels' must be a whole number from 1 to 1e+06"},
      {"{choice: 3}}", "'choice' must be a mapping of names to numbers"},
      {"{choice: {x: 3}}}", "choice 'x' must be a mapping of targets to numbers"},
      {"{choice: {x: {}}, uniform: [0, 1]}}",
       "'choice' is a distribution with targets of its own"}};
  REFUSE_ALL(START VARY, cases);
}

static void wrong_names(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"vary: {1a: {uniform: [0, 1]}}", "begins with a letter"},
      {"vary: {a-b: {uniform: [0, 1]}}", "a name here has letters, digits and '_'"},
      {"vary: {state: {uniform: [0, 1]}}", "'state' is a column of the results already"},
      {"vary: {a: {uniform: [0, 1]}, A: {uniform: [0, 1]}}",
       "'A' is a parameter, a measure or a column already"},
      {"vary: {q1: {uniform: [0, 1]}}", "'q1' is a parameter, a measure or a column already"},
      {"vary: [1]", "'vary' must be a mapping of at most 1000 parameters"}};
  REFUSE_ALL(ARM, cases);
}

static void wrong_targets(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"{uniform: [1, 2], set: joints.shoulder.vicous}}", "a robot has no such number"},
      {"{uniform: [1, 2], set: joints.wrist.viscous}}", "the robot has no such joint or motor"},
      {"{uniform: [1, 2], set: links.nothing.mass}}", "the robot has no such link"},
      {"{uniform: [1, 2], set: links.*.inertia}}", "an inertia as a whole takes 'scale'"},
      {"{uniform: [1, 2], set: payload.mass}}", "the study has no payload"},
      {"{uniform: [1, 2], set: gravity}}", "gravity as a whole takes 'scale'"},
      {"{uniform: [1, 2], set: gravity.w}}", "expected gravity, gravity.x, gravity.y or gravity.z"},
      {"{uniform: [1, 2], set: weight}}", "expected joints.NAME.., links.NAME.."},
      {"{uniform: [1, 2], set: scenario.duration}}", "as the run has them"}};
  REFUSE_ALL(ARM VARY, cases);
}

static void wrong_dependence(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"correlated: 3", "'correlated' must be a list"},
      {"correlated: [{of: [a], correlation: 0.5}]", "'of' must be a list of 2 to 64 parameters"},
      {"correlated: [{of: [a, c], correlation: 0.5}]", "there is no parameter 'c'"},
      {"correlated: [{of: [a, a], correlation: 0.5}]", "'a' is in a correlated group already"},
      {"correlated: [{of: [a, b], correlation: 1.5}]", "this is no correlation matrix"},
      {"correlated: [{of: [a, b], correlation: [[1, 0.5]]}]",
       "'correlation' must be one number or 2 rows of 2"},
      {"correlated: [{of: [a, b], correlation: [[1, 0.5], [0.4, 1]]}]",
       "this is no correlation matrix"},
      {"correlated: [{of: [a, b], correlation: 0.5}]\nsampling: {method: saltelli}",
       "the design 'saltelli' needs independent parameters"}};
  REFUSE_ALL(START "measure: {m: {value: a}}\n"
                   "vary: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}\n",
             cases);
}

static void wrong_samplings(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"sampling: {method: grid}", "grid"},
      {"sampling: {samples: 0}", "'samples' must be a whole number from 1 to 2e+09, found 0"},
      {"sampling: {seed: -1}", "'seed' must be a whole number from 0"},
      {"sampling: {method: corners}", "'a' has no ends, which the design 'corners' needs"},
      {"sampling: {method: factorial}", "'a' has no ends, which the design 'factorial' needs"}};
  REFUSE_ALL(START VARY "{normal: [0, 1]}}\n", cases);
}

static void wrong_runs(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"run: {}", "'run' has 0 kinds of runs, expected one of"},
      {"run: {inverse: {robot: no-such.yaml, waypoints: []}}", "no-such.yaml"},
      {"run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml}}",
       "an inverse run has either 'trajectory', a file, or 'waypoints'"},
      {"run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml, waypoints: [[1], [2]]}}",
       "a waypoint must be a list of 2 positions"},
      {"run: {inverse: {robot: " LW_ROBOTS
       "/planar2r.yaml, duration: 1, dt: 1e-9, waypoints: [[0, 0], [1, 1]]}}",
       "'dt' of 1e-09 s makes"},
      {"run: {command: {words: date, columns: [a]}}", "'words' must be a list"},
      {"run: {command: {words: [date], columns: []}}", "'columns' must be a list"},
      {"run: {command: {words: [date], columns: [a]}}\npayload: {link: hand, mass: 1}",
       "this run has no robot to carry a payload"},
      {"run: {snake: {file: no-such.yaml, torque: 0, step: 0}}",
       "expected a time above 0 of which at most 1e9 make the duration, found 0 s"}};
  REFUSE_ALL(START "measure: {m: {value: 1}}\n", cases);
}

// What a study may leave out has a meaning.
static void defaults(void** unused)
{
  (void)unused;
  lwStudy* study = study_of(START VARY "{uniform: [0, 1]}}\n");
  assert_int_equal(lw_study_samples(study), 1024);
  assert_int_equal(lw_study_parameter_count(study), 1);
  assert_string_equal(lw_study_parameter(study, 0), "a");
  assert_int_equal(lw_study_measure_count(study), 1);
  assert_string_equal(lw_study_measure_name(study, 0), "m");
  assert_null(lw_study_command(study));
  lw_study_destroy(study);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_distributions),
      cmocka_unit_test(wrong_names),
      cmocka_unit_test(wrong_targets),
      cmocka_unit_test(wrong_dependence),
      cmocka_unit_test(wrong_samplings),
      cmocka_unit_test(wrong_runs),
      cmocka_unit_test(defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
