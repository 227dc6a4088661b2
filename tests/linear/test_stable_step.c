// SPDX-License-Identifier: MIT
// The longest stable step of explicit methods with fixed steps: where |R(h lambda)| = 1 on the
// negative real and on the imaginary axis (Hairer & Wanner, "Solving Ordinary Differential Equations
// II", IV.2), on a block with a spring and a damper.
#include <math.h>
#include <string.h>

#include "linkwork/linear.h"
#include "support/arms.h"
#include "support/testing.h"

// The limit of a method for a block of 1 kg, s.
static lwStableStep limit_of(const char* method, double step, double stiffness, double damping)
{
  Robot* robot        = sliding_block(1, 0, INFINITY);
  lwArmDef def        = arm_with(robot->model, method, step);
  lwJointDrive drive  = {.sprung = true, .spring = {.stiffness = stiffness, .damping = damping}};
  def.integrator.step = step;
  def.drives          = &drive;
  lwArmRun* run       = run_of(&def);
  lwStableStep found;
  double before = lw_arm_run_sample(run).qdd[0];
  assert_int_equal(lw_arm_run_stable_step(run, &found), LW_OK);
  assert_near(lw_arm_run_sample(run).qdd[0], before, 0);
  lw_arm_run_destroy(run);
  robot_free(robot);
  return found;
}

// Bounds: a mode may grow by 1e-3 in a step before it counts, which allows steps that are longer by
// 1e-3 on the real axis, where |R| is steep, and by 0.03 on the imaginary one.
static void limits_of_stability(void** unused)
{
  (void)unused;
  if (!lw_lapack_available()) skip();
  assert_near(limit_of("rk4", 1e-3, 1, 4000).step * 4000, 2.7853, 3e-3);
  assert_near(limit_of("kutta3", 1e-3, 1, 4000).step * 4000, 2.5127, 3e-3);
  assert_near(limit_of("rk4", 5e-3, 1e6, 0).step * 1000, 2 * sqrt(2), 0.03);
  assert_near(limit_of("kutta3", 5e-3, 1e6, 0).step * 1000, sqrt(3), 0.03);
  lwStableStep found = limit_of("rk4", 1e-3, 1, 4000);
  assert_int_equal(found.joint, 0);
  assert_near(found.mode.re, -4000, 1);
}

// Steps within the limit, adaptive steps, and a motion that grows in truth.
static void other_steps_are_not_judged(void** unused)
{
  (void)unused;
  assert_true(isinf(limit_of("rk4", 6.9e-4, 1, 4000).step));
  assert_true(isinf(limit_of("rk4", 2.8e-3, 1e6, 0).step));
  assert_true(isinf(limit_of("dop853", 1e-9, 1, 4000).step));
  assert_true(isinf(limit_of("rk4", 1e-3, -1e4, 0).step));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(limits_of_stability),
                                     cmocka_unit_test(other_steps_are_not_judged)};
  return cmocka_run_group_tests_name("stable steps", tests, NULL, NULL);
}
