// SPDX-License-Identifier: MIT
// All methods are the same rational functions, on random structures: chains and trees, revolute and prismatic joints.
#include "robots.h"
#include "testing.h"

#include "linkwork/proof.h"

static void expect_proof(const lwModel* model, uint64_t seed)
{
  lwProof* proof;
  lwProofDef def = lw_proof_def();
  def.seed       = seed;
  assert_int_equal(lw_proof_create(model, &def, &proof), LW_OK);
  assert_greater(lw_proof_count(proof), 30);
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const lwIdentity* identity = lw_proof_identity(proof, i);
    if (!identity->holds)
      fail_msg("seed %d, %s: %s = %s fails at point %d, entry %d", (int)seed, identity->about,
               identity->left, identity->right, identity->witness, identity->entry);
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
    expect_proof(robot->model, seed);
    robot_free(robot);
  }
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
      cmocka_unit_test(points_must_be_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
