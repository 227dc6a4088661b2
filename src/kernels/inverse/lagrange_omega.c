// SPDX-License-Identifier: MIT
// Inverse dynamics by Lagrange's equation with angular velocity to represent rotation, O(n).
//
// Silver, "On the representation of angular velocity and its effect on the efficiency of
// manipulator dynamics computation", 1981 (silver1981), (3.11)-(3.16). With the kinetic energy in
// terms of v and w, not of the derivative of a rotation matrix, d/dt dK/dqd_j - dK/dq_j becomes
//
//   tau_j = sum over links i of F_i.dv_i/dqd_j + N_i.dw_i/dqd_j                              (3.12)
//   F_i   = m_i vd_i,   N_i = I_i wd_i + w_i x I_i w_i                                       (3.11)
//   dv_i/dqd_j = z_j x p_ji if j is revolute, z_j if it is prismatic                         (3.15)
//   dw_i/dqd_j = z_j        if j is revolute, 0 if it is prismatic                           (3.16)
//
// for the links i that joint j carries. Coded as it stands this is O(n^2). But z_j is the same for
// all i, and the memo takes it out of the sums:
//
//   tau_j = z_j . sum of (p_ji x F_i + N_i)   or   z_j . sum of F_i               (after (3.16))
//
// Here both sums are built up link by link from the tip inwards, in the frames of the links, as the
// memo recommends: O(n). That this is Newton's and Euler's computation is what it sets out to show.
//
//   paper      here     meaning                                             frame, unit
//   w, w dot   w, wd    angular velocity and acceleration of the link       link, rad/s, rad/s^2
//   v dot      vd       acceleration of the link's origin, less gravity     link, m/s^2
//   F          F        force, first of the link, then the sum              link, N
//   N          N        moment about the link's origin, then the sum        link, N m
//   I          I        inertia about the link's origin                     link, kg m^2
//   -          h        first moment                                        link, kg m
//   p          span, d  parent's origin to the link's, before and along z   parent, z, m
//
// Where it differs from the paper:
// - v is that of the link's origin, not of its centre of mass: K = m v.v/2 + v.(w x h) + w.I w/2,
//   and (3.11) becomes F = m vd + wd x h + w x (w x h), N = I wd + w x I w + h x vd.
// - The base accelerates with minus gravity (erratum 2-6: the memo's words have the other sign).
// - The wrench on the last link is subtracted from its F and N, instead of an
//   additional link's (erratum 2-7).
// - A point on a revolute axis belongs to both links: the part of p along z uses the link's own w.
// - Trees are added.
#include "kernels/joints.h"

typedef struct
{
  V3 w, wd, vd;  // motion
  V3 F, N;       // of the link, then of all that its joint carries
} OmegaBody;

// vd + wd x span + w x (w x span)
INLINE V3 omega_accelerate_span(Joint j, V3 w, V3 wd, V3 vd)
{
  V3 velocity = span_cross_add(j, neg(w), v3_zero());
  return cross_add(w, velocity, span_cross_add(j, neg(wd), vd));
}

// vd + wd x d z + w x (w x d z)
INLINE V3 omega_accelerate_d(Joint j, V3 w, V3 wd, V3 vd)
{
  V3 velocity = d_cross_add(j, neg(w), v3_zero());
  return cross_add(w, velocity, d_cross_add(j, neg(wd), vd));
}

// Motion of link i from that of its parent: (3.13) and (3.14), differentiated by time.
INLINE void omega_move_revolute(OmegaBody* body, const OmegaBody* parent, Joint j, REAL qd,
                                REAL qdd)
{
  V3 w     = to_link(j, parent->w);
  V3 wd    = to_link(j, parent->wd);
  V3 vd    = to_link(j, omega_accelerate_span(j, parent->w, parent->wd, parent->vd));
  body->w  = v3(w.x, w.y, r_add(w.z, qd));                                          // (3.14)
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));  // d/dt (3.14)
  body->vd = omega_accelerate_d(j, body->w, body->wd, vd);                          // d/dt (3.13)
}

INLINE void omega_move_prismatic(OmegaBody* body, const OmegaBody* parent, Joint j, REAL qd,
                                 REAL qdd)
{
  V3 vd      = to_link(j, omega_accelerate_span(j, parent->w, parent->wd, parent->vd));
  REAL twice = r_add(qd, qd);
  body->w    = to_link(j, parent->w);   // (3.14)
  body->wd   = to_link(j, parent->wd);  // d/dt (3.14)
  V3 slide   = v3(r_mul(body->w.y, twice), r_neg(r_mul(body->w.x, twice)), qdd);
  body->vd   = omega_accelerate_d(j, body->w, body->wd, add(vd, slide));  // d/dt (3.13)
}

// The terms of one link in (3.11), about its origin.
INLINE void omega_net_wrench(OmegaBody* body, const Link* link)
{
  S3 I    = known_symmetric(link->inertia);
  V3 h    = known_vector(link->first_moment);
  V3 w    = body->w;
  V3 F    = cross_add(body->wd, h, scale(K(link->mass), body->vd));
  V3 N    = cross_add(h, body->vd, s3_apply(I, body->wd));
  body->F = cross_add(w, cross(w, h), F);
  body->N = cross_add(w, s3_apply(I, w), N);
}

INLINE void omega_base(OmegaBody* base, V3 gravity)
{
  V3 none = v3_zero();
  *base   = (OmegaBody){none, none, neg(gravity), none, none};
}

static void lagrange_omega(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  OmegaBody* body  = (OmegaBody*)work + 1;  // body[LW_BASE] is the base
  const Input* q   = state->q;
  const Input* qd  = state->qd;
  const Input* qdd = state->qdd;
  Result* tau      = out;

  omega_base(&body[LW_BASE], gravity_of(model, state));

  // outward, base to tip: motion of each link and its F and N
  for (int i = 0; i < n; ++i)
  {
    Joint j                 = joint_at(model, i, turns, q);
    const OmegaBody* parent = &body[model->parent[i]];
    if (is_prismatic(model, i))
      omega_move_prismatic(&body[i], parent, j, given(qd, i), given(qdd, i));
    else
      omega_move_revolute(&body[i], parent, j, given(qd, i), given(qdd, i));
    omega_net_wrench(&body[i], j.link);
  }
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].F, &body[model->tool].N);

  // inward, tip to base: sums over all that a joint carries, and their part along z
  for (int i = n - 1; i >= 0; --i)
  {
    V3 F   = body[i].F;
    V3 N   = body[i].N;
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? F.z : N.z;  // (3.12)
    if (p == LW_BASE) continue;
    wrench_to_parent(joint_at(model, i, turns, q), &F, &N);  // N + p x F
    body[p].F = add(body[p].F, F);
    body[p].N = add(body[p].N, N);
  }
}

const lwKernel FN(lagrange_omega) = {lagrange_omega, sizeof(Turn) + sizeof(OmegaBody), 0, {0}, 0};
