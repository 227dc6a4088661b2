// SPDX-License-Identifier: MIT
// Inverse dynamics by the Gibbs-Appell equations in closed form, W qdd + V = tau, O(n^3).
//
// Vukobratovic & Potkonjak, "Dynamics of Manipulation Robots", 1982, after Popov. The book was not
// at hand: this is the form that mata2002 (17) and grigorov2013 (9) quote from it, D qdd = tau - C +
// G, with D and C as the derivatives of Gibbs' function of accelerations that are linear in qdd.
// Mata & al. call it "a closed form representation of high computational complexity".
//
//   w_i = Omega_i qdd + Theta_i      acceleration of the mass centre of link i                 (V1)
//   e_i = Gamma_i qdd + Phi_i        its angular acceleration                                  (V2)
//   W   = sum_i m_i Omega_i^T Omega_i + Gamma_i^T I_i Gamma_i                                  (V3)
//   V   = sum_i m_i Omega_i^T Theta_i + Gamma_i^T (I_i Phi_i + omega_i x I_i omega_i)          (V4)
//
//   book            here      meaning                                             frame, unit
//   Omega, Gamma    u.v, u.w  accelerations of link i per acceleration of joint j  link i
//   Theta, Phi      in rest   accelerations of link i while no joint accelerates   link i
//   W               W         inertia matrix                                       kg m^2, kg m, kg
//   V               tau       then W qdd is added: torques                         N m, N
//
// What differs: gravity is the acceleration of the base, so Theta contains it; vectors are in the
// axes of the links, joints may slide, links may branch; W is symmetric and half of it is formed.
#include "kernels/seen_joints.h"

typedef struct
{
  SeenMotion rest;  // while no joint accelerates
  UnitMotion u;     // of the link in hand, per joint
} ClosedAppellJoint;

// What one link adds to W below the diagonal (V3), and to V (V4).
INLINE void add_appell_link(const lwModel* model, int i, const ClosedAppellJoint* joints, Wrench F,
                            REAL* W, Result* tau)
{
  size_t n = (size_t)model->n;
  REAL m   = K(LINKS(model)[i].mass);
  S3 I     = central_inertia(model, i);
  for (int j = i; j != LW_BASE; j = model->parent[j])
  {
    UnitMotion a = joints[j].u;
    V3 L = s3_apply(I, a.w), P = scale(m, a.v);
    tau[j] = dot_add(a.v, F.f, dot_add(a.w, F.n, tau[j]));  // (V4)
    for (int k = j; k != LW_BASE; k = model->parent[k])
    {
      REAL* entry = &W[(size_t)j * n + (size_t)k];
      *entry      = dot_add(joints[k].u.w, L, dot_add(joints[k].u.v, P, *entry));  // (V3)
    }
  }
}

static void vukobratovic_potkonjak(const lwModel* model, void* work, const lwState* state,
                                   void* out)
{
  size_t n                  = (size_t)model->n;
  Turn* turns               = take_turns(model, state->q, &work);
  REAL* W                   = take(&work, n * n * sizeof *W);
  SeenJoint* seen           = take(&work, n * n * sizeof *seen);
  ClosedAppellJoint* joints = (ClosedAppellJoint*)work + 1;  // joints[LW_BASE] is the base
  Result* tau               = out;
  for (size_t k = 0; k < n * n; ++k) W[k] = zero();
  for (size_t k = 0; k < n; ++k) tau[k] = zero();
  joints[LW_BASE].rest = (SeenMotion){v3_zero(), v3_zero(), neg(gravity_of(model, state))};

  for (int i = 0; i < model->n; ++i)
  {
    Joint joint    = joint_at(model, i, turns, state->q);
    joints[i].rest = seen_motion(joints[model->parent[i]].rest, joint, is_prismatic(model, i),
                                 given(state->qd, i), zero());
    see_from_parent(model, i, joint, seen);
    for (int j = i; j != LW_BASE; j = model->parent[j])
      joints[j].u = unit_motion(model, j, seen[(size_t)i * n + (size_t)j], mass_centre(model, i));
    add_appell_link(model, i, joints, central_wrench(model, state, i, joints[i].rest), W, tau);
  }
  for (int j = 0; j < model->n; ++j)  // tau = W qdd + V
    for (int k = j; k != LW_BASE; k = model->parent[k])
    {
      REAL entry = W[(size_t)j * n + (size_t)k];
      tau[j]     = mul_add(entry, given(state->qdd, k), tau[j]);
      if (k != j) tau[k] = mul_add(entry, given(state->qdd, j), tau[k]);
    }
}

const lwKernel FN(vukobratovic_potkonjak) = {vukobratovic_potkonjak,
                                             sizeof(Turn) + sizeof(ClosedAppellJoint),
                                             sizeof(REAL) + sizeof(SeenJoint),
                                             {0},
                                             0};
