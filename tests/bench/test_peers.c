// SPDX-License-Identifier: MIT
// Peers get the same robot: converted back to a model, it gives the same torques.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/transform.h"
#include "peer_robot.h"
#include "support/check.h"
#include "support/testing.h"

static lwJointDef joint_again(const PeerJoint* from, const char* name)
{
  lwJointDef joint  = lw_joint_def();
  lwTransform place = lw_identity;
  for (int i = 0; i < 9; ++i) place.R[i / 3][i % 3] = from->R[i];
  joint.name      = name;
  joint.type      = from->slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
  joint.parent    = from->parent;
  joint.placement = LW_PLACEMENT_ORIGIN_AXIS;
  joint.axis[0] = joint.axis[1] = 0;
  joint.axis[2]                 = 1;
  joint.link.mass               = from->mass;
  lw_rpy(&place, joint.rpy);
  for (int k = 0; k < 3; ++k) joint.xyz[k] = from->p[k], joint.link.com[k] = from->com[k];
  for (int k = 0; k < 6; ++k) joint.link.inertia[k] = from->inertia[k];
  return joint;
}

static lwModel* model_again(const PeerRobot* told)
{
  lwModel* model         = NULL;
  lwRobotDef robot       = lw_robot_def();
  lwModelOptions options = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwJointDef* joints     = calloc((size_t)told->n, sizeof *joints);
  char(*names)[16]       = calloc((size_t)told->n, sizeof *names);
  for (int i = 0; i < told->n; ++i)
  {
    snprintf(names[i], sizeof names[i], "j%d", i);
    joints[i] = joint_again(&told->joints[i], names[i]);
  }
  robot.name   = "told";
  robot.count  = told->n;
  robot.joints = joints;
  for (int k = 0; k < 3; ++k) robot.gravity[k] = told->gravity[k];
  assert_int_equal(lw_model_create(&robot, &options, NULL, &model), LW_OK);
  free(joints);
  free(names);
  return model;
}

// 1e-11 of the largest torque: inertias are shifted to the origin and back, and roll and yaw lose
// digits near pitch 90 deg.
static void compare(const lwModel* model, uint64_t seed)
{
  PeerRobot told;
  assert_true(peer_robot_make(model, &told));
  assert_int_equal(told.n, lw_model_dof(model));
  lwModel* again     = model_again(&told);
  States states      = random_states(seed, model, 1);
  lwStates state     = states.rows;
  state.wrench       = NULL;  // without fixed joints the last link is a different one
  lwWorkspace *ws    = work_with(model, -1, LW_PRECISION_DOUBLE),
              *other = work_with(again, -1, LW_PRECISION_DOUBLE);
  double *expected   = answer(model, ws, LW_QUESTION_INVERSE, &state),
         *got        = answer(again, other, LW_QUESTION_INVERSE, &state);
  double largest     = 0;
  double* size       = numbers((size_t)told.n);
  for (int i = 0; i < told.n; ++i) largest = fmax(largest, fabs(expected[i]));
  for (int i = 0; i < told.n; ++i) size[i] = largest;
  Trial trial = {.seed = seed, .n = told.n, .question = LW_QUESTION_INVERSE, .state = &state};
  check_close(&trial, got, expected, size, 1e-11, (size_t)told.n);
  free(size);
  free(expected);
  free(got);
  lw_workspace_destroy(ws);
  lw_workspace_destroy(other);
  states_free(&states);
  peer_robot_free(&told);
  lw_model_destroy(again);
}

static void peers_are_told_the_robot(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; ++seed)
  {
    Robot* robot = any_robot(seed);
    compare(robot->model, seed);
    robot_free(robot);
  }
}

static void peers_are_told_the_arms_of_the_race(void** unused)
{
  (void)unused;
  lwModel *puma = NULL, *panda = NULL;
  assert_int_equal(peer_puma_create(&puma), LW_OK);
  assert_int_equal(peer_panda_create(&panda), LW_OK);
  assert_int_equal(lw_model_dof(puma), 6);
  assert_int_equal(lw_model_dof(panda), 7);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k)
      assert_different(lw_model_robot(puma)->joints[i].link.inertia[k], 0);
  compare(puma, 1);
  compare(panda, 2);
  lw_model_destroy(puma);
  lw_model_destroy(panda);
}

// A Stewart platform in the form for peers: bodies, degrees of freedom and pins as in the file.
static void linkage_is_told_as_it_is(void** unused)
{
  (void)unused;
  lwModel* model;
  PeerLinkage told;
  assert_int_equal(peer_stewart_create(&model), LW_OK);
  assert_true(peer_linkage_make(model, &told));
  const lwRobotDef* robot = lw_model_robot(model);
  int moves = 0, balls = 0;
  assert_int_equal(told.bodies, 13);
  assert_int_equal(told.pins, 5);
  for (int i = 0; i < told.bodies; ++i)
  {
    const PeerBody* body = &told.body[i];
    moves += body->moves > 0 ? body->moves : 3;
    balls += body->moves < 0;
    assert_same(body->mass, robot->joints[i].link.mass);
    assert_int_equal(body->parent, robot->joints[i].parent);
    assert_int_equal(lw_model_position(model, body->q).joint, i);
    assert_int_equal(lw_model_velocity(model, body->v).joint, i);
    if (body->q > 0) assert_int_not_equal(lw_model_position(model, body->q - 1).joint, i);
  }
  assert_int_equal(moves, told.dof);
  assert_int_equal(balls, 1);
  for (int k = 0; k < told.pins; ++k)
    for (int i = 0; i < 3; ++i) assert_same(told.pin[k].at[1][i], robot->loops[k].second.xyz[i]);
  peer_linkage_free(&told);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(linkage_is_told_as_it_is),
                                     cmocka_unit_test(peers_are_told_the_robot),
                                     cmocka_unit_test(peers_are_told_the_arms_of_the_race)};
  return cmocka_run_group_tests_name("peers", tests, NULL, NULL);
}
