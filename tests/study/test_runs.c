// SPDX-License-Identifier: MIT
// Runs of studies against closed forms in which the varied numbers appear: expressions of measures
// see columns and parameters at once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/studies.h"
#include "support/testing.h"

static char folder[] = "/tmp/lw-runs-XXXXXX";

static void write_file(const char* name, const char* text)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

// A pendulum of mass 2 kg, centre of mass at 0.3 m, moment 0.05 kg m^2, with a motor.
static const char PENDULUM[] =
    "linkwork: 1\n"
    "name: pendulum\n"
    "gravity: [0, -10, 0]\n"
    "joints:\n"
    "  - name: pivot\n"
    "    type: revolute\n"
    "    axis: [0, 0, 1]\n"
    "    friction: {viscous: 0.1, coulomb: 0.5}\n"
    "    motor: {torque_constant: 0.05, resistance: 2, gear: 40, rotor_inertia: 1e-4}\n"
    "    limits: {effort: 20}\n"
    "    link: {name: rod, mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05, 0, 0, 0]}\n";

static lwStudy* study_in_folder(const char* format)
{
  char text[4096];
  snprintf(text, sizeof text, format, folder);
  return study_of(text);
}

// Every measure of every sample is 0 within rounding of numbers of this size.
static void all_vanish(lwStudy* study, double bound)
{
  int count  = (int)lw_study_samples(study);
  void* rows = study_rows(study, 0, count);
  for (int i = 0; i < count; ++i)
  {
    const lwStudyRow* row  = study_row(study, rows, i);
    const double* measures = lw_study_row_numbers(row) + lw_study_parameter_count(study);
    if (row->state != LW_SAMPLE_STATE_DONE) fail_msg("sample %d: %s", i, row->why);
    for (int m = 0; m < lw_study_measure_count(study); ++m)
      if (!(fabs(measures[m]) <= bound))
        fail_msg("sample %d: %s is %g", i, lw_study_measure_name(study, m), measures[m]);
  }
  free(rows);
  lw_study_destroy(study);
}

// tau = (I + m c^2) qdd + m g c cos q, friction, the rotor and the motor behind it, for varied
// masses (whose moment goes with them), lengths, gravity, friction and gears.
static void inverse_runs_are_the_closed_form(void** unused)
{
  (void)unused;
  all_vanish(study_in_folder(
                 "linkwork: 1\nstudy: inverse\nsampling: {method: sobol, samples: 16, seed: 2}\n"
                 "run: {inverse: {robot: %s/pendulum.yaml, duration: 1, dt: 0.05, waypoints: "
                 "[[-1], [2]]}}\n"
                 "vary:\n"
                 "  m: {set: links.rod.mass, uniform: [1, 4]}\n"
                 "  c: {set: links.rod.com.x, uniform: [0.1, 0.5]}\n"
                 "  g: {scale: gravity, uniform: [0.5, 2]}\n"
                 "  mu: {set: joints.pivot.coulomb, uniform: [0, 1]}\n"
                 "  b: {add: joints.pivot.viscous, uniform: [0, 1]}\n"
                 "  gear: {set: joints.pivot.gear, uniform: [10, 60]}\n"
                 "  late: {set: trajectory.time, uniform: [1, 2]}\n"
                 "measure:\n"
                 "  body: {peak: tau1 - ((0.025*m + m*c^2)*qdd1 + m*10*g*c*cos(q1))}\n"
                 "  rotor: {peak: rotor1 - 1e-4*gear^2*qdd1}\n"
                 "  friction: {peak: friction1 - (0.1 + b)*qd1 - mu*(1 - exp(-1e9*qd1))}\n"
                 "  torque: {peak: torque1 - tau1 - rotor1 - friction1}\n"
                 "  power: {peak: power1 - torque1*qd1}\n"
                 "  current: {peak: current1 - torque1/(gear*0.05)}\n"
                 "  voltage: {peak: voltage1 - 2*current1 - 0.05*gear*qd1}\n"
                 "  electric: {peak: electric1 - voltage1*current1}\n"
                 "  end: {final: t - late}\n"
                 "  there: {final: q1 - 2}\n"),
             1e-10);
}

// A trajectory from a file has the rows of the file, column by column.
static void trajectories_of_files_are_taken(void** unused)
{
  (void)unused;
  write_file("motion.csv", "t,q1,qd1,qdd1\n0,0,1,2\n0.5,0.75,2,2\n1,2,3,2\n");  // q = t + t^2
  all_vanish(
      study_in_folder("linkwork: 1\nstudy: file\nsampling: {method: corners}\n"
                      "run: {inverse: {robot: %1$s/pendulum.yaml, trajectory: %1$s/motion.csv}}\n"
                      "vary: {m: {set: links.rod.mass, uniform: [1, 2]}}\n"
                      "measure:\n"
                      "  q: {peak: q1 - t - t*t}\n"
                      "  qd: {peak: qd1 - 1 - 2*t}\n"
                      "  qdd: {peak: qdd1 - 2}\n"
                      "  end: {final: t - 1}\n"
                      "  second: {row: q1 - 0.75, at: 2}\n"),
      1e-14);
}

static const char SWING[] =
    "linkwork: 1\nname: swing\nrobot: pendulum.yaml\nduration: 0.5\nrecord: 0.05\n"
    "friction: none\ninitial: {q: [0.3], qd: [1]}\n"
    "integrator: {method: rk4, step: 1e-3}\n"
    "drives: {pivot: {torque: 2 - q}}\n";

// Without friction the work of the drive is the gain of energy, and lanes agree with single arms.
static void simulations_keep_energy(void** unused)
{
  (void)unused;
  all_vanish(
      study_in_folder("linkwork: 1\nstudy: energy\nsampling: {method: sobol, samples: 8, seed: 1}\n"
                      "run: {simulate: {scenario: %s/swing.yaml}}\n"
                      "vary:\n"
                      "  m: {set: links.rod.mass, uniform: [1, 4]}\n"
                      "  q: {set: scenario.initial.q.1, uniform: [-1, 1]}\n"
                      "measure:\n"
                      "  balance: {peak: S}\n"
                      "  motion: {peak: kinetic - 0.5*(0.025*m + 0.09*m + 0.16)*qd1^2}\n"
                      "  drive: {peak: tau1 - 2 + q1}\n"
                      "  start: {first: q1 - q}\n"
                      "  end: {final: t - 0.5}\n"),
      1e-8);
}

static void lanes_are_single_arms(void** unused)
{
  (void)unused;
  static const char* const lanes[2] = {"false", "true"};
  double numbers[2][8][9];
  for (int k = 0; k < 2; ++k)
  {
    char text[2048];
    snprintf(text, sizeof text,
             "linkwork: 1\nstudy: lanes\nsampling: {method: sobol, samples: 8, seed: 1}\n"
             "run: {simulate: {scenario: %s/swing.yaml, lanes: %s}}\n"
             "vary:\n"
             "  m: {set: links.rod.mass, uniform: [1, 4]}\n"
             "  q: {set: scenario.initial.q.1, uniform: [-1, 1]}\n"
             "measure: {qT: {final: q1}, qdT: {final: qd1}, effort: {peak: tau1}, law: {peak: tau1 "
             "- 2 + q1},"
             " rate: {integral: qd1 }, q0: {first: q1}, qd0: {first: qd1}}\n",
             folder, lanes[k]);
    lwStudy* study = study_of(text);
    void* rows     = study_rows(study, 0, 8);
    for (int i = 0; i < 8; ++i)
    {
      assert_int_equal(study_row(study, rows, i)->state, LW_SAMPLE_STATE_DONE);
      memcpy(numbers[k][i], lw_study_row_numbers(study_row(study, rows, i)), sizeof numbers[k][i]);
    }
    free(rows);
    lw_study_destroy(study);
  }
  for (int i = 0; i < 8; ++i)
  {
    for (int j = 0; j < 9; ++j) assert_near(numbers[1][i][j], numbers[0][i][j], 1e-11);
    assert_near(numbers[0][i][2 + 4], numbers[0][i][2] - numbers[0][i][2 + 5],
                4e-3);  // trapezia of 0.05 s
    assert_near(numbers[0][i][2 + 6], 1, 1e-15);
  }
}

// A robot that cannot be is a row with its reason, and the others are computed.
static void impossible_robots_are_told(void** unused)
{
  (void)unused;
  lwStudy* study = study_in_folder(
      "linkwork: 1\nstudy: impossible\nsampling: {method: corners}\n"
      "run: {inverse: {robot: %s/pendulum.yaml, duration: 1, dt: 0.5, waypoints: [[0], [1]]}}\n"
      "vary: {m: {set: links.rod.mass, uniform: [-1, 1]}}\n"
      "measure: {peak: {peak: tau1}}\n");
  void* rows = study_rows(study, 0, 2);
  assert_int_equal(study_row(study, rows, 0)->state, LW_SAMPLE_STATE_IMPOSSIBLE);
  assert_contains(study_row(study, rows, 0)->why, "mass");
  assert_nan(study_measure(study, study_row(study, rows, 0), "peak"));
  assert_int_equal(study_row(study, rows, 0)->pass, 0);
  assert_int_equal(study_row(study, rows, 1)->state, LW_SAMPLE_STATE_DONE);
  assert_string_equal(study_row(study, rows, 1)->why, "");
  free(rows);
  lw_study_destroy(study);
}

// A choice sets its numbers together.
static void choices_set_their_numbers(void** unused)
{
  (void)unused;
  all_vanish(
      study_in_folder(
          "linkwork: 1\nstudy: choice\nsampling: {method: factorial}\n"
          "run: {inverse: {robot: %s/pendulum.yaml, duration: 1, dt: 0.1, waypoints: [[0], [1]]}}\n"
          "vary: {motor: {choice: {small: {joints.pivot.gear: 20, joints.pivot.effort: 10},"
          " large: {joints.pivot.gear: 60, joints.pivot.effort: 30}}}}\n"
          "measure:\n"
          "  gear: {peak: rotor1 - 1e-4*(40*motor - 20)^2*qdd1}\n"),
      1e-12);
}

static int make_files(void** unused)
{
  (void)unused;
  if (!mkdtemp(folder)) return -1;
  write_file("pendulum.yaml", PENDULUM);
  write_file("swing.yaml", SWING);
  return 0;
}

static int remove_files(void** unused)
{
  (void)unused;
  static const char* const names[] = {"pendulum.yaml", "swing.yaml", "motion.csv"};
  for (int i = 0; i < 3; ++i)
  {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_runs_are_the_closed_form),
      cmocka_unit_test(trajectories_of_files_are_taken),
      cmocka_unit_test(simulations_keep_energy),
      cmocka_unit_test(lanes_are_single_arms),
      cmocka_unit_test(impossible_robots_are_told),
      cmocka_unit_test(choices_set_their_numbers),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
