// SPDX-License-Identifier: MIT
// A robot expressed in another form has the same answers to every question.
//
// Bounds: C n eps size, with n the number of joints of the longer description and size from the
// rotations are recomputed from angles.
#include <float.h>
#include <math.h>
#include <string.h>

#include "model/transform.h"
#include "support/check.h"
#include "support/testing.h"

static const double C  = 8;
static const double pi = 3.14159265358979323846;

static const lwPlacement FORMS[] = {LW_PLACEMENT_DH_MODIFIED, LW_PLACEMENT_DH_STANDARD,
                                    LW_PLACEMENT_ORIGIN_AXIS};
static const char* const NAMES[] = {"modified DH", "standard DH", "origin and axis"};

static lwExpressed* express(const lwRobotDef* robot, lwPlacement form)
{
  lwExpressed* expressed = NULL;
  assert_int_equal(lw_robot_express(robot, form, NULL, &expressed), LW_OK);
  return expressed;
}

static lwModel* model_of(const lwRobotDef* robot)
{
  lwModel* model = NULL;
  assert_int_equal(lw_model_create(robot, NULL, NULL, &model), LW_OK);
  return model;
}

static void check_same(const Robot* robot, const lwRobotDef* other, const char* what)
{
  lwModel* model = model_of(other);
  check_same_answers(robot, model, 3, C * other->count * DBL_EPSILON, what);
  lw_model_destroy(model);
}

// Joints keep names, order and types; added joints are fixed and have a note.
static void check_joints(const lwRobotDef* robot, const lwExpressed* expressed, lwPlacement form)
{
  const lwRobotDef* other = lw_expressed_robot(expressed);
  int next                = 0;
  for (int i = 0; i < other->count; ++i)
  {
    const lwJointDef* joint = &other->joints[i];
    bool added              = lw_expressed_reason(expressed, i) != NULL;
    if (joint->type != LW_JOINT_FIXED) assert_int_equal(joint->placement, form);
    if (added) assert_int_equal(joint->type, LW_JOINT_FIXED);
    if (added) continue;
    assert_true(next < robot->count);
    assert_string_equal(joint->name, robot->joints[next].name);
    assert_int_equal(joint->type, robot->joints[next++].type);
  }
  assert_int_equal(next, robot->count);
}

static void random_robots_in_every_form(void** unused)
{
  (void)unused;
  check_worst();
  for (uint64_t seed = 1; seed <= 200; ++seed)
  {
    Robot* robot = any_robot(seed);
    for (int f = 0; f < 3; ++f)
    {
      lwExpressed* expressed = express(&robot->def, FORMS[f]);
      check_joints(&robot->def, expressed, FORMS[f]);
      check_same(robot, lw_expressed_robot(expressed), NAMES[f]);
      lw_expressed_destroy(expressed);
    }
    robot_free(robot);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

static void round_trips(void** unused)
{
  (void)unused;
  check_worst();
  for (uint64_t seed = 201; seed <= 320; ++seed)
  {
    Robot* robot       = any_robot(seed);
    lwExpressed* first = express(&robot->def, LW_PLACEMENT_DH_MODIFIED);
    lwExpressed* then  = express(lw_expressed_robot(first), LW_PLACEMENT_DH_STANDARD);
    lwExpressed* last  = express(lw_expressed_robot(then), LW_PLACEMENT_ORIGIN_AXIS);
    lwExpressed* again = express(lw_expressed_robot(last), LW_PLACEMENT_DH_MODIFIED);
    check_same(robot, lw_expressed_robot(then), "modified, standard");
    check_same(robot, lw_expressed_robot(last), "modified, standard, origin and axis");
    check_same(robot, lw_expressed_robot(again), "modified, standard, origin and axis, modified");
    lw_expressed_destroy(first);
    lw_expressed_destroy(then);
    lw_expressed_destroy(last);
    lw_expressed_destroy(again);
    robot_free(robot);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// --- tables that are not changed

static void assert_same_angle(double a, double b)
{
  const double turns = nearbyint((a - b) / (2 * pi));
  assert_closer(a, b + 2 * pi * turns, 1e-13);
}

static void assert_same_row(const lwJointDef* a, const lwJointDef* b)
{
  assert_int_equal(a->placement, b->placement);
  assert_same_angle(a->alpha, b->alpha);
  assert_same_angle(a->theta, b->theta);
  assert_closer(a->a, b->a, 1e-13);
  assert_closer(a->d, b->d, 1e-13);
  for (int k = 0; k < 3; ++k) assert_closer(a->link.com[k], b->link.com[k], 1e-13);
}

// A DH table does not change, including special angles and zero lengths, also for a tree.
static void own_form_stays(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.parallel   = 0;
    style.placement  = (int)(seed % 2);
    style.fixed      = 0;  // new joints connect moving links directly, skipping fixed ones
    if (style.placement == LW_PLACEMENT_DH_STANDARD) style.branch = 0;
    Robot* robot           = random_robot(seed, &style);
    lwExpressed* expressed = express(&robot->def, (lwPlacement)style.placement);
    const lwRobotDef* def  = lw_expressed_robot(expressed);
    assert_int_equal(def->count, robot->def.count);
    for (int i = 0; i < def->count; ++i) assert_same_row(&def->joints[i], &robot->joints[i]);
    lw_expressed_destroy(expressed);
    robot_free(robot);
  }
}

// --- special placements

static void add_link(Robot* robot, lwJointType type, const double xyz[3], const double rpy[3],
                     const double axis[3])
{
  lwRandom random   = {(uint64_t)robot->def.count + 1};
  lwJointDef* joint = robot_add(robot, type, robot->def.count - 1);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(joint->xyz, xyz, sizeof joint->xyz);
  memcpy(joint->rpy, rpy, sizeof joint->rpy);
  memcpy(joint->axis, axis, sizeof joint->axis);
  random_link(&random, &joint->link);
}

static const double ZERO[3] = {0, 0, 0}, X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};
static const double MINUS_Z[3] = {0, 0, -1}, UP[3] = {0, 0, 0.3}, OUT[3] = {0.4, 0, 0};

static void check_rows(const Robot* robot, lwPlacement form, int extra, const double (*rows)[4])
{
  lwExpressed* expressed = express(&robot->def, form);
  const lwRobotDef* def  = lw_expressed_robot(expressed);
  check_same(robot, def, NAMES[form]);
  assert_int_equal(def->count, robot->def.count + extra);
  for (int i = 0; rows && i < def->count; ++i)
  {
    const lwJointDef* joint = &def->joints[i];
    const double row[4]     = {joint->alpha, joint->a, joint->d, joint->theta};
    for (int k = 0; k < 4; ++k)
      if (!(fabs(row[k] - rows[i][k]) < 1e-14))
        fail_msg("%s, joint %d, number %d: %g instead of %g", NAMES[form], i + 1, k + 1, row[k],
                 rows[i][k]);
  }
  lw_expressed_destroy(expressed);
}

// A SCARA arm: four parallel axes, the last two on the same line.
static void parallel_axes(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, Z);
  add_link(robot, LW_JOINT_REVOLUTE, OUT, ZERO, Z);
  add_link(robot, LW_JOINT_PRISMATIC, OUT, ZERO, MINUS_Z);
  add_link(robot, LW_JOINT_REVOLUTE, ZERO, ZERO, MINUS_Z);
  robot_build(robot);
  static const double modified[5][4] = {
      {0, 0, 0.3, 0}, {0, 0.4, 0, 0}, {pi, 0.4, 0, 0}, {0, 0, 0, 0}, {pi, 0, 0, 0}};
  static const double standard[4][4] = {
      {0, 0.4, 0.3, 0}, {pi, 0.4, 0, 0}, {0, 0, 0, 0}, {pi, 0, 0, 0}};
  check_rows(robot, LW_PLACEMENT_DH_MODIFIED, 1,
             modified);  // the last link's z points up, against the axis
  check_rows(robot, LW_PLACEMENT_DH_STANDARD, 0, standard);
  robot_free(robot);
}

// Intersecting axes, and a base x axis that is not along a common normal.
static void meeting_axes(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, Z);
  add_link(robot, LW_JOINT_REVOLUTE, ZERO, ZERO, Y);
  add_link(robot, LW_JOINT_REVOLUTE, ZERO, ZERO, X);
  robot_build(robot);
  check_rows(robot, LW_PLACEMENT_DH_MODIFIED, 1, NULL);
  check_rows(robot, LW_PLACEMENT_DH_STANDARD, 1, NULL);
  robot_free(robot);

  robot = robot_start();
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, X);  // the common normal from the base is along y
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, X);
  robot_build(robot);
  check_rows(robot, LW_PLACEMENT_DH_MODIFIED, 2, NULL);
  check_rows(robot, LW_PLACEMENT_DH_STANDARD, 2, NULL);
  robot_free(robot);
}

// Several joints on the same axis.
static void one_axis(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 4; ++i)
    add_link(robot, i % 2 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, UP, ZERO, Z);
  robot_build(robot);
  static const double rows[4][4] = {{0, 0, 0.3, 0}, {0, 0, 0.3, 0}, {0, 0, 0.3, 0}, {0, 0, 0.3, 0}};
  check_rows(robot, LW_PLACEMENT_DH_MODIFIED, 0, rows);
  check_rows(robot, LW_PLACEMENT_DH_STANDARD, 0, rows);
  robot_free(robot);
}

// Parameters stay moderate for any tilt, and the answers stay accurate.
static void nearly_parallel_axes(void** unused)
{
  (void)unused;
  check_worst();
  for (int power = 0; power <= 16; ++power)
    for (int f = 0; f < 2; ++f)
    {
      double tilt          = 0.3 * pow(10, -power);
      const double tilts[] = {tilt, -0.7 * tilt, 0};
      Robot* robot         = robot_start();
      robot->seed          = (uint64_t)power + 1;
      add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, Z);
      add_link(robot, LW_JOINT_REVOLUTE, OUT, tilts, Z);
      add_link(robot, LW_JOINT_PRISMATIC, UP, tilts, Z);
      add_link(robot, LW_JOINT_REVOLUTE, OUT, (const double[]){pi + tilt, 0, 0.2}, Z);
      add_link(robot, LW_JOINT_REVOLUTE, OUT, ZERO, Y);
      add_link(robot, LW_JOINT_FIXED, UP, tilts, Z);
      robot_build(robot);
      lwExpressed* expressed = express(&robot->def, FORMS[f]);
      const lwRobotDef* def  = lw_expressed_robot(expressed);
      check_same(robot, def, NAMES[f]);
      for (int i = 0; i < def->count; ++i)
      {
        assert_less(fabs(def->joints[i].a), 10);
        assert_less(fabs(def->joints[i].d), 10);
      }
      if (power > 15)
        assert_at_most(def->count, robot->def.count + 1);  // a tilt within rounding is ignored
      lw_expressed_destroy(expressed);
      robot_free(robot);
    }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// --- what goes with the joints

static void limits_and_names(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, X);
  add_link(robot, LW_JOINT_PRISMATIC, OUT, ZERO, Y);
  robot->joints[0].name      = "turn";
  robot->joints[0].limits    = (lwLimits){-1, 2, 3, 4, 5, 6};
  robot->joints[0].friction  = (lwFriction){0.5, 0.25};
  robot->joints[0].motor     = (lwMotor){true, 2, 0.1, 50, 1e-4, 1e-3, 0.9, 24, 10};
  robot->joints[0].link.name = "turn_aux";  // the name that an added link would get
  robot->joints[1].name      = "slide";
  robot->joints[1].link.name = "hand";
  robot->def.gravity[0]      = 1;
  robot_build(robot);
  for (int f = 0; f < 3; ++f)
  {
    lwExpressed* expressed = express(&robot->def, FORMS[f]);
    const lwRobotDef* def  = lw_expressed_robot(expressed);
    check_same(robot, def, NAMES[f]);  // duplicate names would be refused
    for (int i = 0; i < def->count; ++i)
    {
      if (strcmp(def->joints[i].name, robot->joints[0].name) != 0) continue;
      assert_memory_equal(&def->joints[i].limits, &robot->joints[0].limits, sizeof(lwLimits));
      assert_memory_equal(&def->joints[i].friction, &robot->joints[0].friction, sizeof(lwFriction));
      assert_true(def->joints[i].motor.given);
      assert_same(def->joints[i].motor.gear, 50);
    }
    assert_string_equal(def->joints[def->count - 1].link.name, "hand");
    assert_same(def->gravity[0], 1);
    lw_expressed_destroy(expressed);
  }
  robot_free(robot);
}

// Where frame f of link i is in the base, by the forward kinematics of a workspace.
static void place_in_base(const lwModel* model, int joint, const lwShape* shape, const double* q,
                          double pose[12])
{
  lwFrame frame   = {.joint = joint};
  lwWorkspace* ws = work_with(model, -1, LW_PRECISION_DOUBLE);
  memcpy(frame.xyz, shape->xyz, sizeof frame.xyz);
  memcpy(frame.rpy, shape->rpy, sizeof frame.rpy);
  assert_int_equal(lw_workspace_set_frame(ws, model, &frame, NULL), LW_OK);
  lw_pose(model, ws, q, pose, pose + 3);
  lw_workspace_destroy(ws);
}

// Shapes stay where they are, although the frames of their links move; gears couple the same joints.
static void shapes_and_gears_stay(void** unused)
{
  (void)unused;
  const lwShape shape = {
      .kind = LW_SHAPE_BOX, .size = {1, 2, 3}, .xyz = {0.1, 0.2, 0.3}, .rpy = {0.4, 0.5, 0.6}};
  const lwLoopDef gear = {
      .name = "g", .type = LW_LOOP_GEAR, .first = {.joint = 0}, .second = {.joint = 1}, .ratio = 2};
  const double q[] = {0.3, -0.7};
  Robot* robot     = robot_start();
  add_link(robot, LW_JOINT_REVOLUTE, UP, ZERO, X);
  add_link(robot, LW_JOINT_REVOLUTE, OUT, ZERO, Y);
  for (int i = 0; i < 2; ++i)
    robot->joints[i].link.shape_count = 1, robot->joints[i].link.shapes = &shape;
  robot_build(robot);
  for (int f = 0; f < 3; ++f)
  {
    lwRobotDef geared      = robot->def;
    geared.loops           = &gear;
    geared.loop_count      = 1;
    lwExpressed* expressed = express(&geared, FORMS[f]);
    const lwRobotDef* def  = lw_expressed_robot(expressed);
    assert_string_equal(def->joints[def->loops[0].first.joint].name, robot->joints[0].name);
    assert_string_equal(def->joints[def->loops[0].second.joint].name, robot->joints[1].name);
    lwRobotDef tree = *def;
    tree.loop_count = 0;
    lwModel* model  = model_of(&tree);
    int found       = 0;
    for (int i = 0; i < def->count; ++i)
    {
      double before[12], after[12];
      if (def->joints[i].link.shape_count == 0) continue;
      place_in_base(robot->model, found++, &shape, q, before);
      place_in_base(model, i, &def->joints[i].link.shapes[0], q, after);
      for (int k = 0; k < 12; ++k) assert_near(after[k], before[k], 1e-14);
    }
    assert_int_equal(found, 2);
    lw_model_destroy(model);
    lw_expressed_destroy(expressed);
  }
  robot_free(robot);
}

static void wrong_robots(void** unused)
{
  (void)unused;
  lwExpressed* expressed = (lwExpressed*)-1;
  lwRobotDef empty       = lw_robot_def();
  assert_int_equal(lw_robot_express(&empty, LW_PLACEMENT_DH_MODIFIED, NULL, &expressed),
                   LW_ERROR_INPUT);
  assert_null(expressed);
  assert_int_equal(lw_robot_express(NULL, LW_PLACEMENT_ORIGIN_AXIS, NULL, &expressed),
                   LW_ERROR_INPUT);
  lw_expressed_destroy(NULL);
}

// --- angles

// Angles reproduce Rz(yaw) Ry(pitch) Rx(roll), also at and near a pitch of 90 degrees.
static void roll_pitch_yaw(void** unused)
{
  (void)unused;
  lwRandom random = {7};
  for (int k = 0; k < 2000; ++k)
  {
    lwJointDef joint = lw_joint_def();
    joint.type       = LW_JOINT_FIXED;
    joint.placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int i = 0; i < 3; ++i) joint.rpy[i] = lw_random_between(&random, -pi, pi);
    if (k % 2) joint.rpy[1] = (k % 4 > 1 ? -0.5 : 0.5) * pi + (k % 3 - 1) * pow(10, -k % 17);
    lwTransform before, after, again;
    lw_joint_place(&joint, &before, &after);
    lw_rpy(&before, joint.rpy);
    lw_joint_place(&joint, &again, &after);
    for (int i = 0; i < 9; ++i)
      assert_closer(again.R[i / 3][i % 3], before.R[i / 3][i % 3], 16 * DBL_EPSILON);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_robots_in_every_form),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(own_form_stays),
      cmocka_unit_test(parallel_axes),
      cmocka_unit_test(meeting_axes),
      cmocka_unit_test(one_axis),
      cmocka_unit_test(nearly_parallel_axes),
      cmocka_unit_test(limits_and_names),
      cmocka_unit_test(shapes_and_gears_stay),
      cmocka_unit_test(wrong_robots),
      cmocka_unit_test(roll_pitch_yaw),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
