// SPDX-License-Identifier: MIT
// Prismatic joints, which mata2002 mentions with (7e): its method on random arms that have some.
#include <math.h>

#include "mata2002.h"
#include "random_arm.h"
#include "words.h"

enum
{
  ARMS     = 40,
  SHORTEST = 2,  // joints
  LONGEST  = 7
};

static lwStatus matrix_of(const Arm* arm, const lwModel* model, const char* method, double* M)
{
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.inertia        = method;
  lwStatus status    = lw_workspace_create(model, &def, NULL, &ws);
  if (status == LW_OK) lw_inertia_matrix(model, ws, arm->q, M);
  lw_workspace_destroy(ws);
  return status;
}

static double matrix_error(Page* page, const Arm* arm)
{
  double M[LONGEST * LONGEST], other[LONGEST * LONGEST];
  lwModel* model = NULL;
  page_check(page, arm_model(arm, &model));
  if (page->status == DONE) page_check(page, matrix_of(arm, model, "gibbs-appell", M));
  if (page->status == DONE) page_check(page, matrix_of(arm, model, "composite-body", other));
  lw_model_destroy(model);
  return page->status == DONE ? relative_difference(arm->n * arm->n, other, M) : NAN;
}

static double torque_error(Page* page, const Arm* arm)
{
  double tau[LONGEST], other[LONGEST];
  page_check(page, arm_torques(arm, "gibbs-appell", NULL, tau));
  page_check(page, arm_torques(arm, "newton-euler", NULL, other));
  return page->status == DONE ? relative_difference(arm->n, other, tau) : NAN;
}

void mata2002_prismatic(Page* page)
{
  lwRandom random = {2002};
  double torques = 0, matrix = 0;
  for (int k = 0; k < ARMS && page->status == DONE; ++k)
  {
    Arm arm;
    arm_random(&arm, &random, SHORTEST + k % (LONGEST - SHORTEST + 1), ARM_MIXED);
    torques = fmax(torques, torque_error(page, &arm));
    matrix  = fmax(matrix, matrix_error(page, &arm));
  }
  page_measure_one(page, "equations/prismatic-torques", torques);
  page_measure_one(page, "equations/prismatic-matrix", matrix);
}
