// SPDX-License-Identifier: MIT
// Drawings: views are rotations, pictures are complete, and names never become markup.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/parts.h"
#include "report/drawing/drawing.h"
#include "testing.h"
#include "text/out.h"

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void views_are_rotations(void** state)
{
  (void)state;
  for (int i = 0; i < 12; ++i)
  {
    lwViewpoint view    = lw_view_from(0.7 * i - 3, 0.3 * i - 1.5);
    const double* at[3] = {view.right, view.up, view.toward};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) assert_closer(dot(at[a], at[b]), (a == b), 4e-16);
    double p[3], third[3] = {view.right[1] * view.up[2] - view.right[2] * view.up[1],
                             view.right[2] * view.up[0] - view.right[0] * view.up[2],
                             view.right[0] * view.up[1] - view.right[1] * view.up[0]};
    lw_view_project(&view, third, p);  // right-handed: towards the viewer
    assert_closer(p[0], 0, 4e-16);
    assert_closer(p[1], 0, 4e-16);
    assert_closer(p[2], 1, 4e-16);
  }
}

// Views along axes are exact.
static void named_views_are_exact(void** state)
{
  (void)state;
  static const struct
  {
    const char* name;
    double right[3], up[3];
  } views[] = {{"front", {1, 0, 0}, {0, 0, 1}},
               {"side", {0, 1, 0}, {0, 0, 1}},
               {"top", {1, 0, 0}, {0, 1, 0}}};
  lwViewpoint view;
  for (size_t i = 0; i < sizeof views / sizeof *views; ++i)
  {
    assert_true(lw_view_named(views[i].name, &view));
    for (int c = 0; c < 3; ++c)
    {
      assert_same(view.right[c], views[i].right[c]);
      assert_same(view.up[c], views[i].up[c]);
    }
  }
  assert_true(lw_view_named("iso", &view));
  for (int c = 0; c < 2; ++c) assert_closer(fabs(view.right[c]), sqrt(0.5), 1e-15);
  assert_closer(view.toward[2], sqrt(1 / 3.0), 1e-15);
  assert_false(lw_view_named("above", &view));
}

// Three faces of a box are visible; the areas of their projections add up to that of the outline.
static void boxes_show_three_faces(void** state)
{
  (void)state;
  static const double sizes[3] = {1, 2, 3};
  const lwPlace3 place         = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.1, 0.2, 0.3}};
  const lwPlace3 mirrored      = {{-1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.1, 0.2, 0.3}};
  lwScene scene                = {.view = lw_view_from(0.5, 0.4)};
  lw_scene_solid(&scene, &place, LW_SOLID_BOX, sizes, (lwPaint){0});
  assert_int_equal(scene.item_count, 3);
  lw_scene_solid(&scene, &mirrored, LW_SOLID_BOX, sizes, (lwPaint){0});
  assert_int_equal(scene.item_count, 6);
  double area = 0, wanted = 0;
  for (size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k)
    {
      const double* a = scene.points[scene.items[i].first + (size_t)k];
      const double* b = scene.points[scene.items[i].first + (size_t)(k + 1) % 4];
      area += (a[0] * b[1] - a[1] * b[0]) / 2;
    }
  for (int c = 0; c < 3; ++c)
    wanted += fabs(scene.view.toward[c]) * sizes[(c + 1) % 3] * sizes[(c + 2) % 3];
  assert_closer(area, wanted, 1e-13 * wanted);
  lw_scene_free(&scene);
}

static void outlines_are_convex(void** state)
{
  (void)state;
  const double points[7][3] = {
      {0, 0, 0},     {1, 0, 0},     {1, 1, 0},    {0, 1, 0},
      {0.5, 0.5, 1}, {0.2, 0.7, 2}, {0.5, 0, 0.4}};  // the last ones are inside
  lwScene scene = {0};
  assert_true(lw_view_named("top", &scene.view));
  lw_scene_hull(&scene, points, 7, (lwPaint){0});
  assert_int_equal(scene.item_count, 1);
  assert_int_equal(scene.items[0].count, 4);
  lw_scene_hull(&scene, points, 2, (lwPaint){0});
  assert_int_equal(scene.item_count, 1);
  lw_scene_free(&scene);
}

static char* draw_robot(const lwJointDef* joints, int count, lwOut* memory)
{
  lwRobotDef robot = lw_robot_def();
  lwModel* model   = NULL;
  robot.name       = "a <robot> & \"more\"";
  robot.count      = count;
  robot.joints     = joints;
  lwModelOptions o = {.lint.allow_inert = true};
  assert_int_equal(lw_model_create(&robot, &o, NULL, &model), LW_OK);
  double* q = calloc((size_t)lw_model_nq(model) + 1, sizeof *q);
  assert_non_null(q);
  lw_model_neutral(model, q);
  *memory                 = (lwOut){.in_memory = true};
  const lwDrawing drawing = {.model = model, .count = 1, .poses = q, .shown = ~0u};
  assert_int_equal(lw_drawing_write(&drawing, memory, NULL), LW_OK);
  assert_true(lw_out_finish(memory));
  free(q);
  lw_model_destroy(model);
  return memory->text;
}

// Every joint type, with everything shown.
static void all_joints_can_be_drawn(void** state)
{
  (void)state;
  lwOut memory;
  lwJointDef joints[LW_JOINT_TYPE_COUNT];
  static const char* const names[] = {"<a>", "b", "c", "d", "e", "f", "g", "h", "i"};
  for (int i = 0; i < LW_JOINT_TYPE_COUNT; ++i)
  {
    joints[i]            = lw_joint_def();
    joints[i].name       = names[i];
    joints[i].type       = (lwJointType)i;
    joints[i].parent     = i - 1;
    joints[i].placement  = LW_PLACEMENT_ORIGIN_AXIS;
    joints[i].xyz[i % 3] = 0.3;
    joints[i].axis[2]    = 1;
    joints[i].axis2[0]   = 1;
    joints[i].pitch      = 0.1;
    joints[i].link.mass  = 1;
    for (int k = 0; k < 3; ++k) joints[i].link.inertia[k] = 0.1;
  }
  const char* text = draw_robot(joints, LW_JOINT_TYPE_COUNT, &memory);
  assert_contains(text, "&lt;a&gt;");
  assert_contains(text, "&lt;robot&gt; &amp; &quot;more&quot;");
  assert_null(strstr(text, "<a>"));
  assert_null(strstr(text, "nan"));
  assert_contains(text, "</svg>\n");
  lw_out_free(&memory);
}

// A robot without joints, or with all lengths zero, still gives a picture.
static void a_point_can_be_drawn(void** state)
{
  (void)state;
  lwOut memory;
  lwJointDef joint      = lw_joint_def();
  joint.name            = "only";
  joint.parent          = LW_BASE;
  joint.link.mass       = 1;
  joint.link.inertia[0] = joint.link.inertia[1] = joint.link.inertia[2] = 1;
  const char* text = draw_robot(&joint, 1, &memory);
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
  lw_out_free(&memory);
}

static void long_chains_are_refused(void** state)
{
  (void)state;
  lwModel* model = NULL;
  assert_int_equal(lw_model_create_generic(LW_DRAWING_MOST_JOINTS + 1, &model), LW_OK);
  const lwDrawing drawing = {.model = model, .count = 1};
  assert_int_equal(lw_drawing_write(&drawing, NULL, NULL), LW_ERROR_INPUT);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(views_are_rotations),     cmocka_unit_test(named_views_are_exact),
      cmocka_unit_test(boxes_show_three_faces),  cmocka_unit_test(outlines_are_convex),
      cmocka_unit_test(all_joints_can_be_drawn), cmocka_unit_test(a_point_can_be_drawn),
      cmocka_unit_test(long_chains_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
