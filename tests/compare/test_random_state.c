// SPDX-License-Identifier: MIT
// Random states of comparisons: within limits, the same for every seed and number, and derivatives
// by differences that are as accurate as they say.
#include "compare/random_state.h"

#include <stdlib.h>
#include <string.h>

#include "compare/gap.h"
#include "robots.h"
#include "testing.h"

enum
{
  STATES = 2000
};

// One joint of each kind: with two limits, with one, with none, and those of files that must have
// some.
static Robot* limited_robot(void)
{
  Robot* robot     = robot_start();
  lwRandom random  = {3};
  lwLimits given[] = {{-0.25, 0.75, 0.5, INFINITY, INFINITY, INFINITY},
                      {1, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
                      {-INFINITY, -1, INFINITY, INFINITY, INFINITY, INFINITY},
                      {-1e9, 1e9, 1e9, 1e9, 1e9, 1e9}};
  for (int i = 0; i < 8; ++i)
  {
    lwJointDef* joint = robot_add(robot, i < 4 ? LW_JOINT_REVOLUTE : LW_JOINT_PRISMATIC, i - 1);
    joint->a          = 0.3;
    joint->alpha      = 0.5;
    joint->limits     = given[i % 4];
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  return robot;
}

// Both ends are nearly reached, and never passed.
static void expect_range(const double* x, double low, double high)
{
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < STATES; ++k)
  {
    least = fmin(least, x[k]);
    most  = fmax(most, x[k]);
  }
  assert_at_least(least, low);
  assert_at_most(most, high);
  assert_near(least, low, 0.02 * (high - low));
  assert_near(most, high, 0.02 * (high - low));
}

static void states_fill_their_ranges(void** unused)
{
  (void)unused;
  const double pi     = acos(-1);
  Robot* robot        = limited_robot();
  lwRandomState state = {0};
  double* all         = malloc(4 * 8 * STATES * sizeof *all);
  assert_non_null(all);
  assert_int_equal(lw_random_state_create(&state, robot->model), LW_OK);
  for (int k = 0; k < STATES; ++k)
  {
    lw_random_state_fill(&state, robot->model, 5, k + 1, false);
    for (int i = 0; i < 8; ++i)
    {
      all[i * STATES + k]        = state.q[i];
      all[(8 + i) * STATES + k]  = state.qd[i];
      all[(16 + i) * STATES + k] = state.qdd[i];
      all[(24 + i) * STATES + k] = state.tau[i];
    }
    for (int i = 0; i < 6; ++i)  // every second state has a wrench
    {
      assert_int_equal(state.wrench[i] != 0, k % 2 == 1);
      assert_at_most(fabs(state.wrench[i]), i < 3 ? 20 : 5);
    }
  }
  for (int i = 0; i < 8; ++i)
  {
    double span = i < 4 ? 2 * pi : 2, fast = i < 4 ? 2 : 1;
    double low[] = {-0.25, 1, -1 - span, -span / 2}, high[] = {0.75, 1 + span, -1, span / 2};
    expect_range(all + i * STATES, low[i % 4], high[i % 4]);
    if (i % 4 == 0) fast = 0.5;
    expect_range(all + (8 + i) * STATES, -fast, fast);
    expect_range(all + (16 + i) * STATES, -5, 5);
    expect_range(all + (24 + i) * STATES, -1, 1);
  }
  free(all);
  lw_random_state_destroy(&state);
  robot_free(robot);
}

// Whatever was asked for before; another number or seed gives another state; floats are floats.
static void states_depend_on_seed_and_number_only(void** unused)
{
  (void)unused;
  Robot* robot    = limited_robot();
  lwRandomState a = {0}, b = {0};
  lwModel* model = robot->model;
  size_t bytes   = 8 * sizeof *a.q;
  assert_int_equal(lw_random_state_create(&a, model), LW_OK);
  assert_int_equal(lw_random_state_create(&b, model), LW_OK);
  lw_random_state_fill(&a, model, 1, 7, false);
  lw_random_state_fill(&b, model, 1, 6, false);
  assert_memory_not_equal(a.q, b.q, bytes);
  lw_random_state_fill(&b, model, 2, 7, false);
  assert_memory_not_equal(a.q, b.q, bytes);
  lw_random_state_fill(&b, model, 1, 7, false);
  assert_memory_equal(a.q, b.q, bytes);
  assert_memory_equal(a.tau, b.tau, bytes);
  lw_random_state_fill(&b, model, 1, 8, true);
  lw_random_state_fill(&a, model, 1, 8, false);
  for (int i = 0; i < 8; ++i)
  {
    assert_same(b.q[i], (float)a.q[i]);
    assert_same(b.tau[i], (float)a.tau[i]);
    assert_true(a.q[i] != (float)a.q[i]);  // doubles have more digits
    assert_true(a.tau[i] != (float)a.tau[i]);
  }
  for (int i = 0; i < 6; ++i) assert_same(b.wrench[i], (float)a.wrench[i]);
  lw_random_state_destroy(&a);
  lw_random_state_destroy(&b);
  robot_free(robot);
}

// Exact for polynomials of degree 6; the even powers have no derivative at 0.
static void differences_are_of_sixth_order(void** unused)
{
  (void)unused;
  const double h = 0.5;
  double f[6];
  for (int k = 0; k < 6; ++k)
  {
    double t = (k % 2 ? -h : h) / (1 << k / 2);
    f[k]     = 3 + 2 * t - 5 * t * t + 7 * pow(t, 3) + pow(t, 4) - 4 * pow(t, 5) + pow(t, 6);
  }
  assert_near(lw_gap_derivative(f, h), 2, 1e-13);
}

static void gaps_are_in_units_of_rounding(void** unused)
{
  (void)unused;
  assert_same(lw_gap_units((lwGap){0, 0}, 0.5), 0);
  assert_same(lw_gap_units((lwGap){3, 2}, 0.5), 3);
  assert_infinite(lw_gap_units((lwGap){NAN, 1}, 0.5));
  assert_infinite(lw_gap_larger(1, NAN));
  assert_infinite(lw_gap_larger(NAN, 1));
  assert_same(lw_gap_larger(2, -3), 2);
  assert_same(lw_gap_larger(-3, 2), 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_fill_their_ranges),
      cmocka_unit_test(states_depend_on_seed_and_number_only),
      cmocka_unit_test(differences_are_of_sixth_order),
      cmocka_unit_test(gaps_are_in_units_of_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
