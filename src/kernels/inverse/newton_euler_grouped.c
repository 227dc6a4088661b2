// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, with grouped (base) inertial
// parameters, O(n).
//
// Luh, Walker & Paul 1980; Khalil & Kleinfinger, "Minimum operations and minimum parameters of the
// dynamic models of tree structure robots", 1987. Symbols, frames and equation numbers are those of
// newton_euler.c; the passes of motion and of wrenches are shared (newton_euler.h).
//
//   paper     here    meaning                                                   frame, unit
//   M         m       mass of the regrouped link: 0 if its joint is revolute    kg
//   MX MY MZ  h       its first moment: h.z = 0 if revolute                     link, kg m
//   XX .. ZZ  J       its integral of r r^T dm about the origin, in place of
//                     the inertia: J.zz = 0 if revolute, J = 0 if prismatic     link, kg m^2
//
// When a model is built, the parameters that a joint cannot excite are moved into its parent
// (model/grouped.c). The f and n of a regrouped link are not the wrench that its joint transmits,
// but tau is right: n.z of revolute joints, because a body on the axis adds nothing to it; f.z of
// prismatic joints, because moments of inertia add nothing to it.
//
// Where it differs from the paper:
// - J.zz is moved instead of YY, which leaves one product less (model/grouped.c).
// - What would be moved into the base is dropped, so the first link is regrouped as well.
// - For the link of a prismatic joint the tensor is moved, but not mass and first moment, even
//   where parallel axes would allow more.
#include "kernels/inverse/newton_euler_grouped.h"

static void newton_euler_grouped(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns       = take(&work, (size_t)block_end(model->n) * sizeof *turns);
  RneaMemory memory = rnea_memory(model, work);
  const Input none  = zero();
  MaybeInput qd = maybe_input(state->qd, &none), qdd = maybe_input(state->qdd, &none);

  joint_turns(model, state->q, turns);

  // outward, base to tip, run by run: motion of each link (1)-(4) and
  // the wrench that sustains it (5)-(7)
  for (int i = 0; i < model->n;)
  {
    Motion link = rnea_motion_after(model, i, joint_at(model, i, turns, state->q), state, &memory,
                                    next_input(&qd), next_input(&qdd));
    rnea_set_wrench(&memory, i, grouped_sustain(model, i, link));
    if (is_stored(model, i)) rnea_keep(&memory, model, i, link);
    while (++i < model->n && continues_run(model, i))
    {
      Joint j = joint_in_run(model, i, turns);
      link    = rnea_move_revolute(link, j, next_input(&qd), next_input(&qdd));
      rnea_set_wrench(&memory, i, grouped_sustain_revolute(link, j.link));
      if (is_stored(model, i)) rnea_keep(&memory, model, i, link);
    }
  }

  // inward, tip to base: wrenches of the joints (8)-(10)
  rnea_transmit(model, turns, state, &memory, out);
}

const lwKernel FN(newton_euler_grouped) = {newton_euler_grouped, RNEA_PER_JOINT, 0, {0}};
