// SPDX-License-Identifier: MIT
// lw_retime() allocates nothing for a given grid, so that a controller can call it.
#include "allocations.h"
#include "random_tasks.h"

static void wave(double s, double value[3][MOST_JOINTS])
{
  for (int j = 0; j < 2; ++j)
  {
    value[0][j] = sin(9 * s + j);
    value[1][j] = 9 * cos(9 * s + j);
    value[2][j] = -81 * sin(9 * s + j);
  }
}

static long calls_of(const lwModel* model, const lwRetimeDef* def, const lwTrajectory* path)
{
  lwRetime* retime;
  lwRetimeResult result;
  double q[MOST_JOINTS];
  lwRetimePoint point = {.q = q};
  lwRetimeEnds ends   = {0};
  assert_int_equal(lw_retime_create(model, def, NULL, &retime), LW_OK);
  long before = allocation_calls();
  assert_int_equal(lw_retime(retime, path, &ends, &result), LW_OK);
  lw_retime_at(retime, 0.5 * result.time, &point);
  assert_int_equal(lw_retime_slow(retime, 1.01, &result), LW_OK);
  long after = allocation_calls();
  lw_retime_destroy(retime);
  return after - before;
}

static void retiming_allocates_nothing(void** state)
{
  lwRandom random = {3};
  Task task;
  (void)state;
  if (allocation_calls() < 0) skip();
  task_make(&random, &task, TASK_SPLINE);
  assert_int_equal(calls_of(task.model, &task.def, task.path), 0);
  task_free(&task);

  // many knots, joints that turn back, limits of jerk
  lwJointDef joints[2] = {slide("x", LW_BASE, 1), slide("y", 0, 1)};
  for (int j = 0; j < 2; ++j)
  {
    joints[j].limits.effort    = 10;
    joints[j].friction.coulomb = 1;
  }
  lwTrajectory* path = path_of_function(2, wave, 0, 2);
  for (int k = 0; k < 2; ++k)
  {
    if (k == 1) joints[0].limits.jerk = 500;
    lwModel* model  = robot_of_joints(joints, 2);
    lwRetimeDef def = lw_retime_def();
    assert_int_equal(calls_of(model, &def, path), 0);
    lw_model_destroy(model);
  }
  lw_trajectory_destroy(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(retiming_allocates_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
