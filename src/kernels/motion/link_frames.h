// SPDX-License-Identifier: MIT
// Where the links of the description are, and how they move, in its base frame.
#ifndef LW_KERNELS_MOTION_LINK_FRAMES_H
#define LW_KERNELS_MOTION_LINK_FRAMES_H

#include "kernels/derivatives/ground.h"

// Frames of all bodies in the description's base frame; frames[LW_BASE] is the canonical base. A
// wide joint has that of its last freedom only.
INLINE void outward_frames(const lwModel* model, const Turn* turns, const Input* q, Frame* frames)
{
  const Ends* ends = ENDS(model);
  frames[LW_BASE]  = known_frame(ends->base_rotation, ends->base_position);
  for (int i = 0; i < model->n; ++i)
  {
    Frame F = ground_frame_of(model, turns, q, i, frames);
    if (is_wide(model, i)) i = wide_joint(model, i)->last;
    frames[i] = F;
  }
}

// How the frame of link l is placed in that of its body. A robot with numbers of its own may have
// it anywhere.
INLINE int placement(const lwModel* model, int l)
{
#if defined(LW_OWN_CONSTANTS)
  (void)model, (void)l;
  return LW_PLACE_TURNED;
#else
  return model->place[l];
#endif
}

// The frame of link l.
INLINE Frame link_place(const lwModel* model, int l, const Frame* frames)
{
  const Member* member = &MEMBERS(model)[l];
  int carrier          = model->carrier[l];
  if (carrier == LW_BASE) return known_frame(member->rotation, member->position);
  Frame F = frames[carrier];
  if (placement(model, l) == LW_PLACE_SAME) return F;
  if (placement(model, l) == LW_PLACE_TURNED)
    return compose(F, known_frame(member->rotation, member->position));
  F.p = add(F.p, rotate(F, known_vector(member->position)));
  return F;
}

INLINE void pose_store(REAL out[12], Frame F)
{
  const REAL all[] = {F.p.x, F.p.y, F.p.z, F.x.x, F.y.x, F.z.x,
                      F.x.y, F.y.y, F.z.y, F.x.z, F.y.z, F.z.z};
  for (int k = 0; k < 12; ++k) out[k] = all[k];
}

// A body in motion.
typedef struct
{
  BodyMotion motion;
  V3 v;  // of the origin of its canonical frame
} MovingBody;

// Body i, from its parent.
INLINE MovingBody move_with_joint(const lwModel* model, int i, const Frame* frames,
                                  const MovingBody* parent, REAL qd, REAL qdd)
{
  V3 r           = sub(frames[i].p, frames[model->parent[i]].p);
  V3 v           = cross_add(parent->motion.w, r, parent->v);
  bool prismatic = is_prismatic(model, i);
  if (prismatic) v = scale_add(qd, frames[i].z, v);
  return (MovingBody){move_body(prismatic, r, frames[i].z, &parent->motion, qd, qdd), v};
}

// The body behind a wide joint, whose rates are in axes of its link.
INLINE MovingBody move_with_wide(const lwModel* model, const lwWideJoint* wide, const Frame* frames,
                                 const MovingBody* parent, WideRates qd, WideRates qdd)
{
  const BodyMotion* from = &parent->motion;
  Frame F                = frames[wide->last];
  V3 r = sub(F.p, frames[model->parent[wide->first]].p), w = rotate(F, qd.w), v = rotate(F, qd.v);
  V3 turned = add(from->w, w);
  V3 a      = m3_apply_add(acceleration_matrix(from->w, from->wd), r, from->a);
  V3 wd     = cross_add(from->w, w, from->wd);
  return (MovingBody){{turned, add(wd, rotate(F, qdd.w)),
                       add(cross_add(add(from->w, turned), v, a), rotate(F, qdd.v))},
                      cross_add(from->w, r, add(parent->v, v))};
}

// All bodies, outward; the base is at rest.
INLINE void move_bodies(const lwModel* model, const Frame* frames, const Input* qd,
                        const Input* qdd, MovingBody* body)
{
  V3 none       = v3_zero();
  body[LW_BASE] = (MovingBody){{none, none, none}, none};
  for (int i = 0; i < model->n; ++i)
  {
    const lwWideJoint* wide  = is_wide(model, i) ? wide_joint(model, i) : NULL;
    const MovingBody* parent = &body[model->parent[i]];
    if (wide) i = wide->last;
    body[i] = wide ? move_with_wide(model, wide, frames, parent, wide_rates(wide, qd),
                                    wide_rates(wide, qdd))
                   : move_with_joint(model, i, frames, parent, given(qd, i), given(qdd, i));
  }
}

// Velocity and acceleration of a point of a body, at r from the origin of its canonical frame.
INLINE Wrench velocity_at(const MovingBody* body, V3 r)
{
  return (Wrench){cross_add(body->motion.w, r, body->v), body->motion.w};
}

INLINE Wrench acceleration_at(const MovingBody* body, V3 r)
{
  M3 U = acceleration_matrix(body->motion.w, body->motion.wd);
  return (Wrench){m3_apply_add(U, r, body->motion.a), body->motion.wd};
}

#endif
