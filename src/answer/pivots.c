// SPDX-License-Identifier: MIT
// Singular positions: answers that are solved for with the inertia matrix M exist only where M is
// positive definite. It always is if every joint feels its own link (lw_model_may_be_singular()), so
// most robots pay nothing for this. The others, massless gimbals and the like, have M factored
// beside every such answer. Each method by itself would divide by what rounding leaves of a pivot, and every
// method has its own rounding.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <math.h>

#include "answer/workspace.h"
#include "base/arrays.h"
#include "math/dense_ldl.h"
#include "model/inert.h"

// Of its diagonal entry, that a pivot must keep: below it an answer has no three digits.
static const double LEAST_PIVOT = 1e-12;

lwStatus lw_pivots_create(lwWorkspace* ws, const lwModel* model, const lwWorkspaceDef* def,
                          lwDiag* diag)
{
  if (!lw_workspace_solves(ws) || !lw_model_may_be_singular(model)) return LW_OK;
  lwWorkspaceDef inertia = lw_workspace_def();
  inertia.questions      = LW_ASKS(LW_QUESTION_INERTIA);
  inertia.open_tree      = def->open_tree;
  size_t dof             = (size_t)model->dof;
  ws->pivots             = lw_arena_take(&ws->arena, dof * dof + dof + 1, sizeof *ws->pivots);
  ws->pivot_q            = lw_arena_take(&ws->arena, (size_t)model->nq + 1, sizeof *ws->pivot_q);
  if (lw_arena_failed(&ws->arena)) return LW_ERROR_MEMORY;
  return lw_workspace_create(model, &inertia, diag, &ws->inertia);
}

// Whether a pivot of M = L^T D L is lost in rounding.
static bool is_singular(const lwModel* model, lwWorkspace* ws)
{
  size_t n  = (size_t)model->dof;
  double *M = ws->pivots, *diagonal = M + n * n;
  bool singular = false;
  lw_inertia_matrix(model, ws->inertia, ws->pivot_q, M);
  if (ws->rotors) lw_add_rotors(model, M);
  for (size_t k = 0; k < n; ++k) diagonal[k] = M[k * n + k];
  dense_ldl_factor(n, M);
  for (size_t k = 0; k < n; ++k)
    singular = singular || !(1 / M[k * n + k] > LEAST_PIVOT * diagonal[k]);
  return singular;
}

void lw_refuse_singular(const lwModel* model, lwWorkspace* ws, int count, lwGrid q, size_t size,
                        lwGrid out)
{
  for (size_t state = 0; state < (size_t)count; ++state)
  {
    for (size_t i = 0; i < (size_t)model->nq; ++i)
      ws->pivot_q[i] = q.at ? q.at[state * q.by_state + i * q.by_entry] : 0;
    if (!is_singular(model, ws)) continue;
    double* to = out.at + state * out.by_state;
    for (size_t i = 0; i < size; ++i) to[i * out.by_entry] = (double)NAN;
  }
}
