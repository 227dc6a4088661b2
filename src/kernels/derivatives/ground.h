// SPDX-License-Identifier: MIT
// The robot in one frame, the canonical base frame ("ground"): places, axes and motion of all
// links, joint by joint.
//
// A motion is (w, v): angular part, and the linear part of the point of the link that is at the
// ground's origin. A wrench is (n, f), the moment about that origin.
#ifndef LW_KERNELS_DERIVATIVES_GROUND_H
#define LW_KERNELS_DERIVATIVES_GROUND_H

#include "kernels/motion/wrenches.h"

typedef struct
{
  V3 w, v;
} Twist;

INLINE Twist twist_zero(void)
{
  return (Twist){v3_zero(), v3_zero()};
}

// k a + b
INLINE Twist twist_scale_add(REAL k, Twist a, Twist b)
{
  return (Twist){scale_add(k, a.w, b.w), scale_add(k, a.v, b.v)};
}

INLINE Twist twist_add(Twist a, Twist b)
{
  return (Twist){add(a.w, b.w), add(a.v, b.v)};
}

// a x b of motions: the rate of b, if it moves with a
INLINE Twist twist_cross(Twist a, Twist b)
{
  return (Twist){cross(a.w, b.w), cross_add(a.w, b.v, cross(a.v, b.w))};
}

// a x* F of a motion and a wrench: the rate of F, if it moves with a
INLINE Wrench twist_cross_wrench(Twist a, Wrench F)
{
  return (Wrench){cross(a.w, F.f), cross_add(a.w, F.n, cross(a.v, F.f))};
}

INLINE REAL power(Twist a, Wrench F)
{
  return dot_add(a.w, F.n, dot(a.v, F.f));
}

// Power of a wrench that is kept as a pair (n, f)
INLINE REAL dot6(Twist a, Twist b)
{
  return dot_add(a.w, b.w, dot(a.v, b.v));
}

// The frame of joint j in the ground frame, from that of its parent: two turns of axes.
INLINE Frame ground_frame(Frame F, Joint j)
{
  if (j.skew)
  {
    F.p = add(F.p, rotate(F, known_vector(j.link->span)));
    turn_axes(gamma_turn(j.link), &F.x, &F.y);
  }
  else
    F.p = scale_add(K(j.link->span[0]), F.x, F.p);
  turn_axes(alpha_turn(j.link), &F.y, &F.z);
  turn_axes(j.theta, &F.x, &F.y);
  F.p = scale_add(j.d, F.z, F.p);
  return F;
}

// The frame of joint i in the ground frame, from that of its parent.
INLINE Frame ground_frame_of(const lwModel* model, const Turn* turns, const Input* q, int i,
                             const Frame* frames)
{
  Frame parent = frames[model->parent[i]];
  if (is_wide(model, i)) return compose(parent, wide_frame(model, wide_joint(model, i), turns));
  return ground_frame(parent, joint_at(model, i, turns, q));
}

// Frames of all freedoms in the ground frame; frames[LW_BASE] is the ground.
INLINE void ground_frames(const lwModel* model, const Turn* turns, const Input* q, Frame* frames)
{
  frames[LW_BASE] = identity_frame();
  for (int i = 0; i < model->n; ++i)
  {
    Frame F  = ground_frame_of(model, turns, q, i, frames);
    int last = is_wide(model, i) ? wide_joint(model, i)->last : i;
    for (; i < last; ++i) frames[i] = F;
    frames[i] = F;
  }
}

// The motion that unit velocity of freedom i of a wide joint gives: along an axis of the link, or
// about it.
INLINE Twist wide_twist(const lwWideJoint* wide, int i, const Frame* F)
{
  const V3 axes[3] = {F->x, F->y, F->z};
  V3 along         = axes[(i - wide->first) % 3];
  if (i <= wide->last - 3) return (Twist){v3_zero(), along};
  return (Twist){along, cross(F->p, along)};
}

// The motion that unit velocity of joint i gives to what it carries.
INLINE Twist joint_twist(const lwModel* model, int i, const Frame* F)
{
  if (is_prismatic(model, i)) return (Twist){v3_zero(), F->z};
  return (Twist){F->z, cross(F->p, F->z)};
}

// As joint_twist(), and for freedoms of wide joints.
INLINE Twist freedom_twist(const lwModel* model, int i, const Frame* F)
{
  return is_wide(model, i) ? wide_twist(wide_joint(model, i), i, F) : joint_twist(model, i, F);
}

// The motion with these velocities along and about the axes of a frame.
INLINE Twist frame_twist(const Frame* F, WideRates rates)
{
  V3 w = rotate(*F, rates.w);
  return (Twist){w, cross_add(F->p, w, rotate(*F, rates.v))};
}

// A wrench about and in the axes of a frame, in the ground frame.
INLINE Wrench wrench_to_ground(const Frame* F, Wrench w)
{
  V3 f = rotate(*F, w.f);
  return (Wrench){f, cross_add(F->p, f, rotate(*F, w.n))};
}

// Motion of a body in axes of the base, or of the ground.
typedef struct
{
  V3 w, wd, a;  // a: of the origin of its canonical frame, less gravity
} BodyMotion;

// Of a link, from that of its parent: from one origin to the other by `arm`, z along the joint. A
// point on the axis of a turning joint belongs to both.
INLINE BodyMotion move_body(bool prismatic, V3 arm, V3 z, const BodyMotion* parent, REAL qd,
                            REAL qdd)
{
  M3 U      = acceleration_matrix(parent->w, parent->wd);
  V3 a      = m3_apply_add(U, arm, parent->a);
  V3 across = scale(qd, cross(parent->w, z));
  if (prismatic)
    return (BodyMotion){parent->w, parent->wd, add(add(across, across), scale_add(qdd, z, a))};
  return (BodyMotion){scale_add(qd, z, parent->w), add(across, scale_add(qdd, z, parent->wd)), a};
}

#endif
