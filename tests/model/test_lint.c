// SPDX-License-Identifier: MIT
// Mistakes seen in real files: each gives one message at its field, with the likely fix; a correct
// arm gives none.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/lint/check_mass.h"
#include "model/lint/validate.h"
#include "support/reader_findings.h"
#include "support/testing.h"

enum
{
  COUNT = 3
};

// An arm of three links, each a box of 0.1 x 0.1 x 0.4 m, 3 kg, whose length is along x + y in the
// link's frame, so that it has a product of inertia.
typedef struct Arm
{
  lwRobotDef robot;
  lwJointDef joints[COUNT];
  lwShape shape;
  lwBulk bulk;
  lwPlace places[COUNT * LW_FIELD_COUNT];
} Arm;

static const double MASS  = 3;
static const double ALONG = 3 * (0.01 + 0.01) / 12, ACROSS = 3 * (0.01 + 0.16) / 12;  // kg m^2

static void make_arm(Arm* arm)
{
  static const char* const names[] = {"waist", "elbow", "wrist"};
  double mean = (ALONG + ACROSS) / 2, product = (ALONG - ACROSS) / 2;
  *arm       = (Arm){.robot = lw_robot_def()};
  arm->shape = (lwShape){.kind = LW_SHAPE_BOX, .size = {0.1, 0.1, 0.4}};
  arm->bulk  = (lwBulk){.volume  = 0.004,
                        .com     = {0.2, 0, 0},
                        .inertia = {mean, mean, ACROSS, product, 0, 0},
                        .low     = {0, -0.2, -0.05},
                        .high    = {0.4, 0.2, 0.05}};
  for (int i = 0; i < 6; ++i) arm->bulk.inertia[i] *= 0.004 / MASS;
  for (int i = 0; i < COUNT; ++i)
  {
    lwJointDef* joint = &arm->joints[i];
    *joint            = lw_joint_def();
    joint->name       = names[i];
    joint->parent     = i - 1;
    joint->a          = 0.4;
    joint->link       = (lwLinkDef){
              .mass = MASS, .com = {0.2, 0, 0}, .inertia = {mean, mean, ACROSS, product, 0, 0}};
  }
  arm->robot.count  = COUNT;
  arm->robot.joints = arm->joints;
}

static void show_shapes(Arm* arm)
{
  arm->joints[1].link.shape_count = 1;
  arm->joints[1].link.shapes      = &arm->shape;
  arm->joints[1].link.bulk        = &arm->bulk;
}

static void scale_inertia(Arm* arm, double factor)
{
  for (int i = 0; i < 6; ++i) arm->joints[1].link.inertia[i] *= factor;
}

static void set_inertia(Arm* arm, double xx, double xy)
{
  double* I = arm->joints[1].link.inertia;
  for (int i = 0; i < 6; ++i) I[i] = i < 3 ? xx : xy;
}

// --- mistakes

#define SPOIL(name, ...)                                                                           \
  static void name(Arm* arm)                                                                       \
  {                                                                                                \
    lwJointDef* joint = &arm->joints[1];                                                           \
    (void)joint;                                                                                   \
    __VA_ARGS__;                                                                                   \
  }

SPOIL(in_g_mm2, scale_inertia(arm, 1e9))
SPOIL(in_kg_mm2, scale_inertia(arm, 1e6))
SPOIL(in_kg_cm2, scale_inertia(arm, 1e4))
SPOIL(mass_in_g, joint->link.mass *= 1e3)
SPOIL(both_in_g, joint->link.mass *= 1e3; scale_inertia(arm, 1e9))
SPOIL(twice_divided, scale_inertia(arm, 1e-6))
SPOIL(identity, set_inertia(arm, 1, 0))
SPOIL(unit_cube, set_inertia(arm, 0.5, 0))
SPOIL(all_six, set_inertia(arm, 1e-6, 1e-6))
SPOIL(round_number, joint->link.mass = 0.02; set_inertia(arm, 0.01, 0))
SPOIL(flipped_products, const double I[] = {0.03, 0.03, 0.03, 0.012, 0.012, 0.012};
      memcpy(joint->link.inertia, I, sizeof I))
SPOIL(no_range, joint->limits.lower = joint->limits.upper = 0.5)
SPOIL(in_degrees, joint->limits.lower = -170; joint->limits.upper = 170)
SPOIL(in_degrees_per_second, joint->limits.velocity = 180)
SPOIL(length_in_mm, joint->d = 400)
SPOIL(com_in_mm, joint->link.com[0] = 200)
SPOIL(com_in_mm_shown, show_shapes(arm); joint->link.com[0] = 2)
SPOIL(point, memset(joint->link.inertia, 0, sizeof joint->link.inertia);
      for (int i = 0; i < COUNT * LW_FIELD_COUNT; ++i) arm->places[i] = (lwPlace){7, 1};
      arm->robot.places                                               = arm->places)
SPOIL(wide_for_shapes, show_shapes(arm); scale_inertia(arm, 30))
SPOIL(kg_mm2_for_shapes, show_shapes(arm); scale_inertia(arm, 1e6))
SPOIL(light_for_shapes, show_shapes(arm); joint->link.mass *= 0.05; scale_inertia(arm, 0.05))
SPOIL(grams_for_shapes, show_shapes(arm); joint->link.mass *= 1e3; scale_inertia(arm, 1e3))
SPOIL(mesh_in_mm, show_shapes(arm); arm->shape.kind = LW_SHAPE_MESH; arm->bulk.volume *= 1e9;
      for (int i = 0; i < 3; ++i) arm->bulk.low[i] *= 1e3, arm->bulk.high[i] *= 1e3)
SPOIL(wrong_sign_for_shapes, show_shapes(arm); joint->link.inertia[3] *= -1)
SPOIL(massless_shapes, show_shapes(arm); joint->link.mass = 0; scale_inertia(arm, 0))

static const struct
{
  void (*spoil)(Arm* arm);
  const char *text, *hint;
  lwSeverity severity;
} SPOILT[] = {
    {in_g_mm2, "radius of gyration 3764 m", "in g mm^2", LW_SEVERITY_WARNING},
    {in_kg_mm2, "radius of gyration", "in kg mm^2", LW_SEVERITY_WARNING},
    {in_kg_cm2, "radius of gyration", "in kg cm^2", LW_SEVERITY_WARNING},
    {mass_in_g, "density", "mass were in g", LW_SEVERITY_WARNING},
    {both_in_g, "radius of gyration", "in g and g mm^2", LW_SEVERITY_WARNING},
    {twice_divided, "density", "divided by 1e6", LW_SEVERITY_WARNING},
    {identity, "the identity", "lwReadOptions.estimate_inertia", LW_SEVERITY_WARNING},
    {unit_cube, "cube with sides of 1 m", "lwReadOptions.estimate_inertia", LW_SEVERITY_WARNING},
    {all_six, "six times the same number", "lwReadOptions.estimate_inertia", LW_SEVERITY_WARNING},
    {round_number, "round number three times", "lwReadOptions.estimate_inertia",
     LW_SEVERITY_WARNING},
    {flipped_products, "breaks the triangle rule", "other sign", LW_SEVERITY_WARNING},
    {no_range, "cannot move", "fixed joint", LW_SEVERITY_WARNING},
    {in_degrees, "-170 to 170 rad", "170 deg", LW_SEVERITY_WARNING},
    {in_degrees_per_second, "180 rad/s", "90 deg/s", LW_SEVERITY_WARNING},
    {length_in_mm, "400 m away", "in mm", LW_SEVERITY_WARNING},
    {com_in_mm, "200 m away", "in mm", LW_SEVERITY_WARNING},
    {com_in_mm_shown, "outside of its shapes", "in mm", LW_SEVERITY_WARNING},
    {point, "is a point", "leave it out", LW_SEVERITY_WARNING},
    {wide_for_shapes, "half the diagonal of its shapes", "kg m^2", LW_SEVERITY_WARNING},
    {kg_mm2_for_shapes, "half the diagonal of its shapes", "in kg mm^2", LW_SEVERITY_WARNING},
    {light_for_shapes, "density 37.5 kg/m^3", "kg", LW_SEVERITY_WARNING},
    {grams_for_shapes, "density 7.5e+05 kg/m^3", "in g", LW_SEVERITY_WARNING},
    {mesh_in_mm, "density 7.5e-07 kg/m^3", "scale=\"0.001", LW_SEVERITY_WARNING},
    {wrong_sign_for_shapes, "products of inertia have the wrong sign", "minus sign",
     LW_SEVERITY_WARNING},
    {massless_shapes, "it moves and has shapes, but no mass", "lwReadOptions.estimate_inertia",
     LW_SEVERITY_WARNING},
};

static void expect_no_findings(const Arm* arm)
{
  const lwModelOptions pedantic = {.lint.pedantic = true};
  lwDiag* diag                  = lw_diag_create();
  assert_int_equal(lw_robot_validate(&arm->robot, &pedantic, diag), LW_OK);
  findings_print(diag);
  assert_int_equal(lw_diag_size(diag), 0);
  lw_diag_destroy(diag);
}

static void sound_arms(void** unused)
{
  (void)unused;
  for (int shown = 0; shown < 2; ++shown)
  {
    Arm arm;
    make_arm(&arm);
    if (shown) show_shapes(&arm);
    arm.joints[2].limits = (lwLimits){-1e9, 1e9, 1e9, 1e9, 1e9, 1e9};  // mean no limits
    expect_no_findings(&arm);
  }
}

static void slips(void** unused)
{
  (void)unused;
  int wrong = 0;
  for (size_t k = 0; k < sizeof SPOILT / sizeof *SPOILT; ++k)
  {
    Arm arm;
    make_arm(&arm);
    SPOILT[k].spoil(&arm);
    lwDiag* diag    = lw_diag_create();
    lwStatus status = lw_robot_validate(&arm.robot, &(lwModelOptions){.lint.pedantic = true}, diag);
    bool error      = SPOILT[k].severity == LW_SEVERITY_ERROR;
    bool one        = lw_diag_size(diag) == 1 && status == (error ? LW_ERROR_INPUT : LW_OK);
    const lwMessage* message = lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0) : NULL;
    bool right               = one && strstr(message->text, SPOILT[k].text) && message->hint &&
                 strstr(message->hint, SPOILT[k].hint);
    if (!right) fprintf(stderr, "expected '%s' (%s), found\n", SPOILT[k].text, SPOILT[k].hint);
    if (!right) findings_print(diag);
    wrong += !right;
    lw_diag_destroy(diag);
  }
  assert_int_equal(wrong, 0);
}

// Shapes are drawn roughly: a radius of gyration is reported from 5 % beyond half their diagonal
// on.
static void rough_shapes_are_accepted(void** unused)
{
  (void)unused;
  double half = hypot(hypot(0.4, 0.4), 0.1) / 2;
  for (int wide = 0; wide < 2; ++wide)
  {
    Arm arm;
    make_arm(&arm);
    show_shapes(&arm);
    double radius = (wide ? 1.051 : 1.049) * half, I = MASS * radius * radius;
    set_inertia(&arm, I, 0);
    lwDiag* diag = lw_diag_create();
    assert_int_equal(lw_robot_validate(&arm.robot, &(lwModelOptions){.lint.pedantic = true}, diag),
                     LW_OK);
    bool found = false;
    for (int i = 0; i < lw_diag_size(diag); ++i)
      found = found || strstr(lw_diag_message(diag, i)->text, "half the diagonal") != NULL;
    assert_int_equal(found, wide);
    lw_diag_destroy(diag);
  }
}

// A real unit cube, and an identity inertia that matches the shapes.
static void placeholders_that_are_none(void** unused)
{
  (void)unused;
  Arm arm;
  make_arm(&arm);
  show_shapes(&arm);
  arm.joints[1].link.mass = 600;
  set_inertia(&arm, 100, 0);
  arm.bulk = (lwBulk){.volume  = 1,
                      .inertia = {1. / 6, 1. / 6, 1. / 6},
                      .low     = {-0.5, -0.5, -0.5},
                      .high    = {0.5, 0.5, 0.5}};
  expect_no_findings(&arm);
}

// Each unit that a typical link may be written in is recognised.
static void units_are_told_apart(void** unused)
{
  (void)unused;
  static const struct
  {
    double mass, inertia;
    const char* hint;
  } units[]                      = {{1, 1e9, "in g mm^2"},
                                    {1, 1e6, "in kg mm^2"},
                                    {1e3, 1, "mass were in g"},
                                    {1e3, 1e9, "in g and g mm^2"}};
  static const double links[][4] = {
      {3, 0.005, 0.0425, 0.0425}, {12, 0.2, 0.25, 0.1}, {0.7, 0.0004, 0.0006, 0.0007}};
  for (size_t u = 0; u < sizeof units / sizeof *units; ++u)
    for (size_t l = 0; l < sizeof links / sizeof *links; ++l)
    {
      char buffer[LW_HINT_SIZE];
      double I[6] = {links[l][1], links[l][2], links[l][3], 0, 0, 0}, moments[3];
      lw_principal_moments(I, moments);
      for (int i = 0; i < 3; ++i) moments[i] *= units[u].inertia;
      const char* hint = lw_slip_hint(links[l][0] * units[u].mass, moments, 1.2, buffer);
      assert_non_null(hint);
      if (!strstr(hint, units[u].hint)) fail_msg("expected '%s', found '%s'", units[u].hint, hint);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_arms),
      cmocka_unit_test(slips),
      cmocka_unit_test(rough_shapes_are_accepted),
      cmocka_unit_test(placeholders_that_are_none),
      cmocka_unit_test(units_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
