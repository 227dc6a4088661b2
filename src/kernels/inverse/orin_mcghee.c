// SPDX-License-Identifier: MIT
// Inverse dynamics by Newton's and Euler's equations: motion in fixed axes, forces in those of the
// links, O(n).
//
// Orin, McGhee, Vukobratovic & Hartoch, "Kinematic and kinetic analysis of open-chain linkages
// utilizing Newton-Euler methods", 1979. The paper was not at hand: this is what silver1981, section
// 1.3, says of it. It improved upon Stepanenko & Vukobratovic "by referring the forces and moments
// to coordinate systems attached to the links instead of fixed coordinates", and swept the chain
// outward, then inward. Velocities and accelerations stayed in fixed axes until Armstrong and Luh.
//
//   silver1981  here        meaning                                             frame, unit
//   w, w dot    m.w, m.wd   angular velocity and acceleration                   base, rad/s, rad/s^2
//   v dot       m.a         acceleration of the link's origin, less gravity     base, m/s^2
//   I           I           inertia about the link's origin                     link, kg m^2
//   F, N        f, n        what the link needs; then what its joint transmits  link, N, N m
//
// What differs: moments are about the link's origin, joints may slide, links may branch.
#include "kernels/inverse/fixed_axes.h"

typedef struct
{
  FixedMotion m;
  V3 f, n;
} OrinBody;

// Newton's and Euler's equations in the axes of the link: its motion is turned, not its inertia.
INLINE void orin_force(OrinBody* link, const Link* known)
{
  V3 w = rotate_back(link->m.F, link->m.w), wd = rotate_back(link->m.F, link->m.wd);
  V3 a = rotate_back(link->m.F, link->m.a), h = known_vector(known->first_moment);
  S3 I    = known_symmetric(known->inertia);
  link->f = scale_add(K(known->mass), a, cross_add(w, cross(w, h), cross(wd, h)));
  link->n = cross_add(h, a, cross_add(w, s3_apply(I, w), s3_apply(I, wd)));
}

static void orin_mcghee(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns    = take_turns(model, state->q, &work);
  OrinBody* body = (OrinBody*)work + 1;  // body[LW_BASE] is the base
  Result* tau    = out;

  body[LW_BASE] = (OrinBody){fixed_base(model, state), v3_zero(), v3_zero()};
  for (int i = 0; i < model->n; ++i)
  {
    Joint j   = joint_at(model, i, turns, state->q);
    body[i].m = fixed_motion(&body[model->parent[i]].m, j, is_prismatic(model, i),
                             given(state->qd, i), given(state->qdd, i));
    orin_force(&body[i], j.link);
  }
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].f, &body[model->tool].n);
  for (int i = model->n - 1; i >= 0; --i)
  {
    OrinBody* parent = &body[model->parent[i]];
    V3 f = body[i].f, n = body[i].n;
    tau[i] = is_prismatic(model, i) ? f.z : n.z;
    wrench_to_parent(joint_at(model, i, turns, state->q), &f, &n);
    parent->f = add(parent->f, f);
    parent->n = add(parent->n, n);
  }
}

const lwKernel FN(orin_mcghee) = {orin_mcghee, sizeof(Turn) + sizeof(OrinBody), 0, {0}, 0};
