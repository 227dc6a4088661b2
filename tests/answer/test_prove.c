// SPDX-License-Identifier: MIT
// Proves that all methods compute the same rational functions, on random structures: chains and
// trees, revolute and prismatic joints.
#include <math.h>
#include <string.h>

#include "robots.h"
#include "testing.h"

#include "linkwork/methods.h"
#include "linkwork/proof.h"

// Bound on the probability that a false identity holds at one random point.
static const double OVERLOOKED = 1e-6;

static lwProofDef proof_of_seed(uint64_t seed)
{
  lwProofDef def = lw_proof_def();
  def.seed       = seed;
  return def;
}

static void expect_proof(lwProof* proof, uint64_t seed)
{
  assert_greater(lw_proof_count(proof), 30);
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const lwIdentity* identity = lw_proof_identity(proof, i);
    if (!identity->holds)
      fail_msg("seed %d, %s: %s = %s fails at point %d, entry %d", (int)seed, identity->about,
               identity->left, identity->right, identity->witness, identity->entry);
    if (!(identity->probability < OVERLOOKED))
      fail_msg("seed %d, %s: %s = %s: degree %g, probability %g", (int)seed, identity->about,
               identity->left, identity->right, identity->degree, identity->probability);
  }
  lw_proof_destroy(proof);
}

static void methods_are_the_same_functions(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % 9);
    Robot* robot     = random_robot(seed, &style);
    lwProofDef def   = proof_of_seed(seed);
    lwProof* proof;
    assert_int_equal(lw_proof_create(robot->model, &def, &proof), LW_OK);
    expect_proof(proof, seed);
    robot_free(robot);
  }
}

// A floating base with two balls, a hinge and a slide: every kernel with wide joints, and every
// method with the chain of pieces, whose bounds are larger.
static void wide_joints_are_proven(void** state)
{
  (void)state;
  static const struct
  {
    lwJointType type;
    int parent;
  } joints[]      = {{LW_JOINT_FLOATING, LW_BASE},
                     {LW_JOINT_BALL, 0},
                     {LW_JOINT_REVOLUTE, 1},
                     {LW_JOINT_BALL, 0},
                     {LW_JOINT_PRISMATIC, 3}};
  lwRandom random = {5};
  Robot* robot    = robot_start();
  for (int i = 0; i < 5; ++i)
  {
    lwJointDef* joint = robot_add(robot, joints[i].type, joints[i].parent);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    joint->axis[2]    = 1;
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  lwProofDef def = proof_of_seed(3);
  lwProof* proof;
  int wide = 0;
  assert_int_equal(lw_proof_create(robot->model, &def, &proof), LW_OK);
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const lwIdentity* identity = lw_proof_identity(proof, i);
    bool is_wide               = strstr(identity->about, ", wide joints");
    wide += is_wide;
    if (!identity->holds || (is_wide && !(identity->probability < OVERLOOKED)))
      fail_msg("%s: %s = %s: degree %g", identity->about, identity->left, identity->right,
               identity->degree);
  }
  assert_greater(wide, 40);
  lw_proof_destroy(proof);
  robot_free(robot);
}

static void snake_methods_are_the_same_functions(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 8; ++seed)
  {
    int n                = 2 + (int)(seed / 2);
    lwSnakeLink links[8] = {{0}};
    for (int k = 0; k < n; ++k)
      links[k] = (lwSnakeLink){1, 1, 1, seed % 2 ? 0.1 : 0, INFINITY, -INFINITY, INFINITY};
    lwSnakeDef snake_def = lw_snake_def();
    snake_def.count      = n;
    snake_def.links      = links;
    lwProofDef def       = proof_of_seed(seed);
    lwSnake* snake;
    lwProof* proof;
    assert_int_equal(lw_snake_create(&snake_def, NULL, NULL, &snake), LW_OK);
    assert_int_equal(lw_proof_create_snake(snake, &def, &proof), LW_OK);
    expect_proof(proof, seed);
    lw_snake_destroy(snake);
  }
}

static bool is_about(const lwProof* proof, const char* question)
{
  size_t length = strlen(question);
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const char* about = lw_proof_identity(proof, i)->about;
    if (!strncmp(about, question, length) && (!about[length] || about[length] == ',')) return true;
  }
  return false;
}

// A question without an identity could be answered wrongly, and `prove` would not notice.
static void every_question_has_an_identity(void** state)
{
  (void)state;
  lwModel* model;
  lwProof* proof;
  assert_int_equal(lw_model_create_generic(3, &model), LW_OK);
  assert_int_equal(lw_proof_create(model, NULL, &proof), LW_OK);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const char* name = lw_question_info((lwQuestion)k)->name;
    if (!is_about(proof, name)) fail_msg("no identity is about the question '%s'", name);
  }
  lw_proof_destroy(proof);
  lw_model_destroy(model);
}

// So could one of several methods.
static void every_method_has_an_identity(void** state)
{
  (void)state;
  lwModel* model;
  lwProof* proof;
  assert_int_equal(lw_model_create_generic(3, &model), LW_OK);
  assert_int_equal(lw_proof_create(model, NULL, &proof), LW_OK);
  for (int m = 0; m < lw_method_count(); ++m)
  {
    const lwMethod* method = lw_method(m);
    const char* question   = lw_question_info(method->question)->name;
    bool named = false, alone = true;
    for (int k = 0; k < lw_method_count(); ++k)
      if (k != m && lw_method(k)->question == method->question) alone = false;
    for (int i = 0; i < lw_proof_count(proof); ++i)
    {
      const lwIdentity* identity = lw_proof_identity(proof, i);
      if (strcmp(identity->about, question)) continue;
      named =
          named || !strcmp(identity->left, method->name) || !strcmp(identity->right, method->name);
    }
    if (!named && !alone) fail_msg("no identity is about %s of %s", method->name, question);
  }
  lw_proof_destroy(proof);
  lw_model_destroy(model);
}

static void points_must_be_positive(void** state)
{
  (void)state;
  lwModel* model;
  lwProof* proof;
  lwProofDef def = lw_proof_def();
  def.points     = 0;
  assert_int_equal(lw_model_create_generic(3, &model), LW_OK);
  assert_int_equal(lw_proof_create(model, &def, &proof), LW_ERROR_INPUT);
  assert_null(proof);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_are_the_same_functions),
      cmocka_unit_test(wide_joints_are_proven),
      cmocka_unit_test(snake_methods_are_the_same_functions),
      cmocka_unit_test(every_question_has_an_identity),
      cmocka_unit_test(every_method_has_an_identity),
      cmocka_unit_test(points_must_be_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
