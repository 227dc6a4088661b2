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
#include "kernels/inverse/newton_euler.h"

// integral of r x U r dm, J.zz = 0: 13 multiplications
INLINE V3 grouped_moment(M3 U, const KNOWN J[6])
{
  REAL xx = K(J[0]), yy = K(J[1]), xy = K(J[3]), xz = K(J[4]), yz = K(J[5]);
  V3 n = v3(r_mul(yz, r_sub(U.z.z, U.y.y)), r_mul(xz, r_sub(U.x.x, U.z.z)),
            r_mul(xy, r_sub(U.y.y, U.x.x)));
  n    = v3(mul_add(yy, U.z.y, n.x), sub_mul(n.y, xx, U.z.x), mul_add(xx, U.y.x, n.z));
  n    = v3(mul_add(xy, U.z.x, n.x), mul_add(yz, U.x.y, n.y), sub_mul(n.z, yy, U.x.y));
  n    = v3(sub_mul(n.x, xz, U.y.x), sub_mul(n.y, xy, U.z.y), mul_add(xz, U.y.z, n.z));
  return v3(n.x, n.y, sub_mul(n.z, yz, U.x.z));
}

// The wrench that sustains a link without mass, h.z and J.zz.
INLINE Wrench grouped_sustain_revolute(Motion link, const Link* known)
{
  REAL x = K(known->grouped_first_moment[0]), y = K(known->grouped_first_moment[1]);
  M3 U = link.U;
  V3 a = link.a;
  V3 n = grouped_moment(U, known->grouped_pseudo);
  V3 f = v3(mul_add(U.x.x, x, r_mul(U.x.y, y)), mul_add(U.y.x, x, r_mul(U.y.y, y)),
            mul_add(U.z.x, x, r_mul(U.z.y, y)));  // (5), (6)
  n = v3(mul_add(y, a.z, n.x), sub_mul(n.y, x, a.z), mul_add(x, a.y, sub_mul(n.z, y, a.x)));  // (7)
  return (Wrench){f, n};
}

// The wrench that sustains a link without J.
INLINE Wrench grouped_sustain_prismatic(Motion link, const Link* known)
{
  V3 h = known_vector(known->grouped_first_moment);
  return (Wrench){m3_apply_add(link.U, h, scale(K(known->grouped_mass), link.a)),  // (5), (6)
                  cross(h, link.a)};                                               // (7)
}

INLINE Wrench grouped_sustain(const lwModel* model, int i, Motion link)
{
  const Link* known = &LINKS(model)[i];
  return is_prismatic(model, i) ? grouped_sustain_prismatic(link, known)
                                : grouped_sustain_revolute(link, known);
}

static void newton_euler_grouped(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns       = take(&work, (size_t)block_end(model->n) * sizeof *turns);
  RneaMemory memory = rnea_memory(model, work);
  const REAL none   = zero();
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
