// SPDX-License-Identifier: MIT
// Wrenches by value, and those of the environment in the frames of the bodies that they act on.
#ifndef LW_KERNELS_MOTION_WRENCHES_H
#define LW_KERNELS_MOTION_WRENCHES_H

#include "kernels/inverse/newton_euler.h"
#include "kernels/motion/frames.h"

INLINE Wrench wrench_load(const REAL* at)
{
  return (Wrench){v3(at[0], at[1], at[2]), v3(at[3], at[4], at[5])};
}

// A wrench of the caller's input.
INLINE Wrench wrench_given(const Input* at)
{
  return (Wrench){v3(at[0], at[1], at[2]), v3(at[3], at[4], at[5])};
}

INLINE void wrench_store(REAL* at, Wrench w)
{
  const REAL all[] = {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z};
  for (int k = 0; k < 6; ++k) at[k] = all[k];
}

INLINE void wrench_add(REAL* at, Wrench w)
{
  wrench_store(at, wrench_sum(wrench_load(at), w));
}

INLINE Wrench wrench_neg(Wrench w)
{
  return (Wrench){neg(w.f), neg(w.n)};
}

INLINE bool pushes_in_base(const lwState* state)
{
  bool any = false;
  for (int k = 0; k < state->push_count; ++k) any = any || state->pushes[k].base_axes;
  return any;
}

// A wrench of the environment at its place, in the canonical frame of the body that is pushed and
// about its origin; on the base, in the description's base frame. frames: of all bodies, if the
// wrench is in base axes.
INLINE Wrench push_wrench(const lwPush* push, const Frame* frames, const Input* given)
{
  Wrench w    = wrench_given(given);
  int carrier = push->view.carrier;
  if (push->base_axes && carrier != LW_BASE)
  {
    Frame F = frames[carrier];
    w       = (Wrench){v3(dot(F.x, w.f), dot(F.y, w.f), dot(F.z, w.f)),
                       v3(dot(F.x, w.n), dot(F.y, w.n), dot(F.z, w.n))};
  }
  else if (!push->base_axes)
  {
    M3 R = known_matrix(VIEW(&push->view)->rotation);
    w    = (Wrench){m3_apply(R, w.f), m3_apply(R, w.n)};
  }
  return (Wrench){w.f, cross_add(known_vector(VIEW(&push->view)->position), w.f, w.n)};
}

#endif
