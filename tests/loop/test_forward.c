// SPDX-License-Identifier: MIT
// Forward dynamics with loops in both ways: all equations in one pass, and each part by the method
// of its own question. Loops of every type, joints of every type, mimic joints.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "support/testing.h"

enum
{
  MOST   = 64,
  STATES = 30
};

#define LINK                                                                                       \
  " link: {mass: 5, com: [0.2, 0.05, -0.03], inertia: [0.12, 0.13, 0.14, 0.001, 0.002, -0.001]}"
#define JOINT(name, type, parent, more)                                                            \
  "  - {name: " name ", type: " type ", parent: " parent                                           \
  ", origin: {xyz: [0.3, 0.1, 0.2], rpy: [0.3, -0.2, 0.5]}, " more LINK "}\n"

// Branches, a screw and a mimic joint on a floating base; a loop of every type.
static const char EVERYTHING[] =
    "linkwork: 1\njoints:\n"
    "  - {name: hull, type: floating, parent: base," LINK "}\n" JOINT(
        "a", "revolute", "hull",
        "axis: [0, 1, 1], motor: {resistance: 1, torque_constant: 0.1, gear: 50, rotor_inertia: "
        "1e-4},") JOINT("b", "universal", "a",
                        "axis: [1, 0, 0], "
                        "axis2: [0, 1, 0],") JOINT("c", "cylindrical", "b", "axis: [0, 0, 1],")
        JOINT("d", "ball", "c", "") JOINT("e", "screw", "hull", "axis: [1, 0, 0], pitch: 0.1,")
            JOINT("f", "planar", "e", "axis: [0, 1, 2],")
                JOINT("g", "revolute", "f", "axis: [1, 0, 1], mimic: {joint: a, multiplier: -0.5},")
                    JOINT("h", "revolute", "g", "axis: [1, 0, 0],")
                        JOINT("k", "floating", "base", "start: [0.5, 0.4, 0.3, 0.1, 0.2, 0.3, 1],");
static const char* const LOOPS[] = {
    "  - {name: weld, type: fixed, first: {link: d, xyz: [0.1, 0.2, 0.3], rpy: [1, 0, 0]}, "
    "second: {link: k, xyz: [0.1, 0, 0]}}\n",
    "  - {name: tie, type: position, first: {link: base, xyz: [1, 0.5, 0]}, second: {link: h}}\n",
    "  - {name: pin, type: hinge, first: {link: d, xyz: [0.1, 0.2, 0.3]}, second: {link: k}, "
    "axis: [1, 0, 1]}\n",
    "  - {name: rail, type: line, first: {link: c, xyz: [0, 0, 0.4]}, second: {link: h, xyz: "
    "[0.1, 0, 0]}, axis: [1, 1, 0]}\n",
    "  - {name: gears, type: gear, joints: [h, e], ratio: -2}\n",
    "  - {name: tie, type: position, first: {link: k}, second: {link: d}}\n"
    "  - {name: gears, type: gear, joints: [h, e], ratio: -2}\n"
    "  - {name: rail, type: line, first: {link: c, xyz: [0, 0, 0.4]}, second: {link: h, xyz: "
    "[0.1, 0, 0]}, axis: [1, 1, 0]}\n",
};

static void fill(lwRandom* random, double* x, int count, double size)
{
  for (int i = 0; i < count; ++i) x[i] = lw_random_between(random, -size, size);
}

static void compare(const double* got, const double* expected, int count, double tolerance)
{
  double size = 1;
  for (int i = 0; i < count; ++i) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < count; ++i) assert_near(got[i], expected[i], tolerance * size);
}

// Random states near the file's position, closed.
static void check_both_ways(lwModel* model, bool rotors)
{
  lwLoops *at_once, *by_methods;
  lwRandom random    = {11};
  lwWorkspaceDef def = lw_workspace_def();
  def.rotors         = rotors;
  assert_int_equal(lw_loops_create(model, &def, NULL, &at_once), LW_OK);
  def.inertia = "composite-body";
  assert_int_equal(lw_loops_create(model, &def, NULL, &by_methods), LW_OK);
  int dof = lw_model_dof(model), rows = lw_model_loop_rows(model);
  double q[MOST], qd[MOST], tau[MOST], step[MOST], qdd[2][MOST], force[2][MOST];
  for (int k = 0; k < STATES; ++k)
  {
    lw_model_start(model, q);
    fill(&random, step, dof, 0.05);
    fill(&random, qd, dof, 1);
    fill(&random, tau, dof, 10);
    lw_model_integrate(model, q, step, q);
    lw_loops_project(at_once, q, qd);
    assert_int_equal(lw_loops_check(at_once, q, qd, NULL, NULL), LW_OK);
    lwStates state = {.q = q, .qd = k % 3 ? qd : NULL, .tau = k % 4 ? tau : NULL};
    lw_loops_forward(at_once, &state, qdd[0], force[0]);
    lw_loops_forward(by_methods, &state, qdd[1], force[1]);
    compare(qdd[0], qdd[1], dof, 1e-11);  // the condition of the rows
    compare(force[0], force[1], rows, 1e-10);
    assert_int_equal(lw_loops_check(at_once, q, qd, k % 3 ? qdd[0] : NULL, NULL), LW_OK);
  }
  lw_loops_destroy(by_methods);
  lw_loops_destroy(at_once);
}

static void robots_of_the_project(void** state)
{
  (void)state;
  static const char* const files[] = {"four_bar", "palletizer", "stewart", "delta", "excavator"};
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
  {
    char path[300];
    lwModel* model;
    snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, files[k]);
    assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
    check_both_ways(model, false);
    lw_model_destroy(model);
  }
}

static void loops_of_every_type(void** state)
{
  (void)state;
  for (size_t k = 0; k < sizeof LOOPS / sizeof *LOOPS; ++k)
  {
    char text[8000];
    lwModel* model = NULL;
    lwDiag* diag   = lw_diag_create();
    int length     = snprintf(text, sizeof text, "%sloops:\n%s", EVERYTHING, LOOPS[k]);
    lwStatus read  = lw_robot_read_text("robot.yaml", text, (size_t)length, NULL, diag, &model);
    for (int i = 0; read != LW_OK && i < lw_diag_size(diag); ++i)
      print_message("%s\n", lw_diag_message(diag, i)->text);
    assert_int_equal(read, LW_OK);
    check_both_ways(model, false);
    check_both_ways(model, true);
    lw_model_destroy(model);
    lw_diag_destroy(diag);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_of_the_project),
      cmocka_unit_test(loops_of_every_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
