// SPDX-License-Identifier: MIT
// Wrenches of the environment in derivatives of torques. Those in the axes of a link move with it,
// and so are part of the wrench that the link needs. One in base axes keeps its direction while its
// point moves with the link.
#ifndef LW_KERNELS_DERIVATIVES_PUSHED_H
#define LW_KERNELS_DERIVATIVES_PUSHED_H

#include "kernels/derivatives/ground.h"

// The description's base axes, in which pushes are given, seen from the ground frame.
INLINE V3 base_to_ground(const lwModel* model, V3 a)
{
  const KNOWN* r = ENDS(model)->base_rotation;
  return add(add(scale(a.x, known_vector(r)), scale(a.y, known_vector(r + 3))),
             scale(a.z, known_vector(r + 6)));
}

// Wrench k of the state on the body that it acts on, in the ground frame.
INLINE Wrench pushed_wrench(const lwModel* model, const lwPush* push, const Frame* frames,
                            const Input* given)
{
  Frame F  = frames[push->view.carrier];
  Wrench w = wrench_given(given);
  if (push->base_axes)
  {
    V3 r = add(F.p, rotate(F, known_vector(VIEW(&push->view)->position)));
    V3 f = base_to_ground(model, w.f);
    return (Wrench){f, cross_add(r, f, base_to_ground(model, w.n))};
  }
  return wrench_to_ground(&F, push_wrench(push, NULL, given));
}

// How many wrenches the state has.
INLINE int wrench_count(const lwState* state)
{
  if (!state->wrench) return 0;
  return state->pushes ? state->push_count : 1;
}

// The body that wrench k acts on, or LW_BASE.
INLINE int pushed_body(const lwModel* model, const lwState* state, int k)
{
  return state->pushes ? state->pushes[k].view.carrier : model->tool;
}

// Wrench k on that body, in the ground frame.
INLINE Wrench ground_wrench(const lwModel* model, const lwState* state, const Frame* frames, int k)
{
  const Input* given = (const Input*)state->wrench + 6 * k;
  if (state->pushes) return pushed_wrench(model, &state->pushes[k], frames, given);
  Wrench w;
  tool_wrench(model, given, &w.f, &w.n);
  return wrench_to_ground(&frames[model->tool], w);
}

// The difference between a wrench in base axes and one in the link's axes when joint i moves: the
// point moves with twist S of the joint, but force and moment do not turn.
INLINE Wrench unturned(Twist S, V3 r, Wrench w)
{
  V3 moved      = cross_add(S.w, r, S.v);
  Wrench turned = twist_cross_wrench(S, w);
  return (Wrench){neg(turned.f), sub(cross(moved, w.f), turned.n)};
}

// d tau / dq, by this part of every wrench in base axes.
INLINE void keep_directions(const lwModel* model, const lwState* state, const Frame* frames,
                            REAL* slopes)
{
  size_t n           = (size_t)model->n;
  const Input* given = state->wrench;
  for (int k = 0; k < state->push_count && given; ++k)
  {
    const lwPush* push = &state->pushes[k];
    int carrier        = push->view.carrier;
    if (!push->base_axes || carrier == LW_BASE) continue;
    Wrench w = pushed_wrench(model, push, frames, given + 6 * k);
    V3 r =
        add(frames[carrier].p, rotate(frames[carrier], known_vector(VIEW(&push->view)->position)));
    for (int i = carrier; i != LW_BASE; i = model->parent[i])
    {
      Wrench change = unturned(freedom_twist(model, i, &frames[i]), r, w);
      for (int j = carrier; j != LW_BASE; j = model->parent[j])
      {
        REAL* slope = &slopes[(size_t)j * n + (size_t)i];
        *slope      = r_sub(*slope, power(freedom_twist(model, j, &frames[j]), change));
      }
    }
  }
}

#endif
