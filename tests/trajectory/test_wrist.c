// SPDX-License-Identifier: MIT
// All solutions of arms with a spherical wrist: each is correct, none is missing, none occurs
// twice.
#include "solutions.h"

enum
{
  ARMS     = 150,
  POSES    = 12,
  RESTARTS = 150
};

// Six joints: the first three of these types, such as "RRP", the last three with axes through one
// point. Axes are placed at random or, with `special`, parallel, intersecting and at right angles,
// up to `tilt` rad.
static Robot* wristed(uint64_t seed, const char* types, bool special, double tilt)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  for (int i = 0; i < 6; ++i)
  {
    bool slides       = i < 3 && types[i] == 'P';
    lwJointDef* joint = robot_add(robot, slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int k = 0; k < 3; ++k)
    {
      bool none      = i > 3 || (special && lw_random_between(&random, 0, 1) < 0.6);
      joint->xyz[k]  = none ? 0 : lw_random_between(&random, -0.6, 0.6);
      joint->rpy[k]  = lw_random_between(&random, -PI, PI);
      joint->axis[k] = lw_random_between(&random, -1, 1);
      if (special) joint->rpy[k] = 0.5 * PI * floor(lw_random_between(&random, 0, 4));
      if (special) joint->axis[k] = k == 2;
      joint->rpy[k] += tilt * lw_random_between(&random, -1, 1);
      if (i <= 3) joint->xyz[k] += tilt * lw_random_between(&random, -1, 1);
    }
    if (i == 3) joint->xyz[0] = 0.5;  // so that joint 3 moves the wrist centre
    random_link(&random, &joint->link);
  }
  lwJointDef* tool = robot_add(robot, LW_JOINT_FIXED, 5);
  tool->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  for (int k = 0; k < 3; ++k) tool->xyz[k] = lw_random_between(&random, -0.2, 0.2);
  for (int k = 0; k < 3; ++k) tool->rpy[k] = lw_random_between(&random, -PI, PI);
  robot_build(robot);
  return robot;
}

// For the poses of random positions, these positions are among the solutions. Returns the number of
// poses tried.
static int finds_where_it_came_from(const Robot* robot, uint64_t seed, int* most)
{
  lwModel* model  = robot->model;
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {seed + 1000};
  lwIk* ik;
  int tried = 0;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  for (int pose = 0; pose < POSES && lw_ik_check_all(ik, NULL) == LW_OK; ++pose)
  {
    double q[6];
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    for (int i = 0; i < 6; ++i) q[i] = lw_random_between(&random, -PI, PI);
    // near a singularity, solutions cannot be told apart
    if (regularity(model, ws, q) < 1e-4) continue;
    lwTarget target = target_at(model, ws, q);
    int count       = 0;
    lw_ik_all(ik, &target, NULL, NULL, solutions, &count);
    check_solutions(model, ws, &target, solutions, count);
    if (index_of(model, solutions, count, q) < 0)
      fail_msg("seed %d, pose %d: not among %d solutions, det %g", (int)seed, pose, count,
               regularity(model, ws, q));
    if (count > *most) *most = count;
    ++tried;
  }
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  return tried;
}

static const char* const TYPES[] = {"RRR", "RRP", "PRR", "PRP", "RPR", "PPR", "RPP", "PPP"};

static void every_kind_of_arm(void** unused)
{
  (void)unused;
  static const int most[] = {8, 8, 8, 4,
                             8, 4, 4, 2};  // largest possible number of solutions, which is reached
  for (int type = 0; type < 8; ++type)
  {
    int found = 0, tried = 0;
    for (uint64_t seed = 1; seed <= ARMS; ++seed)
    {
      Robot* robot = wristed(seed, TYPES[type], false, 0);
      tried += finds_where_it_came_from(robot, seed, &found);
      robot_free(robot);
    }
    assert_greater(tried, ARMS * POSES / 2);
    assert_int_equal(found, most[type]);
  }
}

static void special_arms(void** unused)
{
  (void)unused;
  static const double tilts[] = {0, 0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3};
  int tried = 0, found = 0;
  for (uint64_t seed = 1; seed <= 3 * ARMS; ++seed)
  {
    Robot* robot = wristed(seed, TYPES[seed % 8], true, tilts[seed / 8 % 7]);
    tried += finds_where_it_came_from(robot, seed, &found);
    robot_free(robot);
  }
  assert_greater(tried, ARMS);
}

// Searches from many random positions find no other solution.
static void nothing_is_missing(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("puma560.yaml");
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {7};
  lwIk *ik, *search;
  lwIkDef def       = lw_ik_def();
  def.restarts      = 0;
  def.ignore_limits = true;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  assert_int_equal(lw_ik_create(model, ws, &def, NULL, &search), LW_OK);
  for (int pose = 0; pose < POSES; ++pose)
  {
    double q[6];
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    random_inside(&random, model, q);
    lwTarget target = target_at(model, ws, q);
    int count       = 0;
    lw_ik_all(ik, &target, NULL, NULL, solutions, &count);
    check_solutions(model, ws, &target, solutions, count);
    int hits = count_hits(search, model, &target, &random, RESTARTS, solutions, count);
    if (count != 8) assert_int_equal(count, 4);
    assert_int_equal(hits, count);
  }
  lw_ik_destroy(ik);
  lw_ik_destroy(search);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// Some solution has this free joint, and all are correct.
static void has_free_joint(const lwModel* model, const double* q, int joint)
{
  lwWorkspace* ws = plain_work(model);
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  lwTarget target = target_at(model, ws, q);
  int count = 0, free_ones = 0;
  lw_ik_all(ik, &target, q, NULL, solutions, &count);
  check_solutions(model, ws, &target, solutions, count);
  for (int k = 0; k < count; ++k) free_ones += solutions[k].free_joint == joint;
  assert_greater(free_ones, 0);
  // the guess selects this one from the family
  assert_at_least(index_of(model, solutions, count, q), 0);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
}

// With axes 4 and 6 in line only the sum of their angles matters; with the wrist centre on axis 1,
// q1 is free.
static void families_of_solutions(void** unused)
{
  (void)unused;
  lwModel* puma           = shipped("puma560.yaml");
  const double straight[] = {0.3, -0.7, 0.4, 0.6, 0, -0.2};
  has_free_joint(puma, straight, 3);
  lw_model_destroy(puma);

  Robot* robot = robot_start();  // an arm without offsets, two links of 0.5 m
  for (int i = 0; i < 6; ++i)
  {
    static const double alpha[] = {0, 0.5, 0, -0.5, 0.5, -0.5};
    lwJointDef* joint           = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
    joint->alpha                = alpha[i] * PI;
    joint->a                    = i == 2 ? 0.5 : 0;
    joint->d                    = i == 3 ? 0.5 : 0;
    joint->link                 = (lwLinkDef){.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
  }
  robot_build(robot);
  double over[6]  = {0.5, 1, 0, 0.3, 0.7, -0.4}, p[3], R[9];
  lwWorkspace* ws = plain_work(robot->model);
  for (int k = 0; k < 60; ++k)  // q3 by bisection, so that the wrist centre is above the base
  {
    static double low = -2, high = 1;
    over[2] = 0.5 * (low + high);
    lw_pose(robot->model, ws, over, p, R);
    *(p[0] * cos(0.5) + p[1] * sin(0.5) > 0 ? &low : &high) = over[2];
  }
  assert_less(hypot(p[0], p[1]), 1e-14);
  assert_greater(p[2], 0.1);
  has_free_joint(robot->model, over, 0);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// Full turns are chosen within the limits, or closest to the guess if there are no limits.
static void turns_and_limits(void** unused)
{
  (void)unused;
  for (int limited = 0; limited < 2; ++limited)
  {
    Robot* robot = wristed(5, "RRR", false, 0);
    lw_model_destroy(robot->model);
    for (int i = 0; i < 6 && limited; ++i) robot->joints[i].limits = (lwLimits){2, 9, 1, 1, 1, 1};
    robot_build(robot);
    lwModel* model  = robot->model;
    lwWorkspace* ws = plain_work(model);
    double q[6]     = {2.9, 4, 8, 3, 5, 8.2}, guess[6];
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    lwIk* ik;
    assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
    lwTarget target = target_at(model, ws, q);
    for (int i = 0; i < 6; ++i) guess[i] = q[i] + (limited ? 0.1 : 20 * PI + 0.1);
    if (limited) guess[0] = 9, guess[5] = 2;  // the closest turns are beyond the limits
    int count = 0;
    lw_ik_all(ik, &target, guess, NULL, solutions, &count);
    int k = index_of(model, solutions, count, q);
    assert_at_least(k, 0);
    assert_true(solutions[k].inside);
    for (int i = 0; i < 6; ++i)
      assert_closer(solutions[k].q[i] - q[i], limited ? 0 : 20 * PI, 1e-9);
    for (k = 0; k < count && limited; ++k)
      for (int i = 0; i < 6; ++i)
        if (solutions[k].inside)
        {
          assert_greater(solutions[k].q[i], 2 - 1e-8);
          assert_less(solutions[k].q[i], 9 + 1e-8);
        }
    lw_ik_destroy(ik);
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
}

// Six joints without special placement, and a pose out of reach.
static void none(void** unused)
{
  (void)unused;
  const RobotStyle style = {.dof = 6, .placement = -1};
  Robot* robot           = random_robot(3, &style);
  lwModel* puma          = shipped("puma560.yaml");
  refuses_all(robot->model, "axes 4 to 6 do not meet in one point");
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget target    = lw_target_pose();
  target.position[0] = 2;
  assert_int_equal(all_of(puma, &target, NULL, solutions), 0);
  robot_free(robot);
  lw_model_destroy(puma);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_arm),  cmocka_unit_test(special_arms),
      cmocka_unit_test(nothing_is_missing), cmocka_unit_test(families_of_solutions),
      cmocka_unit_test(turns_and_limits),   cmocka_unit_test(none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
