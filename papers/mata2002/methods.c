// SPDX-License-Identifier: MIT
// Equations of mata2002 that are methods of the library, on random arms: prismatic joints, which the
// document mentions with (7e), and the sums (13) and (21).
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

static double matrix_error(Page* page, const Arm* arm, const char* method)
{
  double M[LONGEST * LONGEST], other[LONGEST * LONGEST];
  lwModel* model = NULL;
  page_check(page, arm_model(arm, &model));
  if (page->status == DONE) page_check(page, matrix_of(arm, model, method, M));
  if (page->status == DONE) page_check(page, matrix_of(arm, model, "composite-body", other));
  lw_model_destroy(model);
  return page->status == DONE ? relative_difference(arm->n * arm->n, other, M) : NAN;
}

static double torque_error(Page* page, const Arm* arm, const char* method)
{
  double tau[LONGEST], other[LONGEST];
  page_check(page, arm_torques(arm, method, NULL, tau));
  page_check(page, arm_torques(arm, "newton-euler", NULL, other));
  return page->status == DONE ? relative_difference(arm->n, other, tau) : NAN;
}

// The largest errors of a method as claims, each relative to the largest entry.
static void measure_method(Page* page, const char* method, ArmKind kind, const char* torque_claim,
                           const char* matrix_claim)
{
  lwRandom random = {2002};
  double torques = 0, matrix = 0;
  for (int k = 0; k < ARMS && page->status == DONE; ++k)
  {
    Arm arm;
    arm_random(&arm, &random, SHORTEST + k % (LONGEST - SHORTEST + 1), kind);
    torques = fmax(torques, torque_error(page, &arm, method));
    matrix  = fmax(matrix, matrix_error(page, &arm, method));
  }
  page_measure_one(page, torque_claim, torques);
  page_measure_one(page, matrix_claim, matrix);
}

void mata2002_methods(Page* page)
{
  measure_method(page, "gibbs-appell", ARM_MIXED, "equations/prismatic-torques",
                 "equations/prismatic-matrix");
  measure_method(page, "gibbs-appell-sum", ARM_REVOLUTE, "equations/sum-13", "equations/sum-21");
}
