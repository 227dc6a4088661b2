// SPDX-License-Identifier: MIT
// Inverse dynamics by Kane's equations, F_j + F*_j = 0, O(n^2): the text to read.
//
// Kane & Levinson, "The use of Kane's dynamical equations in robotics", 1983. inverse/kane.c
// computes the same torques faster, by collapsing the sums into one recursion.
//
//   Kane        here   meaning                                             frame, unit
//   omega       w      angular velocity of the link                        link, rad/s
//   alpha       wd     angular acceleration                                link, rad/s^2
//   a           a      acceleration of the link's origin, less gravity     link, m/s^2
//   omega_ij    w_ij   partial angular velocity: d omega_i / d qd_j        link i
//   v_ij        v_ij   partial velocity of the origin: d v_i / d qd_j      link i
//   -F*, -T*    R, Q   inertia force, and its moment about the origin      link, N, N m
//   F_j         tau    generalised active force of joint j                 N m or N
//
// Velocities are linear in qd, so the inertia forces of all links act on joint j through their
// partial velocities alone:
//   tau_j = sum_i  v_ij . R_i + w_ij . Q_i                                                     (K1)
//   w_jj = z, v_jj = 0 if joint j turns;  w_jj = 0, v_jj = z if it slides                      (K2)
//   w_ij = w_pj,  v_ij = v_pj + w_pj x p_i  for a link i on parent p, p_i from p's origin      (K3)
// What differs from the paper: moments are about the origin instead of the centre of mass, the base
// accelerates with minus gravity, joints may slide, links may branch.
#include "kernels/joints.h"

typedef struct
{
  V3 w, wd, a;
} KaneMotion;

typedef struct
{
  V3 w, v;
} KanePartial;

INLINE KaneMotion kane_move(KaneMotion parent, Joint j, bool prismatic, REAL qd, REAL qdd)
{
  V3 p = origin_in_parent(j), rate = v3(zero(), zero(), qd), change = v3(zero(), zero(), qdd);
  V3 a = add(parent.a, cross_add(parent.w, cross(parent.w, p), cross(parent.wd, p)));
  V3 w = to_link(j, parent.w), wd = to_link(j, parent.wd);
  a = to_link(j, a);
  if (prismatic) return (KaneMotion){w, wd, add(a, cross_add(w, add(rate, rate), change))};
  return (KaneMotion){add(w, rate), add(wd, cross_add(w, rate, change)), a};
}

// (K2)
INLINE KanePartial partial_own(bool prismatic)
{
  V3 none = v3_zero(), z = v3(zero(), zero(), constant(1));
  return prismatic ? (KanePartial){none, z} : (KanePartial){z, none};
}

// (K3)
INLINE KanePartial partial_carried(Joint j, KanePartial parent)
{
  V3 v = cross_add(parent.w, origin_in_parent(j), parent.v);
  return (KanePartial){to_link(j, parent.w), to_link(j, v)};
}

static void reference_kane(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n                = model->n;
  Turn* turns          = take_turns(model, state->q, &work);
  KanePartial* partial = take(&work, (size_t)n * (size_t)n * sizeof *partial);  // (n, n)
  KaneMotion* motion   = (KaneMotion*)work + 1;  // motion[LW_BASE] is the base's
  Result* tau          = out;
  for (int i = 0; i < n; ++i) tau[i] = zero();

  motion[LW_BASE] = (KaneMotion){v3_zero(), v3_zero(), neg(gravity_of(model, state))};
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(model, i, turns, state->q);
    int p   = model->parent[i];

    // how the link moves, and what that takes: m a, and its moment
    KaneMotion m =
        kane_move(motion[p], j, is_prismatic(model, i), given(state->qd, i), given(state->qdd, i));
    V3 h      = known_vector(j.link->first_moment);
    S3 I      = known_symmetric(j.link->inertia);
    V3 turn   = cross_add(m.w, cross(m.w, h), cross(m.wd, h));
    V3 R      = scale_add(K(j.link->mass), m.a, turn);
    V3 Q      = cross_add(h, m.a, cross_add(m.w, s3_apply(I, m.w), s3_apply(I, m.wd)));
    motion[i] = m;

    // the environment's wrench on the last link is an active force
    if (state->wrench && model->tool == i) subtract_tool(model, state, &R, &Q);

    // every joint that carries the link feels them through its partial velocities
    KanePartial* of_link = partial + (size_t)i * (size_t)n;
    of_link[i]           = partial_own(is_prismatic(model, i));
    for (int k = p; k != LW_BASE; k = model->parent[k])
      of_link[k] = partial_carried(j, partial[(size_t)p * (size_t)n + (size_t)k]);
    for (int k = i; k != LW_BASE; k = model->parent[k])
      tau[k] = dot_add(of_link[k].v, R, dot_add(of_link[k].w, Q, tau[k]));  // (K1)
  }
}

const lwKernel FN(reference_kane) = {
    reference_kane, sizeof(Turn) + sizeof(KaneMotion), sizeof(KanePartial), {0}, 0};
