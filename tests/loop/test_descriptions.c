// SPDX-License-Identifier: MIT
// Loops in descriptions: what is refused, gears of joints that are held, floating bases.
#include <string.h>

#include "linkwork/loop.h"
#include "robots.h"
#include "testing.h"

// Three joints in a row, and loops to be filled in.
typedef struct Looped
{
  Robot* robot;
  lwLoopDef loops[2];
} Looped;

static void looped_make(Looped* looped)
{
  lwRandom random = {4};
  *looped         = (Looped){.robot = robot_start()};
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(looped->robot, LW_JOINT_REVOLUTE, i - 1);
    joint->a          = 0.4;
    random_link(&random, &joint->link);
  }
  for (int k = 0; k < 2; ++k)
    looped->loops[k] = (lwLoopDef){.name   = k ? "b" : "a",
                                   .type   = LW_LOOP_GEAR,
                                   .first  = {.joint = k},
                                   .second = {.joint = k + 1},
                                   .ratio  = -2,
                                   .offset = 0.25};
  looped->robot->def.loops      = looped->loops;
  looped->robot->def.loop_count = 2;
}

static void expect_refused(Looped* looped, const char* text)
{
  char said[800] = "";
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  assert_int_equal(lw_model_create(&looped->robot->def, NULL, diag, &model), LW_ERROR_INPUT);
  assert_null(model);
  assert_greater(lw_diag_size(diag), 0);
  lw_message_format(lw_diag_message(diag, 0), said, sizeof said);
  assert_contains(said, text);
  lw_diag_destroy(diag);
  robot_free(looped->robot);
}

static void wrong_gears(void** state)
{
  (void)state;
  Looped looped;
  looped_make(&looped);
  looped.loops[0].second.joint = 3;
  expect_refused(&looped, "loop 'a': joint number 4 does not exist");
  looped_make(&looped);
  looped.loops[0].first.joint = -1;
  expect_refused(&looped, "loop 'a': joint number 0 does not exist");
  looped_make(&looped);
  looped.loops[1].name = "a";
  expect_refused(&looped, "loop 'a': loop number 1 has the same name");
  looped_make(&looped);
  looped.loops[1].type = (lwLoopType)99;
  expect_refused(&looped, "loop 'b': type number 99 does not exist");
}

static void wrong_frames(void** state)
{
  (void)state;
  Looped looped;
  looped_make(&looped);
  looped.loops[0].type         = LW_LOOP_POSITION;
  looped.loops[0].second.joint = 7;
  expect_refused(&looped, "loop 'a': the link of joint number 8 does not exist");
  looped_make(&looped);
  looped.loops[0].type          = LW_LOOP_POSITION;
  looped.loops[0].second.xyz[1] = (double)INFINITY;
  expect_refused(&looped, "loop 'a': the second frame has a number that is not finite");
}

// q2 = ratio q1 + offset with q1 held: the other joint stands where the gear puts it.
static void gears_of_held_joints(void** state)
{
  (void)state;
  for (int held = 0; held < 2; ++held)
  {
    Looped looped;
    looped_make(&looped);
    looped.robot->def.loop_count = 1;
    const lwHold hold            = {held == 0 ? "j1" : "j2", 0.3, false};
    const char* others[]         = {held == 0 ? "j2" : "j1", "j3"};
    const lwModelOptions options = {.joints.free       = others,
                                    .joints.free_count = 2,
                                    .joints.holds      = &hold,
                                    .joints.hold_count = 1};
    lwModel* model               = NULL;
    lwLoops* loops               = NULL;
    assert_int_equal(lw_model_create(&looped.robot->def, &options, NULL, &model), LW_OK);
    assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
    double q[2] = {0, 0};
    assert_int_equal(lw_loops_close(loops, q, NULL), LW_OK);
    assert_near(q[0], held == 0 ? -2 * 0.3 + 0.25 : (0.3 - 0.25) / -2, 1e-12);
    lw_loops_destroy(loops);
    lw_model_destroy(model);
    robot_free(looped.robot);
  }
}

// The floating joint comes first, and the gear still couples the same two joints.
static void floating_bases(void** state)
{
  (void)state;
  Looped looped;
  looped_make(&looped);
  looped.robot->def.loop_count    = 1;
  looped.robot->def.floating_base = true;
  looped.loops[0].offset          = 0;  // closed where all joints are at 0
  lwRandom random                 = {6};
  random_link(&random, &looped.robot->def.base);
  lwModel* model = NULL;
  lwLoops* loops = NULL;
  assert_int_equal(lw_model_create(&looped.robot->def, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_nq(model), 10);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  double q[10] = {0}, gap[2];
  lw_model_neutral(model, q);
  q[7] = 0.1, q[8] = -0.2, q[9] = 0.7;
  lw_loops_gap(loops, q, gap);
  assert_near(gap[1], 0, 1e-15);
  q[8] = -0.3;
  lw_loops_gap(loops, q, gap);
  assert_near(gap[1], 0.1, 1e-15);
  lw_loops_destroy(loops);
  lw_model_destroy(model);
  robot_free(looped.robot);
}

// A pin about z on a link that turns about x: half a turn later the two axes are opposite, and the
// angle between them is pi, whatever direction one would turn it back.
static void opposite_axes(void** state)
{
  (void)state;
  Looped looped;
  looped_make(&looped);
  looped.robot->def.count      = 1;
  looped.robot->def.loop_count = 1;
  lwJointDef* joint            = looped.robot->joints;
  joint->placement             = LW_PLACEMENT_ORIGIN_AXIS;
  joint->a                     = 0;
  joint->axis[0] = 1, joint->axis[1] = joint->axis[2] = 0;
  looped.loops[0] = (lwLoopDef){
      .name = "pin", .type = LW_LOOP_HINGE, .first = {.joint = LW_BASE}, .axis = {0, 0, 1}};
  lwModel* model = NULL;
  lwLoops* loops = NULL;
  double gap[2];
  assert_int_equal(lw_model_create(&looped.robot->def, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  const double angles[] = {0, 1, 3.14159265358979323846, -1};
  for (int i = 0; i < 4; ++i)
  {
    lw_loops_gap(loops, &angles[i], gap);
    assert_near(gap[0], 0, 1e-15);
    assert_near(gap[1], fabs(angles[i]), 1e-14);
  }
  lw_loops_destroy(loops);
  lw_model_destroy(model);
  robot_free(looped.robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_gears),          cmocka_unit_test(wrong_frames),
      cmocka_unit_test(gears_of_held_joints), cmocka_unit_test(floating_bases),
      cmocka_unit_test(opposite_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
