// SPDX-License-Identifier: MIT
// 113-bit answers about robots with mimic joints, and about snakes.
//
// Bounds: in 113 bits, methods agree to 1e-24 of the largest entry (2e-34 times the condition of
// random robots), and with the answer in double to 1e-9.
#include <math.h>
#include <stdlib.h>

#include "linkwork/quad.h"
#include "support/check.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
  SEEDS = 12
};

static double largest(const lwQuad* values, size_t count)
{
  double most = 1e-300;
  for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(values[i].part[0]));
  return most;
}

static void quad_near(const char* what, const lwQuad* got, const lwQuad* expected, size_t count,
                      double factor)
{
  double size = largest(expected, count);
  for (size_t i = 0; i < count; ++i)
  {
    double gap = fabs(quad_difference(got[i], expected[i]));
    if (!(gap <= factor * size))
      fail_msg("%s, entry %zu: %.17g instead of %.17g, %.2g of the largest", what, i,
               got[i].part[0], expected[i].part[0], gap / size);
  }
}

static lwQuad* quad_answer(const lwModel* model, int method, lwQuestion question,
                           const lwStates* state)
{
  lwWorkspaceDef def = lw_workspace_def();
  if (method >= 0)
    lw_workspace_def_set_method(&def, lw_method(method)->question, lw_method(method)->name);
  lwQuadWorkspace* ws;
  if (lw_quad_workspace_create(model, &def, NULL, &ws) != LW_OK) return NULL;
  lwQuad* out = calloc(lw_question_outputs(model, question), sizeof *out);
  assert_non_null(out);
  lw_quad_answer(ws, question, state, out);
  lw_quad_workspace_destroy(ws);
  return out;
}

static void against_double(const lwModel* model, lwQuestion question, const lwStates* state,
                           const lwQuad* right)
{
  size_t count    = lw_question_outputs(model, question);
  lwWorkspace* ws = work_with(model, -1, LW_PRECISION_DOUBLE);
  double* got     = answer(model, ws, question, state);
  for (size_t i = 0; i < count; ++i)
    assert_near(got[i], right[i].part[0], 1e-9 * largest(right, count));
  free(got);
  lw_workspace_destroy(ws);
}

// Rotors add gear^2 times their inertia through their own joints: 3 kg at each of two slides, of
// which the first moves by k y, with rotors of 1 and 2 kg. ydd = tau / (k^2 (3 + 1) + 3 + 2).
static void rotors_of_mimic_joints(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  Robot* robot   = robot_start();
  const double k = -0.5, y = 0.25, tau = 7;
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint       = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
    joint->link.mass        = 3;
    joint->motor            = lw_joint_def().motor;
    joint->motor.given      = true;
    joint->motor.resistance = joint->motor.torque_constant = 1;
    joint->motor.gear                                      = 8;
    joint->motor.rotor_inertia                             = (i + 1) / 64.0;
  }
  robot->joints[0].mimic = (lwMimic){true, 1, k, 0};
  robot->def.gravity[2]  = 0;
  robot_build(robot);
  lwWorkspaceDef def = lw_workspace_def();
  def.rotors         = true;
  lwQuadWorkspace* ws;
  lwQuad ydd;
  assert_int_equal(lw_quad_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
  lw_quad_answer(ws, LW_QUESTION_FORWARD, &(lwStates){.q = &y, .tau = &tau}, &ydd);
  assert_near(ydd.part[0], tau / (k * k * (3 + 1) + 3 + 2), 2e-16);
  lw_quad_workspace_destroy(ws);
  robot_free(robot);
}

static void mimic_joints(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  int compared = 0;
  for (uint64_t seed = 1; seed <= SEEDS; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 4 + (int)(seed % 5);
    style.parallel   = 0;
    Robot* robot     = random_robot(seed, &style);
    robot_couple(robot, seed);
    const lwModel* model = robot->model;
    States states        = random_states(seed, model, 1);
    for (int q = 0; q < LW_QUESTION_COUNT; ++q)
    {
      lwQuestion question = (lwQuestion)q;
      lwQuad* right       = quad_answer(model, -1, question, &states.rows);
      assert_non_null(right);
      against_double(model, question, &states.rows, right);
      for (int i = 0; i < lw_method_count(); ++i)
      {
        lwQuad* got = answers(i, question) ? quad_answer(model, i, question, &states.rows) : NULL;
        if (!got) continue;  // articulated-body does not support mimic joints
        quad_near(method_name(i), got, right, lw_question_outputs(model, question), 1e-24);
        ++compared;
        free(got);
      }
      free(right);
    }
    states_free(&states);
    robot_free(robot);
  }
  assert_at_least(compared, SEEDS * 20);
}

static void snakes(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 1; seed <= SEEDS; ++seed)
  {
    int n              = 2 + (int)(seed % 6);
    lwSnake* snake     = random_snake(seed, n, 0.4);
    SnakeStates states = random_snake_states(seed, n, 1, 1);
    lwQuad found[2][64];
    for (int i = 0; i < lw_snake_method_count(); ++i)
    {
      lwSnakeWorkspaceDef def = lw_snake_workspace_def();
      def.method              = lw_snake_method(i)->name;
      lwQuad* to              = found[i > 0];
      double part[3][64];
      lwSnakeAnswers parts[3];
      for (int p = 0; p < 3; ++p)
        parts[p] =
            (lwSnakeAnswers){.udot = part[p], .lambda = part[p] + 2, .theta_ddot = part[p] + 2 + n};
      assert_int_equal(lw_quad_snake_answer(snake, &def, &states.rows, parts, NULL), LW_OK);
      for (int k = 0; k < 2 + 2 * n; ++k)
        for (int p = 0; p < 3; ++p) to[k].part[p] = part[p][k];
      if (i > 0) quad_near(def.method, to, found[0], 2 + 2 * (size_t)n, 1e-24);
    }
    lwSnakeWorkspace* ws = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
    double udot[2];
    lw_snake_answer(snake, ws, &states.rows, &(lwSnakeAnswers){.udot = udot});
    for (int k = 0; k < 2; ++k)
      assert_near(udot[k], found[0][k].part[0], 1e-9 * largest(found[0], 2));
    lw_snake_workspace_destroy(ws);
    snake_states_free(&states);
    lw_snake_destroy(snake);
  }
}

// A right angle about z: yaw is pi/2 to all 33 digits.
static void rotations(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  const lwQuad R[9] = {{{0}}, {{-1}}, {{0}}, {{1}}, {{0}}, {{0}}, {{0}}, {{0}}, {{1}}};
  lwQuad rpy[3], quaternion[4];
  char text[LW_QUAD_TEXT];
  lw_quad_rotation(R, rpy, quaternion);
  lw_quad_text(rpy[2], text);
  assert_string_equal(text, "1.57079632679489661923132169163975");
  lw_quad_text(quaternion[3], text);
  assert_string_equal(text, "0.707106781186547524400844362104849");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(mimic_joints),
                                     cmocka_unit_test(rotors_of_mimic_joints),
                                     cmocka_unit_test(snakes), cmocka_unit_test(rotations)};
  return cmocka_run_group_tests_name("113 bits: mimic joints, snakes, rotations", tests, NULL,
                                     NULL);
}
