// SPDX-License-Identifier: MIT
// The rate of a frame's pose, J qd, and the part of its acceleration that velocities cause, dJ/dt
// qd; in the base frame, O(n).
//
// Both as the rows of the Jacobian: the origin of the frame, then angular. dJ/dt qd is the
// acceleration at qdd = 0, without gravity (joints with a quaternion: at zero acceleration of their
// own coordinates, for which those of the kernel are given).
#include "kernels/derivatives/ground.h"

typedef struct
{
  BodyMotion motion;
  V3 v;  // of the origin of its canonical frame
} MovingBody;

INLINE MovingBody move_with_velocity(const lwModel* model, int i, const Frame* frames,
                                     const MovingBody* parent, const lwState* state)
{
  const Input* qdd = model->ball_count > 0 ? state->qdd : NULL;
  V3 r             = sub(frames[i].p, frames[model->parent[i]].p);
  V3 v             = cross_add(parent->motion.w, r, parent->v);
  REAL qd          = given(state->qd, i);
  bool prismatic   = is_prismatic(model, i);
  if (prismatic) v = scale_add(qd, frames[i].z, v);
  return (MovingBody){move_body(prismatic, r, frames[i].z, &parent->motion, qd, given(qdd, i)), v};
}

// The same behind a wide joint, whose own coordinates do not accelerate.
INLINE MovingBody move_wide(const lwModel* model, const lwWideJoint* wide, const Frame* frames,
                            const MovingBody* parent, const lwState* state)
{
  const BodyMotion* from = &parent->motion;
  WideRates qd           = wide_rates(wide, state->qd);
  Frame F                = frames[wide->last];
  V3 r = sub(F.p, frames[model->parent[wide->first]].p), w = rotate(F, qd.w), v = rotate(F, qd.v);
  V3 a      = m3_apply_add(acceleration_matrix(from->w, from->wd), r, from->a);
  V3 turned = add(from->w, w);
  return (MovingBody){
      {turned, cross_add(from->w, w, from->wd), cross_add(add(from->w, turned), v, a)},
      cross_add(from->w, r, add(parent->v, v))};
}

static void jacobian_rate(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n         = (size_t)model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Frame* frames    = (Frame*)take(&work, (n + 1) * sizeof *frames) + 1;
  MovingBody* body = (MovingBody*)work + 1;
  int carrier      = state->view->carrier;

  link_frames(model, turns, state->q, frames);
  V3 none       = v3_zero();
  body[LW_BASE] = (MovingBody){{none, none, none}, none};
  for (int i = 0; i < model->n; ++i)
  {
    const lwWideJoint* wide  = is_wide(model, i) ? wide_joint(model, i) : NULL;
    const MovingBody* parent = &body[model->parent[i]];
    if (wide) i = wide->last;
    body[i] = wide ? move_wide(model, wide, frames, parent, state)
                   : move_with_velocity(model, i, frames, parent, state);
  }

  MovingBody at = body[carrier];
  V3 r = carrier == LW_BASE ? none : sub(seen_frame(state->view, frames).p, frames[carrier].p);
  M3 U = acceleration_matrix(at.motion.w, at.motion.wd);
  wrench_store(out, (Wrench){cross_add(at.motion.w, r, at.v), at.motion.w});
  wrench_store((REAL*)out + 6, (Wrench){m3_apply_add(U, r, at.motion.a), at.motion.wd});
}

const lwKernel FN(jacobian_rate) = {jacobian_rate,
                                    sizeof(Turn) + sizeof(Frame) + sizeof(MovingBody),
                                    0,
                                    {0},
                                    LW_KERNEL_NARROW | LW_KERNEL_WIDE};
