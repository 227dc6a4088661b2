// SPDX-License-Identifier: MIT
// Effects of a pendulum's constants on its torque, against the closed form
//
//   tau = (I + m c^2) qdd + m g c cos q
//
// with mass m, distance c of the centre of mass, moment I about it, and gravity g along -y.
#include "compare/sensitivity.h"

#include <string.h>

#include "support/robots.h"
#include "support/testing.h"

static const double M = 2, C = 0.3, I = 0.05, G = 9.81;

static Robot* pendulum(void)
{
  Robot* robot          = robot_start();
  robot->def.gravity[0] = robot->def.gravity[2] = 0;
  robot->def.gravity[1]                         = -G;
  lwJointDef* joint                             = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  joint->link = (lwLinkDef){.mass = M, .com = {C, 0, 0}, .inertia = {0.01, I, I, 0, 0, 0}};
  robot_build(robot);
  return robot;
}

enum
{
  MASS,
  COM,
  MOMENT,
  GRAVITY,
  COUNT
};
static const lwParameter PARAMETERS[COUNT] = {{.kind = LW_PARAMETER_MASS},
                                              {.kind = LW_PARAMETER_COM, .entry = 0},
                                              {.kind = LW_PARAMETER_INERTIA, .entry = 2},
                                              {.kind = LW_PARAMETER_GRAVITY, .entry = 1}};

static void slopes_at(double q, double qdd, double slopes[COUNT])
{
  slopes[MASS]    = C * C * qdd + G * C * cos(q);
  slopes[COM]     = 2 * M * C * qdd + M * G * cos(q);
  slopes[MOMENT]  = qdd;
  slopes[GRAVITY] = -M * C * cos(q);
}

static void effects_are_the_largest_slopes(void** unused)
{
  (void)unused;
  Robot* robot                    = pendulum();
  const double tolerances[COUNT]  = {0.1, 0.01, 0.001, 0.02};
  static const double states[][2] = {{0.5, 1}, {1.2, -3}, {-2, 0.5}};
  double most[COUNT] = {0}, widest = 0, value = 0;
  long at[COUNT] = {0}, widest_at = 0;
  lwSensitivity s;
  assert_int_equal(lw_sensitivity_create(&s, robot->model, NULL, LW_QUESTION_INVERSE, PARAMETERS,
                                         tolerances, COUNT, NULL),
                   LW_OK);
  assert_int_equal(s.outputs, 1);
  for (long k = 0; k < 3; ++k)
  {
    double q = states[k][0], qdd = states[k][1], zero = 0, slopes[COUNT], width = 0;
    assert_true(lw_sensitivity_add(&s, &(lwStates){.q = &q, .qd = &zero, .qdd = &qdd}, 0.1 * k));
    slopes_at(q, qdd, slopes);
    for (int p = 0; p < COUNT; ++p)
    {
      width += fabs(slopes[p]) * tolerances[p];
      if (fabs(slopes[p]) > fabs(most[p])) most[p] = slopes[p], at[p] = k + 1;
    }
    if (width > widest)
    {
      widest    = width;
      widest_at = k + 1;
      value     = (I + M * C * C) * qdd + M * G * C * cos(q);
    }
  }
  for (int p = 0; p < COUNT; ++p)
  {
    const lwEffect* effect = &s.effects[p];
    assert_int_equal(effect->parameter, p);
    assert_near(effect->slope, most[p], 1e-12 * fabs(most[p]));
    assert_int_equal(effect->state, at[p]);
    assert_same(effect->t, 0.1 * (double)(at[p] - 1));
    assert_near(lw_effect_of_tolerance(&s, effect), fabs(most[p]) * tolerances[p], 1e-12);
    double value_of = lw_parameter_value(robot->model, PARAMETERS[p]);
    assert_near(lw_effect_per_cent(&s, effect), most[p] * value_of / 100, 1e-12);
  }
  assert_near(s.bands[0].width, widest, 1e-12 * widest);
  assert_int_equal(s.bands[0].state, widest_at);
  assert_near(s.bands[0].value, value, 1e-12 * fabs(value));
  lw_sensitivity_destroy(&s);
  robot_free(robot);
}

// By the effect of the tolerances, largest first; parameters without an effect are left out.
static void effects_are_sorted(void** unused)
{
  (void)unused;
  Robot* robot                   = pendulum();
  const double tolerances[COUNT] = {0.001, 0.01, 0.5, 0};
  const double q = 0.3, qd = 0, qdd = 2;
  lwSensitivity s;
  assert_int_equal(lw_sensitivity_create(&s, robot->model, NULL, LW_QUESTION_INVERSE, PARAMETERS,
                                         tolerances, COUNT, NULL),
                   LW_OK);
  assert_true(lw_sensitivity_add(&s, &(lwStates){.q = &q, .qd = &qd, .qdd = &qdd}, 0));
  int count = lw_sensitivity_sort(&s);
  assert_in_range(count, 3, COUNT);
  assert_int_equal(s.effects[0].parameter, MOMENT);  // 2 * 0.5
  assert_int_equal(s.effects[1].parameter, COM);     // (2.4 + 18.7) * 0.01
  assert_int_equal(s.effects[2].parameter, MASS);
  lw_sensitivity_destroy(&s);
  robot_free(robot);
}

// Torques are linear in mass, moment and gravity, but not in a length of the centre of mass.
static void bands_are_exact_where_linear(void** unused)
{
  (void)unused;
  Robot* robot                       = pendulum();
  static const double only[3][COUNT] = {{0.1, 0, 0, 0}, {0, 0.1, 0, 0}, {0, 0, 0.1, 0}};
  static const bool exact[3]         = {true, false, true};
  for (int k = 0; k < 3; ++k)
  {
    lwSensitivity s;
    assert_int_equal(lw_sensitivity_create(&s, robot->model, NULL, LW_QUESTION_INVERSE, PARAMETERS,
                                           only[k], COUNT, NULL),
                     LW_OK);
    assert_int_equal(lw_sensitivity_is_exact(&s), exact[k]);
    lw_sensitivity_destroy(&s);
  }
  robot_free(robot);
}

static void states_that_are_not_finite_are_refused(void** unused)
{
  (void)unused;
  Robot* robot   = pendulum();
  const double q = NAN, zero = 0;
  lwSensitivity s;
  assert_int_equal(lw_sensitivity_create(&s, robot->model, NULL, LW_QUESTION_INVERSE, PARAMETERS,
                                         NULL, COUNT, NULL),
                   LW_OK);
  assert_false(lw_sensitivity_add(&s, &(lwStates){.q = &q, .qd = &zero, .qdd = &zero}, 0));
  lw_sensitivity_destroy(&s);
  const lwParameter wrong = {.kind = LW_PARAMETER_MASS, .joint = 7};
  assert_int_equal(
      lw_sensitivity_create(&s, robot->model, NULL, LW_QUESTION_INVERSE, &wrong, NULL, 1, NULL),
      LW_ERROR_INPUT);
  lw_sensitivity_destroy(&s);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(effects_are_the_largest_slopes),
      cmocka_unit_test(effects_are_sorted),
      cmocka_unit_test(bands_are_exact_where_linear),
      cmocka_unit_test(states_that_are_not_finite_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
