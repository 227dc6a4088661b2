// SPDX-License-Identifier: MIT
// Inverse dynamics by the Gibbs-Appell equations with their sums over the links, O(n^2).
//
// mata2002 (13), from which the paper goes on to the recursion (14)-(16) of inverse/gibbs_appell.c:
//
//   tau_j = sum_{i=j}^n (d wd_i / d qdd_j)^T (r_ji x f_i + t_i)                                (13)
//
//   paper            here      meaning                                           frame, unit
//   d wd_i / d qdd_j seen.e    axis of joint j                                   link i
//   r_ji             r         origin of joint j to the mass centre of link i    link i, m
//   f_i              F.f       m times the acceleration of the mass centre (9)   link i, N
//   t_i              F.n       moment about the mass centre (10)                 link i, N m
//
// What differs from the paper: gravity is the acceleration of the base (errata 1-5, 1-6), t is
// I wd + w x I w, joints may slide (errata 1-1, 1-4), links may branch.
#include "kernels/seen_joints.h"

static void gibbs_appell_sum(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n              = model->n;
  Turn* turns        = take_turns(model, state->q, &work);
  SeenJoint* seen    = take(&work, (size_t)n * (size_t)n * sizeof *seen);  // (n, n)
  SeenMotion* motion = (SeenMotion*)work + 1;  // motion[LW_BASE] is the base's
  Result* tau        = out;
  for (int i = 0; i < n; ++i) tau[i] = zero();
  motion[LW_BASE] = (SeenMotion){v3_zero(), v3_zero(), neg(gravity_of(model, state))};

  for (int i = 0; i < n; ++i)
  {
    Joint joint = joint_at(model, i, turns, state->q);
    motion[i]   = seen_motion(motion[model->parent[i]], joint, is_prismatic(model, i),
                              given(state->qd, i), given(state->qdd, i));
    see_from_parent(model, i, joint, seen);
    Wrench F             = central_wrench(model, state, i, motion[i]);
    const SeenJoint* row = seen + (size_t)i * (size_t)n;
    for (int j = i; j != LW_BASE; j = model->parent[j])
    {
      V3 r   = add(row[j].o, mass_centre(model, i));
      V3 arm = is_prismatic(model, j) ? F.f : cross_add(r, F.f, F.n);
      tau[j] = dot_add(row[j].e, arm, tau[j]);  // (13)
    }
  }
}

const lwKernel FN(gibbs_appell_sum) = {
    gibbs_appell_sum, sizeof(Turn) + sizeof(SeenMotion), sizeof(SeenJoint), {0}, 0};
