// SPDX-License-Identifier: MIT
// Shapes of URDF links: what is kept of them, the box around them, and mass properties estimated
// from them, against closed forms.
#include <math.h>
#include <stdio.h>

#include "urdf_texts.h"

static const char HEAD[] = "<robot name=\"r\"><link name=\"base\"/>"
                           "<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child "
                           "link=\"l\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" "
                           "velocity=\"1\" effort=\"1\"/></joint><link name=\"l\">";
static const char TAIL[] = "</link></robot>";

static Reading with_shapes(const char* shapes)
{
  char text[4096];
  lwModelOptions options        = {0};
  options.read.estimate_inertia = true;
  options.read.density          = 1000;
  snprintf(text, sizeof text, "%s%s%s", HEAD, shapes, TAIL);
  Reading r = read_with(text, &options);
  assert_int_equal(r.status, LW_OK);
  return r;
}

static const lwLinkDef* link_of(const Reading* r)
{
  return &lw_model_robot(r->model)->joints[0].link;
}

static void expect_numbers(const double* got, const double* expected, int count)
{
  for (int i = 0; i < count; ++i) assert_near(got[i], expected[i], 1e-12);
}

#define COLLISION(origin, solid)                                                                   \
  "<collision><origin " origin "/><geometry>" solid "</geometry></collision>"
#define VISUAL(origin, solid) "<visual><origin " origin "/><geometry>" solid "</geometry></visual>"
#define BOX                   "<box size=\"0.1 0.2 0.4\"/>"
#define NOWHERE               "xyz=\"0 0 0\""

// m (b^2 + c^2) / 12
static void boxes(void** unused)
{
  (void)unused;
  Reading r             = with_shapes(COLLISION("xyz=\"1 2 3\"", BOX));
  const lwLinkDef* link = link_of(&r);
  assert_int_equal(link->shape_count, 1);
  assert_int_equal(link->shapes[0].kind, LW_SHAPE_BOX);
  assert_false(link->shapes[0].visual);
  expect_numbers(link->shapes[0].size, (double[]){0.1, 0.2, 0.4}, 3);
  expect_numbers(link->shapes[0].xyz, (double[]){1, 2, 3}, 3);
  assert_near(link->mass, 8, 1e-12);
  expect_numbers(link->com, (double[]){1, 2, 3}, 3);
  expect_numbers(link->inertia, (double[]){8 * 0.2 / 12, 8 * 0.17 / 12, 8 * 0.05 / 12, 0, 0, 0}, 6);
  forget(&r);
}

// A quarter turn about z exchanges x and y; half of one tilts it.
static void shapes_are_turned(void** unused)
{
  (void)unused;
  Reading r             = with_shapes(COLLISION("rpy=\"0 0 1.5707963267948966\"", BOX));
  const lwLinkDef* link = link_of(&r);
  expect_numbers(link->inertia, (double[]){8 * 0.17 / 12, 8 * 0.2 / 12, 8 * 0.05 / 12, 0, 0, 0}, 6);
  forget(&r);
  r           = with_shapes(COLLISION("rpy=\"0 0 0.78539816339744831\"", BOX));
  link        = link_of(&r);
  double mean = 8 * (0.2 + 0.17) / 24, product = 8 * (0.2 - 0.17) / 24;
  expect_numbers(link->inertia, (double[]){mean, mean, 8 * 0.05 / 12, product, 0, 0}, 6);
  forget(&r);
}

static void round_shapes(void** unused)
{
  (void)unused;
  double pi             = acos(-1);
  Reading r             = with_shapes(COLLISION(NOWHERE, "<sphere radius=\"0.1\"/>"));
  const lwLinkDef* link = link_of(&r);
  double mass = 1000 * 4 * pi / 3 * 1e-3, I = 0.4 * mass * 0.01;
  assert_near(link->mass, mass, 1e-12);
  expect_numbers(link->inertia, (double[]){I, I, I, 0, 0, 0}, 6);
  forget(&r);

  r    = with_shapes(COLLISION(NOWHERE, "<cylinder radius=\"0.1\" length=\"0.6\"/>"));
  link = link_of(&r);
  mass = 1000 * pi * 0.01 * 0.6;
  I    = mass * (3 * 0.01 + 0.36) / 12;
  assert_near(link->mass, mass, 1e-12);
  expect_numbers(link->inertia, (double[]){I, I, mass * 0.01 / 2, 0, 0, 0}, 6);
  forget(&r);
}

// Two boxes, and a sphere that is only looked at.
static void shapes_add_up(void** unused)
{
  (void)unused;
  Reading r = with_shapes(COLLISION("xyz=\"1 0 0\"", BOX) COLLISION("xyz=\"-1 0 0\"", BOX)
                              VISUAL(NOWHERE, "<sphere radius=\"9\"/>"));
  const lwLinkDef* link = link_of(&r);
  assert_int_equal(link->shape_count, 3);
  assert_true(link->shapes[2].visual);
  assert_near(link->mass, 16, 1e-12);
  expect_numbers(link->com, (double[]){0, 0, 0}, 3);
  expect_numbers(link->inertia,
                 (double[]){16 * 0.2 / 12, 16 * 0.17 / 12 + 16, 16 * 0.05 / 12 + 16, 0, 0, 0}, 6);
  forget(&r);
}

// The box around the shapes, by what the check of the centre of mass says about it.
static void expect_outside(const char* shapes, const char* com, const char* says)
{
  char text[4096];
  lwModelOptions options = {.lint.pedantic = true};
  snprintf(text, sizeof text,
           "%s<inertial><origin xyz=\"%s\"/><mass value=\"5\"/><inertia ixx=\"1e-2\" ixy=\"0\" "
           "ixz=\"0\" iyy=\"1e-2\" iyz=\"0\" izz=\"1e-2\"/></inertial>%s%s",
           HEAD, com, shapes, TAIL);
  Reading r  = read_with(text, &options);
  bool found = false;
  for (int i = 0; i < lw_diag_size(r.diag); ++i)
    found = found || strstr(lw_diag_message(r.diag, i)->text, says) != NULL;
  if (!found && lw_diag_size(r.diag) > 0) puts(lw_diag_message(r.diag, 0)->text);
  assert_true(found);
  forget(&r);
}

static void boxes_around_shapes(void** unused)
{
  (void)unused;
  static const char there[]  = COLLISION("xyz=\"1 2 3\"", BOX);
  static const char tilted[] = COLLISION("rpy=\"0 0 0.78539816339744831\"", BOX);
  static const char round[]  = COLLISION(NOWHERE, "<cylinder radius=\"0.1\" length=\"0.6\"/>");
  static const char ball[]   = COLLISION(NOWHERE, "<sphere radius=\"0.1\"/>");
  static const char two[]    = COLLISION("xyz=\"1 0 0\"", BOX) COLLISION("xyz=\"-1 0 0\"", BOX);
  expect_outside(there, "1 2 10", "6.8 m outside of its shapes, whose diagonal is 0.4583 m");
  expect_outside(there, "1 -2 3", "3.9 m outside of its shapes");
  expect_outside(there, "4.05 2 -1.2", "5 m outside of its shapes");  // 3 and 4
  expect_outside(tilted, "5 0 0", "4.894 m outside of its shapes, whose diagonal is 0.5 m");
  expect_outside(round, "0 0 5", "4.7 m outside of its shapes, whose diagonal is 0.6633 m");
  expect_outside(round, "5 0 0", "4.9 m outside of its shapes");
  expect_outside(ball, "0 -5 0", "4.9 m outside of its shapes, whose diagonal is 0.3464 m");
  expect_outside(two, "0 0 9", "8.8 m outside of its shapes, whose diagonal is 2.147 m");
}

// A given mass stays, and so does its centre: only the inertia is estimated.
static void a_mass_that_is_given_stays(void** unused)
{
  (void)unused;
  Reading r             = with_shapes("<inertial><origin xyz=\"0.01 0 0\"/><mass value=\"2\"/>"
                                                  "<inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" "
                                                  "izz=\"0\"/></inertial>" VISUAL(NOWHERE, BOX));
  const lwLinkDef* link = link_of(&r);
  assert_near(link->mass, 2, 0);
  expect_numbers(link->com, (double[]){0.01, 0, 0}, 3);
  expect_numbers(link->inertia, (double[]){2 * 0.2 / 12, 2 * 0.17 / 12, 2 * 0.05 / 12, 0, 0, 0}, 6);
  forget(&r);
}

// The scale of a mesh is kept, 1 if there is none. The file is not there, so nothing is measured.
static void meshes_keep_name_and_scale(void** unused)
{
  (void)unused;
  Reading r             = with_shapes(INERTIAL VISUAL(NOWHERE, "<mesh filename=\"no.stl\"/>")
                                          VISUAL(NOWHERE, "<mesh filename=\"none.stl\" scale=\"1 2 -3\"/>"));
  const lwLinkDef* link = link_of(&r);
  assert_int_equal(link->shape_count, 2);
  assert_int_equal(link->shapes[1].kind, LW_SHAPE_MESH);
  assert_string_equal(link->shapes[1].mesh, "none.stl");
  expect_numbers(link->shapes[0].size, (double[]){1, 1, 1}, 3);
  expect_numbers(link->shapes[1].size, (double[]){1, 2, -3}, 3);
  forget(&r);
}

// What is wrong is left out, with a warning; the others stay.
static void wrong_shapes_are_left_out(void** unused)
{
  (void)unused;
  Reading r             = with_shapes(INERTIAL COLLISION(NOWHERE, "<box size=\"1 x 1\"/>")
                                          COLLISION(NOWHERE, "<capsule radius=\"1\"/>")
                                              COLLISION(NOWHERE, "<mesh scale=\"1 1 1\"/>")
                                                  COLLISION(NOWHERE, BOX) "<collision/>");
  const lwLinkDef* link = link_of(&r);
  assert_int_equal(link->shape_count, 1);
  assert_int_equal(link->shapes[0].kind, LW_SHAPE_BOX);
  int warned = 0;
  for (int i = 0; i < lw_diag_size(r.diag); ++i)
    warned += strstr(lw_diag_message(r.diag, i)->text, "numbers of this") != NULL;
  assert_int_equal(warned, 2);
  forget(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes),
      cmocka_unit_test(shapes_are_turned),
      cmocka_unit_test(round_shapes),
      cmocka_unit_test(shapes_add_up),
      cmocka_unit_test(boxes_around_shapes),
      cmocka_unit_test(a_mass_that_is_given_stays),
      cmocka_unit_test(meshes_keep_name_and_scale),
      cmocka_unit_test(wrong_shapes_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
