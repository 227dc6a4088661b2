// SPDX-License-Identifier: MIT
// Inertia matrix as the Hessian of Gibbs' function, O(n^2) for a chain, O(n depth) for a tree.
// kernels/reference/composite_body.c computes the same.
//
// Mata, Provenzano, Valero & Cuadrado, "Serial-robot dynamics algorithms for moderately large
// numbers of joints", 2002 (mata2002), section 4.2: D_jk = d^2 G / dqdd_j dqdd_k.
//
//   paper         here  meaning                                                      frame, unit
//   s_{i-1,i}     s     parent's origin to the link's                                as stated, m
//   s_{k,j}       s     origin of joint k to that of link j, which it carries        link j, m
//   dwd_j/dqdd_k  z     axis of joint k                                              link j
//   M_i           M     mass of link i and all that it carries                       kg
//   gamma_i       phi   first moment of link i, what it carries being at its joints  link, kg m
//   E_i           psi   inertia of the body of gamma_i; H_i is that of link i alone   link, kg m^2
//   phi_i         phi   first moment of link i and all that it carries               link, kg m
//   psi_i         psi   inertia of link i and all that it carries                    link, kg m^2
//   D             D     inertia matrix
//
// Moments and inertias are about the link's origin. The paper's frames are modified DH, canonical
// ones but for a general s. Where it differs from the paper:
// - (22) is corrected (erratum 1-11) and used for j outboard of k (erratum 1-12); loops
//   and indices as in errata 1-13 to 1-16; step 5 takes phi before gamma is added, step 7
//   after (errata 1-17, 1-18).
// - Step 2 turns s_{k,j-1} as a whole, and adds the next step in two parts, the span before and d
//   after the turn: one addition less than turning every s_{i,i+1} apart and adding up.
// - Step 5 is done between the two planar rotations, where s = (a, e, d) and e = 0 unless the joint
//   is skew: 6 multiplications for the cross terms instead of 9.
// - Prismatic joints: gamma and E become run-time values where such a joint is carried; step 7 has
//   the wrench of unit acceleration for either kind (erratum 1-4). Any tree.
#include "kernels/inertia/central.h"
#include "kernels/inertia/columns.h"
#include "kernels/inertia/gibbs_appell_inertia.h"

typedef struct
{
  V3 phi;
  S3 psi;
} GibbsBody;

typedef struct
{
  V3 z, s;
} LinkJoint;  // of a link and a joint that carries it

INLINE LinkJoint* pair_of(LinkJoint* pairs, int n, int j, int k)
{
  return &pairs[(size_t)j * (size_t)n + (size_t)k];
}

// s_{p,j} = (a, e, d), before theta: axes of the link at theta = 0
INLINE V3 gibbs_inertia_step(Joint j)
{
  V3 span = known_vector(j.link->span);
  if (j.skew) span = turn_z(turn_back(gamma_turn(j.link)), span);
  span   = j.skew ? turn_x(turn_back(alpha_turn(j.link)), span) : span;
  span.z = r_add(span.z, j.d);
  return span;
}

// Step 1: gamma and E, off-line where all joints are revolute. Last link: gamma = m r, E = H.
INLINE void add_points(const lwModel* model, const Joint* joints, GibbsBody* body)
{
  for (int i = 0; i < model->n; ++i)
  {
    const Link* link = joints[i].link;
    body[i] = (GibbsBody){known_vector(link->first_moment), known_symmetric(link->inertia)};
  }
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (p == LW_BASE) continue;
    REAL M      = K(joints[i].link->outboard_mass);
    V3 s        = alpha_to_parent(joints[i], gibbs_inertia_step(joints[i]));
    body[p].phi = add(body[p].phi, scale(M, s));
    body[p].psi = add(body[p].psi, point_inertia(M, s));
  }
}

// Steps 2 and 3: s_{k,j} and the axis of joint k in the frame of link j,
// for every joint k that carries it.
INLINE void see_joints(const lwModel* model, int j, Joint joint, LinkJoint* pairs)
{
  int n = model->n, p = model->parent[j];
  if (p == LW_BASE) return;
  LinkJoint* first = pair_of(pairs, n, j, p);
  first->z         = to_link(joint, v3(zero(), zero(), constant(1)));
  first->s         = turn_z(turn_back(joint.theta), gibbs_inertia_step(joint));
  for (int k = model->parent[p]; k != LW_BASE; k = model->parent[k])
  {
    const LinkJoint* of_parent = pair_of(pairs, n, p, k);
    LinkJoint* pair            = pair_of(pairs, n, j, k);
    pair->z                    = to_link(joint, of_parent->z);
    if (is_prismatic(model, k)) continue;  // no span is needed to slide
    pair->s   = to_link(joint, add(of_parent->s, known_vector(joint.link->span)));
    pair->s.z = r_add(pair->s.z, joint.d);
  }
}

// Steps 4 and 5: link j and all that it carries becomes part of its parent.
INLINE void gibbs_inertia_to_parent(GibbsBody* parent, const GibbsBody* body, Joint j)
{
  V3 phi      = turn_z(j.theta, body->phi);
  S3 psi      = cross_terms(s3_turn_z(j.theta, body->psi), gibbs_inertia_step(j), phi);
  psi         = s3_turn_x(alpha_turn(j.link), psi);
  psi         = j.skew ? s3_turn_z(gamma_turn(j.link), psi) : psi;
  parent->phi = add(parent->phi, alpha_to_parent(j, phi));
  parent->psi = add(parent->psi, psi);
}

// Step 5 for a link on the base: only psi.zz is wanted. across: s without its part along the axis.
INLINE void gibbs_inertia_to_base_link(GibbsBody* parent, const GibbsBody* body, Joint j,
                                       const LinkJoint* pair)
{
  REAL along     = alpha_to_parent(j, gibbs_inertia_step(j)).z;
  V3 across      = sub(pair->s, scale(along, pair->z));
  REAL shift     = dot(across, body->phi);
  REAL inertia   = r_add(about(pair->z, body->psi), r_add(shift, shift));
  parent->psi.zz = r_add(parent->psi.zz, inertia);
}

// Steps 6 and 7: column j of D. f, n: force and moment that give all that joint
// j carries unit acceleration.
INLINE void gibbs_inertia_column(const lwModel* model, int j, const GibbsBody* body,
                                 LinkJoint* pairs, Result* D)
{
  int n          = model->n;
  bool prismatic = is_prismatic(model, j);
  REAL M = K(LINKS(model)[j].outboard_mass), none = zero();
  V3 phi = body->phi;
  V3 f   = prismatic ? v3(none, none, M) : v3(r_neg(phi.y), phi.x, none);
  V3 m   = prismatic ? v3(phi.y, r_neg(phi.x), none) : v3(body->psi.xz, body->psi.yz, body->psi.zz);
  set_entry(D, n, j, j, prismatic ? M : body->psi.zz);  // step 6
  for (int k = model->parent[j]; k != LW_BASE; k = model->parent[k])
  {
    const LinkJoint* pair = pair_of(pairs, n, j, k);
    V3 felt               = is_prismatic(model, k) ? f : cross_add(pair->s, f, m);
    set_entry(D, n, j, k, dot(pair->z, felt));  // step 7, (22)
  }
}

static void gibbs_appell_inertia(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Joint* joints    = take(&work, (size_t)n * sizeof *joints);
  GibbsBody* body  = take(&work, (size_t)n * sizeof *body);
  LinkJoint* pairs = work;
  Result* D        = out;

  for (int i = 0; i < n; ++i) joints[i] = joint_at(model, i, turns, state->q);
  clear_tree(model, D, false);

  add_points(model, joints, body);                                     // step 1
  for (int j = 0; j < n; ++j) see_joints(model, j, joints[j], pairs);  // steps 2 and 3
  for (int j = n - 1; j >= 0; --j)
  {
    int p = model->parent[j];
    gibbs_inertia_column(model, j, &body[j], pairs, D);  // steps 6 and 7
    if (p == LW_BASE) continue;
    if (model->parent[p] == LW_BASE)
      gibbs_inertia_to_base_link(&body[p], &body[j], joints[j], pair_of(pairs, n, j, p));
    else
      gibbs_inertia_to_parent(&body[p], &body[j], joints[j]);  // steps 4 and 5
  }
}

const lwKernel FN(gibbs_appell_inertia) = {gibbs_appell_inertia,
                                           sizeof(Turn) + sizeof(Joint) + sizeof(GibbsBody),
                                           sizeof(LinkJoint),
                                           {0},
                                           0};
