// SPDX-License-Identifier: MIT
#include "ways.h"

static void by_library(const Rig* rig, const double q[2], double qdd[2])
{
  lw_forward_dynamics(rig->model, rig->single, q, NULL, NULL, qdd);
}

// As the document solves: matrix and bias in single precision, then Gauss-Jordan elimination.
static void by_gauss_jordan(const Rig* rig, const double q[2], double qdd[2])
{
  double D[4], b[2];
  lw_inertia_matrix(rig->model, rig->single, q, D);
  lw_bias(rig->model, rig->single, q, NULL, b);
  two_links_gauss_jordan(D, b, qdd);
}

// Exact, except that the matrix is stored in single precision,
// which no method with a matrix can avoid.
static void by_rounded_matrix(const Rig* rig, const double q[2], double qdd[2])
{
  double D[4], b[2];
  lw_inertia_matrix(rig->model, rig->exact, q, D);
  lw_bias(rig->model, rig->exact, q, NULL, b);
  for (int k = 0; k < 4; ++k)
  {
    volatile float held = (float)D[k];  // else gcc 12 leaves the rounding out at -O3
    D[k]                = (double)held;
  }
  double determinant = D[0] * D[3] - D[1] * D[2];
  qdd[0]             = (D[1] * b[1] - D[3] * b[0]) / determinant;
  qdd[1]             = (D[2] * b[0] - D[0] * b[1]) / determinant;
}

static void by_base_frame(const Rig* rig, const double q[2], double qdd[2])
{
  two_links_in_base_frame(rig->links, q, qdd);
}

#define LIBRARY(method, refine) by_library, method, "composite-body", refine
#define MATRIX(solve, method)   solve, method, method, 0

const PumaWay WAY[WAYS] = {
    [ARTICULATED]  = {"aba", "ABA (articulated-body)", LIBRARY("articulated-body", 0)},
    [WALKER_ORIN]  = {"crba", "CRBA (walker-orin-3, Gauss-Jordan)",
                      MATRIX(by_gauss_jordan, "walker-orin-3")},
    [GIBBS_APPELL] = {"ga", "GA (gibbs-appell, Gauss-Jordan)",
                      MATRIX(by_gauss_jordan, "gibbs-appell")},
    [BASE_FRAME]   = {"aba_base_frame", "ABA with all vectors in the base frame", by_base_frame,
                      "articulated-body", "composite-body", 0},
    [COMPOSITE]    = {"composite_body", "composite bodies (composite-body)",
                      LIBRARY("composite-body", 0)},
    [WALKER_ORIN_FACTORED]  = {"crba_factored", "CRBA, solved by L D Lᵀ",
                               LIBRARY("walker-orin-3", 0)},
    [GIBBS_APPELL_FACTORED] = {"ga_factored", "GA, solved by L D Lᵀ", LIBRARY("gibbs-appell", 0)},
    [ROUNDED]               = {"rounded_matrix", "exact, D rounded to single precision",
                               MATRIX(by_rounded_matrix, "gibbs-appell")},
    [WALKER_ORIN_REFINED]   = {"crba_refined", "CRBA, one step of refinement",
                               LIBRARY("walker-orin-3", 1)},
    [GIBBS_APPELL_REFINED]  = {"ga_refined", "GA, one step of refinement",
                               LIBRARY("gibbs-appell", 1)},
    [GIBBS_APPELL_TWICE]    = {"ga_refined_twice", "GA, two steps of refinement",
                               LIBRARY("gibbs-appell", 2)},
};

int rig_open(Page* page, Rig* rig, const PumaWay* way)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.forward        = way->forward;
  def.inertia        = way->inertia;
  def.refine         = way->refine;
  rig->exact = rig->single = NULL;
  lwStatus status          = lw_workspace_create(rig->model, &def, NULL, &rig->exact);
  def.precision            = LW_PRECISION_SINGLE;
  if (status == LW_OK) status = lw_workspace_create(rig->model, &def, NULL, &rig->single);
  return page_check(page, status);
}

void rig_close(Rig* rig)
{
  lw_workspace_destroy(rig->exact);
  lw_workspace_destroy(rig->single);
}
