// SPDX-License-Identifier: MIT
// Where every link is: rotation and origin in the canonical base frame.
#ifndef LW_KERNELS_MOTION_FRAMES_H
#define LW_KERNELS_MOTION_FRAMES_H

#include "kernels/joints.h"

// X_i: the frame of joint j seen from its parent, column by column.
INLINE Frame joint_frame(Joint j)
{
  REAL none = zero(), one = constant(1);
  Frame F;
  F.x = to_parent(j, v3(one, none, none));
  F.y = to_parent(j, v3(none, one, none));
  F.z = to_parent(j, v3(none, none, one));
  F.p = scale_add(j.d, F.z, joint_span(j));
  return F;
}

INLINE Frame identity_frame(void)
{
  REAL none = zero(), one = constant(1);
  return (Frame){v3(one, none, none), v3(none, one, none), v3(none, none, one), v3_zero()};
}

// Axes a and b of a frame after a turn from a towards b: c a + s b, c b - s a.
INLINE void turn_axes(Turn t, V3* a, V3* b)
{
  V3 old = *a;
  *a     = scale_add(t.c, old, scale(t.s, *b));
  *b     = v3(mul_sub(t.c, b->x, r_mul(t.s, old.x)), mul_sub(t.c, b->y, r_mul(t.s, old.y)),
              mul_sub(t.c, b->z, r_mul(t.s, old.z)));
}

INLINE Frame compose(Frame A, Frame B)
{
  return (Frame){rotate(A, B.x), rotate(A, B.y), rotate(A, B.z), add(A.p, rotate(A, B.p))};
}

// A constant frame of the model, rows of the rotation as stored.
INLINE Frame known_frame(const KNOWN rotation[9], const KNOWN position[3])
{
  const KNOWN* r = rotation;
  return (Frame){v3(K(r[0]), K(r[3]), K(r[6])), v3(K(r[1]), K(r[4]), K(r[7])),
                 v3(K(r[2]), K(r[5]), K(r[8])), known_vector(position)};
}

// The frame of the link of joint i, from that of its parent. Returns i, or the last freedom of a
// wide joint, which has the frame.
INLINE int set_frame(const lwModel* model, const Turn* turns, const Input* q, int i, Frame* frames)
{
  const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
  Frame F      = wide ? wide_frame(model, wide, turns) : joint_frame(joint_at(model, i, turns, q));
  int last     = wide ? wide->last : i;
  frames[last] = compose(frames[model->parent[i]], F);
  return last;
}

// Frames of all links in the description's base frame; frames[LW_BASE] is the canonical base. A
// wide joint has that of its last freedom only.
INLINE void link_frames(const lwModel* model, const Turn* turns, const Input* q, Frame* frames)
{
  const Ends* ends = ENDS(model);
  frames[LW_BASE]  = known_frame(ends->base_rotation, ends->base_position);
  for (int i = 0; i < model->n; ++i) i = set_frame(model, turns, q, i, frames);
}

// The requested frame, in the description's base frame.
INLINE Frame seen_frame(const lwView* view, const Frame* frames)
{
  Frame F = known_frame(VIEW(view)->rotation, VIEW(view)->position);
  return view->carrier == LW_BASE ? F : compose(frames[view->carrier], F);
}

#endif
