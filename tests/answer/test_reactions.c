// SPDX-License-Identifier: MIT
// Reactions, beyond the comparison with the oracle's free bodies in test_agreement.c: in base axes
// they are those in link axes rotated by the link's pose; lanes give the same bits; fixed joints on
// the base have reactions, too.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/testing.h"
#include "support/world.h"

enum
{
  ROBOTS = 100,
  STATES = 5
};

static lwWorkspace* work_in(const lwModel* model, lwAxes axes)
{
  lwWorkspace* ws;
  lwWorkspaceDef def = lw_workspace_def();
  def.axes           = axes;
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  return ws;
}

static double length_of(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// v_base = R v_link up to rounding of a few successive rotations: 16 n eps of the largest reaction
// of the robot, because larger vectors may have cancelled.
static void check_axes(const Robot* robot, const World* world, const double* link,
                       const double* base)
{
  double most = 0;
  for (int i = 0; i < 2 * robot->def.count; ++i) most = fmax(most, length_of(link + 3 * i));
  for (int i = 0; i < 2 * robot->def.count; ++i)
  {
    double turned[3];
    matvec3(world->bodies[i / 2].R, link + 3 * i, turned);
    for (int k = 0; k < 3; ++k)
      assert_near(base[3 * i + k], turned[k], 16 * (world->n + 1) * DBL_EPSILON * most);
  }
}

static void base_axes_are_those_of_the_base(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot      = any_robot(seed);
    States states     = random_states(seed, robot->model, 1);
    lwWorkspace* ws[] = {work_in(robot->model, LW_AXES_LINK), work_in(robot->model, LW_AXES_BASE)};
    double* link      = answer(robot->model, ws[0], LW_QUESTION_REACTIONS, &states.rows);
    double* base      = answer(robot->model, ws[1], LW_QUESTION_REACTIONS, &states.rows);
    World world       = world_create(&robot->def, states.q, NULL, NULL);
    check_axes(robot, &world, link, base);
    world_free(&world);
    free(link);
    free(base);
    lw_workspace_destroy(ws[0]);
    lw_workspace_destroy(ws[1]);
    states_free(&states);
    robot_free(robot);
  }
}

// Both axes, both precisions; test_variants.c does it for link axes on every instruction set.
static void lanes_have_the_same_bits(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot       = any_robot(seed);
    States states      = random_states(seed, robot->model, STATES);
    size_t outputs     = lw_question_outputs(robot->model, LW_QUESTION_REACTIONS);
    double* many       = numbers(outputs * STATES);
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws;
    def.axes      = seed % 2 ? LW_AXES_BASE : LW_AXES_LINK;
    def.precision = seed % 3 ? LW_PRECISION_DOUBLE : LW_PRECISION_SINGLE;
    assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
    lw_answer_many(robot->model, ws, LW_QUESTION_REACTIONS, STATES, &states.rows, many);
    for (int row = 0; row < STATES; ++row)
    {
      lwStates state = state_row(&states, robot->model, row);
      double* one    = answer(robot->model, ws, LW_QUESTION_REACTIONS, &state);
      Trial trial    = {.seed = seed, .n = lw_model_dof(robot->model), .variant = "lanes"};
      check_equal(&trial, many + (size_t)row * outputs, one, outputs);
      free(one);
    }
    free(many);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// Answers in 113 bits agree with double for all frames, up to rounding of the robot's largest
// reaction.
static void quad_agrees(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot    = any_robot(seed);
    States states   = random_states(seed, robot->model, 1);
    size_t outputs  = lw_question_outputs(robot->model, LW_QUESTION_REACTIONS);
    lwWorkspace* ws = work_in(robot->model, LW_AXES_LINK);
    lwQuad* exact   = calloc(outputs, sizeof *exact);
    double *got = answer(robot->model, ws, LW_QUESTION_REACTIONS, &states.rows), most = 0;
    lwQuadWorkspace* quad;
    assert_non_null(exact);
    assert_int_equal(lw_quad_workspace_create(robot->model, NULL, NULL, &quad), LW_OK);
    lw_quad_answer(quad, LW_QUESTION_REACTIONS, &states.rows, exact);
    for (size_t i = 0; i < outputs; ++i) most = fmax(most, fabs(exact[i].part[0]));
    for (size_t i = 0; i < outputs; ++i)
      assert_near(got[i], exact[i].part[0],
                  64 * (lw_model_dof(robot->model) + 1) * DBL_EPSILON * most);
    free(exact);
    free(got);
    lw_quad_workspace_destroy(quad);
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(robot);
  }
}

// A mast on a fixed flange of the base, beside an arm: 3 kg, centre of mass 1 m up and 0.5 m to the
// side.
static void fixed_joints_on_the_base(void** unused)
{
  (void)unused;
  Robot* robot       = robot_start();
  lwJointDef* arm    = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  lwJointDef* flange = robot_add(robot, LW_JOINT_FIXED, LW_BASE);
  lwJointDef* mast   = robot_add(robot, LW_JOINT_FIXED, 1);
  arm->link          = (lwLinkDef){.mass = 1, .com = {0, 0, 1}, .inertia = {1, 1, 1, 0, 0, 0}};
  arm->alpha         = 1;  // rotates the canonical base frame
  flange->placement = mast->placement = LW_PLACEMENT_ORIGIN_AXIS;
  flange->xyz[0]                      = 2;
  mast->xyz[2]                        = 0.25;
  flange->link                        = (lwLinkDef){.mass = 0};
  mast->link                          = (lwLinkDef){.mass = 3, .com = {0.5, 0, 1}};
  robot_build(robot);
  lwWorkspace* ws = work_in(robot->model, LW_AXES_LINK);
  double wrench[] = {10, 0, 0, 0, 0, 0}, q[] = {0.5}, all[18];
  const double* r = all + 6;
  lw_workspace_set_wrench(ws, wrench);
  lw_reactions(robot->model, ws, q, NULL, NULL, all);
  double g = -robot->def.gravity[2];
  for (int i = 0; i < 2; ++i)
  {
    assert_near(r[6 * i], -10, 1e-14);
    assert_near(r[6 * i + 2], 3 * g, 1e-13);
  }
  assert_near(r[4], -0.5 * 3 * g - 0.25 * 10,
              1e-13);  // at the flange, 0.25 m below the mast
  assert_near(r[10], -0.5 * 3 * g, 1e-13);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base_axes_are_those_of_the_base),
      cmocka_unit_test(lanes_have_the_same_bits),
      cmocka_unit_test(quad_agrees),
      cmocka_unit_test(fixed_joints_on_the_base),
  };
  return cmocka_run_group_tests_name("reactions", tests, NULL, NULL);
}
