// SPDX-License-Identifier: MIT
// Loops of all types: constraint rows against differences, robots against equivalent trees, power
// balance, and loops that cannot be closed.
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "loop/loop_workspace.h"
#include "support/reader_findings.h"
#include "support/testing.h"

#define LINK(name)                                                                                 \
  "    link: {name: " name ", mass: 1.3, com: [0.2, 0.05, -0.03], inertia: [0.02, 0.03, 0.04, "    \
  "0.001, 0.002, -0.001]}\n"
#define JOINT(name, parent, xyz, axis, more)                                                       \
  "  - name: " name "\n    type: revolute\n    parent: " parent "\n    origin: {xyz: " xyz         \
  "}\n    axis: " axis "\n" more                                                                   \
  LINK(name)
#define PASSIVE(start) "    passive: true\n    start: " start "\n"

// A spatial arm of three joints, and the same with a floating last link held by a hinge.
static const char SERIAL[] =
    "linkwork: 1\njoints:\n" JOINT("a", "base", "[0, 0, 0.3]", "[0, 0, 1]", "")
        JOINT("b", "a", "[0.1, 0, 0.2]", "[0, 1, 0]", "")
            JOINT("c", "b", "[0.4, 0.1, 0]", "[1, 0, 1]", "");
static const char HINGED[] =
    "linkwork: 1\njoints:\n" JOINT("a", "base", "[0, 0, 0.3]", "[0, 0, 1]", "") JOINT(
        "b", "a", "[0.1, 0, 0.2]", "[0, 1, 0]",
        "") "  - name: c\n    type: floating\n    parent: base\n    passive: true\n    start: "
            "[0.5, 0.1, 0.5, 0, 0, 0, 1]\n" LINK("c") "loops:\n  - name: elbow\n    type: hinge\n  "
                                                      "  first: {link: b, xyz: [0.4, 0.1, 0]}\n"
                                                      "    second: {link: c}\n    axis: [1, 0, "
                                                      "1]\n";

// A parallelogram with a loop, and with mimic joints.
#define PARALLELOGRAM(first, second, third)                                                        \
  "linkwork: 1\ngravity: [0, -9.81, 0]\njoints:\n" JOINT("crank", "base", "[0, 0, 0]",             \
                                                         "[0, 0, 1]", first)                       \
      JOINT("coupler", "crank", "[0.3, 0, 0]", "[0, 0, 1]", second)                                \
          JOINT("rocker", "base", "[0.5, 0, 0]", "[0, 0, 1]", third)
static const char LOOPED[] = PARALLELOGRAM(
    "    start: 1\n", PASSIVE("-1"),
    PASSIVE("1")) "loops:\n  - name: pin\n    type: hinge\n    first: {link: coupler, xyz: [0.5, "
                  "0, 0]}\n"
                  "    second: {link: rocker, xyz: [0.3, 0, 0]}\n    axis: [0, 0, 1]\n";
static const char MIMICS[] =
    PARALLELOGRAM("", "    mimic: {joint: crank, multiplier: -1}\n", "    mimic: {joint: crank}\n");

// One loop of each other type on a branched arm with a ball and a prismatic joint.
static const char MIXED[] = "linkwork: 1\njoints:\n" JOINT("a", "base", "[0, 0, 0.3]", "[0, 0, 1]",
                                                           "    start: 0.2\n")
    JOINT(
        "b", "a", "[0.1, 0, 0.2]", "[0, 1, 0]",
        "    start: 0.3\n") "  - name: slide\n    type: prismatic\n    parent: b\n    origin: "
                            "{xyz: [0.2, 0, 0], rpy: [0.1, 0.2, 0.3]}\n"
                            "    axis: [1, 2, 0]\n    start: 0.1\n" LINK(
                                "slide") "  - name: ball\n    type: ball\n    parent: slide\n    "
                                         "origin: {xyz: [0.1, 0.2, 0]}\n"
                                         "    start: [0.1, 0.2, 0.3, 0.9]\n" LINK(
                                             "ball") "  - name: f\n    type: floating\n    parent: "
                                                     "base\n    start: [0.3, 0.2, 0.4, 0, 0.1, 0, "
                                                     "1]\n" LINK("f") JOINT("g", "f", "[0.1, 0, 0]",
                                                                            "[0, 1, 1]",
                                                                            "    start: 0.4\n")
                                                         JOINT(
                                                             "h", "g", "[0.1, 0.3, 0]", "[1, 0, 0]",
                                                             "    start: -0.2\n") "loops:\n"
                                                                                  "  - {name: "
                                                                                  "weld, type: "
                                                                                  "fixed, first: "
                                                                                  "{link: ball, "
                                                                                  "xyz: [0.1, 0.2, "
                                                                                  "0.3]}, second: "
                                                                                  "{link: f, rpy: "
                                                                                  "[0.2, 0, 0]}}\n"
                                                                                  "  - {name: "
                                                                                  "rail, type: "
                                                                                  "line, first: "
                                                                                  "{link: base, "
                                                                                  "xyz: [0.4, 0.2, "
                                                                                  "0.5]}, second: "
                                                                                  "{link: g, xyz: "
                                                                                  "[0.1, 0, 0]}, "
                                                                                  "axis: [1, 1, "
                                                                                  "0]}\n"
                                                                                  "  - {name: tie, "
                                                                                  "type: position, "
                                                                                  "first: {link: "
                                                                                  "a, xyz: [0.5, "
                                                                                  "0.2, 0.3]}, "
                                                                                  "second: {link: "
                                                                                  "h}}\n"
                                                                                  "  - {name: "
                                                                                  "gears, type: "
                                                                                  "gear, joints: "
                                                                                  "[g, b], ratio: "
                                                                                  "-2, offset: "
                                                                                  "0.7}\n";

static lwModel* read_robot(const char* text)
{
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  lwStatus read  = lw_robot_read_text("robot.yaml", text, strlen(text), NULL, diag, &model);
  if (read != LW_OK) findings_print(diag);
  assert_int_equal(read, LW_OK);
  lw_diag_destroy(diag);
  return model;
}

static void randomise(lwRandom* random, double* x, int count, double size)
{
  for (int i = 0; i < count; ++i) x[i] = lw_random_between(random, -size, size);
}

// --- rows

// At a closed position: J against central differences of the rows, dJ/dt qd against those of J.
static void check_rows(const char* text, int rows, int mobility)
{
  enum
  {
    MOST = 32
  };
  lwModel* model = read_robot(text);
  lwLoops* loops;
  lwRandom random = {1};
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  assert_int_equal(lw_model_loop_rows(model), rows);
  assert_int_equal(lw_model_mobility(model), mobility);
  double q[MOST], qd[MOST], moved[MOST], step[MOST], error[2][MOST], J[MOST * MOST], h = 1e-5;
  int dof = lw_model_dof(model);
  lw_model_start(model, q);
  randomise(&random, qd, dof, 1);
  lw_loops_project(loops, q, qd);
  lw_loops_at(loops, q);
  memcpy(J, loops->J, (size_t)(rows * dof) * sizeof *J);
  for (int i = 0; i < dof; ++i)
  {
    for (int side = 0; side < 2; ++side)
    {
      memset(step, 0, sizeof step);
      step[i] = side ? h : -h;
      lw_model_integrate(model, q, step, moved);
      lw_loops_gap(loops, moved, (double[2]){0});
      memcpy(error[side], loops->closer.error, (size_t)rows * sizeof(double));
    }
    for (int r = 0; r < rows; ++r)  // truncation error h^2
      assert_near((error[1][r] - error[0][r]) / (2 * h), J[r * dof + i], 1e-9);
  }
  double bias[MOST], opening[2][MOST];
  lw_loops_at(loops, q);
  lw_loop_bias(model, &loops->closer.motion, qd, bias);
  for (int side = 0; side < 2; ++side)
  {
    for (int i = 0; i < dof; ++i) step[i] = (side ? h : -h) * qd[i];
    lw_model_integrate(model, q, step, moved);
    lw_loops_at(loops, moved);
    for (int r = 0; r < rows; ++r)
    {
      opening[side][r] = 0;
      for (int i = 0; i < dof; ++i) opening[side][r] += loops->J[r * dof + i] * qd[i];
    }
  }
  for (int r = 0; r < rows; ++r)
    assert_near((opening[1][r] - opening[0][r]) / (2 * h), bias[r], 1e-8);
  lw_loops_destroy(loops);
  lw_model_destroy(model);
}

static void rows_and_differences(void** state)
{
  (void)state;
  check_rows(LOOPED, 5, 1);
  check_rows(HINGED, 5, 3);
  check_rows(MIXED, 12, 2);
}

// --- equivalent trees

// The parallelogram with a loop and with mimic joints: the same motion.
static void parallelogram(void** state)
{
  (void)state;
  lwModel *looped = read_robot(LOOPED), *mimics = read_robot(MIMICS);
  lwLoops* loops;
  lwWorkspace* ws;
  lwRandom random = {7};
  assert_int_equal(lw_loops_create(looped, NULL, NULL, &loops), LW_OK);
  assert_int_equal(lw_workspace_create(mimics, NULL, NULL, &ws), LW_OK);
  for (int k = 0; k < 50; ++k)
  {
    double a = lw_random_between(&random, 0.3, 2.8), v = lw_random_between(&random, -3, 3);
    double torque = lw_random_between(&random, -9, 9), expected, needed;
    double q[3] = {a, -a, a}, qd[3] = {v, -v, v}, tau[3] = {torque, 0, 0}, qdd[3], back[3];
    lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, NULL);
    lw_forward_dynamics(mimics, ws, &a, &v, &torque, &expected);
    double scale = 1 + fabs(expected);
    assert_near(qdd[0], expected, 1e-11 * scale);  // the angle at the pin is up to 3 times smaller
    assert_near(qdd[1], -expected, 1e-11 * scale);
    assert_near(qdd[2], expected, 1e-11 * scale);
    lw_inverse_dynamics(mimics, ws, &a, &v, &expected, &needed);
    lwStates moves = {.q = q, .qd = qd, .qdd = qdd};
    assert_int_equal(lw_loops_inverse(loops, &moves, back, NULL), LW_OK);
    assert_near(back[0], needed, 1e-10 * (1 + fabs(needed)));
  }
  lw_workspace_destroy(ws);
  lw_loops_destroy(loops);
  lw_model_destroy(mimics);
  lw_model_destroy(looped);
}

// Pose and velocity of link c of the serial arm, as a state of the floating link.
static void float_link(const lwModel* serial, lwWorkspace* ws, const double* q3, const double* qd3,
                       double* q, double* qd)
{
  double p[3], R[9], J[18], twist[6] = {0};
  lw_pose(serial, ws, q3, p, R);
  lw_jacobian(serial, ws, q3, J);
  for (int r = 0; r < 6; ++r)
    for (int i = 0; i < 3; ++i) twist[r] += J[3 * r + i] * qd3[i];
  for (int i = 0; i < 2; ++i) q[i] = q3[i], qd[i] = qd3[i];
  for (int i = 0; i < 3; ++i) q[2 + i] = p[i];
  double w = sqrt(1 + R[0] + R[4] + R[8]) / 2;
  q[5] = (R[7] - R[5]) / (4 * w), q[6] = (R[2] - R[6]) / (4 * w), q[7] = (R[3] - R[1]) / (4 * w);
  q[8] = w;
  for (int i = 0; i < 3; ++i)
  {
    qd[2 + i] = R[i] * twist[0] + R[3 + i] * twist[1] + R[6 + i] * twist[2];
    qd[5 + i] = R[i] * twist[3] + R[3 + i] * twist[4] + R[6 + i] * twist[5];
  }
}

// An arm whose last link floats and is held by a hinge moves as the serial arm does.
static void hinged_link(void** state)
{
  (void)state;
  lwModel *serial = read_robot(SERIAL), *hinged = read_robot(HINGED);
  lwLoops* loops;
  lwWorkspace* ws;
  lwRandom random = {3};
  assert_int_equal(lw_loops_create(hinged, NULL, NULL, &loops), LW_OK);
  assert_int_equal(lw_workspace_create(serial, NULL, NULL, &ws), LW_OK);
  for (int k = 0; k < 50; ++k)
  {
    double q3[3], qd3[3], tau3[3], expected[3], q[9], qd[8], tau[8] = {0}, qdd[8];
    randomise(&random, q3, 3, 1);
    randomise(&random, qd3, 3, 2);
    randomise(&random, tau3, 2, 5);
    tau3[2] = 0;
    tau[0] = tau3[0], tau[1] = tau3[1];
    lw_forward_dynamics(serial, ws, q3, qd3, tau3, expected);
    float_link(serial, ws, q3, qd3, q, qd);
    assert_int_equal(lw_loops_check(loops, q, qd, NULL, NULL), LW_OK);
    lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, NULL);
    for (int i = 0; i < 2; ++i) assert_near(qdd[i], expected[i], 1e-10 * (10 + fabs(expected[i])));
  }
  lw_workspace_destroy(ws);
  lw_loops_destroy(loops);
  lw_model_destroy(hinged);
  lw_model_destroy(serial);
}

// --- power balance

// Constraint forces do no work: the power of the tree's motion equals that of the torques. And the
// constraint rows stay satisfied.
static void check_power(lwModel* model)
{
  enum
  {
    MOST = 64
  };
  lwLoops* loops;
  lwWorkspace* ws;
  lwRandom random    = {5};
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  int dof = lw_model_dof(model);
  double q[MOST], qd[MOST], tau[MOST], qdd[MOST], step[MOST], needed[MOST];
  for (int k = 0; k < 20; ++k)
  {
    lw_model_start(model, q);
    randomise(&random, step, dof, 0.05);
    randomise(&random, qd, dof, 1);
    randomise(&random, tau, dof, 10);
    lw_model_integrate(model, q, step, q);
    lw_loops_project(loops, q, qd);
    assert_int_equal(lw_loops_check(loops, q, qd, NULL, NULL), LW_OK);
    lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, NULL);
    assert_int_equal(lw_loops_check(loops, q, qd, qdd, NULL), LW_OK);
    lw_inverse_dynamics(model, ws, q, qd, qdd, needed);
    double given = 0, taken = 0, size = 0;
    for (int i = 0; i < dof; ++i)
    {
      given += tau[i] * qd[i];
      taken += needed[i] * qd[i];
      size += fabs(tau[i] * qd[i]) + fabs(needed[i] * qd[i]);
    }
    assert_near(taken, given, 1e-10 * size);
  }
  lw_workspace_destroy(ws);
  lw_loops_destroy(loops);
  lw_model_destroy(model);
}

static void power_balance(void** state)
{
  (void)state;
  static const char* const files[] = {"four_bar", "palletizer", "stewart", "delta", "excavator"};
  check_power(read_robot(HINGED));
  check_power(read_robot(MIXED));
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
  {
    char path[300];
    lwModel* model;
    snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, files[k]);
    assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
    check_power(model);
  }
}

// --- refused descriptions

static void refused(const char* text, const char* message, int line, int column)
{
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  lwStatus read  = lw_robot_read_text("robot.yaml", text, strlen(text), NULL, diag, &model);
  assert_int_equal(read, LW_ERROR_INPUT);
  assert_null(model);
  assert_contains(lw_diag_message(diag, 0)->text, message);
  assert_int_equal(lw_diag_message(diag, 0)->place.line, line);
  assert_int_equal(lw_diag_message(diag, 0)->place.column, column);
  lw_diag_destroy(diag);
}

#define BODY "link: {mass: 1, inertia: [0.011, 0.012, 0.013, 0, 0, 0]}"
#define TWO                                                                                        \
  "linkwork: 1\njoints:\n  - {name: a, type: revolute, d: 0, " BODY "}\n"                          \
  "  - {name: b, type: revolute, a: 1, " BODY "}\nloops:\n"

static void wrong_loops(void** state)
{
  (void)state;
  refused(TWO
          "  - {name: k, type: position, first: {link: base}, second: {link: b, xyz: [5, 0, 0]}}\n",
          "cannot be closed at the file's configuration: a gap of 4 m and 0 rad", 6, 5);
  refused(TWO "  - {name: k, type: position, first: {link: base}, second: {link: c}}\n",
          "there is no link 'c'", 6, 60);
  refused(TWO "  - {name: k, type: hinge, first: {link: base}, second: {link: b}}\n",
          "a loop of type hinge needs 'axis'", 6, 5);
  refused(TWO "  - {name: k, type: position, first: {link: b}, second: {link: b}}\n",
          "both frames are on one link", 6, 5);
  refused(TWO "  - {name: k, type: gear, joints: [a, c], ratio: 2}\n", "there is no joint 'c'", 6,
          39);
  refused(TWO "  - {name: k, type: gear, joints: [a, b], ratio: 0}\n", "the ratio not 0", 6, 5);
  refused(TWO "  - {name: k, type: gear, joints: [b, b], ratio: 2}\n",
          "it couples a joint with itself", 6, 5);
  refused(TWO
          "  - {name: k, type: line, first: {link: base}, second: {link: b}, axis: [0, 0, 0]}\n",
          "a line needs an axis, and this one has the length 0", 6, 5);
  refused("linkwork: 1\njoints:\n  - {name: a, type: revolute, " BODY "}\n"
          "  - {name: b, type: ball, " BODY "}\nloops:\n"
          "  - {name: k, type: gear, joints: [a, b], ratio: 2}\n",
          "joint 'b' is of type ball, expected one with a freedom of its own", 6, 5);
  refused(TWO "  - {name: k, type: gear, joints: [a, b], ratio: 1, axis: [0, 0, 1]}\n",
          "a loop of type gear has no 'axis'", 6, 59);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_and_differences), cmocka_unit_test(parallelogram),
      cmocka_unit_test(hinged_link),          cmocka_unit_test(power_balance),
      cmocka_unit_test(wrong_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
