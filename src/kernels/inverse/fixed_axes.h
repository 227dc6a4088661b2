// SPDX-License-Identifier: MIT
// Motion of the links with all vectors in the axes of the base, as before 1979.
#ifndef LW_KERNELS_INVERSE_FIXED_AXES_H
#define LW_KERNELS_INVERSE_FIXED_AXES_H

#include "kernels/joints.h"

typedef struct
{
  Frame F;      // axes of the link; its origin is not used
  V3 p;         // parent's origin to the link's, m
  V3 w, wd, a;  // angular velocity and acceleration; acceleration of the origin, less gravity
} FixedMotion;  // all in the axes of the base

INLINE FixedMotion fixed_base(const lwModel* model, const lwState* state)
{
  REAL one = constant(1), none = zero();
  V3 o = v3_zero();
  return (FixedMotion){{v3(one, none, none), v3(none, one, none), v3(none, none, one), o},
                       o,
                       o,
                       o,
                       neg(gravity_of(model, state))};
}

// Axes a and b turned in their plane.
INLINE void turn_fixed_axes(Turn t, V3* a, V3* b)
{
  V3 old = *a;
  *a     = scale_add(t.c, old, scale(t.s, *b));
  *b     = scale_add(t.c, *b, scale(r_neg(t.s), old));
}

// Axes of the link from those of its parent.
INLINE Frame fixed_frame(Frame F, Joint j)
{
  if (j.skew) turn_fixed_axes(gamma_turn(j.link), &F.x, &F.y);
  turn_fixed_axes(alpha_turn(j.link), &F.y, &F.z);
  turn_fixed_axes(j.theta, &F.x, &F.y);
  return F;
}

INLINE FixedMotion fixed_motion(const FixedMotion* parent, Joint j, bool prismatic, REAL qd,
                                REAL qdd)
{
  Frame F = fixed_frame(parent->F, j);
  V3 p = scale_add(j.d, F.z, rotate(parent->F, joint_span(j))), w = parent->w, wd = parent->wd;
  V3 a    = add(parent->a, cross_add(w, cross(w, p), cross(wd, p)));
  V3 rate = scale(qd, F.z), change = scale(qdd, F.z);
  if (prismatic) return (FixedMotion){F, p, w, wd, add(a, cross_add(w, add(rate, rate), change))};
  return (FixedMotion){F, p, add(w, rate), add(wd, cross_add(w, rate, change)), a};
}

#endif
