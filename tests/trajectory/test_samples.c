// SPDX-License-Identifier: MIT
// Trajectories through samples: exact at the samples, of the order that the given derivatives
// allow, and constant outside.
#include <math.h>
#include <string.h>

#include "linkwork/trajectory.h"
#include "testing.h"

enum
{
  ROWS = 5,
  N    = 2
};

// q = a t^5 + t, so that quintic segments are exact
static void exact(double t, int k, double value[3])
{
  double a = 1 + k;
  value[0] = a * pow(t, 5) + t;
  value[1] = 5 * a * pow(t, 4) + 1;
  value[2] = 20 * a * pow(t, 3);
}

static void fill(double t[ROWS], double q[3][ROWS * N])
{
  for (int i = 0; i < ROWS; ++i)
  {
    t[i] = 0.1 + 0.2 * i + 0.01 * i * i;
    for (int k = 0; k < N; ++k)
    {
      double value[3];
      exact(t[i], k, value);
      for (int d = 0; d < 3; ++d) q[d][i * N + k] = value[d];
    }
  }
}

static void fifth_order_is_exact(void** state)
{
  (void)state;
  double t[ROWS], v[3][ROWS * N], q[N], qd[N], qdd[N];
  fill(t, v);
  lwTrajectory* trajectory;
  lwSamplesDef def = {.dof = N, .count = ROWS, .t = t, .q = v[0], .qd = v[1], .qdd = v[2]};
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &trajectory), LW_OK);
  assert_same(lw_trajectory_duration(trajectory), t[ROWS - 1]);
  memset(v, 0, sizeof v);  // they were copied
  for (double at = t[0]; at < t[ROWS - 1]; at += 0.013)
  {
    lw_trajectory_at(trajectory, at, q, qd, qdd);
    for (int k = 0; k < N; ++k)
    {
      double value[3], got[3] = {q[k], qd[k], qdd[k]};
      exact(at, k, value);
      // differences of the samples, divided by up to the square of the segment's 0.2 s
      for (int d = 0; d < 3; ++d)
        if (!(fabs(got[d] - value[d]) <= 1e-12))
          fail_msg("t = %g, joint %d, derivative %d: %.17g, expected %.17g", at, k, d, got[d],
                   value[d]);
    }
  }
  lw_trajectory_destroy(trajectory);
}

static void it_stands_still_outside(void** state)
{
  (void)state;
  double t[ROWS], v[3][ROWS * N], q[N], qd[N];
  fill(t, v);
  lwTrajectory* trajectory;
  lwSamplesDef def = {.dof = N, .count = ROWS, .t = t, .q = v[0]};
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &trajectory), LW_OK);
  const double times[] = {-1, 0, 0.05, t[ROWS - 1] + 1};
  for (int i = 0; i < 4; ++i)
  {
    lw_trajectory_at(trajectory, times[i], q, qd, NULL);
    const double* where = v[0] + (i < 3 ? 0 : (ROWS - 1) * N);
    for (int k = 0; k < N; ++k)
    {
      assert_same(q[k], where[k]);
      assert_same(qd[k], 0);
    }
  }
  lw_trajectory_destroy(trajectory);
}

static void what_is_no_trajectory(void** state)
{
  (void)state;
  double t[ROWS], v[3][ROWS * N];
  lwTrajectory* trajectory;
  lwSamplesDef def = {.dof = N, .count = ROWS, .t = t, .q = v[0], .qd = v[1]};
  fill(t, v);
  t[2] = t[1];
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &trajectory), LW_ERROR_INPUT);
  fill(t, v);
  v[1][3] = NAN;
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &trajectory), LW_ERROR_INPUT);
  assert_null(trajectory);
  fill(t, v);
  def.count = 0;
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &trajectory), LW_ERROR_INPUT);
}

static void angles_of_a_rotation(void** state)
{
  (void)state;
  static const double cases[][3] = {{0.1, 0.2, 0.3}, {-3, 1.5, 3}, {0.4, -1.5707963267948966, 0.2}};
  for (int i = 0; i < 3; ++i)
  {
    double R[9], rpy[3], back[9];
    lw_rotation_rpy(cases[i], R);
    lw_rotation_to_rpy(R, rpy);
    lw_rotation_rpy(rpy, back);
    for (int k = 0; k < 9; ++k)
      if (!(fabs(back[k] - R[k]) <= 4e-16))
        fail_msg("case %d: %.17g, expected %.17g", i, back[k], R[k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fifth_order_is_exact), cmocka_unit_test(it_stands_still_outside),
      cmocka_unit_test(what_is_no_trajectory), cmocka_unit_test(angles_of_a_rotation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
