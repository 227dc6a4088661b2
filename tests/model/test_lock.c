// SPDX-License-Identifier: MIT
// Held joints: the robot with these joints fixed gives the answers of the whole robot at these
// positions.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

static const double PI = 3.14159265358979323846;

// The free joints among a robot's moving joints, and the positions of the others.
typedef struct
{
  const Robot* robot;
  lwModel* locked;
  const char* free[MAX_DOF];
  lwHold holds[MAX_DOF];
  lwModelOptions options;
  int index[MAX_DOF];  // (free_count) of the free joints among all moving ones
  double q[MAX_DOF];   // of all moving joints; zero if not given
} Case;

static const lwJointDef* moving(const Robot* robot, int i)
{
  return &robot->def.joints[lw_model_joint(robot->model, i)];
}

// Special and random angles.
static double random_position(lwRandom* random)
{
  uint64_t k = lw_random_bits(random) % 6;
  if (k < 4) return 0.5 * PI * ((double)k - 1);
  return lw_random_between(random, -4, 4);
}

// About half of the joints are free, at least one, listed in reverse order; some of the others are
// held at zero.
static void choose(Case* c, lwRandom* random)
{
  int n      = lw_model_dof(c->robot->model);
  int sure   = (int)(lw_random_bits(random) % (uint64_t)n);
  c->options = (lwModelOptions){.joints.free = c->free, .joints.holds = c->holds};
  for (int i = 0; i < n; ++i)
  {
    const char* name = moving(c->robot, i)->name;
    if (i == sure || lw_random_between(random, 0, 1) < 0.5)
      c->index[c->options.joints.free_count++] = i;
    else if (lw_random_between(random, 0, 1) < 0.8)
    {
      c->q[i]                                  = random_position(random);
      c->holds[c->options.joints.hold_count++] = (lwHold){name, c->q[i], false};
    }
  }
  for (int k = 0; k < c->options.joints.free_count; ++k)
    c->free[k] = moving(c->robot, c->index[c->options.joints.free_count - 1 - k])->name;
}

// Expands the state of the free joints to all moving joints: the others are at rest where they are
// held.
static void expand(const Case* c, const double* values, const double* rest, double* all)
{
  for (int i = 0; i < lw_model_dof(c->robot->model); ++i) all[i] = rest ? rest[i] : 0;
  for (int k = 0; k < c->options.joints.free_count; ++k) all[c->index[k]] = values[k];
}

// The entry of the whole robot's answer that corresponds to entry k of the locked robot's.
static size_t entry(const Case* c, lwQuestion question, size_t k)
{
  size_t n = (size_t)lw_model_dof(c->robot->model), m = (size_t)c->options.joints.free_count;
  if (question == LW_QUESTION_ENERGY || question == LW_QUESTION_POSE) return k;
  if (question == LW_QUESTION_JACOBIAN) return k / m * n + (size_t)c->index[k % m];
  if (question == LW_QUESTION_INERTIA) return (size_t)c->index[k / m] * n + (size_t)c->index[k % m];
  return (size_t)c->index[k];
}

static double length(const double v[3])
{
  return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// The sum of the lengths of all links.
static double lengths(const lwRobotDef* robot)
{
  double sum = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    sum += fabs(joint->a) + fabs(joint->d) + length(joint->xyz) + length(joint->link.com);
  }
  return sum;
}

// Compares with the oracle on the whole robot: 32 n eps size, as between two methods
// (tests/kernels/test_agreement.c). For poses and Jacobians the size includes the lengths of all
// links, because canonical origins may slide along axes (tests/answer/test_frames.c).
static void check_question(const Case* c, lwQuestion question, const lwStates* state)
{
  double q[MAX_DOF], qd[MAX_DOF], qdd[MAX_DOF];
  int n          = lw_model_dof(c->robot->model);
  size_t outputs = lw_question_outputs(c->locked, question);
  size_t whole   = lw_question_outputs(c->robot->model, question);
  double *all = numbers(whole), *size = numbers(whole);
  double *expected = numbers(outputs), *sizes = numbers(outputs);
  lwWorkspace* ws = work_with(c->locked, -1, LW_PRECISION_DOUBLE);
  double* got     = answer(c->locked, ws, question, state);
  expand(c, state->q, c->q, q);
  expand(c, state->qd, NULL, qd);
  expand(c, state->qdd, NULL, qdd);
  lwStates full = {q, qd, qdd, NULL, state->wrench};
  reference_answer(&c->robot->def, question, &full, all, size);
  bool places = question == LW_QUESTION_POSE || question == LW_QUESTION_JACOBIAN;
  for (size_t k = 0; k < outputs; ++k)
  {
    expected[k] = all[entry(c, question, k)];
    sizes[k]    = size[entry(c, question, k)] + (places ? lengths(&c->robot->def) : 0);
  }
  Trial trial = {.seed = c->robot->seed, .n = n, .question = question, .variant = "locked"};
  trial.state = &full;
  check_close(&trial, got, expected, sizes, 32 * (n + 1) * DBL_EPSILON, outputs);
  lw_workspace_destroy(ws);
  free(all);
  free(size);
  free(expected);
  free(sizes);
  free(got);
}

static void check_robot(uint64_t seed)
{
  static const lwQuestion questions[] = {
      LW_QUESTION_INVERSE,  LW_QUESTION_INERTIA, LW_QUESTION_GRAVITY, LW_QUESTION_BIAS,
      LW_QUESTION_CORIOLIS, LW_QUESTION_ENERGY,  LW_QUESTION_POSE,    LW_QUESTION_JACOBIAN};
  Robot* robot    = any_robot(seed);
  lwRandom random = {seed + 5};
  Case c          = {.robot = robot};
  lwDiag* diag    = lw_diag_create();
  choose(&c, &random);
  assert_int_equal(lw_model_create(&robot->def, &c.options, diag, &c.locked), LW_OK);
  assert_int_equal(lw_diag_size(diag), 0);
  assert_int_equal(lw_model_dof(c.locked), c.options.joints.free_count);
  for (int k = 0; k < c.options.joints.free_count; ++k)  // in the robot's order, not the list's
    assert_int_equal(lw_model_joint(c.locked, k), lw_model_joint(robot->model, c.index[k]));
  States states = random_states(seed, c.locked, 2);
  for (int row = 0; row < states.count; ++row)
  {
    lwStates state = state_row(&states, c.locked, row);
    for (size_t k = 0; k < sizeof questions / sizeof *questions; ++k)
      check_question(&c, questions[k], &state);
  }
  states_free(&states);
  lw_diag_destroy(diag);
  lw_model_destroy(c.locked);
  robot_free(robot);
}

static void locked_robots_follow_the_whole(void** unused)
{
  (void)unused;
  check_worst();
  for (uint64_t seed = 1; seed <= 150; ++seed) check_robot(seed);
  print_message("  largest error %.2g of the bound\n", check_worst());
}

// --- one joint

static void limits_friction_and_motor_vanish(void** unused)
{
  (void)unused;
  lwJointDef joint = lw_joint_def(), none = lw_joint_def();
  joint.theta       = 0.25;
  joint.d           = 2;
  joint.limits      = (lwLimits){-1, 1, 2, 3, 4, 5};
  joint.friction    = (lwFriction){1, 2};
  joint.motor.given = true;
  joint.link.mass   = 3;
  lw_joint_def_lock(&joint, 0.5);
  assert_int_equal(joint.type, LW_JOINT_FIXED);
  assert_same(joint.theta, 0.75);
  assert_same(joint.d, 2);
  assert_same(joint.link.mass, 3);
  assert_memory_equal(&joint.limits, &none.limits, sizeof none.limits);
  assert_same(joint.friction.viscous, 0);
  assert_same(joint.friction.coulomb, 0);
  assert_false(joint.motor.given);
  assert_true(joint.locked.given);
  assert_false(joint.locked.slides);
  assert_same(joint.locked.q, 0.5);
  lw_joint_def_lock(&joint, 4);  // already fixed
  assert_same(joint.theta, 0.75);
  assert_same(joint.locked.q, 0.5);

  joint      = lw_joint_def();
  joint.type = LW_JOINT_PRISMATIC;
  joint.d    = 2;
  lw_joint_def_lock(&joint, 0.5);
  assert_same(joint.d, 2.5);
  assert_same(joint.theta, 0);
  assert_true(joint.locked.slides);
}

// --- refusals

static Robot* arm(void)
{
  static const char* const names[] = {"waist", "lift", "wrist", "flange"};
  static const lwJointType types[] = {LW_JOINT_REVOLUTE, LW_JOINT_PRISMATIC, LW_JOINT_REVOLUTE,
                                      LW_JOINT_FIXED};
  Robot* robot                     = robot_start();
  lwRandom random                  = {3};
  for (int i = 0; i < 4; ++i)
  {
    lwJointDef* joint = robot_add(robot, types[i], i - 1);
    joint->name       = names[i];
    joint->limits     = (lwLimits){-1, 1, INFINITY, INFINITY, INFINITY, INFINITY};
    joint->a          = 0.3;
    random_link(&random, &joint->link);
  }
  robot->joints[3].limits = lw_joint_def().limits;
  robot->def.file         = "arm.yaml";
  robot_build(robot);
  return robot;
}

// Checks the message and status of a refused request.
static void check_refused(lwModelOptions options, lwStatus expected, const char* text)
{
  Robot* robot    = arm();
  lwDiag* diag    = lw_diag_create();
  lwModel* model  = NULL;
  char said[800]  = "";
  lwStatus status = lw_model_create(&robot->def, &options, diag, &model);
  if (lw_diag_size(diag) > 0) lw_message_format(lw_diag_message(diag, 0), said, sizeof said);
  if (status != expected || !strstr(said, text) || (model != NULL) != (status == LW_OK))
    fail_msg("status %d, '%s' instead of %d, '%s'", status, said, expected, text);
  lw_model_destroy(model);
  lw_diag_destroy(diag);
  robot_free(robot);
}

static void requests_are_checked(void** unused)
{
  (void)unused;
  const char *one[] = {"waist"}, *unknown[] = {"wast"}, *odd[] = {"xxxxxxxx"};
  const char *fixed[] = {"flange"}, *twice[] = {"waist", "wrist", "waist"};
  const lwHold both = {"waist", 0, false}, missing = {"lifd", 0, false}, no = {"wrist", NAN, false};
  const lwHold tilted = {"lift", 0.1, true}, far = {"wrist", 1.5, false};
  const lwHold same[]       = {{"wrist", 0, false}, {"wrist", 0.1, false}};
  const lwModelOptions hold = {.joints.free = one, .joints.free_count = 1, .joints.hold_count = 1};
  lwModelOptions with       = hold;
  check_refused(
      (lwModelOptions){.joints.free = unknown, .joints.free_count = 1}, LW_ERROR_LOCK,
      "arm.yaml: error: there is no joint 'wast' to be free\n  hint: did you mean 'waist'?");
  check_refused((lwModelOptions){.joints.free = odd, .joints.free_count = 1}, LW_ERROR_LOCK,
                "hint: moving joints: waist, lift, wrist\n");
  check_refused((lwModelOptions){.joints.free = fixed, .joints.free_count = 1}, LW_ERROR_LOCK,
                "joint 'flange' is fixed, expected a moving joint to be free");
  check_refused((lwModelOptions){.joints.free = twice, .joints.free_count = 3}, LW_ERROR_LOCK,
                "joint 'waist' is named twice");
  check_refused((lwModelOptions){.joints.free = one}, LW_ERROR_LOCK, "no joint is to stay free");
  with.joints.holds = &both;
  check_refused(with, LW_ERROR_LOCK, "joint 'waist' is to be held and to stay free");
  check_refused((lwModelOptions){.joints.holds = &both, .joints.hold_count = 1}, LW_ERROR_LOCK,
                "no joint is to stay free");
  with.joints.holds = &missing;
  check_refused(with, LW_ERROR_LOCK, "no joint 'lifd' to be held\n  hint: did you mean 'lift'?");
  with.joints.holds = &no;
  check_refused(with, LW_ERROR_LOCK, "expected a finite number");
  with.joints.holds = &tilted;
  check_refused(with, LW_ERROR_LOCK, "joint 'lift' slides and cannot be held at an angle");
  with.joints.holds = &far;
  check_refused(with, LW_OK,
                "warning: joint 'wrist': held at 1.5 rad, outside its limits (-1 to 1)");
  with.lint.strict = true;
  check_refused(with, LW_ERROR_LOCK, "error: joint 'wrist': held at 1.5 rad");
  with              = hold;
  with.joints.holds = same, with.joints.hold_count = 2;
  check_refused(with, LW_ERROR_LOCK, "joint 'wrist' is named twice");
}

// A joint that moves no inertia may be held.
static void inert_joints_may_be_held(void** unused)
{
  (void)unused;
  Robot* robot      = robot_start();
  lwRandom random   = {9};
  const char* one[] = {"j1"};
  lwModel* model    = NULL;
  random_link(&random, &robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE)->link);
  robot_add(robot, LW_JOINT_REVOLUTE, 0);
  assert_int_equal(lw_model_create(&robot->def, NULL, NULL, &model), LW_ERROR_INPUT);
  const lwModelOptions options = {.joints.free = one, .joints.free_count = 1};
  assert_int_equal(lw_model_create(&robot->def, &options, NULL, &model), LW_OK);
  assert_int_equal(lw_model_dof(model), 1);
  lw_model_destroy(model);
  robot_free(robot);
}

// Joints that mimic a held joint are fixed accordingly, also in chains against the file's order;
// those that mimic a free joint still follow it.
static void followers_stand_where_their_leader_puts_them(void** unused)
{
  (void)unused;
  Robot* robot         = robot_start();
  lwRandom random      = {4};
  const char* free[]   = {"j2"};
  const char * not []  = {"j4"};
  const lwHold holds[] = {{"j5", 0.5, false}}, follower = {"j1", 0, false};
  // 1 follows 4 follows 5; 3 follows 2; 6 follows 1
  const int leader[] = {3, -1, 1, 4, -1, 0};
  for (int i = 0; i < 6; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 3 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    if (leader[i] >= 0) joint->mimic = (lwMimic){true, leader[i], i + 2, 0.25};
    joint->a = 0.1;
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  lwModelOptions options = {
      .joints.free = free, .joints.free_count = 1, .joints.holds = holds, .joints.hold_count = 1};
  lwModel* model = NULL;
  assert_int_equal(lw_model_create(&robot->def, &options, NULL, &model), LW_OK);
  const lwJointDef* joints = lw_model_robot(model)->joints;
  assert_int_equal(lw_model_dof(model), 1);
  assert_int_equal(joints[2].type, LW_JOINT_REVOLUTE);
  assert_true(joints[2].mimic.given);
  assert_false(joints[1].locked.given);
  assert_same(joints[4].locked.q, 0.5);
  assert_same(joints[3].locked.q, 5 * 0.5 + 0.25);
  assert_true(joints[3].locked.slides);
  assert_same(joints[0].locked.q, 2 * 2.75 + 0.25);
  assert_same(joints[5].locked.q, 7 * 5.75 + 0.25);
  assert_false(joints[5].mimic.given);

  const double q[] = {0.3, 0.5}, at[] = {0.3};  // of joints 2 and 5; of joint 2
  double p[3], R[9], whole[3], turned[9];
  lwWorkspace* ws  = work_with(model, -1, LW_PRECISION_DOUBLE);
  lwWorkspace* all = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  lw_pose(model, ws, at, p, R);
  lw_pose(robot->model, all, q, whole, turned);
  for (int k = 0; k < 3; ++k) assert_closer(p[k], whole[k], 1e-13);
  for (int k = 0; k < 9; ++k) assert_closer(R[k], turned[k], 1e-13);
  lw_workspace_destroy(ws);
  lw_workspace_destroy(all);
  lw_model_destroy(model);

  options.joints.free = not ;
  assert_int_equal(lw_model_create(&robot->def, &options, NULL, &model), LW_ERROR_LOCK);
  options.joints.free_mimics = true;
  assert_int_equal(lw_model_create(&robot->def, &options, NULL, &model), LW_OK);
  lw_model_destroy(model);
  options =
      (lwModelOptions){.joints.free = free, .joints.free_count = 1, .joints.holds = &follower};
  options.joints.hold_count = 1;
  assert_int_equal(lw_model_create(&robot->def, &options, NULL, &model), LW_ERROR_LOCK);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locked_robots_follow_the_whole),
      cmocka_unit_test(limits_friction_and_motor_vanish),
      cmocka_unit_test(requests_are_checked),
      cmocka_unit_test(inert_joints_may_be_held),
      cmocka_unit_test(followers_stand_where_their_leader_puts_them),
  };
  return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
