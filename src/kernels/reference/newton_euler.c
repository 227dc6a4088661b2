// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, O(n): the text to read.
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982
// (1)-(10). inverse/newton_euler.c computes the same torques faster.
//
//   paper   here  meaning                                            frame, unit
//   w       w     angular velocity of the link                       link, rad/s
//   w dot   wd    angular acceleration                               link, rad/s^2
//   v dot   a     acceleration of the link's origin, less gravity    link, m/s^2
//   p*      p     parent's origin to the link's                      parent, m
//   F*, N*  f, n  force and moment about the origin that the link    link, N, N m
//                 needs; then with all that it carries: the wrench
//                 that its joint transmits
//   m r*    h     mass times centre of mass                          link, kg m
//   J       I     inertia about the link's origin                    link, kg m^2
//
// What differs from the paper: z of each link's frame is its joint axis, moments are about the
// origin instead of the centre of mass, joints may slide, links may branch, and the base
// accelerates with minus gravity instead of giving every link a weight.
#include "kernels/joints.h"

typedef struct
{
  V3 w, wd, a;
  V3 f, n;
} NewtonBody;

// Motion of a link from that of its parent.
INLINE void newton_motion(NewtonBody* link, const NewtonBody* parent, Joint j, bool prismatic,
                          REAL qd, REAL qdd)
{
  V3 p = origin_in_parent(j), rate = v3(zero(), zero(), qd), change = v3(zero(), zero(), qdd);
  V3 a     = add(parent->a, cross(parent->wd, p));
  link->w  = to_link(j, parent->w);
  link->wd = to_link(j, parent->wd);
  link->a  = to_link(j, cross_add(parent->w, cross(parent->w, p), a));  // (4)
  if (prismatic)
    link->a = add(link->a, cross_add(link->w, add(rate, rate), change));  // (4), Coriolis
  else
  {
    link->wd = add(link->wd, cross_add(link->w, rate, change));  // (2)
    link->w  = add(link->w, rate);                               // (1)
  }
}

// Newton's and Euler's equations of one link: force and moment that its motion needs.
INLINE void newton_force(NewtonBody* link, const Link* known)
{
  V3 h = known_vector(known->first_moment), w = link->w, wd = link->wd;
  S3 I    = known_symmetric(known->inertia);
  V3 turn = cross_add(w, cross(w, h), cross(wd, h));   // (5), times the mass
  link->f = scale_add(K(known->mass), link->a, turn);  // (6)
  link->n = cross_add(h, link->a, cross_add(w, s3_apply(I, w), s3_apply(I, wd)));  // (7)
}

static void reference_newton_euler(const lwModel* model, void* work, const lwState* state,
                                   void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  NewtonBody* body = (NewtonBody*)work + 1;  // body[LW_BASE] is the base
  Result* tau      = out;
  V3 none          = v3_zero(), f, moment;

  // outward, base to tip: motion of each link, and what it needs
  body[LW_BASE] = (NewtonBody){none, none, neg(gravity_of(model, state)), none, none};
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(model, i, turns, state->q);
    newton_motion(&body[i], &body[model->parent[i]], j, is_prismatic(model, i), given(state->qd, i),
                  given(state->qdd, i));
    newton_force(&body[i], j.link);
  }

  // the environment supplies its part
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].f, &body[model->tool].n);

  // inward, tip to base: what the joints transmit, and its part along the axis
  for (int i = n - 1; i >= 0; --i)
  {
    Joint j            = joint_at(model, i, turns, state->q);
    NewtonBody* parent = &body[model->parent[i]];
    tau[i]             = is_prismatic(model, i) ? body[i].f.z : body[i].n.z;  // (10)
    f                  = to_parent(j, body[i].f);
    moment             = cross_add(origin_in_parent(j), f, to_parent(j, body[i].n));
    parent->f          = add(parent->f, f);       // (8)
    parent->n          = add(parent->n, moment);  // (9)
  }
}

const lwKernel FN(reference_newton_euler) = {
    reference_newton_euler, sizeof(Turn) + sizeof(NewtonBody), 0, {0}, 0};
