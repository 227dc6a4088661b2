// SPDX-License-Identifier: MIT
// Motions that move no mass are found when a robot is made: exactly those robots are marked whose
// inertia matrix is singular in every configuration, whether one joint has no inertia or several
// together.
//
// The matrix is scaled to a unit diagonal. Its least eigenvalue is rounding, below 1e-12, or above
// 1e-9; robots between them, or singular in one of three configurations only, are not judged.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/dynamics.h"
#include "linkwork/model.h"
#include "math/symmetric.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  MOST   = 7,
  WIDE   = 3 * MOST,
  ROBOTS = 3000
};

typedef struct
{
  lwJointDef joints[MOST];
  char names[MOST][8];
  lwRobotDef robot;
} Chance;

// Axes along x, y or z and common origins are frequent, so that joints share motions.
static void take_joint(Chance* chance, int i, lwRandom* random)
{
  lwJointDef* joint = &chance->joints[i];
  *joint            = lw_joint_def();
  snprintf(chance->names[i], sizeof chance->names[i], "j%d", i + 1);
  joint->name      = chance->names[i];
  joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
  joint->type      = lw_random_between(random, 0, 1) < 0.15   ? LW_JOINT_BALL
                     : lw_random_between(random, 0, 1) < 0.35 ? LW_JOINT_PRISMATIC
                                                              : LW_JOINT_REVOLUTE;
  memset(joint->axis, 0, sizeof joint->axis);
  joint->axis[lw_random_bits(random) % 3] = 1;
  if (lw_random_between(random, 0, 1) < 0.3) joint->axis[lw_random_bits(random) % 3] += 0.75;
  if (lw_random_between(random, 0, 1) < 0.5) joint->xyz[0] = lw_random_between(random, 0.1, 1);
  joint->parent = i - 1;
  if (lw_random_between(random, 0, 1) < 0.6) return;
  joint->link.mass = lw_random_between(random, 0.5, 3);
  if (lw_random_between(random, 0, 1) < 0.5) joint->link.com[0] = 0.2;
  bool rod = lw_random_between(random, 0, 1) < 0.3;  // along x, no inertia about it
  for (int k = rod; k < 3; ++k) joint->link.inertia[k] = rod ? 0.02 : 0.02 + 0.003 * k;
}

static double least_eigenvalue(const lwModel* model, lwRandom* random)
{
  int dof = lw_model_dof(model);
  double q[4 * MOST], M[WIDE * WIDE], V[WIDE * WIDE], diagonal[WIDE];
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_model_neutral(model, q);
  double step[WIDE], moved[4 * MOST];
  for (int k = 0; k < dof; ++k) step[k] = lw_random_between(random, -1, 1);
  lw_model_integrate(model, q, step, moved);
  lw_inertia_matrix(model, ws, moved, M);
  lw_workspace_destroy(ws);
  for (int k = 0; k < dof; ++k) diagonal[k] = M[k * dof + k];
  for (int k = 0; k < dof; ++k)
    if (!(diagonal[k] > 1e-14)) return 0;
  for (int i = 0; i < dof; ++i)
    for (int j = 0; j < dof; ++j) M[i * dof + j] /= sqrt(diagonal[i] * diagonal[j]);
  lw_jacobi(dof, M, V);
  double least = 1;
  for (int k = 0; k < dof; ++k) least = fmin(least, M[k * dof + k]);
  return least;
}

static void motions_without_mass_are_found(void** unused)
{
  (void)unused;
  int singular = 0, shared = 0, regular = 0;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    lwRandom random = {seed};
    Chance chance;
    int n = 2 + (int)(seed % (MOST - 1));
    for (int i = 0; i < n; ++i) take_joint(&chance, i, &random);
    chance.robot         = lw_robot_def();
    chance.robot.count   = n;
    chance.robot.joints  = chance.joints;
    lwModelOptions allow = {.lint.allow_inert = true, .lint.allow_bad_inertia = true};
    lwModel* model       = NULL;
    lwDiag* diag         = lw_diag_create();
    assert_int_equal(lw_model_create(&chance.robot, &allow, diag, &model), LW_OK);
    double least[3];
    for (int k = 0; k < 3; ++k) least[k] = least_eigenvalue(model, &random);
    bool never = least[0] < 1e-12 && least[1] < 1e-12 && least[2] < 1e-12;
    bool ever  = least[0] > 1e-9 || least[1] > 1e-9 || least[2] > 1e-9;
    if (never || ever) assert_int_equal(lw_model_inert(model) >= 0, never);
    singular += never;
    regular += ever;
    for (int k = 0; k < lw_diag_size(diag); ++k)
      shared += strstr(lw_diag_message(diag, k)->text, "together with") != NULL;
    lw_diag_destroy(diag);
    lw_model_destroy(model);
  }
  assert_greater(regular, ROBOTS / 5);
  assert_greater(singular, ROBOTS / 5);
  assert_greater(shared, ROBOTS / 20);  // otherwise too little was tested
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_without_mass_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
