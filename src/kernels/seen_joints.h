// SPDX-License-Identifier: MIT
// Joints as the links that they carry see them, for sums over pairs of links and joints.
#ifndef LW_KERNELS_SEEN_JOINTS_H
#define LW_KERNELS_SEEN_JOINTS_H

#include "kernels/inertia/central.h"

// What is known of joint j in the frame of link i.
typedef struct
{
  V3 e;  // its axis
  V3 o;  // its origin to that of link i, m
} SeenJoint;

// Joints that link i sees from those that its parent sees; its own is the axis z at its own origin.
INLINE void see_joints(const lwModel* model, int i, Joint joint, const SeenJoint* parent,
                       SeenJoint* own)
{
  V3 z = v3(zero(), zero(), constant(1)), span = joint_span(joint);
  for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
  {
    own[j].e = to_link(joint, parent[j].e);
    own[j].o = scale_add(joint.d, z, to_link(joint, add(parent[j].o, span)));
  }
  own[i] = (SeenJoint){z, v3_zero()};
}

// Rows of an (n, n) array: what link i sees.
INLINE void see_from_parent(const lwModel* model, int i, Joint joint, SeenJoint* seen)
{
  size_t n = (size_t)model->n;
  int p    = model->parent[i];
  see_joints(model, i, joint, p == LW_BASE ? NULL : seen + (size_t)p * n, seen + (size_t)i * n);
}

// How link i moves per unit rate of joint j, or accelerates per unit acceleration: its angular
// velocity, and the velocity of its centre of mass, which is `centre` from its origin.
typedef struct
{
  V3 w, v;
} UnitMotion;

INLINE UnitMotion unit_motion(const lwModel* model, int j, SeenJoint seen, V3 centre)
{
  if (is_prismatic(model, j)) return (UnitMotion){v3_zero(), seen.e};
  return (UnitMotion){seen.e, cross(seen.e, add(seen.o, centre))};
}

// The upper triangle from the lower.
INLINE void mirror_lower(Result* M, size_t n)
{
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < k; ++j) M[j * n + k] = M[k * n + j];
}

// Acceleration of a link's own frame, in its axes; a is that of the origin, less gravity.
typedef struct
{
  V3 w, wd, a;
} SeenMotion;

INLINE SeenMotion seen_motion(SeenMotion parent, Joint j, bool prismatic, REAL qd, REAL qdd)
{
  V3 p = origin_in_parent(j), rate = v3(zero(), zero(), qd), change = v3(zero(), zero(), qdd);
  V3 a = add(parent.a, cross_add(parent.w, cross(parent.w, p), cross(parent.wd, p)));
  V3 w = to_link(j, parent.w), wd = to_link(j, parent.wd);
  a = to_link(j, a);
  if (prismatic) return (SeenMotion){w, wd, add(a, cross_add(w, add(rate, rate), change))};
  return (SeenMotion){add(w, rate), add(wd, cross_add(w, rate, change)), a};
}

// Force, and moment about the centre of mass, that the motion of link i takes; less what the
// environment supplies to the last link.
INLINE Wrench central_wrench(const lwModel* model, const lwState* state, int i, SeenMotion m)
{
  V3 centre = mass_centre(model, i);
  S3 I      = central_inertia(model, i);
  V3 a      = add(m.a, cross_add(m.w, cross(m.w, centre), cross(m.wd, centre)));
  V3 f      = scale(K(LINKS(model)[i].mass), a);
  V3 n      = cross_add(m.w, s3_apply(I, m.w), s3_apply(I, m.wd));
  if (is_tool_pushed(model, state) && model->tool == i)
  {
    V3 force, moment;
    tool_wrench(model, state->wrench, &force, &moment);
    f = sub(f, force);
    n = add(sub(n, moment), cross(centre, force));
  }
  return (Wrench){f, n};
}

#endif
