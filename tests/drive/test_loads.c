// SPDX-License-Identifier: MIT
// Loads of joints over a motion: peaks with sign and time, root mean squares by the trapezoidal
// rule, resultants.
#include <math.h>

#include "linkwork/drive.h"
#include "support/robots.h"
#include "support/testing.h"

static Robot* one_joint(void)
{
  Robot* robot = robot_start();
  robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE)->link =
      (lwLinkDef){.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
  robot_build(robot);
  return robot;
}

static void peaks_and_means(void** unused)
{
  (void)unused;
  Robot* robot = one_joint();
  lwLoads* loads;
  assert_int_equal(lw_loads_create(robot->model, &loads), LW_OK);
  lw_loads_add(loads, 1, (double[]){3, 4, 0, 0, 0, 1});
  assert_same(lw_loads_rms(loads, 0, LW_REACTION_F), 5);  // a single sample
  lw_loads_add(loads, 2, (double[]){-6, 8, 0, 0, 0, -1});
  lw_loads_add(loads, 4, (double[]){6, 8, 0, 2, 0, -1});
  const lwLoadSum* x = lw_loads_sum(loads, 0, LW_REACTION_FX);
  assert_same(x->peak, -6);
  assert_same(x->peak_time, 2);  // the first of equal peaks
  assert_near(lw_loads_rms(loads, 0, LW_REACTION_FX), sqrt((0.5 * (9 + 36) + 36 * 2) / 3.0), 1e-15);
  assert_same(lw_loads_sum(loads, 0, LW_REACTION_F)->peak, 10);
  assert_near(lw_loads_rms(loads, 0, LW_REACTION_F), sqrt((0.5 * 125 + 200) / 3.0), 1e-14);
  assert_same(lw_loads_rms(loads, 0, LW_REACTION_NZ), 1);
  assert_near(lw_loads_sum(loads, 0, LW_REACTION_N)->peak, sqrt(5), 1e-15);
  assert_same(lw_loads_sum(loads, 0, LW_REACTION_NX)->peak_time, 4);
  lw_loads_destroy(loads);
  lw_loads_destroy(NULL);
  robot_free(robot);
}

static void names_and_units(void** unused)
{
  (void)unused;
  assert_string_equal(lw_reaction_name(LW_REACTION_FX), "rfx");
  assert_string_equal(lw_reaction_name(LW_REACTION_N), "rn");
  assert_string_equal(lw_reaction_unit(LW_REACTION_FZ), "N");
  assert_string_equal(lw_reaction_unit(LW_REACTION_F), "N");
  assert_string_equal(lw_reaction_unit(LW_REACTION_NX), "N m");
  assert_string_equal(lw_reaction_unit(LW_REACTION_N), "N m");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_and_means),
                                     cmocka_unit_test(names_and_units)};
  return cmocka_run_group_tests_name("loads of joints", tests, NULL, NULL);
}
