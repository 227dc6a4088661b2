// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, O(n).
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982
// (1)-(10).
//
//   paper     here    meaning                                              frame, unit
//   w         w       angular velocity of the link                         link, rad/s
//   w dot     wd      angular acceleration                                 link, rad/s^2
//   v dot     a       acceleration of the link's origin, less gravity      link, m/s^2
//   -         U       a point at r accelerates with a + U r:
//                     U = [wd x] + [w x][w x]                              link, 1/s^2
//   F*        F       force that sustains the link's motion                link, N
//   N*        N       moment of it about the link's origin                 link, N m
//   f, n      f, n    wrench that the joint transmits, at the origin       link, N, N m
//   p*        span, d parent's origin to the link's, before and along z    parent, z, m
//   J*        J       integral of r r^T dm about the origin                link, kg m^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), z along the link's joint, so (10) reads n.z; any
// tree.
// - Velocities (3) of the origins are not needed for torques and are left out.
// - Sums are about the link's origin instead of its centre of mass: with first moment h = m c, (5)
//   and (6) become F = m a + U h, and (7) with the shift of (9) becomes N = sum r x U r dm + h x a,
//   where the sum needs U and J only (the pseudo-inertia of Uicker and Kahn; silver1981 (2.11)):
//   15 multiplications where J* wd + w x J* w takes 24.
// - A point on a revolute axis belongs to both links, so the part of p* along z uses the link's U.
// - Prismatic joints are added: 2 w x z qd + z qdd. swartz1982 covers revolute ones.
// - The environment exerts the wrench on the last link (erratum 3-7: the paper has the other sign).
#include "kernels/inverse/newton_euler.h"

// The wrench that sustains the link's own motion.
INLINE Wrench rnea_sustain(Motion link, const Link* known)
{
  V3 h = known_vector(known->first_moment);
  return (Wrench){
      m3_apply_add(link.U, h, scale(K(known->mass), link.a)),                      // (5), (6)
      cross_add(h, link.a, rnea_moment(link.U, known_symmetric(known->pseudo)))};  // (7)
}

static void newton_euler(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n    = (size_t)model->n;
  Turn* turns = take(&work, n * sizeof *turns);
  Wrench* wrench =
      (Wrench*)take(&work, (n + 1) * sizeof *wrench) + 1;  // wrench[LW_BASE] is the base's
  const REAL* zeros = rnea_zeros(model, &work, state);
  const REAL* qd    = state->qd ? state->qd : zeros;
  const REAL* qdd   = state->qdd ? state->qdd : zeros;
  Motion* stored    = work;

  joint_turns(model, state->q, turns);

  // outward, base to tip, run by run: motion of each link (1)-(4) and
  // the wrench that sustains it (5)-(7)
  for (int i = 0; i < model->n;)
  {
    Joint j     = joint_at(model, i, turns, state->q);
    Motion link = rnea_motion_from(model, i, j, state, stored);
    while (true)
    {
      wrench[i] = rnea_sustain(link, j.link);
      if (is_stored(model, i)) stored[i] = link;
      if (++i == model->n || !continues_run(model, i)) break;
      j    = joint_in_run(model, i, turns);
      link = rnea_move_revolute(link, j, qd[i], qdd[i]);
    }
  }

  // inward, tip to base: wrenches of the joints (8)-(10)
  hold_tool(model, state, wrench);
  rnea_transmit(model, turns, state->q, wrench, out);
}

const lwKernel FN(newton_euler) = {
    newton_euler, sizeof(Turn) + sizeof(Wrench) + sizeof(REAL) + sizeof(Motion), 0, {0}};
