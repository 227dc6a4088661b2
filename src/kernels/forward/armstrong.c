// SPDX-License-Identifier: MIT
// Forward dynamics by recursive relations between the forces and accelerations at the joints, O(n).
//
// Armstrong, "Recursive solution to the equations of motion of an N-link manipulator", 1979. The
// paper was not at hand; silver1981 (1.3), grigorov2013 (introduction) and the later paper of
// Armstrong & Green (1985) tell what it does: at every joint, force and angular acceleration of the
// link are linear functions of the acceleration of the joint, whose coefficients follow from those
// of the next link. Tip to base they are found, base to tip they are used. There the joints are
// spherical, with 3 x 3 matrices to invert; here they have one freedom, so that the moment through
// the joint is part of the relation, and what is inverted is a number. In spatial vectors this is
// the articulated body of Featherstone 1983, who drew the general conclusion.
//
//   n = I wd + H a + n',  f = H^T wd + M a + f'                                                (A1)
//   wd = wd_0 + z qdd: its part along the joint is tau, so  qdd = (tau - n'.z - U.(wd_0, a)) / D
//   and n, f are linear in wd_0 and a alone, hence in the motion of the parent                 (A2)
//
//   paper     here     meaning                                               frame, unit
//   M, f'     A, F     coefficients of (A1): the link and what it carries    link
//   K, d      e, u     those of the joint's acceleration                     link
//   a         t        acceleration of the link while its joint does not     link, rad/s^2, m/s^2
//                      accelerate; then with it
//   -         c        its part that comes from velocities alone             link
//
// Gravity is the acceleration of the base; joints may slide, links may branch; rotors and joints
// that are held as in eliminated.h.
#include "kernels/forward/eliminated.h"

// (A2): what the joint and all beyond it ask of the parent.
INLINE void relate_to_parent(DrivenLink* parent, const DrivenLink* link, Joint j, bool prismatic)
{
  Inertia A = inertia_without(link->A, link->e, prismatic);
  Wrench F  = wrench_sum(link->F, inertia_apply(&A, link->c));
  F         = wrench_scale_add(r_mul(link->e.over_D, link->u), link->e.U, F);
  wrench_to_parent(j, &F.f, &F.n);
  parent->F = wrench_sum(parent->F, F);
  parent->A = inertia_sum(parent->A, inertia_to_parent(j, A));
}

static void armstrong(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns      = take_turns(model, state->q, &work);
  DrivenLink* link = (DrivenLink*)work + 1;  // link[LW_BASE] is the base
  Result* qdd      = out;
  drive_links(model, state, turns, link);
  for (int i = model->n - 1; i >= 0; --i)
  {
    bool prismatic = is_prismatic(model, i);
    link[i].e      = eliminate(model, state, i, &link[i].A);
    link[i].u      = r_sub(given(state->tau, i), wrench_along(link[i].F, prismatic));
    if (model->parent[i] != LW_BASE)
      relate_to_parent(&link[model->parent[i]], &link[i], joint_at(model, i, turns, state->q),
                       prismatic);
  }
  for (int i = 0; i < model->n; ++i)
  {
    JointTwist t = twist_to_link(joint_at(model, i, turns, state->q), link[model->parent[i]].t);
    t            = (JointTwist){add(t.w, link[i].c.w), add(t.v, link[i].c.v)};
    qdd[i]       = r_mul(link[i].e.over_D, r_sub(link[i].u, wrench_dot(link[i].e.U, t)));
    link[i].t    = twist_add_joint(t, qdd[i], is_prismatic(model, i));
  }
}

const lwKernel FN(armstrong) = {armstrong, sizeof(Turn) + sizeof(DrivenLink), 0, {0}, 0};
