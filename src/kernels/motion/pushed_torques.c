// SPDX-License-Identifier: MIT
// Torques and the wrenches of the environment on any links:
// tau + sum of J^T w, or tau less them, O(n + wrenches).
//
// One inward pass as in newton_euler.c, without motion: each body passes on what pushes it and
// all that it carries; the component along a joint's axis is its part of J^T w.
// answer/answer.c runs it before forward and after inverse dynamics of every method, so that
// methods need to know only about the last link.
#include "kernels/motion/wrenches.h"

INLINE REAL pushed_entry(const lwState* state, int i, REAL push)
{
  REAL own = given(state->tau, i);
  return state->subtract ? r_sub(own, push) : r_add(own, push);
}

// Entries of a wide joint, and its wrench to the parent. Returns its first freedom.
INLINE int push_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                     const lwState* state, Wrench* body, Result* tau)
{
  int p    = model->parent[wide->first];
  Wrench w = body[wide->last];
  REAL push[6];
  wide_entries(wide, w, push);
  for (int i = wide->first; i <= wide->last; ++i)
    tau[i] = pushed_entry(state, i, push[i - wide->first]);
  if (p != LW_BASE)
    body[p] = wrench_sum(body[p], wide_wrench_to_parent(wide_frame(model, wide, turns), w));
  return wide->first;
}

static void pushed_torques(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take_turns(model, state->q, &work);
  Wrench* body  = take(&work, (size_t)n * sizeof *body);
  Frame* frames = (Frame*)work + 1;
  Result* tau   = out;

  if (pushes_in_base(state)) link_frames(model, turns, state->q, frames);
  for (int i = 0; i < n; ++i) body[i] = (Wrench){v3_zero(), v3_zero()};
  for (int k = 0; k < state->push_count; ++k)
  {
    int i = state->pushes[k].view.carrier;
    if (i == LW_BASE) continue;
    body[i] = wrench_sum(
        body[i], push_wrench(&state->pushes[k], frames, (const Input*)state->wrench + 6 * k));
  }

  // inward, tip to base
  for (int i = n - 1; i >= 0; --i)
  {
    if (is_wide(model, i))
    {
      i = push_wide(model, wide_joint(model, i), turns, state, body, tau);
      continue;
    }
    REAL push = is_prismatic(model, i) ? body[i].f.z : body[i].n.z;
    tau[i]    = pushed_entry(state, i, push);
    wrench_join_parent(model, i, turns, state->q, body);
  }
}

const lwKernel FN(pushed_torques) = {
    pushed_torques, sizeof(Turn) + sizeof(Wrench) + sizeof(Frame), 0, {0}, LW_KERNEL_WIDE};
