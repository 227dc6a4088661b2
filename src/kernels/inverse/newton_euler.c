// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, O(n).
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982 (1)-(10).
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
// - Frames are canonical (model/model.h), with z along the link's own joint, so (10) reads n.z; any tree.
// - Velocities (3) of the origins are not needed for torques and are left out.
// - Sums are about the link's origin instead of its centre of mass: with first moment h = m c, (5) and (6) become
//   F = m a + U h, and (7) with the shift of (9) becomes N = sum r x U r dm + h x a, where the sum needs U and J only
//   (the pseudo-inertia of Uicker and Kahn; silver1981 (2.11)): 15 multiplications where J* wd + w x J* w takes 24.
// - A point on a revolute axis belongs to both links, so the part of p* along z uses the link's own U.
// - Prismatic joints are added: 2 w x z qd + z qdd. swartz1982 covers revolute ones.
// - The wrench on the last link is exerted on it by the environment (erratum 3-7: the paper's has the other sign).
#include "kernels/inverse/newton_euler.h"

// The wrench that sustains the link's own motion.
INLINE void rnea_sustain(Body* body, const Link* link)
{
  V3 h    = known_vector(link->first_moment);
  body->f = m3_apply_add(body->U, h, scale(K(link->mass), body->a));                     // (5), (6)
  body->n = cross_add(h, body->a, rnea_moment(body->U, known_symmetric(link->pseudo)));  // (7)
}

static void newton_euler(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns = take(&work, (size_t)model->n * sizeof *turns);
  Body* body  = (Body*)work + 1;  // body[LW_BASE] is the base

  joint_turns(model, state->q, turns);
  rnea_base(&body[LW_BASE], gravity_of(model, state));

  // outward, base to tip: motion of each link (1)-(4) and the wrench that sustains it (5)-(7)
  for (int i = 0; i < model->n; ++i)
  {
    Joint j = joint_at(model, i, turns, state->q);
    rnea_motion(model, i, j, state, body);
    rnea_sustain(&body[i], j.link);
  }

  // inward, tip to base: wrenches of the joints (8)-(10)
  hold_tool(model, state, body);
  rnea_transmit(model, turns, state->q, body, out);
}

const lwKernel FN(newton_euler) = {newton_euler, sizeof(Turn) + sizeof(Body), 0, {0}};
