// SPDX-License-Identifier: MIT
// Forward dynamics from Gauss' principle of least constraint by dynamic programming, O(n).
//
// Vereshchagin, "Computer simulation of the dynamics of complicated mechanisms of robotic
// manipulators", 1974. The paper was not at hand; mata2002, section 1, says that it takes the
// equations of motion from Gauss' principle and Gibbs' function, and the documentation of Orocos KDL
// describes the three sweeps. Among all accelerations that the joints allow, the true ones make
//
//   Z = sum_i (1/2 a_i.A_i a_i + a_i.F_i) - sum_i tau_i qdd_i     least, a_i = X a_parent + c + z qdd_i
//
// which Bellman's principle solves from the tip: what link i and all it carries add to Z depends on
// the acceleration x = X a_parent alone once the joints further out have chosen theirs:
//
//   Z_i(x) = min over qdd of 1/2 a.A a + a.F - tau qdd, a = x + c + z qdd
//          = 1/2 x.(A - U U^T/D) x + x.(F + A c + U u/D) + constant                               (V1)
//   U = A z,  D = z.U,  u = tau - z.(F + A c),  qdd = (u - U.x)/D                                 (V2)
//
// Articulated bodies (Featherstone 1983) are the same recursion, found from forces. The constraints
// that the paper puts on the acceleration of the hand are no question of the registry: here the hand
// is free, and a wrench may act on it.
//
//   paper    here     meaning                                                frame, unit
//   Z_i      A, F     coefficients of the quadratic function                 link
//   c        c        acceleration that comes from velocities alone          link, rad/s^2, m/s^2
//   a        t        acceleration of the link                               link, rad/s^2, m/s^2
#include "kernels/forward/eliminated.h"

// (V1), (V2): adds Z_i to that of the parent.
INLINE void add_least(const lwModel* model, const lwState* state, const Turn* turns, int i,
                      DrivenLink* link)
{
  bool prismatic  = is_prismatic(model, i);
  DrivenLink *own = &link[i], *parent = &link[model->parent[i]];
  Joint j  = joint_at(model, i, turns, state->q);
  own->e   = eliminate(model, state, i, &own->A);
  Wrench F = wrench_sum(own->F, inertia_apply(&own->A, own->c));
  own->u   = r_sub(given(state->tau, i), wrench_along(F, prismatic));
  if (model->parent[i] == LW_BASE) return;
  F = wrench_scale_add(r_mul(own->e.over_D, own->u), own->e.U, F);
  wrench_to_parent(j, &F.f, &F.n);
  parent->F = wrench_sum(parent->F, F);
  parent->A =
      inertia_sum(parent->A, inertia_to_parent(j, inertia_without(own->A, own->e, prismatic)));
}

static void vereshchagin(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns      = take_turns(model, state->q, &work);
  DrivenLink* link = (DrivenLink*)work + 1;  // link[LW_BASE] is the base
  Result* qdd      = out;
  drive_links(model, state, turns, link);
  for (int i = model->n - 1; i >= 0; --i) add_least(model, state, turns, i, link);
  for (int i = 0; i < model->n; ++i)
  {
    JointTwist x = twist_to_link(joint_at(model, i, turns, state->q), link[model->parent[i]].t);
    qdd[i]       = r_mul(link[i].e.over_D, r_sub(link[i].u, wrench_dot(link[i].e.U, x)));
    x            = (JointTwist){add(x.w, link[i].c.w), add(x.v, link[i].c.v)};
    link[i].t    = twist_add_joint(x, qdd[i], is_prismatic(model, i));
  }
}

const lwKernel FN(vereshchagin) = {vereshchagin, sizeof(Turn) + sizeof(DrivenLink), 0, {0}, 0};
