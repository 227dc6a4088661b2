// SPDX-License-Identifier: MIT
// A joint eliminated from the inertia of all that it carries, in the frame of its link; wrenches and
// motions through a joint.
#ifndef LW_KERNELS_FORWARD_ELIMINATED_H
#define LW_KERNELS_FORWARD_ELIMINATED_H

#include "kernels/forward/articulated_inertia.h"

// Angular velocity and velocity of a link's origin, or its accelerations.
typedef struct
{
  V3 w, v;
} JointTwist;

// The parent's motion at the origin of the link, in its axes, while the joint does not move.
INLINE JointTwist twist_to_link(Joint j, JointTwist parent)
{
  V3 w = to_link(j, parent.w);
  return (JointTwist){w, cross_d_add(j, w, to_link(j, cross_span_add(j, parent.w, parent.v)))};
}

// t + x along the joint
INLINE JointTwist twist_add_joint(JointTwist t, REAL x, bool prismatic)
{
  if (prismatic) return (JointTwist){t.w, v3(t.v.x, t.v.y, r_add(t.v.z, x))};
  return (JointTwist){v3(t.w.x, t.w.y, r_add(t.w.z, x)), t.v};
}

INLINE REAL wrench_along(Wrench F, bool prismatic)
{
  return prismatic ? F.f.z : F.n.z;
}

INLINE REAL wrench_dot(Wrench F, JointTwist t)
{
  return dot_add(F.n, t.w, dot(F.f, t.v));
}

// k A + B
INLINE Wrench wrench_scale_add(REAL k, Wrench A, Wrench B)
{
  return (Wrench){scale_add(k, A.f, B.f), scale_add(k, A.n, B.n)};
}

// n = I w + H v, f = H^T w + M v
INLINE Wrench inertia_apply(const Inertia* A, JointTwist t)
{
  V3 Hw = scale_add(t.w.x, A->H.x, scale_add(t.w.y, A->H.y, scale(t.w.z, A->H.z)));
  return (Wrench){add(Hw, s3_apply(A->M, t.v)), m3_apply_add(A->H, t.v, s3_apply(A->I, t.w))};
}

// Of a link by itself, about its origin.
INLINE Inertia inertia_of_link(const Link* link)
{
  V3 h   = known_vector(link->first_moment);
  REAL m = K(link->mass), o = zero();
  M3 H = {v3(o, r_neg(h.z), h.y), v3(h.z, o, r_neg(h.x)), v3(r_neg(h.y), h.x, o)};
  return (Inertia){known_symmetric(link->inertia), H, {m, m, m, o, o, o}};
}

INLINE Inertia inertia_sum(Inertia A, Inertia B)
{
  return (Inertia){add(A.I, B.I), add(A.H, B.H), add(A.M, B.M)};
}

INLINE Inertia inertia_to_parent(Joint j, Inertia A)
{
  return inertia_by_screw_x(j, inertia_by_screw_z(j, A), false, false);
}

// A joint that its torque and its carrier's motion move.
typedef struct
{
  Wrench U;              // of unit acceleration of the joint
  REAL over_D, resists;  // 1/D with the inertia D that the joint sees; J/D of the rotor's inertia J
} Eliminated;

// Joints that are held have an infinite rotor.
INLINE Eliminated eliminate(const lwModel* model, const lwState* state, int i, const Inertia* A)
{
  bool prismatic = is_prismatic(model, i);
  REAL rotor     = state->rotors ? rotor_of(model, i) : zero();
  Wrench U       = {A->H.z, v3(A->I.xz, A->I.yz, A->I.zz)};
  if (prismatic) U = (Wrench){v3(A->M.xz, A->M.yz, A->M.zz), v3(A->H.x.z, A->H.y.z, A->H.z.z)};
  if (lw_joint_is_held(model, i)) return (Eliminated){U, zero(), constant(1)};
  REAL over_D = r_div(constant(1), r_add(wrench_along(U, prismatic), rotor));
  return (Eliminated){U, over_D, r_mul(rotor, over_D)};
}

INLINE S3 s3_less_square(S3 A, REAL k, V3 u)
{
  V3 g = scale(k, u);
  return (S3){sub_mul(A.xx, g.x, u.x), sub_mul(A.yy, g.y, u.y), sub_mul(A.zz, g.z, u.z),
              sub_mul(A.xy, g.x, u.y), sub_mul(A.xz, g.x, u.z), sub_mul(A.yz, g.y, u.z)};
}

// A - U U^T / D. Along the joint that is U J/D, zero without a rotor, and it is written as that: the
// difference would be rounding error alone.
INLINE Inertia inertia_without(Inertia A, Eliminated e, bool prismatic)
{
  V3 n = e.U.n, f = e.U.f, g = scale(e.over_D, e.U.n);
  A.I   = s3_less_square(A.I, e.over_D, n);
  A.M   = s3_less_square(A.M, e.over_D, f);
  A.H.x = scale_add(r_neg(g.x), f, A.H.x);
  A.H.y = scale_add(r_neg(g.y), f, A.H.y);
  A.H.z = scale_add(r_neg(g.z), f, A.H.z);
  V3 kn = scale(e.resists, n), kf = scale(e.resists, f);
  if (prismatic)
  {
    A.H.x.z = kn.x, A.H.y.z = kn.y, A.H.z.z = kn.z;
    A.M.xz = kf.x, A.M.yz = kf.y, A.M.zz = kf.z;
    return A;
  }
  A.H.z  = kf;
  A.I.xz = kn.x, A.I.yz = kn.y, A.I.zz = kn.z;
  return A;
}

// A link that velocities and its joint's torque drive.
typedef struct
{
  V3 w;          // angular velocity, rad/s
  JointTwist c;  // acceleration that comes from velocities alone, rad/s^2, m/s^2
  JointTwist t;  // acceleration
  Inertia A;     // of the link and what it carries
  Wrench F;      // that it needs because of velocities, forces and torques
  Eliminated e;
  REAL u;  // torque that is left for the joint
} DrivenLink;

// What velocities do: to the acceleration of the link, and to the wrench that it needs.
INLINE void velocity_terms(DrivenLink* link, V3 w_parent, Joint j, bool prismatic, REAL qd)
{
  V3 p = origin_in_parent(j), rate = v3(zero(), zero(), qd), h = known_vector(j.link->first_moment);
  V3 w    = to_link(j, w_parent);
  V3 bent = to_link(j, cross(w_parent, cross(w_parent, p)));
  link->w = prismatic ? w : add(w, rate);
  link->c = prismatic ? (JointTwist){v3_zero(), cross_add(w, add(rate, rate), bent)}
                      : (JointTwist){cross(w, rate), bent};
  w       = link->w;
  link->A = inertia_of_link(j.link);
  link->F = (Wrench){cross(w, cross(w, h)), cross(w, s3_apply(link->A.I, w))};
}

// velocity_terms() of all links, base to tip; link[LW_BASE] is the base, which gravity accelerates.
INLINE void drive_links(const lwModel* model, const lwState* state, const Turn* turns,
                        DrivenLink* link)
{
  link[LW_BASE].w = v3_zero();
  link[LW_BASE].t = (JointTwist){v3_zero(), neg(gravity_of(model, state))};
  for (int i = 0; i < model->n; ++i)
    velocity_terms(&link[i], link[model->parent[i]].w, joint_at(model, i, turns, state->q),
                   is_prismatic(model, i), given(state->qd, i));
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &link[model->tool].F.f, &link[model->tool].F.n);
}

#endif
