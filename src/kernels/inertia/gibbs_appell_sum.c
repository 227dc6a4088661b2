// SPDX-License-Identifier: MIT
// Inertia matrix as the Hessian of Gibbs' function, with its sum over the links, O(n^3).
//
// mata2002 (21), from which the paper goes on to the recursion of inertia/gibbs_appell.c:
//
//   D_jk = sum_{i=j}^n  m_i (d r''_i / d qdd_k) . (d r''_i / d qdd_j)
//                       + (d wd_i / d qdd_k) . I_i (d wd_i / d qdd_j)                          (21)
//
//   paper             here     meaning                                               frame, unit
//   d wd_i / d qdd_j  u[j].w   angular acceleration of link i per that of joint j    link i
//   d r''_i/ d qdd_j  u[j].v   acceleration of its mass centre per that of joint j   link i
//   I_i               I        inertia about the mass centre                         link i, kg m^2
//
// What differs from the paper: nothing but that joints may slide (erratum 1-4), links may branch,
// and half of the matrix is mirrored (erratum 1-12). Every product of the sum is formed anew, as it
// is written; inertia/orthogonal_complement.c sums the same terms and keeps I u.
#include "kernels/seen_joints.h"

static void gibbs_appell_inertia_sum(const lwModel* model, void* work, const lwState* state,
                                     void* out)
{
  size_t n        = (size_t)model->n;
  Turn* turns     = take_turns(model, state->q, &work);
  UnitMotion* u   = take(&work, n * sizeof *u);
  SeenJoint* seen = work;  // (n, n)
  Result* D       = out;
  for (size_t k = 0; k < n * n; ++k) D[k] = zero();

  for (int i = 0; i < model->n; ++i)
  {
    REAL m = K(LINKS(model)[i].mass);
    S3 I   = central_inertia(model, i);
    see_from_parent(model, i, joint_at(model, i, turns, state->q), seen);
    for (int j = i; j != LW_BASE; j = model->parent[j])
      u[j] = unit_motion(model, j, seen[(size_t)i * n + (size_t)j], mass_centre(model, i));  // (7)
    for (int j = i; j != LW_BASE; j = model->parent[j])
      for (int k = j; k != LW_BASE; k = model->parent[k])
      {
        Result* entry = &D[(size_t)j * n + (size_t)k];
        REAL turned   = dot_add(u[k].w, s3_apply(I, u[j].w), *entry);
        *entry        = mul_add(m, dot(u[k].v, u[j].v), turned);  // (21)
      }
  }
  mirror_lower(D, n);
}

const lwKernel FN(gibbs_appell_inertia_sum) = {
    gibbs_appell_inertia_sum, sizeof(Turn) + sizeof(UnitMotion), sizeof(SeenJoint), {0}, 0};
