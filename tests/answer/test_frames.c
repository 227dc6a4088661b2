// SPDX-License-Identifier: MIT
// Pose and Jacobian of any frame: every link of random robots and the base, with and without an
// offset.
//
// Bound on the difference from the oracle (support/world.h): C n eps size, where size is the path
// length along the links and the offset plus twice the robot's reach, because the library works
// relative to the first moving joint and slides the origins of links along their axes towards the
// next one (model/canonical.c). n is increased by one for the offset.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"
#include "support/world.h"

static const double C = 4;

static lwFrame random_frame(lwRandom* random, int joint, bool offset)
{
  lwFrame frame = {.joint = joint};
  for (int k = 0; k < 3 && offset; ++k) frame.xyz[k] = lw_random_between(random, -1, 1);
  for (int k = 0; k < 3 && offset; ++k) frame.rpy[k] = lw_random_between(random, -4, 4);
  return frame;
}

// The longest path along the links to an origin or a centre of mass.
static double reach(const World* world)
{
  double most = 0;
  for (int i = 0; i < world->robot->count; ++i)
    most = fmax(most, fmax(world->bodies[i].way_origin, world->bodies[i].way_c));
  return most;
}

// Size of the terms that a position is summed from.
static double place_size(const World* world, const Body* seen)
{
  return seen->way_origin + 2 * reach(world);
}

static void expect_pose(const World* world, const Body* seen, double out[12], double size[12])
{
  for (int k = 0; k < 3; ++k) out[k] = seen->p[k];
  for (int k = 0; k < 3; ++k) size[k] = place_size(world, seen);
  for (int k = 0; k < 9; ++k) out[3 + k] = seen->R[k / 3][k % 3];
  for (int k = 0; k < 9; ++k) size[3 + k] = 1;
}

static void expect_jacobian(const World* world, const Body* seen, double* J, double* size)
{
  int n = world->n;
  memset(J, 0, 6 * (size_t)n * sizeof *J);
  memset(size, 0, 6 * (size_t)n * sizeof *size);
  for (int k = seen->parent; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    double column[6];
    if (joint->moving < 0) continue;
    point_jacobian(joint, seen->p, column, column + 3);
    for (int row = 0; row < 6; ++row)
    {
      bool arm                      = row < 3 && !joint->slides;
      J[row * n + joint->moving]    = column[row];
      size[row * n + joint->moving] = arm ? place_size(world, seen) : 1;
    }
  }
}

typedef struct
{
  const Robot* robot;
  lwWorkspace* ws;
  lwPrecision precision;
  const States* states;
  lwFrame frame;
} Case;

static void check_question(const Case* c, lwQuestion question, int row)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, question);
  lwStates state       = state_row(c->states, model, row);
  World world          = world_create(&c->robot->def, state.q, NULL, NULL);
  Body seen            = world_frame(&world, &c->frame);
  double* expected     = numbers(outputs);
  double* size         = numbers(outputs);
  double* got          = answer(model, c->ws, question, &state);
  char variant[60];
  snprintf(variant, sizeof variant, "joint %d, %s, %s", c->frame.joint,
           c->precision ? "float" : "double", c->frame.xyz[0] != 0 ? "offset" : "no offset");
  (question == LW_QUESTION_POSE ? expect_pose : expect_jacobian)(&world, &seen, expected, size);
  double eps  = c->precision == LW_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
  Trial trial = {.seed = c->robot->seed, .n = world.n, .question = question, .variant = variant};
  trial.state = &state;
  check_close(&trial, got, expected, size, C * (world.n + 1) * eps, outputs);
  free(expected);
  free(size);
  free(got);
  world_free(&world);
}

// All states in lanes give the same bits as one by one.
static void check_lanes(const Case* c, lwQuestion question)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, question);
  double* many         = numbers(outputs * (size_t)c->states->count);
  Trial trial          = {.seed = c->robot->seed, .n = lw_model_dof(model), .question = question};
  trial.variant        = "lanes";
  lw_answer_many(model, c->ws, question, c->states->count, &c->states->rows, many);
  for (int row = 0; row < c->states->count; ++row)
  {
    lwStates state = state_row(c->states, model, row);
    double* one    = answer(model, c->ws, question, &state);
    check_equal(&trial, many + (size_t)row * outputs, one, outputs);
    free(one);
  }
  free(many);
}

static void check_frame(Case* c, const lwFrame* frame)
{
  c->frame = *frame;
  assert_int_equal(lw_workspace_set_frame(c->ws, c->robot->model, frame, NULL), LW_OK);
  for (int row = 0; row < c->states->count; ++row)
  {
    check_question(c, LW_QUESTION_POSE, row);
    check_question(c, LW_QUESTION_JACOBIAN, row);
  }
  check_lanes(c, LW_QUESTION_POSE);
  check_lanes(c, LW_QUESTION_JACOBIAN);
}

static void check_robot(uint64_t seed, lwPrecision precision)
{
  Robot* robot    = any_robot(seed);
  States states   = random_states(seed, robot->model, 5);
  lwRandom random = {seed + 77};
  Case c          = {robot, work_with(robot->model, -1, precision), precision, &states, {0}};
  for (int joint = LW_BASE; joint < robot->def.count; ++joint)
    for (int offset = 0; offset < 2; ++offset)
    {
      lwFrame frame = random_frame(&random, joint, offset);
      check_frame(&c, &frame);
    }
  lw_workspace_destroy(c.ws);
  states_free(&states);
  robot_free(robot);
}

static void frames_follow_the_oracle(void** unused)
{
  (void)unused;
  check_worst();
  for (uint64_t seed = 1; seed <= 60; ++seed) check_robot(seed, LW_PRECISION_DOUBLE);
  print_message("  double: largest error %.2g of the bound\n", check_worst());
  for (uint64_t seed = 1; seed <= 30; ++seed) check_robot(seed, LW_PRECISION_SINGLE);
  print_message("  float: largest error %.2g of the bound\n", check_worst());
}

// The pose of the base is exact, and its Jacobian is zero.
static void base_is_exact(void** unused)
{
  (void)unused;
  Robot* robot        = any_robot(5);
  States states       = random_states(5, robot->model, 1);
  lwWorkspace* ws     = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  const lwFrame frame = {.joint = LW_BASE, .xyz = {0.1, 0.2, 0.3}, .rpy = {0, 0, 0}};
  double p[3], R[9];
  assert_int_equal(lw_workspace_set_frame(ws, robot->model, &frame, NULL), LW_OK);
  lw_pose(robot->model, ws, states.q, p, R);
  for (int k = 0; k < 3; ++k) assert_same(p[k], frame.xyz[k]);
  for (int k = 0; k < 9; ++k) assert_same(R[k], k % 4 == 0);
  double* J = answer(robot->model, ws, LW_QUESTION_JACOBIAN, &states.rows);
  for (int k = 0; k < 6 * lw_model_dof(robot->model); ++k) assert_same(J[k], 0);
  free(J);
  lw_workspace_destroy(ws);
  states_free(&states);
  robot_free(robot);
}

// NULL selects the last link again; a refused frame changes nothing; the wrench stays on its link.
static void frames_are_set_and_reset(void** unused)
{
  (void)unused;
  Robot* robot         = any_robot(8);
  const lwModel* model = robot->model;
  States states        = random_states(8, model, 1);
  lwWorkspace* fresh   = work_with(model, -1, LW_PRECISION_DOUBLE);
  lwWorkspace* ws      = work_with(model, -1, LW_PRECISION_DOUBLE);
  Trial trial          = {.seed = 8, .n = lw_model_dof(model), .question = LW_QUESTION_POSE};
  double *first = answer(model, fresh, LW_QUESTION_POSE, &states.rows), *tau = NULL, *again = NULL;
  const lwFrame last = {.joint = robot->def.count - 1}, moved = {.joint = 0, .xyz = {1, 2, 3}};
  const lwFrame bad[] = {{.joint = -2},
                         {.joint = robot->def.count},
                         {.joint = 0, .xyz = {0, NAN, 0}},
                         {.joint = 0, .rpy = {0, 0, INFINITY}}};
  assert_int_equal(lw_workspace_set_frame(ws, model, &moved, NULL), LW_OK);
  tau   = answer(model, ws, LW_QUESTION_INVERSE, &states.rows);
  again = answer(model, fresh, LW_QUESTION_INVERSE, &states.rows);
  check_equal(&trial, tau, again, (size_t)trial.n);
  free(tau);
  free(again);
  assert_int_equal(lw_workspace_set_frame(ws, model, &last, NULL), LW_OK);
  for (int k = 0; k < 5; ++k)
  {
    again = answer(model, ws, LW_QUESTION_POSE, &states.rows);
    check_equal(&trial, again, first, 12);
    free(again);
    if (k < 4) assert_int_equal(lw_workspace_set_frame(ws, model, &bad[k], NULL), LW_ERROR_FRAME);
  }
  assert_int_equal(lw_workspace_set_frame(ws, model, &moved, NULL), LW_OK);
  assert_int_equal(lw_workspace_set_frame(ws, model, NULL, NULL), LW_OK);
  again = answer(model, ws, LW_QUESTION_POSE, &states.rows);
  check_equal(&trial, again, first, 12);
  free(again);
  free(first);
  lw_workspace_destroy(ws);
  lw_workspace_destroy(fresh);
  states_free(&states);
  robot_free(robot);
}

// Link names come first, then the base, then joints; "base" is the base unless a link has that
// name.
static void links_are_found_by_name(void** unused)
{
  (void)unused;
  static const char* const links[] = {"hand", "upper", NULL,
                                      "j2"};  // NULL: named after its joint, j3
  Robot* robot                     = robot_start();
  lwRandom random                  = {6};
  int found                        = 7;
  for (int i = 0; i < 4; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 3 ? LW_JOINT_FIXED : LW_JOINT_REVOLUTE, i - 1);
    random_link(&random, &joint->link);
    joint->a         = 0.2;
    joint->link.name = links[i];
  }
  robot_build(robot);
  const struct
  {
    const char* name;
    int joint;
  } expected[] = {{"hand", 0}, {"upper", 1}, {"j3", 2},        {"j2", 3},
                  {"j1", 0},   {"j4", 3},    {"base", LW_BASE}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
  {
    assert_int_equal(lw_model_find_link(robot->model, expected[k].name, &found), LW_OK);
    assert_int_equal(found, expected[k].joint);
  }
  assert_int_equal(lw_model_find_link(robot->model, "Hand", &found), LW_ERROR_FRAME);
  assert_int_equal(lw_model_find_link(robot->model, "", &found), LW_ERROR_FRAME);
  lw_model_destroy(robot->model);
  robot->joints[0].link.name = "base";
  robot->def.base.name       = "ground";
  robot_build(robot);
  assert_int_equal(lw_model_find_link(robot->model, "base", &found), LW_OK);
  assert_int_equal(found, 0);
  assert_int_equal(lw_model_find_link(robot->model, "ground", &found), LW_OK);
  assert_int_equal(found, LW_BASE);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_follow_the_oracle),
      cmocka_unit_test(base_is_exact),
      cmocka_unit_test(frames_are_set_and_reset),
      cmocka_unit_test(links_are_found_by_name),
  };
  return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
