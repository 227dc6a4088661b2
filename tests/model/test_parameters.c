// SPDX-License-Identifier: MIT
// Constants of a description as parameters: which there are, what they are called, their values.
#include <string.h>

#include "linkwork/slopes.h"
#include "robots.h"
#include "testing.h"

// One joint by DH parameters, one by origin and axis.
static Robot* two_joints(void)
{
  Robot* robot    = robot_start();
  lwRandom random = {8};
  for (int i = 0; i < 2; ++i)
    random_link(&random, &robot_add(robot, LW_JOINT_REVOLUTE, i - 1)->link);
  lwJointDef* joint = robot->joints;
  joint[0].a = 0.5, joint[0].d = 0.25, joint[0].alpha = 1, joint[0].theta = -0.5;
  joint[1].placement = LW_PLACEMENT_ORIGIN_AXIS;
  joint[1].axis[2]   = 1;
  for (int k = 0; k < 3; ++k) joint[1].xyz[k] = 0.1 * (k + 1), joint[1].rpy[k] = 0.2 * (k + 1);
  robot_build(robot);
  return robot;
}

static void expect_parameters(const lwModel* model, lwParameterKind kind, int count,
                              const char* const* names, const double* values)
{
  assert_int_equal(lw_parameter_count(model, kind), count);
  for (int i = 0; i < count; ++i)
  {
    lwParameter parameter = lw_parameter_get(model, kind, i);
    assert_true(lw_parameter_exists(model, parameter));
    assert_string_equal(lw_parameter_name(model, parameter), names[i]);
    assert_same(lw_parameter_value(model, parameter), values[i]);
  }
}

static void names_and_values_are_those_of_the_file(void** state)
{
  (void)state;
  Robot* robot             = two_joints();
  const lwModel* model     = robot->model;
  const lwJointDef* joints = robot->joints;
  const char* lengths[]    = {"a", "d", "xyz.x", "xyz.y", "xyz.z"};
  const char* angles[]     = {"alpha", "theta", "rpy.roll", "rpy.pitch", "rpy.yaw"};
  const char* masses[]     = {"mass", "mass"};
  const char* gravity[]    = {"gravity.x", "gravity.y", "gravity.z"};
  const double length[]    = {0.5, 0.25, joints[1].xyz[0], joints[1].xyz[1], joints[1].xyz[2]};
  const double angle[]     = {1, -0.5, joints[1].rpy[0], joints[1].rpy[1], joints[1].rpy[2]};
  const double mass[]      = {joints[0].link.mass, joints[1].link.mass};
  expect_parameters(model, LW_PARAMETER_LENGTH, 5, lengths, length);
  expect_parameters(model, LW_PARAMETER_ANGLE, 5, angles, angle);
  expect_parameters(model, LW_PARAMETER_MASS, 2, masses, mass);
  expect_parameters(model, LW_PARAMETER_GRAVITY, 3, gravity, robot->def.gravity);
  robot_free(robot);
}

static void vectors_have_an_entry_each(void** state)
{
  (void)state;
  Robot* robot         = two_joints();
  const lwModel* model = robot->model;
  assert_int_equal(lw_parameter_count(model, LW_PARAMETER_COM), 6);
  assert_int_equal(lw_parameter_count(model, LW_PARAMETER_INERTIA), 12);
  lwParameter com = lw_parameter_get(model, LW_PARAMETER_COM, 4);
  assert_string_equal(lw_parameter_name(model, com), "com.y");
  assert_same(lw_parameter_value(model, com), robot->joints[1].link.com[1]);
  lwParameter inertia = lw_parameter_get(model, LW_PARAMETER_INERTIA, 3);
  assert_string_equal(lw_parameter_name(model, inertia), "inertia.xy");
  assert_same(lw_parameter_value(model, inertia), robot->joints[0].link.inertia[3]);
  robot_free(robot);
}

static void others_do_not_exist(void** state)
{
  (void)state;
  Robot* robot              = two_joints();
  const lwParameter wrong[] = {{LW_PARAMETER_MASS, 2, 0},
                               {LW_PARAMETER_MASS, -1, 0},
                               {LW_PARAMETER_MASS, 0, 1},
                               {LW_PARAMETER_LENGTH, 0, 2},
                               {LW_PARAMETER_GRAVITY, 0, 3}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    assert_false(lw_parameter_exists(robot->model, wrong[i]));
  for (int kind = 0; kind < LW_PARAMETER_KIND_COUNT; ++kind)
  {
    const char* word = lw_parameter_kind_name((lwParameterKind)kind);
    bool linear      = strcmp(word, "com") && strcmp(word, "length") && strcmp(word, "angle");
    assert_int_equal(lw_parameter_is_linear((lwParameterKind)kind), linear);
  }
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_values_are_those_of_the_file),
      cmocka_unit_test(vectors_have_an_entry_each),
      cmocka_unit_test(others_do_not_exist),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
