// SPDX-License-Identifier: MIT
// Inverse kinematics by search: forward kinematics of the result, limits, free components, and
// targets out of reach.
#include <float.h>

#include "math/rotation.h"
#include "trajectory/ik/ik.h"
#include "trajectory_arms.h"

enum
{
  MOST = 45
};

// The error by its definition: distance of positions, and the angle between the z axes or of the
// whole rotation.
static double angle_between_z(const double A[9], const double B[9])
{
  double c = A[2] * B[2] + A[5] * B[5] + A[8] * B[8];
  double x = A[5] * B[8] - A[8] * B[5], y = A[8] * B[2] - A[2] * B[8],
         z = A[2] * B[5] - A[5] * B[2];
  return atan2(sqrt(x * x + y * y + z * z), c);
}

// The rotation of a unit quaternion x y z w.
static void rotation_of_quaternion(const double q[4], double R[9])
{
  double x = q[0], y = q[1], z = q[2], w = q[3];
  double given[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                     2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                     2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  memcpy(R, given, sizeof given);
}

// Roll, pitch, yaw and the quaternion reproduce the rotation, also at a pitch of 90 degrees and for
// half turns.
static void orientations_come_back(void** unused)
{
  (void)unused;
  const double quarter = 1.57079632679489661923;
  for (int i = 0; i < 9 * 9 * 9; ++i)
  {
    double rpy[3] = {(i % 9 - 4) * 0.5 * quarter, (i / 9 % 9 - 4) * 0.5 * quarter,
                     (i / 81 - 4) * 0.5 * quarter};
    double R[9], back[3], quaternion[4], again[9];
    lw_rotation_rpy(rpy, R);
    lw_rotation_to_rpy(R, back);
    lw_rotation_rpy(back, again);
    for (int k = 0; k < 9; ++k)
      assert_near(again[k], R[k], 4 * DBL_EPSILON);  // roundings of 3 turns
    assert_at_most(fabs(back[1]), quarter);
    lw_rotation_to_quaternion(R, quaternion);
    rotation_of_quaternion(quaternion, again);
    for (int k = 0; k < 9; ++k) assert_near(again[k], R[k], 8 * DBL_EPSILON);
    assert_at_least(quaternion[3], 0);
  }
}

// Any arm, serial or in a tree, with any joints, reaches the poses of random positions.
static void random_robots_reach(void** unused)
{
  (void)unused;
  int reached = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.light      = 0;
    Robot* robot     = random_robot(seed, &style);
    lwModel* model   = robot->model;
    lwWorkspace* ws  = plain_work(model);
    lwRandom random  = {seed};
    double q[MOST];
    lwIk* ik;
    assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
    for (int pose = 0; pose < 3; ++pose)
    {
      random_inside(&random, model, q);
      lwTarget target = target_at(model, ws, q);
      for (int i = 0; i < lw_model_dof(model); ++i) q[i] += lw_random_between(&random, -0.5, 0.5);
      lwIkResult result = lw_ik_solve(ik, &target, q);
      ++tried;
      reached += result.reached;
      // the size of these robots is up to about 10 m
      if (result.reached && pose_difference(model, ws, q, &target) > 5e-9)
        fail_msg("seed %d: off by %g", (int)seed, pose_difference(model, ws, q, &target));
    }
    lw_ik_destroy(ik);
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
  print_message("%d of %d poses reached\n", reached, tried);
  assert_at_least(reached, tried * 98 / 100);
}

// With a floating base any pose is reached, the quaternion keeps length 1, and no limit is
// violated.
static void floating_robots_reach(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("free_flyer.yaml");
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {5};
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  for (int pose = 0; pose < 20; ++pose)
  {
    double step[MOST], start[MOST], q[MOST], length = 0;
    lw_model_neutral(model, start);
    for (int i = 0; i < lw_model_dof(model); ++i) step[i] = lw_random_between(&random, -2, 2);
    lw_model_integrate(model, start, step, q);
    lwTarget target   = target_at(model, ws, q);
    lwIkResult result = lw_ik_solve(ik, &target, start);
    assert_true(result.reached);
    assert_at_most(pose_difference(model, ws, start, &target), 5e-9);
    for (int k = 3; k < 7; ++k) length += start[k] * start[k];
    assert_near(length, 1, 8 * DBL_EPSILON);  // normalised at every step
  }
  assert_int_equal(lw_ik_check_all(ik, NULL), LW_ERROR_INPUT);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// The robots in robots/ reach all poses from far away, within their limits, up to rounding.
static void shipped_robots_reach(void** unused)
{
  (void)unused;
  static const char* const names[] = {"puma560.yaml", "stanford.yaml", "panda.yaml", "torso.yaml",
                                      "chain30.yaml"};
  for (int r = 0; r < 5; ++r)
  {
    lwModel* model  = shipped(names[r]);
    lwWorkspace* ws = plain_work(model);
    lwRandom random = {(uint64_t)r + 1};
    double q[MOST], guess[MOST];
    lwIk* ik;
    assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
    for (int pose = 0; pose < 40; ++pose)
    {
      random_inside(&random, model, q);
      random_inside(&random, model, guess);
      lwTarget target   = target_at(model, ws, q);
      lwIkResult result = lw_ik_solve(ik, &target, guess);
      if (!result.reached) fail_msg("%s, pose %d is not reached", names[r], pose);
      double off = pose_difference(model, ws, guess, &target);
      if (off > 1e-9) fail_msg("%s, pose %d is off by %g", names[r], pose, off);
      for (int i = 0; i < lw_model_dof(model); ++i)
      {
        const lwLimits* limits = &joint_of(model, i)->limits;
        assert_at_least(guess[i], limits->lower);
        assert_at_most(guess[i], limits->upper);
      }
    }
    lw_ik_destroy(ik);
    lw_workspace_destroy(ws);
    lw_model_destroy(model);
  }
}

// Arms with too few joints for a full pose reach the requested components; the others are free.
static void partial_targets(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    bool direction         = seed % 2;
    const RobotStyle style = {.dof = direction ? 5 : 3, .placement = -1};
    Robot* robot           = random_robot(seed, &style);
    lwModel* model         = robot->model;
    lwWorkspace* ws        = plain_work(model);
    lwRandom random        = {seed};
    double q[MOST], p[3], R[9];
    lwIk* ik;
    assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
    random_inside(&random, model, q);
    lwTarget target = direction ? lw_target_direction() : lw_target_position();
    lw_pose(model, ws, q, target.position, target.rotation);
    random_inside(&random, model, q);
    lwIkResult result = lw_ik_solve(ik, &target, q);
    assert_true(result.reached);
    lw_pose(model, ws, q, p, R);
    for (int k = 0; k < 3; ++k) assert_closer(p[k], target.position[k], 1e-9);
    if (direction) assert_less(angle_between_z(R, target.rotation), 2e-9);
    lw_ik_destroy(ik);
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
}

// A planar arm with two links of 1 m and a target 3 m away: the arm stretches towards it.
static void nearest_of_what_cannot_be_reached(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("planar2r.yaml");
  lwWorkspace* ws = plain_work(model);
  lwTarget target = lw_target_position();
  double q[2]     = {1, 1};
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  target.position[0] = 3 * cos(0.4), target.position[1] = 3 * sin(0.4);
  lwIkResult result = lw_ik_solve(ik, &target, q);
  assert_false(result.reached);
  assert_closer(result.position_error, 1, 1e-9);
  assert_same(result.angle_error, 0);
  assert_greater(result.restarts, 0);
  assert_less(fabs(sin(q[0] - 0.4)), 1e-4);
  assert_less(fabs(sin(q[1])), 1e-4);  // the error is quadratic here
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// Weights: if not all components can be reached, the one with the largest weight wins.
static void weights_say_what_counts(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("planar2r.yaml");
  lwWorkspace* ws = plain_work(model);
  lwTarget target = lw_target_position();
  double q[2]     = {1, 1}, p[3], R[9];
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  target.position[0] = 1.5, target.position[1] = 5, target.position[2] = 7;
  target.weights[1] = target.weights[2] = 0;  // x alone
  assert_true(lw_ik_solve(ik, &target, q).reached);
  lw_pose(model, ws, q, p, R);
  assert_closer(p[0], 1.5, 1e-9);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// Limits: a pose that needs the elbow beyond its limit is not reached unless limits are ignored.
static void limits_are_kept(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(robot, i < 2 ? LW_JOINT_REVOLUTE : LW_JOINT_FIXED, i - 1);
    joint->a          = i > 0;
    joint->link       = (lwLinkDef){.mass = 1, .com = {0.5, 0, 0}};
    if (i == 1) joint->limits.lower = -0.5, joint->limits.upper = 0.5;
  }
  robot_build(robot);
  lwWorkspace* ws    = plain_work(robot->model);
  lwTarget target    = lw_target_position();
  lwIkDef def        = lw_ik_def();
  target.position[0] = 1, target.position[1] = 1;  // needs an elbow of +-90 deg
  for (int ignored = 0; ignored < 2; ++ignored)
  {
    double q[2] = {0.1, 0.1};
    lwIk* ik;
    def.ignore_limits = ignored;
    assert_int_equal(lw_ik_create(robot->model, ws, &def, NULL, &ik), LW_OK);
    lwIkResult result = lw_ik_solve(ik, &target, q);
    assert_int_equal(result.reached, ignored);
    if (!ignored) assert_closer(fabs(q[1]), 0.5, 1e-12);  // at its limit
    if (!ignored) assert_closer(result.position_error, 2 * cos(0.25) - sqrt(2), 1e-9);
    lw_ik_destroy(ik);
  }
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// A joint that starts at a limit can move inwards: one search is enough.
static void limits_are_left(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("puma560.yaml");
  lwWorkspace* ws = plain_work(model);
  lwIkDef def     = lw_ik_def();
  lwRandom random = {9};
  lwIk* ik;
  def.restarts = 0;
  assert_int_equal(lw_ik_create(model, ws, &def, NULL, &ik), LW_OK);
  for (int pose = 0; pose < 50; ++pose)
  {
    double q[6], guess[6];
    random_inside(&random, model, guess);
    for (int i = 0; i < 6; ++i) q[i] = guess[i];
    const lwLimits* limits = &joint_of(model, pose % 3)->limits;
    guess[pose % 3]        = pose % 2 ? limits->lower : limits->upper;
    q[pose % 3]            = pose % 2 ? limits->lower + 0.3 : limits->upper - 0.3;
    lwTarget target        = target_at(model, ws, q);
    assert_true(lw_ik_solve(ik, &target, guess).reached);
  }
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// One iteration from q = 0 to a target on the circle of an arm of one joint, or on its axis.
static double first_step(lwJointType type, double size, double to)
{
  Robot* robot = robot_start();
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 0 ? type : LW_JOINT_FIXED, i - 1);
    joint->a          = i > 0 ? size : 0;
    joint->link       = (lwLinkDef){.mass = 1};
  }
  robot_build(robot);
  lwWorkspace* ws = plain_work(robot->model);
  lwTarget target = lw_target_position();
  lwIkDef def     = lw_ik_def();
  double q        = to, R[9];
  lwIk* ik;
  def.restarts   = 0;
  def.iterations = 1;
  lw_pose(robot->model, ws, &q, target.position, R);
  assert_int_equal(lw_ik_create(robot->model, ws, &def, NULL, &ik), LW_OK);
  q = 0;
  lw_ik_solve(ik, &target, &q);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  robot_free(robot);
  return q;
}

// Long steps are shortened to 0.7 rad, or to as much of the size of the arm; short ones are taken.
static void steps_are_limited(void** unused)
{
  (void)unused;
  assert_near(first_step(LW_JOINT_REVOLUTE, 1, 1.5), 0.7, 1e-12);
  assert_near(first_step(LW_JOINT_REVOLUTE, 1, -1.5), -0.7, 1e-12);
  assert_near(first_step(LW_JOINT_REVOLUTE, 1, 0.1), sin(0.1), 0.01);  // damped, a chord
  assert_near(first_step(LW_JOINT_PRISMATIC, 1, 100), 0.7,
              1e-12);  // nothing turns: its size is 1 m
  assert_near(first_step(LW_JOINT_PRISMATIC, 1, 0.01), 0.01, 0.001);
}

// Joints on another branch do not move the last link: restarts leave them unchanged.
static void other_branches_stay(void** unused)
{
  (void)unused;
  static const int parents[] = {LW_BASE, 0, 0, 2};  // joint 1 is on a separate branch
  Robot* robot               = robot_start();
  for (int i = 0; i < 4; ++i)
  {
    lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, parents[i]);
    joint->a          = i > 0;
    joint->link       = (lwLinkDef){.mass = 1, .com = {0.5, 0, 0}};
  }
  robot_build(robot);
  lwWorkspace* ws = plain_work(robot->model);
  lwTarget target = lw_target_position();
  lwIk* ik;
  double q[4]        = {0.1, 0.2, 0.3, 0.4};
  target.position[0] = 9;  // beyond reach: all searches are tried
  assert_int_equal(lw_ik_create(robot->model, ws, NULL, NULL, &ik), LW_OK);
  lwIkResult result = lw_ik_solve(ik, &target, q);
  assert_int_equal(result.reached, 0);
  assert_int_equal(result.restarts, lw_ik_def().restarts);
  assert_memory_equal(&q[1], &(double){0.2}, sizeof(double));  // to the last bit
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// d error / d q of the search against central differences, also far from the target.
static void rate_of_the_error(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("panda.yaml");
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {4};
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  for (int trial = 0; trial < 50; ++trial)
  {
    double q[7], other[7], J[42], h = 1e-6;
    random_inside(&random, model, q);
    random_inside(&random, model, other);
    lwTarget target = target_at(model, ws, other);
    lwMiss miss     = lw_ik_miss(ik, &target, q);
    if (miss.angle > 2.8) continue;  // near half a turn the rotation vector flips its sign
    lw_jacobian(model, ws, q, J);
    for (int i = 0; i < 7; ++i)
    {
      const double w[3] = {J[21 + i], J[28 + i], J[35 + i]};
      double rate[3];
      lw_rotate(miss.rate, w, rate);
      q[i] += h;
      lwMiss after = lw_ik_miss(ik, &target, q);
      q[i] -= 2 * h;
      lwMiss before = lw_ik_miss(ik, &target, q);
      q[i] += h;
      for (int k = 0; k < 3; ++k)  // h^2 and eps / h are both about 1e-10
      {
        assert_closer((before.error[k] - after.error[k]) / (2 * h), J[7 * k + i], 1e-8);
        assert_closer((before.error[3 + k] - after.error[3 + k]) / (2 * h), rate[k], 1e-8);
      }
    }
  }
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// The same search gives the same answer, bit for bit.
static void is_deterministic(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("panda.yaml");
  lwWorkspace* ws = plain_work(model);
  double q[7] = {0}, first[7] = {0}, second[7] = {0};
  lwRandom random = {3};
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  random_inside(&random, model, q);
  lwTarget target = target_at(model, ws, q);
  lw_ik_solve(ik, &target, first);
  lw_ik_solve(ik, &target, second);
  assert_memory_equal(first, second, sizeof first);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_robots_reach),
      cmocka_unit_test(floating_robots_reach),
      cmocka_unit_test(shipped_robots_reach),
      cmocka_unit_test(partial_targets),
      cmocka_unit_test(nearest_of_what_cannot_be_reached),
      cmocka_unit_test(weights_say_what_counts),
      cmocka_unit_test(limits_are_kept),
      cmocka_unit_test(limits_are_left),
      cmocka_unit_test(steps_are_limited),
      cmocka_unit_test(other_branches_stay),
      cmocka_unit_test(rate_of_the_error),
      cmocka_unit_test(is_deterministic),
      cmocka_unit_test(orientations_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
