// SPDX-License-Identifier: MIT
// Inertia matrix in closed form, every entry by itself, O(n^3).
//
// Grigorov, "A generalized Newton-Euler algorithm for dynamic simulation of robot-manipulators with
// revolute joints", 2013 (grigorov2013): M of (9), the left side of (10) and (12) dotted with z_j.
//
//   M_jk = z_j . sum_{i = max(j,k)}^n m_i jP_Ci x jR_i [(iP_k - P_Ci) x iR_k z_k]
//                                     + jR_i I_i iR_k z_k                                      (10)
//
// kernels/closed_form.h has the symbols, the terms, and where they differ from the paper (errata
// 4-1, 4-2, 4-3, 4-7). The paper evaluates all n^2 entries. M is symmetric, so here joint j is the
// outer one of the two: k carries j.
#include "kernels/closed_form.h"
#include "kernels/inertia/columns.h"

static void closed_form_inertia(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take_turns(model, state->q, &work);
  Sight* sights = work;
  Result* M     = out;

  for (int i = 0; i < n; ++i) see_link(model, i, joint_at(model, i, turns, state->q), sights);

  for (int j = 0; j < n; ++j)
    for (int k = 0; k <= j; ++k) set_entry(M, n, j, k, inertia_entry(model, sights, j, k));
}

const lwKernel FN(closed_form_inertia) = {closed_form_inertia, sizeof(Turn), sizeof(Sight), {0}, 0};
