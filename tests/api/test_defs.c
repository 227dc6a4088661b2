// SPDX-License-Identifier: MIT
// A definition that was not made by its lw_..._def() is refused, with the name of that function, by
// every function that takes one. Each row of `cases` calls one of them with a definition that is
// filled in sensibly but for its cookie.
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

// Returns 1 and prints why, unless the only message names the function to start from.
static int check_finding(const char* function, lwStatus status, const void* made,
                         const lwDiag* diag, const char* maker)
{
  const lwMessage* message = lw_diag_size(diag) == 1 ? lw_diag_message(diag, 0) : NULL;
  if (status == LW_ERROR_DEF && !made && message && strstr(message->text, maker) && message->hint &&
      strstr(message->hint, maker))
    return 0;
  print_error("%s: status %d (%s), %s, finding '%s'; expected LW_ERROR_DEF, NULL, %s\n", function,
              status, lw_status_text(status), made ? "an object" : "NULL",
              message ? message->text : "none", maker);
  return 1;
}

static lwModel *arm, *four_bar;
static lwSnake* snake;
static lwWorkspace* workspace;
static lwSnakeWorkspace* snake_workspace;

// A four-bar, for functions that need closed loops.
static lwModel* make_four_bar(void)
{
  static const double x[3] = {0, 0.2, 0.4};
  lwJointDef joints[3]     = {lw_joint_def(), lw_joint_def(), lw_joint_def()};
  for (int i = 0; i < 3; ++i)
  {
    joints[i].name        = (const char*[]){"crank", "coupler", "rocker"}[i];
    joints[i].placement   = LW_PLACEMENT_ORIGIN_AXIS;
    joints[i].parent      = i == 1 ? 0 : LW_BASE;
    joints[i].xyz[0]      = x[i];
    joints[i].axis[2]     = 1;
    joints[i].passive     = i > 0;
    joints[i].start[0]    = (const double[]){1.6, -0.6, 1.4}[i];
    joints[i].link.mass   = 1;
    joints[i].link.com[0] = 0.2;
  }
  lwLoopDef pin    = {.name   = "pin",
                      .type   = LW_LOOP_HINGE,
                      .first  = {.joint = 1, .xyz = {0.5, 0, 0}},
                      .second = {.joint = 2, .xyz = {0.5, 0, 0}},
                      .axis   = {0, 0, 1}};
  lwRobotDef robot = lw_robot_def();
  robot.count      = 3;
  robot.joints     = joints;
  robot.loop_count = 1;
  robot.loops      = &pin;
  lwModel* model   = NULL;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  return model;
}

static int set_up(void** state)
{
  (void)state;
  assert_int_equal(lw_model_create_generic(2, &arm), LW_OK);
  four_bar = make_four_bar();
  assert_int_equal(lw_snake_create_generic(3, &snake), LW_OK);
  assert_int_equal(lw_workspace_create(arm, NULL, NULL, &workspace), LW_OK);
  assert_int_equal(lw_snake_workspace_create(snake, NULL, NULL, &snake_workspace), LW_OK);
  return 0;
}

static int tear_down(void** state)
{
  (void)state;
  lw_snake_workspace_destroy(snake_workspace);
  lw_workspace_destroy(workspace);
  lw_snake_destroy(snake);
  lw_model_destroy(four_bar);
  lw_model_destroy(arm);
  return 0;
}

// --- one function for each that takes a definition; *made must become NULL

static const double positions[4] = {0, 0, 1, 1};

static lwRobotDef unmade_robot(void)
{
  static lwJointDef joint;
  joint           = lw_joint_def();
  joint.name      = "one";
  joint.link.mass = 1;
  return (lwRobotDef){.name = "unmade", .count = 1, .joints = &joint};
}

static lwStatus model(lwDiag* diag, void** made)
{
  lwRobotDef def = unmade_robot();
  return lw_model_create(&def, NULL, diag, (lwModel**)made);
}

static lwStatus joint(lwDiag* diag, void** made)
{
  lwJointDef unmade = {.name = "one", .link = {.mass = 1}, .axis = {0, 0, 1}};
  lwRobotDef def    = lw_robot_def();
  def.count         = 1;
  def.joints        = &unmade;
  return lw_model_create(&def, NULL, diag, (lwModel**)made);
}

static lwStatus express(lwDiag* diag, void** made)
{
  lwRobotDef def = unmade_robot();
  return lw_robot_express(&def, LW_PLACEMENT_DH_MODIFIED, diag, (lwExpressed**)made);
}

static lwStatus text(lwDiag* diag, void** made)
{
  lwRobotDef def = unmade_robot();
  return lw_robot_text(&def, LW_ROBOT_FORMAT_YAML, diag, (lwText**)made);
}

static lwStatus joint_text(lwDiag* diag, void** made)
{
  lwJointDef unmade = {.name = "one", .link = {.mass = 1}, .axis = {0, 0, 1}};
  lwRobotDef def    = lw_robot_def();
  def.count         = 1;
  def.joints        = &unmade;
  return lw_robot_text(&def, LW_ROBOT_FORMAT_YAML, diag, (lwText**)made);
}

static const lwWorkspaceDef unmade_workspace = {
    .inverse = "newton-euler", .inertia = "auto", .forward = "auto"};

static lwStatus workspaces(lwDiag* diag, void** made)
{
  return lw_workspace_create(arm, &unmade_workspace, diag, (lwWorkspace**)made);
}

static lwStatus batch(lwDiag* diag, void** made)
{
  return lw_batch_create(arm, &unmade_workspace, 1, diag, (lwBatch**)made);
}

static lwStatus loops(lwDiag* diag, void** made)
{
  return lw_loops_create(four_bar, &unmade_workspace, diag, (lwLoops**)made);
}

static lwStatus quad(lwDiag* diag, void** made)
{
  return lw_quad_workspace_create(arm, &unmade_workspace, diag, (lwQuadWorkspace**)made);
}

static lwStatus differentiator(lwDiag* diag, void** made)
{
  return lw_differentiator_create(arm, &unmade_workspace, NULL, 0, diag, (lwDifferentiator**)made);
}

static lwStatus snakes(lwDiag* diag, void** made)
{
  return lw_snake_create(&(lwSnakeDef){.count = 2}, NULL, diag, (lwSnake**)made);
}

static const lwSnakeWorkspaceDef unmade_snake_workspace = {.method = "kane"};

static lwStatus snake_workspaces(lwDiag* diag, void** made)
{
  return lw_snake_workspace_create(snake, &unmade_snake_workspace, diag, (lwSnakeWorkspace**)made);
}

static lwStatus quad_snake(lwDiag* diag, void** made)
{
  const lwSnakeAnswers none[3] = {{0}};
  *made                        = NULL;
  return lw_quad_snake_answer(snake, &unmade_snake_workspace, &(lwSnakeStates){0}, none, diag);
}

static const lwIntegratorDef unmade_integrator = {.method = "rk4", .step = 1e-3};

static lwStatus integrator(lwDiag* diag, void** made)
{
  return lw_integrator_create(&unmade_integrator, 1, still, NULL, diag, (lwIntegrator**)made);
}

static lwStatus snake_run(lwDiag* diag, void** made)
{
  lwSnakeRunDef def = lw_snake_run_def();
  def.snake         = snake;
  def.ws            = snake_workspace;
  def.integrator    = unmade_integrator;
  return lw_snake_run_create(&def, diag, (lwSnakeRun**)made);
}

static lwStatus full_snake_run(lwDiag* diag, void** made)
{
  lwSnakeRunDef def = {.snake = snake, .integrator = lw_integrator_def()};
  return lw_snake_run_create(&def, diag, (lwSnakeRun**)made);
}

static lwStatus full_snake_integrator(lwDiag* diag, void** made)
{
  lwSnakeRunDef def = lw_snake_run_def();  // its parts are definitions, too
  def.snake         = snake;
  def.integrator    = unmade_integrator;
  return lw_snake_run_create(&def, diag, (lwSnakeRun**)made);
}

static lwStatus arm_run(lwDiag* diag, void** made)
{
  return lw_arm_run_create(&(lwArmDef){.model = arm}, diag, (lwArmRun**)made);
}

static lwStatus arm_integrator(lwDiag* diag, void** made)
{
  lwArmDef def   = lw_arm_def();
  def.model      = arm;
  def.integrator = unmade_integrator;
  return lw_arm_run_create(&def, diag, (lwArmRun**)made);
}

static lwStatus arm_workspace(lwDiag* diag, void** made)
{
  lwArmDef def = lw_arm_def();
  def.model    = arm;
  def.ws       = unmade_workspace;
  return lw_arm_run_create(&def, diag, (lwArmRun**)made);
}

static lwStatus fleet(lwDiag* diag, void** made)
{
  lwFleetDef def = {.model = arm, .count = 1, .method = "rk4", .step = 1e-3, .fastest = 1};
  return lw_fleet_create(&def, diag, (lwFleet**)made);
}

static const lwWaypointsDef unmade_waypoints = {.count = 2, .q = positions, .duration = 1};

static lwStatus cubic(lwDiag* diag, void** made)
{
  return lw_trajectory_create_cubic(arm, &unmade_waypoints, diag, (lwTrajectory**)made);
}

static lwStatus quintic(lwDiag* diag, void** made)
{
  return lw_trajectory_create_quintic(arm, &unmade_waypoints, diag, (lwTrajectory**)made);
}

static lwStatus trapezoid(lwDiag* diag, void** made)
{
  return lw_trajectory_create_trapezoid(arm, &unmade_waypoints, diag, (lwTrajectory**)made);
}

static lwStatus s_curve(lwDiag* diag, void** made)
{
  return lw_trajectory_create_s_curve(arm, &unmade_waypoints, diag, (lwTrajectory**)made);
}

static lwStatus line(lwDiag* diag, void** made)
{
  return lw_trajectory_create_line(arm, workspace, &(lwLineDef){.q = positions, .speed = 1}, diag,
                                   (lwTrajectory**)made);
}

static lwStatus ik(lwDiag* diag, void** made)
{
  return lw_ik_create(arm, workspace, &(lwIkDef){.iterations = 10}, diag, (lwIk**)made);
}

static lwStatus cylinder(lwDiag* diag, void** made)
{
  *made = NULL;
  return lw_cylinder_check(&(lwCylinderDef){.bore = 0.1, .rod = 0.05}, diag);
}

static lwStatus cylinders(lwDiag* diag, void** made)
{
  lwCylinderDef def = lw_cylinder_def();
  def.cookie        = 0;
  return lw_cylinders_create(arm, 1, &def, diag, (lwCylinders**)made);
}

static lwStatus generated(lwDiag* diag, void** made)
{
  lwGenerateDef def = {.questions = "inverse", .method = "best", .lanes = 1, .name = "arm"};
  return lw_generate(arm, &def, diag, (lwGenerated**)made);
}

static lwStatus generated_snake(lwDiag* diag, void** made)
{
  lwGenerateDef def = {.questions = "forward", .method = "best", .lanes = 1, .name = "snake"};
  return lw_generate_snake(snake, &def, diag, (lwGenerated**)made);
}

static lwStatus identified(lwDiag* diag, void** made)
{
  return lw_identify(arm, &(lwLogDef){0}, &(lwIdentifyDef){0}, diag, (lwIdentified**)made);
}

static lwStatus excitation(lwDiag* diag, void** made)
{
  lwExciteDef def = {.duration = 1, .harmonics = 2, .tries = 1};
  return lw_excite(arm, &def, diag, (lwExcitation**)made);
}

static lwStatus linear(lwDiag* diag, void** made)
{
  return lw_linear_create(arm, &(lwLinearDef){0}, diag, (lwLinear**)made);
}

static const struct
{
  const char *function, *maker;
  lwStatus (*create)(lwDiag* diag, void** made);
} cases[] = {
    {"lw_model_create", "lw_robot_def()", model},
    {"lw_model_create", "lw_joint_def()", joint},
    {"lw_robot_express", "lw_robot_def()", express},
    {"lw_robot_text", "lw_robot_def()", text},
    {"lw_robot_text", "lw_joint_def()", joint_text},
    {"lw_workspace_create", "lw_workspace_def()", workspaces},
    {"lw_batch_create", "lw_workspace_def()", batch},
    {"lw_loops_create", "lw_workspace_def()", loops},
    {"lw_quad_workspace_create", "lw_workspace_def()", quad},
    {"lw_differentiator_create", "lw_workspace_def()", differentiator},
    {"lw_snake_create", "lw_snake_def()", snakes},
    {"lw_snake_workspace_create", "lw_snake_workspace_def()", snake_workspaces},
    {"lw_quad_snake_answer", "lw_snake_workspace_def()", quad_snake},
    {"lw_integrator_create", "lw_integrator_def()", integrator},
    {"lw_snake_run_create", "lw_integrator_def()", snake_run},
    {"lw_snake_run_create", "lw_snake_run_def()", full_snake_run},
    {"lw_snake_run_create", "lw_integrator_def()", full_snake_integrator},
    {"lw_arm_run_create", "lw_arm_def()", arm_run},
    {"lw_arm_run_create", "lw_integrator_def()", arm_integrator},
    {"lw_arm_run_create", "lw_workspace_def()", arm_workspace},
    {"lw_fleet_create", "lw_fleet_def()", fleet},
    {"lw_trajectory_create_cubic", "lw_waypoints_def()", cubic},
    {"lw_trajectory_create_quintic", "lw_waypoints_def()", quintic},
    {"lw_trajectory_create_trapezoid", "lw_waypoints_def()", trapezoid},
    {"lw_trajectory_create_s_curve", "lw_waypoints_def()", s_curve},
    {"lw_trajectory_create_line", "lw_line_def()", line},
    {"lw_ik_create", "lw_ik_def()", ik},
    {"lw_cylinder_check", "lw_cylinder_def()", cylinder},
    {"lw_cylinders_create", "lw_cylinder_def()", cylinders},
    {"lw_generate", "lw_generate_def()", generated},
    {"lw_generate_snake", "lw_generate_def()", generated_snake},
    {"lw_identify", "lw_identify_def()", identified},
    {"lw_excite", "lw_excite_def()", excitation},
    {"lw_linear_create", "lw_linear_def()", linear},
};

static void unmade_definitions_are_refused(void** state)
{
  (void)state;
  int failures = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwDiag* diag = lw_diag_create();
    void* made   = &diag;
    lwStatus got = cases[i].create(diag, &made);
    if (got == LW_ERROR_QUAD && !lw_quad_available()) got = LW_ERROR_DEF, made = NULL;
    failures += check_finding(cases[i].function, got, made, diag, cases[i].maker);
    lw_diag_destroy(diag);
  }
  assert_int_equal(failures, 0);
}

// These take no list of findings.
static void unmade_proofs_are_refused(void** state)
{
  (void)state;
  lwProofDef def = {.points = 1, .seed = 1};
  lwProof* proof = (lwProof*)&def;
  assert_int_equal(lw_proof_create(arm, &def, &proof), LW_ERROR_DEF);
  assert_null(proof);
  proof = (lwProof*)&def;
  assert_int_equal(lw_proof_create_snake(snake, &def, &proof), LW_ERROR_DEF);
  assert_null(proof);
  assert_int_equal(lw_snake_differentiate(snake, &unmade_snake_workspace, &(lwSnakeStates){0}, NULL,
                                          0, &(lwSnakeAnswers){0}),
                   LW_ERROR_DEF);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(unmade_definitions_are_refused),
                                     cmocka_unit_test(unmade_proofs_are_refused)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
