// SPDX-License-Identifier: MIT
// Inverse dynamics by Newton's and Euler's equations with everything in fixed axes, O(n).
//
// Stepanenko & Vukobratovic, "Dynamics of articulated open-chain active mechanisms", 1976. The paper
// was not at hand: this is what silver1981, section 1.3, says of it. Motion, forces and moments are
// in the coordinates of the base; so are the inertia tensors, which turn with the links and must be
// turned anew in every state. The two sweeps, outward and inward, are those of section 1.3, too.
//
//   silver1981  here        meaning                                             frame, unit
//   w, w dot    m.w, m.wd   angular velocity and acceleration                   base, rad/s, rad/s^2
//   v dot       m.a         acceleration of the link's origin, less gravity     base, m/s^2
//   I           I           inertia about the link's origin                     base, kg m^2
//   F, N        f, n        what the link needs; then what its joint transmits  base, N, N m
//
// What differs: moments are about the link's origin, joints may slide, links may branch.
#include "kernels/inverse/fixed_axes.h"

typedef struct
{
  FixedMotion m;
  V3 f, n;
} FixedBody;

// Newton's and Euler's equations with the mass properties turned into the axes of the base.
INLINE void fixed_force(FixedBody* link, const Link* known)
{
  V3 h = rotate(link->m.F, known_vector(known->first_moment)), w = link->m.w, wd = link->m.wd;
  S3 I    = tensor_by_frame(link->m.F, known_symmetric(known->inertia));
  link->f = scale_add(K(known->mass), link->m.a, cross_add(w, cross(w, h), cross(wd, h)));
  link->n = cross_add(h, link->m.a, cross_add(w, s3_apply(I, w), s3_apply(I, wd)));
}

static void stepanenko_vukobratovic(const lwModel* model, void* work, const lwState* state,
                                    void* out)
{
  Turn* turns     = take_turns(model, state->q, &work);
  FixedBody* body = (FixedBody*)work + 1;  // body[LW_BASE] is the base
  Result* tau     = out;

  body[LW_BASE] = (FixedBody){fixed_base(model, state), v3_zero(), v3_zero()};
  for (int i = 0; i < model->n; ++i)
  {
    Joint j   = joint_at(model, i, turns, state->q);
    body[i].m = fixed_motion(&body[model->parent[i]].m, j, is_prismatic(model, i),
                             given(state->qd, i), given(state->qdd, i));
    fixed_force(&body[i], j.link);
  }
  if (is_tool_pushed(model, state))
  {
    V3 force, moment;
    FixedBody* last = &body[model->tool];
    tool_wrench(model, state->wrench, &force, &moment);
    last->f = sub(last->f, rotate(last->m.F, force));
    last->n = sub(last->n, rotate(last->m.F, moment));
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    FixedBody *link = &body[i], *parent = &body[model->parent[i]];
    tau[i]    = dot(link->m.F.z, is_prismatic(model, i) ? link->f : link->n);
    parent->f = add(parent->f, link->f);
    parent->n = add(parent->n, cross_add(link->m.p, link->f, link->n));
  }
}

const lwKernel FN(stepanenko_vukobratovic) = {
    stepanenko_vukobratovic, sizeof(Turn) + sizeof(FixedBody), 0, {0}, 0};
