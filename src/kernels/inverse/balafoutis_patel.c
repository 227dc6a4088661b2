// SPDX-License-Identifier: MIT
// Inverse dynamics by Newton-Euler with Cartesian tensors and augmented links, O(n).
//
// Balafoutis & Patel, "Dynamic analysis of robot manipulators: a Cartesian tensor approach", 1991;
// mata2002 table 1 and its reference [23]. The book is not at hand: the recursion is derived here
// from what it is known for, the angular acceleration tensor with Euler's tensor, and augmented
// links, to which the masses of all links beyond are added at the next joint.
//
//   book      here    meaning                                                    frame, unit
//   w         w       angular velocity of the link                               link, rad/s
//   w dot     wd      angular acceleration                                       link, rad/s^2
//   Omega     U       angular acceleration tensor, [wd x] + [w x][w x]           link, 1/s^2
//   s dot dot a       acceleration of the link's origin, less gravity            link, m/s^2
//   m bar     M       mass of the link and of all that it carries                kg
//   s         s       origin of the link to that of the next joint               link, m
//   u         u       first moment of the augmented link, h + M s                link, kg m
//   K         K       its Euler's tensor about the origin, J + M s s^T           link, kg m^2
//   xi        f       force of all accelerations beyond the origin's own         link, N
//   eta       n       moment that the joint transmits, about the origin          link, N m
//
// With F = M a + f of everything beyond a joint, a' = a + U s of the next origin, and s x (M (a + U
// s)) taken into u and K,
//   f = U u + sum of f'            n = axial(U K) + u x a + sum of (s x f' + n')
// so that no link's mass is multiplied by its acceleration: 3 multiplications and 3 additions
// less for each link than newton_euler.c, and than mata2002's own count. tau = n.z, or (M a +
// f).z for a prismatic joint.
//
// Where it differs:
// - Frames are canonical, any tree: a link has an s for each joint that it carries.
// - u and K are off-line where the next joint is revolute. A prismatic one moves its s, so they
//   are summed at every call; for revolute joints these sums are among constants, which folded
//   counts do not see.
// - A prismatic joint adds 2 w x z qd + z qdd to a', and so M' times that to the f'
//   that it passes on.
#include "kernels/inverse/newton_euler.h"

typedef struct
{
  V3 u;
  S3 K;
} AugmentedBody;

// s: span + d z, parent's frame
INLINE V3 augmented_step(Joint j)
{
  return add(joint_span(j), alpha_to_parent(j, v3(zero(), zero(), j.d)));
}

// K + m s s^T
INLINE S3 add_point_mass(S3 A, REAL m, V3 s)
{
  V3 ms = scale(m, s);
  return (S3){mul_add(ms.x, s.x, A.xx), mul_add(ms.y, s.y, A.yy), mul_add(ms.z, s.z, A.zz),
              mul_add(ms.x, s.y, A.xy), mul_add(ms.x, s.z, A.xz), mul_add(ms.y, s.z, A.yz)};
}

INLINE void augment_links(const lwModel* model, const Turn* turns, const Input* q,
                          AugmentedBody* augmented)
{
  for (int i = 0; i < model->n; ++i)
  {
    const Link* link = &LINKS(model)[i];
    augmented[i] = (AugmentedBody){known_vector(link->first_moment), known_symmetric(link->pseudo)};
    if (model->parent[i] == LW_BASE) continue;
    AugmentedBody* parent = &augmented[model->parent[i]];
    REAL mass             = K(link->outboard_mass);
    V3 s                  = augmented_step(joint_at(model, i, turns, q));
    parent->u             = scale_add(mass, s, parent->u);
    parent->K             = add_point_mass(parent->K, mass, s);
  }
}

// What joint i passes on: its slide as well, whose acceleration the augmented links do not know.
INLINE V3 force_passed_on(const lwModel* model, int i, const lwState* state, V3 w, V3 f)
{
  REAL mass = K(LINKS(model)[i].outboard_mass);
  REAL qd = given(state->qd, i), twice = r_add(qd, qd);
  if (!is_prismatic(model, i)) return f;
  V3 slide = v3(r_mul(w.y, twice), r_neg(r_mul(w.x, twice)), given(state->qdd, i));
  return scale_add(mass, slide, f);
}

static void balafoutis_patel(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns              = take_turns(model, state->q, &work);
  AugmentedBody* augmented = take(&work, (size_t)model->n * sizeof *augmented);
  Wrench* body             = take(&work, (size_t)model->n * sizeof *body);
  Motion* motion           = (Motion*)work + 1;  // motion[LW_BASE] is the base
  Result* tau              = out;

  augment_links(model, turns, state->q, augmented);
  motion[LW_BASE] = rnea_base(gravity_of(model, state));

  // outward, base to tip: motion of each link, and what its augmented link needs
  for (int i = 0; i < model->n; ++i)
  {
    Motion m  = rnea_motion(model, i, joint_at(model, i, turns, state->q), state, motion);
    V3 u      = augmented[i].u;
    motion[i] = m;
    body[i]   = (Wrench){m3_apply(m.U, u), cross_add(u, m.a, rnea_moment(m.U, augmented[i].K))};
  }

  // inward, tip to base
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].f, &body[model->tool].n);
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i)
                 ? mul_add(K(LINKS(model)[i].outboard_mass), motion[i].a.z, body[i].f.z)
                 : body[i].n.z;
    if (p == LW_BASE) continue;
    V3 f = force_passed_on(model, i, state, motion[i].w, body[i].f), n = body[i].n;
    wrench_to_parent_add(joint_at(model, i, turns, state->q), &f, &n, body[p].f, body[p].n);
    body[p].f = f;
    body[p].n = n;
  }
}

const lwKernel FN(balafoutis_patel) = {.run       = balafoutis_patel,
                                       .per_joint = sizeof(Turn) + sizeof(AugmentedBody) +
                                                    sizeof(Wrench) + sizeof(Motion)};
