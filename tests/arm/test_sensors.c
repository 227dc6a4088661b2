// SPDX-License-Identifier: MIT
// Controllers with sensor errors and with a model that differs from the arm. Without gravity and
// friction, an arm held at q* comes to rest where its sensors read q*: scale q + offset = q*.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/testing.h"

static const char ROBOT[] =
    "linkwork: 1\nname: rods\ngravity: [0, 0, -9.81]\ndh: standard\njoints:\n"
    "  - {name: first, type: revolute, a: 1, link: {mass: 3, com: [-0.5, 0, 0], inertia: [0, 0.25, "
    "0.25, 0, 0, 0]}}\n"
    "  - {name: second, type: revolute, a: 1, link: {mass: 2, com: [-0.5, 0, 0], inertia: [0, 0.2, "
    "0.2, 0, 0, 0]}}\n";

// A horizontal arm (gravity along its axes), held at 0.5 and -0.3 by a PD controller.
typedef struct Held
{
  lwModel* model;
  double kp[2], kd[2], q[2];
  lwJointDrive drives[2];
  lwArmDef def;
} Held;

static void held_open(Held* held)
{
  *held = (Held){.kp = {60, 40}, .kd = {30, 20}, .q = {0.5, -0.3}};
  assert_int_equal(lw_robot_read_text("rods.yaml", ROBOT, strlen(ROBOT), NULL, NULL, &held->model),
                   LW_OK);
  held->drives[0].signal = held->drives[1].signal = LW_SIGNAL_CONTROL;
  held->def                                       = lw_arm_def();
  held->def.model                                 = held->model;
  held->def.q                                     = held->q;
  held->def.drives                                = held->drives;
  held->def.integrator.step                       = 1e-3;
  held->def.controller.kind                       = LW_CONTROL_PD_GRAVITY;
  held->def.controller.kp                         = held->kp;
  held->def.controller.kd                         = held->kd;
}

// Its position after so many seconds.
static void held_run(const Held* held, double seconds, double q[2])
{
  lwArmRun* run = NULL;
  assert_int_equal(lw_arm_run_create(&held->def, NULL, &run), LW_OK);
  assert_int_equal(lw_arm_run_advance(run, seconds, NULL), LW_OUTCOME_ARRIVED);
  lwArmSample sample = lw_arm_run_sample(run);
  memcpy(q, sample.q, 2 * sizeof *q);
  lw_arm_run_destroy(run);
}

static void expect(const char* what, int joint, double got, double expected, double most)
{
  if (!(fabs(got - expected) <= most))
    fail_msg("%s: joint %d is at %.12g, expected %.12g +- %g", what, joint + 1, got, expected,
             most);
}

// 20 s are 13 time constants kd/kp of the slowest joint: less than 1e-5 of the initial error is
// left.
static const double LEFT = 1e-5;

static void test_offset_and_scale(void** state)
{
  (void)state;
  Held held;
  double offset[] = {0.02, 0}, scale[] = {1, 1.1}, q[2];
  held_open(&held);
  held_run(&held, 20, q);
  for (int k = 0; k < 2; ++k) expect("without errors", k, q[k], held.q[k], 1e-12);
  held.def.controller.sensors = (lwSensorsDef){.offset = offset, .scale = scale};
  held_run(&held, 20, q);
  expect("offset", 0, q[0], 0.5 - 0.02, LEFT);
  expect("scale", 1, q[1], -0.3 / 1.1, LEFT);
  lw_model_destroy(held.model);
}

// A velocity reading that is v too large acts as motion: kp (q* - q) = kd v at rest.
static void test_velocity(void** state)
{
  (void)state;
  Held held;
  double drift[] = {0.01, 0}, q[2];
  held_open(&held);
  held.def.controller.sensors = (lwSensorsDef){.velocity_offset = drift};
  held_run(&held, 20, q);
  expect("drift", 0, q[0], 0.5 - 30 * 0.01 / 60, LEFT);
  lw_model_destroy(held.model);
}

// Resolution 0.4 rad: 0.5 and -0.3 are rounded to the next step, so the arm moves to where the
// reading changes and stays near there.
static void test_resolution_needs_samples(void** state)
{
  (void)state;
  Held held;
  lwArmRun* run  = NULL;
  double steps[] = {0.4, 0}, q[2];
  held_open(&held);
  held.def.controller.sensors = (lwSensorsDef){.resolution = steps};
  assert_int_equal(lw_arm_run_create(&held.def, NULL, &run), LW_ERROR_INPUT);
  assert_null(run);
  for (int k = 0; k < 2; ++k)
  {
    held.drives[k].converted = true;
    held.drives[k].dac       = (lwDac){.period = 0.002, .range = INFINITY};
  }
  held_run(&held, 20, q);
  // it reads 0.4 below 0.6 and 0.8 above: the controller pushes up below and down above
  expect("steps", 0, q[0], 0.6, 0.02);
  expect("no steps", 1, q[1], -0.3, 0.02);
  lw_model_destroy(held.model);
}

// Noise is reproducible, depends on the seed, and a slow, heavily damped joint averages it out.
static void test_noise(void** state)
{
  (void)state;
  Held held;
  double noise[] = {0.05, 0.05}, q[2], again[2], other[2];
  held_open(&held);
  for (int k = 0; k < 2; ++k)
  {
    held.drives[k].converted = true;
    held.drives[k].dac       = (lwDac){.period = 0.002, .range = INFINITY};
  }
  held.def.controller.sensors = (lwSensorsDef){.noise = noise, .seed = 1};
  held_run(&held, 2, q);
  held_run(&held, 2, again);
  held.def.controller.sensors.seed = 2;
  held_run(&held, 2, other);
  for (int k = 0; k < 2; ++k)
  {
    if (again[k] != q[k])
      fail_msg("joint %d is at %.17g, then at %.17g with the same noise", k + 1, q[k], again[k]);
    if (other[k] == q[k]) fail_msg("joint %d is at %.17g with any seed", k + 1, q[k]);
    expect("noise", k, q[k], held.q[k],
           0.02);  // 0.05 averaged over 250 samples of a time constant: 0.003
    assert_greater(fabs(q[k] - held.q[k]), 1e-6);
  }
  lw_model_destroy(held.model);
}

// The controller compensates the weight of a robot twice as heavy: at rest in the vertical plane,
// the first joint rises by (g' - g) / kp.
static void test_other_robot(void** state)
{
  (void)state;
  Held held;
  lwModel* heavy = NULL;
  double g[2], twice[2], q[2];
  char text[sizeof ROBOT + 10];
  held_open(&held);
  lw_model_destroy(held.model);
  snprintf(text, sizeof text, "%s", ROBOT);
  memcpy(strstr(text, "[0, 0, -9.81]"), "[0, -9.81, 0]", 13);
  assert_int_equal(lw_robot_read_text("up.yaml", text, strlen(text), NULL, NULL, &held.model),
                   LW_OK);
  memcpy(strstr(text, "mass: 3"), "mass: 6", 7);
  assert_int_equal(lw_robot_read_text("heavy.yaml", text, strlen(text), NULL, NULL, &heavy), LW_OK);
  held.kp[0] = held.kp[1] = 2e3;  // stiff, so that g is that of the target position
  held.kd[0] = held.kd[1]   = 100;
  held.def.model            = held.model;
  held.def.controller.model = heavy;
  held_run(&held, 3, q);
  lwWorkspace* ws = NULL;
  assert_int_equal(lw_workspace_create(held.model, NULL, NULL, &ws), LW_OK);
  lw_gravity(held.model, ws, held.q, g);
  lw_workspace_destroy(ws);
  assert_int_equal(lw_workspace_create(heavy, NULL, NULL, &ws), LW_OK);
  lw_gravity(heavy, ws, held.q, twice);
  lw_workspace_destroy(ws);
  // the relative change of g over the gap is less than the gap
  double gap = (twice[0] - g[0]) / held.kp[0];
  assert_greater(fabs(gap), 1e-4);
  expect("other robot", 0, q[0], held.q[0] + gap, 2e-2 * fabs(gap));
  lw_model_destroy(heavy);
  lw_model_destroy(held.model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offset_and_scale),
      cmocka_unit_test(test_velocity),
      cmocka_unit_test(test_resolution_needs_samples),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_other_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
