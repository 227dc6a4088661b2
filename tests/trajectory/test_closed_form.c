// SPDX-License-Identifier: MIT
// All inverse kinematics solutions of arms with three parallel axes and of arms with spherical
// shoulder and wrist: each is correct, none is missing, none occurs twice; families of solutions at
// singularities, and arms that are refused.
#include "solutions.h"

enum
{
  ARMS  = 100,
  POSES = 12
};

// --- arms

typedef struct Row
{
  double alpha, a, d;  // standard DH, alpha in right angles
} Row;

static Robot* dh_arm(const Row* rows, int n)
{
  Robot* robot = robot_start();
  for (int i = 0; i < n; ++i)
  {
    lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = LW_PLACEMENT_DH_STANDARD;
    joint->alpha      = rows[i].alpha * 0.5 * PI;
    joint->a          = rows[i].a;
    joint->d          = rows[i].d;
    joint->link       = (lwLinkDef){.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
  }
  robot_build(robot);
  return robot;
}

// The UR5: Universal Robots, "DH Parameters for calculations of kinematics and dynamics".
static const Row UR5[] = {{1, 0, 0.089159}, {0, -0.425, 0},   {0, -0.39225, 0},
                          {1, 0, 0.10915},  {-1, 0, 0.09465}, {0, 0, 0.0823}};

// Seven joints with the lengths of the KUKA LBR iiwa 7 R800 (its data sheet):
// 0.34, 0.4, 0.4 and 0.126 m.
static const Row IIWA[] = {{-1, 0, 0.34}, {1, 0, 0}, {1, 0, 0.4},  {-1, 0, 0},
                           {-1, 0, 0.4},  {1, 0, 0}, {0, 0, 0.126}};

static lwJointDef* random_joint(Robot* robot, lwRandom* random, int i, bool meets)
{
  lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  for (int k = 0; k < 3; ++k)
  {
    joint->xyz[k]  = meets ? 0 : lw_random_between(random, -0.5, 0.5);
    joint->rpy[k]  = lw_random_between(random, -PI, PI);
    joint->axis[k] = k == 2;
  }
  random_link(random, &joint->link);
  return joint;
}

static void random_tool(Robot* robot, lwRandom* random, int parent)
{
  lwJointDef* tool = robot_add(robot, LW_JOINT_FIXED, parent);
  tool->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  for (int k = 0; k < 3; ++k) tool->xyz[k] = lw_random_between(random, -0.2, 0.2);
  for (int k = 0; k < 3; ++k) tool->rpy[k] = lw_random_between(random, -PI, PI);
  robot_build(robot);
}

// Axes 2, 3, 4 parallel or antiparallel; axes 5 and 6 intersect; everything else is random.
static Robot* random_parallel(uint64_t seed)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  for (int i = 0; i < 6; ++i)
  {
    lwJointDef* joint = random_joint(robot, &random, i, i == 5);
    if (i == 2 || i == 3) joint->rpy[0] = joint->rpy[1] = 0;
    if (i == 2 || i == 3) joint->axis[2] = lw_random_between(&random, -1, 1) < 0 ? -1 : 1;
    if (i == 5) joint->xyz[2] = 0.1;  // along axis 5
  }
  random_tool(robot, &random, 5);
  return robot;
}

// Axes 1 to 3 intersect, axes 5 to 7 intersect; the elbow has offsets; angles are random.
static Robot* random_seven(uint64_t seed)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  for (int i = 0; i < 7; ++i) random_joint(robot, &random, i, i != 0 && i != 3 && i != 4);
  random_tool(robot, &random, 6);
  return robot;
}

// --- poses of random positions

typedef struct Tally
{
  int tried, most, least, eights;
} Tally;

// The positions that give a pose are among its solutions; for seven joints, at their arm angle.
static void find_origins(const lwModel* model, uint64_t seed, Tally* tally)
{
  int n           = lw_model_dof(model);
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {seed + 1000};
  lwIk* ik;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  assert_int_equal(lw_ik_check_all(ik, NULL), LW_OK);
  for (int pose = 0; pose < POSES; ++pose)
  {
    double q[LW_MAX_IK_JOINTS], angle;
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    int count = 0;
    for (int i = 0; i < n; ++i) q[i] = lw_random_between(&random, -PI, PI);
    // near a singularity, solutions cannot be told apart
    if (regularity(model, ws, q) < 1e-4) continue;
    lwTarget target = target_at(model, ws, q);
    if (n == 7)
    {
      assert_int_equal(lw_ik_arm_angle(ik, q, NULL, &angle), LW_OK);
      lw_ik_all_at(ik, &target, angle, NULL, NULL, solutions, &count);
    }
    else
      lw_ik_all(ik, &target, NULL, NULL, solutions, &count);
    check_solutions(model, ws, &target, solutions, count);
    if (index_of(model, solutions, count, q) < 0)
      fail_msg("seed %d, pose %d: not among %d solutions, regularity %g", (int)seed, pose, count,
               regularity(model, ws, q));
    tally->most  = count > tally->most ? count : tally->most;
    tally->least = tally->tried == 0 || count < tally->least ? count : tally->least;
    tally->eights += count == 8;
    ++tally->tried;
  }
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
}

static void arms_of_any_angles(void** unused)
{
  (void)unused;
  for (int seven = 0; seven < 2; ++seven)
  {
    Tally tally = {0};
    for (uint64_t seed = 1; seed <= ARMS; ++seed)
    {
      Robot* robot = seven ? random_seven(seed) : random_parallel(seed);
      find_origins(robot->model, seed, &tally);
      robot_free(robot);
    }
    assert_greater(tally.tried, ARMS * POSES / 2);
    assert_int_equal(tally.most, 8);
  }
}

// Commercial arms with right angles have eight solutions, unless an elbow position of a UR arm is
// out of reach for one of the wrists.
static void arms_that_are_sold(void** unused)
{
  (void)unused;
  Robot *ur = dh_arm(UR5, 6), *iiwa = dh_arm(IIWA, 7);
  Tally six = {0}, seven = {0};
  for (uint64_t seed = 1; seed <= ARMS; ++seed)
  {
    find_origins(ur->model, seed, &six);
    find_origins(iiwa->model, seed, &seven);
  }
  assert_int_equal(six.most, 8);
  assert_greater(six.least, 1);
  assert_greater(6 * six.eights, six.tried);
  assert_greater(seven.tried, ARMS * POSES / 2);
  assert_int_equal(seven.eights, seven.tried);
  robot_free(ur);
  robot_free(iiwa);
}

// Searches from random positions find all solutions, and no others.
static void nothing_is_missing(void** unused)
{
  (void)unused;
  Robot* ur       = dh_arm(UR5, 6);
  lwModel* model  = ur->model;
  lwWorkspace* ws = plain_work(model);
  lwRandom random = {7};
  lwIkDef def     = lw_ik_def();
  def.restarts    = 0;
  lwIk* search;
  assert_int_equal(lw_ik_create(model, ws, &def, NULL, &search), LW_OK);
  for (int pose = 0; pose < POSES; ++pose)
  {
    double q[6];
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    for (int i = 0; i < 6; ++i) q[i] = lw_random_between(&random, -PI, PI);
    lwTarget target = target_at(model, ws, q);
    int count       = all_of(model, &target, NULL, solutions);
    int hits        = count_hits(search, model, &target, &random, 150, solutions, count);
    assert_int_equal(hits, count);
  }
  lw_ik_destroy(search);
  lw_workspace_destroy(ws);
  robot_free(ur);
}

// --- singular poses

static int free_ones(const lwIkSolution* solutions, int count, int joint)
{
  int found = 0;
  for (int k = 0; k < count; ++k) found += solutions[k].free_joint == joint;
  return found;
}

// Axis 6 parallel to axes 2 to 4: joint 6 is free within the reach of the others.
static void wrist_of_a_ur_in_line(void** unused)
{
  (void)unused;
  Robot* ur       = dh_arm(UR5, 6);
  lwWorkspace* ws = plain_work(ur->model);
  for (int flip = 0; flip < 2; ++flip)
  {
    const double q[6] = {0.4, -1.1, 1.3, 0.3, flip ? PI : 0, 0.7};
    double guess[6];
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    lwTarget target = target_at(ur->model, ws, q);
    int count       = all_of(ur->model, &target, q, solutions);
    assert_at_least(index_of(ur->model, solutions, count, q), 0);
    assert_greater(free_ones(solutions, count, 5), 1);  // elbow up and down
    memcpy(guess, q, sizeof guess);
    guess[5] = -1.2;
    count    = all_of(ur->model, &target, guess, solutions);
    for (int k = 0; k < count; ++k)
      if (solutions[k].free_joint == 5) assert_closer(solutions[k].q[5], -1.2, 1e-9);
    assert_greater(free_ones(solutions, count, 5), 1);
  }
  // nearly stretched: the pose is reachable, but not with half of the angles of joint 6
  const double far[6] = {0.4, -1.1, 0.01, 0.3, 0, 0.7};
  double guess[6];
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget target = target_at(ur->model, ws, far);
  for (int k = 0; k < 12; ++k)
  {
    memcpy(guess, far, sizeof guess);
    guess[5]  = 0.7 + k * PI / 6;
    int count = all_of(ur->model, &target, guess, solutions);
    assert_greater(free_ones(solutions, count, 5), 0);
  }
  lw_workspace_destroy(ws);
  robot_free(ur);
}

// Elbow stretched, or wrist as close to axis 1 as possible: two solutions merge.
static void double_solutions_of_a_ur(void** unused)
{
  (void)unused;
  Robot* ur              = dh_arm(UR5, 6);
  lwWorkspace* ws        = plain_work(ur->model);
  const double each[][6] = {{0.4, -1.1, 0, 0.3, 0.9, 0.7}, {0, 0, 0, 0, 0, 0}};
  for (int k = 0; k < 2; ++k)
  {
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    lwTarget target = target_at(ur->model, ws, each[k]);
    int count       = all_of(ur->model, &target, each[k], solutions);
    assert_at_least(index_of(ur->model, solutions, count, each[k]), 0);
  }
  lw_workspace_destroy(ws);
  robot_free(ur);
}

// Seven joints: straight arms, shoulder or wrist aligned with an axis, all joints at zero.
static void singular_seven(void** unused)
{
  (void)unused;
  static const struct
  {
    double q[7];
    int free_joint;
  } cases[]       = {{{0.3, 0.5, -0.4, 0, 0.2, 0.7, 0.1}, -1},
                     {{0.3, 0, -0.4, 1.1, 0.2, 0.7, 0.1}, 0},
                     {{0.3, 0.5, -0.4, 1.1, 0.2, 0, 0.1}, 4},
                     {{0, 0, 0, 0, 0, 0, 0}, 0}};
  Robot* iiwa     = dh_arm(IIWA, 7);
  lwWorkspace* ws = plain_work(iiwa->model);
  for (int k = 0; k < 4; ++k)
  {
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    lwTarget target = target_at(iiwa->model, ws, cases[k].q);
    int count       = all_of(iiwa->model, &target, cases[k].q, solutions);
    int index       = index_of(iiwa->model, solutions, count, cases[k].q);
    if (index < 0) fail_msg("case %d: not among %d solutions", k, count);
    assert_int_equal(solutions[index].free_joint, cases[k].free_joint);
  }
  lw_workspace_destroy(ws);
  robot_free(iiwa);
}

// --- the arm angle

// Solutions have the requested arm angle, and their elbows are at the same point.
static void arm_angle_is_kept(void** unused)
{
  (void)unused;
  const double q[7] = {0.3, 0.6, -0.4, 1.1, 0.2, 0.7, 0.1};
  Robot* iiwa       = dh_arm(IIWA, 7);
  lwWorkspace* ws   = plain_work(iiwa->model);
  lwTarget target   = target_at(iiwa->model, ws, q);
  lwIk* ik;
  assert_int_equal(lw_ik_create(iiwa->model, ws, NULL, NULL, &ik), LW_OK);
  for (double angle = -3; angle < 3.1; angle += 0.5)
  {
    lwIkSolution solutions[LW_MAX_SOLUTIONS];
    int count;
    assert_int_equal(lw_ik_all_at(ik, &target, angle, q, NULL, solutions, &count), LW_OK);
    assert_int_equal(count, 8);
    check_solutions(iiwa->model, ws, &target, solutions, count);
    for (int k = 0; k < count; ++k)
    {
      double found;
      assert_int_equal(lw_ik_arm_angle(ik, solutions[k].q, NULL, &found), LW_OK);
      assert_closer(remainder(found - angle, 2 * PI), 0, 1e-9);
    }
  }
  // arm in the vertical plane: the arm angle is zero if the forearm bends outward, so that the
  // elbow is above, else half a turn
  for (int outward = 0; outward < 2; ++outward)
  {
    double p[3], R[9], found;
    const double bent[7] = {0, 1, 0, outward ? -0.5 : 0.5, 0, 0, 0};
    lw_pose(iiwa->model, ws, bent, p, R);
    // the hand is 0.4 m and 0.526 m from the shoulder,
    // along directions 1 and 1 +- 0.5 from the vertical
    assert_closer(p[0], 0.4 * sin(1) + 0.526 * sin(outward ? 1.5 : 0.5), 1e-12);
    lw_ik_arm_angle(ik, bent, NULL, &found);
    assert_closer(fabs(found), outward ? 0 : PI, 1e-12);
  }
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  robot_free(iiwa);
}

// --- refused arms, and poses out of reach

static void refused(void** unused)
{
  (void)unused;
  lwModel *panda = shipped("panda.yaml"), *planar = shipped("planar2r.yaml");
  refuses_all(panda, "axes 5 to 7 do not meet in one point: they are 0.088 m off");
  refuses_all(planar, "2 moving joints, expected 6 or 7");
  lw_model_destroy(panda);
  lw_model_destroy(planar);
  Row rows[7];
  memcpy(rows, UR5, sizeof UR5);
  rows[4].a = 0.05;  // axes 5 and 6 apart
  Robot* ur = dh_arm(rows, 6);
  refuses_all(ur->model, "axes 2, 3 and 4 are parallel, but axes 5 and 6 do not meet");
  robot_free(ur);
  memcpy(rows, UR5, sizeof UR5);
  rows[1].alpha = 0.1;
  ur            = dh_arm(rows, 6);
  refuses_all(ur->model, "axes 2, 3 and 4 are not parallel");
  lwDiag* diag = lw_diag_create();
  robot_free(ur);
  ur              = dh_arm(UR5, 6);
  lwWorkspace* ws = plain_work(ur->model);
  double angle;
  lwIk* ik;
  assert_int_equal(lw_ik_create(ur->model, ws, NULL, NULL, &ik), LW_OK);
  assert_int_equal(lw_ik_arm_angle(ik, (double[7]){0}, diag, &angle), LW_ERROR_INPUT);
  assert_contains(first_error(diag), "has no arm angle");
  lw_diag_destroy(diag);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  robot_free(ur);
}

static void out_of_reach(void** unused)
{
  (void)unused;
  Robot *ur = dh_arm(UR5, 6), *iiwa = dh_arm(IIWA, 7);
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget far = lw_target_pose(), inside = lw_target_pose();
  far.position[0] = 2;
  assert_int_equal(all_of(ur->model, &far, NULL, solutions), 0);
  assert_int_equal(all_of(iiwa->model, &far, NULL, solutions), 0);
  inside.position[2] = 0.5;  // the wrist on axis 1, which the UR's shoulder offset makes impossible
  assert_int_equal(all_of(ur->model, &inside, NULL, solutions), 0);
  robot_free(ur);
  robot_free(iiwa);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms_of_any_angles),
                                     cmocka_unit_test(arms_that_are_sold),
                                     cmocka_unit_test(nothing_is_missing),
                                     cmocka_unit_test(wrist_of_a_ur_in_line),
                                     cmocka_unit_test(double_solutions_of_a_ur),
                                     cmocka_unit_test(singular_seven),
                                     cmocka_unit_test(arm_angle_is_kept),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(out_of_reach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
