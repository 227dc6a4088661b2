// SPDX-License-Identifier: MIT
// A definition that was not made by its lw_..._def() is refused, with the name of that function.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "linkwork/linkwork.h"

static void still(void* context, double t, const double* y, double* rates)
{
  (void)context, (void)t, (void)y;
  rates[0] = 0;
}

// Checks that the only message names the function to start from, and frees the list.
static void check_finding(lwStatus status, lwDiag* diag, const char* maker)
{
  assert_int_equal(status, LW_ERROR_DEF);
  assert_int_equal(lw_diag_size(diag), 1);
  const lwMessage* message = lw_diag_message(diag, 0);
  if (!strstr(message->text, maker)) fail_msg("'%s' does not name %s", message->text, maker);
  if (!strstr(message->hint, maker)) fail_msg("'%s' does not name %s", message->hint, maker);
  lw_diag_destroy(diag);
}

static lwModel* arm_of(int n)
{
  lwModel* model;
  assert_int_equal(lw_model_create_generic(n, &model), LW_OK);
  return model;
}

static void robots(void** state)
{
  (void)state;
  lwModel* model         = (lwModel*)&model;
  lwExpressed* expressed = (lwExpressed*)&model;
  lwJointDef joint       = lw_joint_def();
  joint.name             = "one";
  joint.link.mass        = 1;
  lwRobotDef robot = lw_robot_def(), zero = {.name = "zero", .count = 1, .joints = &joint};
  robot.count       = 1;
  robot.joints      = &joint;
  joint.link.com[0] = 0.5;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  lw_model_destroy(model);

  lwDiag* diag = lw_diag_create();
  check_finding(lw_model_create(&zero, NULL, diag, &model), diag, "lw_robot_def()");
  assert_null(model);
  diag = lw_diag_create();
  check_finding(lw_robot_express(&zero, LW_PLACEMENT_DH_MODIFIED, diag, &expressed), diag,
                "lw_robot_def()");
  assert_null(expressed);
  lwJointDef unmade = {.name = "one", .link = joint.link, .axis = {0, 0, 1}};
  robot.joints      = &unmade;
  diag              = lw_diag_create();
  check_finding(lw_model_create(&robot, NULL, diag, &model), diag, "lw_joint_def()");
  assert_null(model);
}

static void snakes(void** state)
{
  (void)state;
  lwSnake* snake;
  lwSnakeWorkspace* ws = (lwSnakeWorkspace*)&snake;
  lwDiag* diag         = lw_diag_create();
  check_finding(lw_snake_create(&(lwSnakeDef){.count = 2}, NULL, diag, &snake), diag,
                "lw_snake_def()");
  assert_null(snake);
  assert_int_equal(lw_snake_create_generic(3, &snake), LW_OK);
  diag = lw_diag_create();
  check_finding(
      lw_snake_workspace_create(snake, &(lwSnakeWorkspaceDef){.method = "kane"}, diag, &ws), diag,
      "lw_snake_workspace_def()");
  assert_null(ws);
  lw_snake_destroy(snake);
}

static void workspaces(void** state)
{
  (void)state;
  lwModel* model     = arm_of(2);
  lwWorkspace* ws    = (lwWorkspace*)&model;
  lwBatch* batch     = (lwBatch*)&model;
  lwWorkspaceDef def = {.inverse = "newton-euler", .inertia = "auto", .forward = "auto"};
  lwDiag* diag       = lw_diag_create();
  check_finding(lw_workspace_create(model, &def, diag, &ws), diag, "lw_workspace_def()");
  assert_null(ws);
  diag = lw_diag_create();
  check_finding(lw_batch_create(model, &def, 1, diag, &batch), diag, "lw_workspace_def()");
  assert_null(batch);
  lw_model_destroy(model);
}

static void runs(void** state)
{
  (void)state;
  lwModel* model           = arm_of(2);
  lwIntegrator* integrator = (lwIntegrator*)&model;
  lwArmRun* run            = (lwArmRun*)&model;
  lwFleet* fleet           = (lwFleet*)&model;
  lwIntegratorDef steps    = {.method = "rk4", .step = 1e-3};
  lwDiag* diag             = lw_diag_create();
  check_finding(lw_integrator_create(&steps, 1, still, NULL, diag, &integrator), diag,
                "lw_integrator_def()");
  assert_null(integrator);
  diag = lw_diag_create();
  check_finding(lw_arm_run_create(&(lwArmDef){.model = model}, diag, &run), diag, "lw_arm_def()");
  assert_null(run);
  lwArmDef arm   = lw_arm_def();  // contains other definitions
  arm.model      = model;
  arm.integrator = steps;
  diag           = lw_diag_create();
  check_finding(lw_arm_run_create(&arm, diag, &run), diag, "lw_integrator_def()");
  assert_null(run);
  lwFleetDef many = {.model = model, .count = 1, .method = "rk4", .step = 1e-3, .fastest = 1};
  diag            = lw_diag_create();
  check_finding(lw_fleet_create(&many, diag, &fleet), diag, "lw_fleet_def()");
  assert_null(fleet);
  lw_model_destroy(model);
}

static void trajectories(void** state)
{
  (void)state;
  typedef lwStatus Create(const lwModel* model, const lwWaypointsDef* waypoints, lwDiag* diag,
                          lwTrajectory** trajectory);
  Create* const creates[] = {lw_trajectory_create_cubic, lw_trajectory_create_quintic,
                             lw_trajectory_create_trapezoid, lw_trajectory_create_s_curve};
  lwModel* model          = arm_of(2);
  lwTrajectory* made      = (lwTrajectory*)&model;
  lwIk* ik                = (lwIk*)&model;
  const double q[4]       = {0, 0, 1, 1};
  lwWorkspace* ws;
  lwDiag* diag;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  for (size_t i = 0; i < sizeof creates / sizeof *creates; ++i)
  {
    lwWaypointsDef def = {.count = 2, .q = q, .duration = 1};
    diag               = lw_diag_create();
    check_finding(creates[i](model, &def, diag, &made), diag, "lw_waypoints_def()");
    assert_null(made);
  }
  diag = lw_diag_create();
  check_finding(lw_trajectory_create_line(model, ws, &(lwLineDef){.q = q, .speed = 1}, diag, &made),
                diag, "lw_line_def()");
  assert_null(made);
  diag = lw_diag_create();
  check_finding(lw_ik_create(model, ws, &(lwIkDef){.iterations = 10}, diag, &ik), diag,
                "lw_ik_def()");
  assert_null(ik);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots), cmocka_unit_test(snakes),       cmocka_unit_test(workspaces),
      cmocka_unit_test(runs),   cmocka_unit_test(trajectories),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
