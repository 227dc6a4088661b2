// SPDX-License-Identifier: MIT
// The outward and the inward pass of Newton-Euler kernels. Symbols, frames and equation numbers are
// those of newton_euler.c.
//
// The kernels differ in how they compute the net force and moment of a link, (5)-(7).
// Each defines, before it includes this file:
//   Wrench net_wrench(const lwModel* model, int i, Motion link)           any link but those of wide
//                                                                         joints
//   Wrench net_wrench_wide(Motion link, const Link* known)                behind a wide joint
//   Wrench net_wrench_revolute(Motion link, const Link* known)            for a link that turns
//   Wrench net_wrench_in_block(Motion link, const BodyLine* line, int k)  link k of a line of links
//   SLIDES_APART: 1 if net_wrench_in_block() is only right for links that turn
#ifndef LW_KERNELS_INVERSE_NEWTON_EULER_PASSES_H
#define LW_KERNELS_INVERSE_NEWTON_EULER_PASSES_H

#include "kernels/inverse/newton_euler.h"

#if defined(LW_FLOATING) && !LW_LANE_BYTES

INLINE void net_wrench_block(const BodyLine* line, int place, const REAL* motion, REAL* wrench)
{
  EACH_JOINT_LANE(k)
  {
    V3 w = get3(motion + k, 0), wd = get3(motion + k, 3);
    Motion link       = {w, wd, get3(motion + k, 6), acceleration_matrix(w, wd)};
    Wrench net_wrench = net_wrench_in_block(link, line, place + k);
    put3(wrench + k, 0, net_wrench.f);
    put3(wrench + k, 3, net_wrench.n);
  }
}

// (5)-(7) for all links, a block at a time.
APART void net_wrench_all(const lwModel* model, const RneaMemory* memory)
{
  // a wide joint of the base: its freedoms but the last have no body
  int bodies = model->wide_count > 0 && model->wides[0].first == 0 ? model->wides[0].last : 0;
  for (int first = block_start(bodies); first < model->n; first += JOINT_LANES)
    net_wrench_block(BODIES(model, first), first % BODIES_BESIDE,
                     in_block(memory->motion, MOTION_NUMBERS, first),
                     in_block(memory->wrench, WRENCH_NUMBERS, first));
  for (int i = 0; i < model->n && model->slides && SLIDES_APART; ++i)
    if (is_prismatic(model, i))
      rnea_set_wrench(memory, i, net_wrench(model, i, rnea_kept(memory, i)));
  for (int k = 0; k < model->wide_count && SLIDES_APART; ++k)
  {
    int i = model->wides[k].last;
    rnea_set_wrench(memory, i, net_wrench_wide(rnea_kept(memory, i), &LINKS(model)[i]));
  }
}

#else

INLINE void net_wrench_all(const lwModel* model, const RneaMemory* memory)
{
  (void)model, (void)memory;
}

#endif

// Outward through a wide joint.
INLINE void rnea_outward_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                              const lwState* state, const RneaMemory* memory)
{
  int i       = wide->last;
  Motion link = rnea_motion_after_wide(model, wide, turns, state, memory);
  rnea_keep(memory, model, i, link);
  if (JOINT_LANES == 1) rnea_set_wrench(memory, i, net_wrench_wide(link, &LINKS(model)[i]));
}

// any_wide: a constant, so that other robots do not look for wide joints and keep their registers.
INLINE void rnea_passes(const lwModel* model, void* work, const lwState* state, Result* tau,
                        bool any_wide)
{
  Turn* turns       = take(&work, (size_t)block_end(model->n) * sizeof *turns);
  RneaMemory memory = rnea_memory(model, work);
  const Input none  = zero();
  MaybeInput qd = maybe_input(state->qd, &none), qdd = maybe_input(state->qdd, &none);

  joint_turns(model, state->q, turns);

  // outward, base to tip, run by run: motion of each link (1)-(4), its net force and moment
  // (5)-(7), of a block of links at a time where blocks have several
  for (int i = 0; i < model->n;)
  {
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      rnea_outward_wide(model, wide, turns, state, &memory);
      i = skip_wide(wide, &qd, &qdd);
      continue;
    }
    Motion link = rnea_motion_after(model, i, joint_at(model, i, turns, state->q), state, &memory,
                                    next_input(&qd), next_input(&qdd));
    rnea_keep(&memory, model, i, link);
    if (JOINT_LANES == 1) rnea_set_wrench(&memory, i, net_wrench(model, i, link));
    while (++i < model->n && continues_run(model, i))
    {
      Joint j = joint_in_run(model, i, turns);
      link    = rnea_move_revolute(link, j, next_input(&qd), next_input(&qdd));
      rnea_keep(&memory, model, i, link);
      if (JOINT_LANES == 1) rnea_set_wrench(&memory, i, net_wrench_revolute(link, j.link));
    }
  }
  if (JOINT_LANES > 1) net_wrench_all(model, &memory);

  // inward, tip to base: wrenches of the joints (8)-(10)
  rnea_transmit(model, turns, state, &memory, tau, any_wide);
}

APART void rnea_native(const lwModel* model, void* work, const lwState* state, Result* tau)
{
  rnea_passes(model, work, state, tau, true);
}

INLINE void rnea(const lwModel* model, void* work, const lwState* state, Result* tau)
{
  if (model->wide_count > 0)
    rnea_native(model, work, state, tau);
  else
    rnea_passes(model, work, state, tau, false);
}

#endif
