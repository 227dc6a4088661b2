// SPDX-License-Identifier: MIT
// The formulations of constrained dynamics side by side, against lw_loops_forward(), which takes its
// equations from another text; and in the field, for the loops of every type and the shipped robots.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/loop.h"
#include "linkwork/proof.h"
#include "linkwork/read.h"
#include "support/testing.h"

enum
{
  MOST   = 64,
  STATES = 20
};

// Relative to the largest number. Proximal steps solve with a matrix whose condition is 1e5 times
// that of M.
static const double SAME     = 1e-10;
static const double PROXIMAL = 1e-7;

#define LINK                                                                                       \
  " link: {mass: 5, com: [0.2, 0.05, -0.03], inertia: [0.12, 0.13, 0.14, 0.001, 0.002, -0.001]}"
#define JOINT(name, type, parent, more)                                                            \
  "  - {name: " name ", type: " type ", parent: " parent                                           \
  ", origin: {xyz: [0.3, 0.1, 0.2], rpy: [0.3, -0.2, 0.5]}, " more LINK "}\n"

// Branches on a floating base, joints of every type but screws.
static const char EVERYTHING[] =
    "linkwork: 1\njoints:\n"
    "  - {name: hull, type: floating, parent: base," LINK "}\n" JOINT(
        "a", "revolute", "hull",
        "axis: [0, 1, 1], motor: {resistance: 1, torque_constant: 0.1, gear: 50, rotor_inertia: "
        "1e-4},") JOINT("b", "universal", "a", "axis: [1, 0, 0], axis2: [0, 1, 0],")
        JOINT("c", "cylindrical", "b", "axis: [0, 0, 1],") JOINT("d", "ball", "c", "")
            JOINT("e", "revolute", "hull", "axis: [1, 0, 0],")
                JOINT("f", "planar", "e", "axis: [0, 1, 2],")
                    JOINT("h", "prismatic", "f", "axis: [1, 0, 0],")
                        JOINT("k", "floating", "base", "start: [0.5, 0.4, 0.3, 0.1, 0.2, 0.3, 1],");
static const char* const LOOPS[] = {
    "  - {name: weld, type: fixed, first: {link: d, xyz: [0.1, 0.2, 0.3], rpy: [1, 0, 0]}, "
    "second: {link: k, xyz: [0.1, 0, 0]}}\n",
    "  - {name: tie, type: position, first: {link: base, xyz: [1, 0.5, 0]}, second: {link: h}}\n",
    "  - {name: tie, type: position, first: {link: h}, second: {link: world, xyz: [1, 0.5, 0]}}\n",
    "  - {name: pin, type: hinge, first: {link: d, xyz: [0.1, 0.2, 0.3]}, second: {link: k}, "
    "axis: [1, 0, 1]}\n",
    "  - {name: rail, type: line, first: {link: c, xyz: [0, 0, 0.4]}, second: {link: h, xyz: "
    "[0.1, 0, 0]}, axis: [1, 1, 0]}\n",
    "  - {name: gears, type: gear, joints: [h, e], ratio: -2}\n",
    "  - {name: tie, type: position, first: {link: k}, second: {link: d}}\n"
    "  - {name: gears, type: gear, joints: [h, e], ratio: -2}\n"
    "  - {name: rail, type: line, first: {link: c, xyz: [0, 0, 0.4]}, second: {link: h, xyz: "
    "[0.1, 0, 0]}, axis: [1, 1, 0]}\n",
    "  - {name: tie, type: position, first: {link: k}, second: {link: d}}\n"
    "rolling:\n"
    "  - {skate: h, at: [0.1, 0.2, 0.3], across: [0, 1, 0.3]}\n",
};

static void fill(lwRandom* random, double* x, int count, double size)
{
  for (int i = 0; i < count; ++i) x[i] = lw_random_between(random, -size, size);
}

static void compare(const char* name, const double* got, const double* expected, int count,
                    double tolerance)
{
  double size = 1;
  for (int i = 0; i < count; ++i) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < count; ++i)
    if (!(fabs(got[i] - expected[i]) <= tolerance * size))
      fail_msg("%s: entry %d is %.17g, expected %.17g", name, i, got[i], expected[i]);
}

static bool has_redundant_rows(const lwModel* model)
{
  for (int r = 0; r < lw_model_loop_rows(model); ++r)
    if (lw_model_loop_row(model, r).redundant) return true;
  return false;
}

// Random closed states near the file's position.
static void check_states(lwModel* model, bool rotors)
{
  lwLoops* loops;
  lwFormulations* formulations;
  lwRandom random    = {11};
  lwWorkspaceDef def = lw_workspace_def();
  def.rotors         = rotors;
  assert_int_equal(lw_loops_create(model, &def, NULL, &loops), LW_OK);
  assert_int_equal(lw_formulations_create(model, rotors, NULL, &formulations), LW_OK);
  int dof = lw_model_dof(model), rows = lw_model_loop_rows(model);
  double q[MOST], qd[MOST], tau[MOST], step[MOST], qdd[2][MOST], force[2][MOST];
  for (int k = 0; k < STATES; ++k)
  {
    lw_model_start(model, q);
    fill(&random, step, dof, 0.05);
    fill(&random, qd, dof, 1);
    fill(&random, tau, dof, 10);
    lw_model_integrate(model, q, step, q);
    lw_loops_project(loops, q, qd);
    lwStates state = {.q = q, .qd = k % 3 ? qd : NULL, .tau = k % 4 ? tau : NULL};
    lw_loops_forward(loops, &state, qdd[0], force[0]);
    for (int i = 0; i < lw_formulation_count(); ++i)
    {
      const char* name = lw_formulation(i)->name;
      bool takes       = lw_formulation_takes_redundant(i);
      lw_formulations_forward(formulations, i, &state, qdd[1], force[1]);
      compare(name, qdd[1], qdd[0], dof, takes ? PROXIMAL : SAME);
      if (takes || !has_redundant_rows(model))
        compare(name, force[1], force[0], rows, takes ? 10 * PROXIMAL : 10 * SAME);
    }
  }
  lw_formulations_destroy(formulations);
  lw_loops_destroy(loops);
}

static void check_identities(const lwModel* model)
{
  lwProof* proof;
  lwProofDef def = lw_proof_def();
  int about      = 0;
  def.points     = 2;
  assert_int_equal(lw_proof_create(model, &def, &proof), LW_OK);
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const lwIdentity* identity = lw_proof_identity(proof, i);
    if (!identity->holds)
      fail_msg("%s: %s is not %s", identity->about, identity->left, identity->right);
    assert_true(identity->probability < 1e-9);
    about += identity->entries > 0;
  }
  assert_at_least(about, 2 * (lw_formulation_count() - 1) + 2);
  lw_proof_destroy(proof);
}

static void check_model(lwModel* model)
{
  check_states(model, false);
  check_states(model, true);
  check_identities(model);
  lw_model_destroy(model);
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
    check_model(model);
  }
}

static lwModel* robot_with(const char* loops)
{
  char text[8000];
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  int length     = snprintf(text, sizeof text, "%sloops:\n%s", EVERYTHING, loops);
  lwStatus read  = lw_robot_read_text("robot.yaml", text, (size_t)length, NULL, diag, &model);
  for (int i = 0; read != LW_OK && i < lw_diag_size(diag); ++i)
    print_message("%s\n", lw_diag_message(diag, i)->text);
  assert_int_equal(read, LW_OK);
  lw_diag_destroy(diag);
  return model;
}

static void loops_of_every_type(void** state)
{
  (void)state;
  for (size_t k = 0; k < sizeof LOOPS / sizeof *LOOPS; ++k) check_model(robot_with(LOOPS[k]));
}

// Their heading needs a root, so nothing is proven about them.
static void wheels_and_discs(void** state)
{
  (void)state;
  static const char* const files[] = {
      LW_ROBOTS "/mobile_arm.yaml", LW_TEST_DATA "/rolling/trailer.yaml",
      LW_TEST_DATA "/rolling/disc.yaml", LW_TEST_DATA "/rolling/cart.yaml"};
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
  {
    lwModel* model;
    lwProof* proof;
    lwProofDef def = lw_proof_def();
    lwCount count;
    assert_int_equal(lw_robot_read_file(files[k], NULL, NULL, &model), LW_OK);
    check_states(model, false);
    assert_int_equal(lw_formulation_measure(model, 0, &count), LW_OK);
    if (k < 3) assert_true(count.sqrt > 0);
    if (k < 3) assert_int_equal(lw_proof_create(model, &def, &proof), LW_ERROR_METHOD);
    lw_model_destroy(model);
  }
}

// Operations: the null space of few speeds takes fewer than the augmented system of many rows.
static void counts_are_of_all(void** state)
{
  (void)state;
  lwModel* model;
  lwCount counts[16];
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/stewart.yaml", NULL, NULL, &model), LW_OK);
  for (int i = 0; i < lw_formulation_count(); ++i)
  {
    assert_int_equal(lw_formulation_measure(model, i, &counts[i]), LW_OK);
    assert_true(counts[i].mul > 1000 && counts[i].executed_mul >= counts[i].mul);
  }
  assert_true(counts[1].mul < counts[0].mul);
  lw_model_destroy(model);
}

static void other_robots_are_refused(void** state)
{
  (void)state;
  static const char follower[] =
      "linkwork: 1\njoints:\n" JOINT("a", "revolute", "base", "axis: [0, 0, 1],")
          JOINT("b", "revolute", "a", "axis: [0, 0, 1], mimic: {joint: a},") JOINT(
              "c", "revolute", "b", "axis: [0, 0, 1],") "loops:\n"
                                                        "  - {name: g, type: gear, joints: [a, c], "
                                                        "ratio: 2}\n";
  const lwStatus expected[] = {LW_ERROR_METHOD, LW_ERROR_INPUT};
  for (int k = 0; k < 2; ++k)
  {
    lwModel* model;
    lwFormulations* formulations;
    lwDiag* diag = lw_diag_create();
    lwStatus read =
        k == 0 ? lw_robot_read_text("robot.yaml", follower, strlen(follower), NULL, NULL, &model)
               : lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model);
    assert_int_equal(read, LW_OK);
    assert_int_equal(lw_formulations_create(model, false, diag, &formulations), expected[k]);
    assert_null(formulations);
    assert_int_equal(lw_diag_size(diag), 1);
    lw_diag_destroy(diag);
    lw_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_of_the_project),    cmocka_unit_test(loops_of_every_type),
      cmocka_unit_test(wheels_and_discs),         cmocka_unit_test(counts_are_of_all),
      cmocka_unit_test(other_robots_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
