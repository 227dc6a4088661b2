// SPDX-License-Identifier: MIT
// Every method of the registry against the oracle, and so against every other method, on seeded
// random robots.
//
// Bound on an entry: C n eps size, where size is the sum of the absolute values of its terms
// (support/reference.h), n the number of moving joints and eps 2^-52. An algorithm that passes a
// quantity through n joints rounds it n times; C covers the few dozen operations per joint, and
// lengths that canonical frames add by sliding origins along axes. Forward dynamics solves
// M qdd = tau - bias: its residual has the same bound, its solution |M^-1| C n eps size.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

enum
{
#if defined(LW_TEST_SANITIZED)
  ROBOTS = 200,  // with sanitizers: slow, and the numbers are the same
#else
  ROBOTS = 1000,
#endif
  STATES = 7
};

static const double C = 32;

static void check_residual(const Trial* trial, const Robot* robot, const double* qdd)
{
  double* residual = numbers((size_t)trial->n);
  double* size     = numbers((size_t)trial->n);
  double* none     = numbers((size_t)trial->n);
  reference_residual(&robot->def, trial->state, qdd, residual, size);
  check_close(trial, residual, none, size, C * trial->n * DBL_EPSILON, (size_t)trial->n);
  free(residual);
  free(size);
  free(none);
}

// All methods that answer one question about one state.
static void check_question(const Robot* robot, lwWorkspace* const* works, Trial* trial)
{
  size_t count     = lw_question_outputs(robot->model, trial->question);
  double* expected = numbers(count);
  double* size     = numbers(count);
  reference_answer(&robot->def, trial->question, trial->state, expected, size);
  for (int i = -1; i < lw_method_count(); ++i)
  {
    if (!answers(i, trial->question)) continue;
    if (too_slow(i, robot->model) && robot->seed % 4) continue;  // every fourth robot is enough
    trial->method = method_name(i);
    double* got   = answer(robot->model, works[i + 1], trial->question, trial->state);
    check_close(trial, got, expected, size, C * trial->n * DBL_EPSILON, count);
    if (trial->question == LW_QUESTION_FORWARD) check_residual(trial, robot, got);
    free(got);
  }
  free(expected);
  free(size);
}

static void check_robot(const Robot* robot, lwQuestion question)
{
  int n               = lw_model_dof(robot->model);
  int count           = n > 12 ? 2 : STATES;
  lwWorkspace** works = calloc((size_t)lw_method_count() + 1, sizeof *works);
  assert_non_null(works);
  for (int i = -1; i < lw_method_count(); ++i)
    if (answers(i, question)) works[i + 1] = work_with(robot->model, i, LW_PRECISION_DOUBLE);
  States states = random_states(robot->seed, robot->model, count);
  for (int k = 0; k < count; ++k)
  {
    lwStates state = state_row(&states, robot->model, k);
    if (k % 2) state.wrench = NULL;
    Trial trial = {.seed = robot->seed, .n = n, .question = question, .state = &state};
    check_question(robot, works, &trial);
  }
  states_free(&states);
  for (int i = 0; i <= lw_method_count(); ++i) lw_workspace_destroy(works[i]);
  free(works);
}

static void check_all_robots(lwQuestion question)
{
  check_worst();
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot = any_robot(seed);
    check_robot(robot, question);
    robot_free(robot);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

#define QUESTION(name, question)                                                                   \
  static void name(void** unused)                                                                  \
  {                                                                                                \
    (void)unused;                                                                                  \
    check_all_robots(question);                                                                    \
  }

QUESTION(inverse, LW_QUESTION_INVERSE)
QUESTION(bias, LW_QUESTION_BIAS)
QUESTION(gravity, LW_QUESTION_GRAVITY)
QUESTION(coriolis, LW_QUESTION_CORIOLIS)
QUESTION(inertia, LW_QUESTION_INERTIA)
QUESTION(forward, LW_QUESTION_FORWARD)
// Trees whose branches follow one another: one vector holds columns of several branches.
static void inertia_of_trees_in_order(void** unused)
{
  (void)unused;
  int trees = 0;
  for (uint64_t seed = 1; seed <= 75; ++seed)
  {
    Robot* robot = tree_in_order(seed);
    assert_true(robot->model->depth_first);
    trees += !robot->model->chain;
    check_robot(robot, LW_QUESTION_INERTIA);
    robot_free(robot);
  }
  assert_greater(trees, 60);
}

QUESTION(energy, LW_QUESTION_ENERGY)
QUESTION(pose, LW_QUESTION_POSE)
QUESTION(jacobian, LW_QUESTION_JACOBIAN)
QUESTION(reactions, LW_QUESTION_REACTIONS)
QUESTION(gibbs, LW_QUESTION_GIBBS)
QUESTION(poses, LW_QUESTION_POSES)
QUESTION(velocities, LW_QUESTION_VELOCITIES)
QUESTION(accelerations, LW_QUESTION_ACCELERATIONS)
QUESTION(control, LW_QUESTION_CONTROL)

// The random robots have the intended variety.
static void variety(void** unused)
{
  (void)unused;
  int trees = 0, fixed = 0, sliding = 0, massless = 0, large = 0, single = 0, last_fixed = 0;
  bool placed[3] = {false};
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot = any_robot(seed);
    int n        = lw_model_dof(robot->model);
    trees += !lw_model_is_serial(robot->model);
    large += n > 20;
    single += n == 1;
    last_fixed += robot->joints[robot->def.count - 1].type == LW_JOINT_FIXED;
    for (int i = 0; i < robot->def.count; ++i)
    {
      const lwJointDef* joint = &robot->joints[i];
      fixed += joint->type == LW_JOINT_FIXED;
      sliding += joint->type == LW_JOINT_PRISMATIC;
      massless += joint->type != LW_JOINT_FIXED && joint->link.mass == 0;
      placed[joint->placement] = true;
    }
    robot_free(robot);
  }
  assert_greater(trees, ROBOTS / 10);
  assert_greater(fixed, ROBOTS / 4);
  assert_greater(sliding, ROBOTS);
  assert_greater(large, 10);
  assert_greater(single, 10);
  assert_greater(massless, 20);
  assert_greater(last_fixed, 10);
  assert_true(placed[0]);
  assert_true(placed[1]);
  assert_true(placed[2]);
}

// test_kernels_agreement [NAME]: all tests, or this one. CTest runs each by itself, so that after a
// change of a kernel only the questions that it answers need to be run.
int main(int count, char** arguments)
{
  if (count > 1) cmocka_set_test_filter(arguments[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variety),
      cmocka_unit_test(inverse),
      cmocka_unit_test(bias),
      cmocka_unit_test(gravity),
      cmocka_unit_test(coriolis),
      cmocka_unit_test(inertia),
      cmocka_unit_test(inertia_of_trees_in_order),
      cmocka_unit_test(forward),
      cmocka_unit_test(energy),
      cmocka_unit_test(pose),
      cmocka_unit_test(jacobian),
      cmocka_unit_test(reactions),
      cmocka_unit_test(gibbs),
      cmocka_unit_test(poses),
      cmocka_unit_test(velocities),
      cmocka_unit_test(accelerations),
      cmocka_unit_test(control),
  };
  return cmocka_run_group_tests_name("agreement of all methods", tests, NULL, NULL);
}
