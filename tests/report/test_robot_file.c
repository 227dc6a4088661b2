// SPDX-License-Identifier: MIT
// Robot files written to memory: read back, they give the same robot.
#include <string.h>

#include "linkwork/dynamics.h"
#include "linkwork/read.h"
#include "linkwork/write.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  JOINTS = 5
};

static void bias_of(const lwModel* model, double bias[JOINTS])
{
  static const double q[JOINTS] = {0.3, -0.4, 0.5, 0.7, -1.1}, qd[JOINTS] = {1, -2, 0.5, 3, -1};
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_bias(model, ws, q, qd, bias);
  lw_workspace_destroy(ws);
}

// Numbers read back to the same bits; origins and axes are computed, so their last bits may differ.
static void texts_are_the_robot(void** unused)
{
  (void)unused;
  lwModel* model;
  double expected[JOINTS], found[JOINTS];
  assert_int_equal(lw_model_create_generic(JOINTS, &model), LW_OK);
  bias_of(model, expected);
  for (int format = LW_ROBOT_FORMAT_YAML; format <= LW_ROBOT_FORMAT_URDF; ++format)
  {
    lwText* text;
    lwModel* again;
    assert_int_equal(lw_robot_text(lw_model_robot(model), (lwRobotFormat)format, NULL, &text),
                     LW_OK);
    assert_int_equal(strlen(lw_text_bytes(text)), lw_text_length(text));
    assert_int_equal(
        lw_robot_read_text("robot", lw_text_bytes(text), lw_text_length(text), NULL, NULL, &again),
        LW_OK);
    bias_of(again, found);
    for (int i = 0; i < JOINTS; ++i) assert_closer(found[i], expected[i], 1e-12 * 100);
    lw_model_destroy(again);
    lw_text_destroy(text);
  }
  lw_text_destroy(NULL);
  lw_model_destroy(model);
}

// A robot without a valid model cannot be written with origins and axes.
static void bad_robots_are_refused(void** unused)
{
  (void)unused;
  lwRobotDef robot = lw_robot_def();
  lwJointDef joint = lw_joint_def();
  lwText* text;
  joint.name     = "one";
  joint.parent   = 7;
  robot.name     = "bad";
  robot.count    = 1;
  robot.joints   = &joint;
  lwStatus found = lw_robot_text(&robot, LW_ROBOT_FORMAT_URDF, NULL, &text);
  assert_int_equal(found, LW_ERROR_INPUT);
  assert_null(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_the_robot),
                                     cmocka_unit_test(bad_robots_are_refused)};
  return cmocka_run_group_tests_name("robot files", tests, NULL, NULL);
}
