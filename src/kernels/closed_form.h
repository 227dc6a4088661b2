// SPDX-License-Identifier: MIT
// The closed form of the equations of motion: what every link looks like from every
// joint that carries it, and the entries of the inertia matrix as sums over links.
// For inverse/closed_form.c and inertia/closed_form.c.
//
// Grigorov, "A generalized Newton-Euler algorithm for dynamic simulation of robot-manipulators with
// revolute joints", 2013 (grigorov2013), (1)-(13).
//
//   paper          here  meaning                                               frame, unit
//   jR_i, jP_i     X     frame of link i, seen from joint j, which carries it  joint j, m
//   iR_k z         z     axis of joint k                                       link i
//   -iP_k          b     origin of joint k to that of link i                   link i, m
//   m_i P_Ci, I_i  h, I  first moment, inertia about the link's origin         link, kg m, kg m^2
//   -              F, N  wrench that link i takes when joint k alone has unit
//                        acceleration, at the link's origin                    link i
//   M_jk           -     what joint j feels of it, summed over links i
//
// Where it differs from the paper:
// - Frames are modified DH, which the paper's own (6) needs (erratum 4-1), in canonical form.
// - (10) and (12) are corrected as in errata 4-2, 4-3, 4-7: m_i, jR_i I_i iR_k, sums over
//   i = max(j, k)..n.
// - Sums are about link origins: m_i P_C x ((P_C + b) x z) + I_i z, I_i about the centre of mass,
//   becomes h x (z x b) + I_i z, I_i about the origin. Massless links are then no exception.
// - What depends on i and k only is formed once, outward, and (12) is dotted with z_j at once, so
//   a term of the triple sum costs 11 multiplications instead of the 51 of its 3x3 matrices. It
//   stays a triple sum.
// - Prismatic joints: unit acceleration of joint k moves every point with z_k; joint j feels
//   force instead of moment.
// - Trees: i runs over the links that both joints carry; M_jk = 0 if there is none.
#ifndef LW_KERNELS_CLOSED_FORM_H
#define LW_KERNELS_CLOSED_FORM_H

#include "kernels/motion/frames.h"

typedef struct
{
  Frame X;       // link i from joint j
  V3 F, N;       // what link i takes of joint j's unit acceleration
  bool carried;  // by joint j, or nothing of the rest is set
} Sight;

// Where link i from joint j is in the table.
INLINE size_t at(int n, int j, int i)
{
  return (size_t)j * (size_t)n + (size_t)i;
}

// The bracket of (10) without jP_Ci and jR_i: F = m (z x b) + z x h, N = h x (z x b) + I z
INLINE void accelerate_unit(Sight* sight, const Link* link, bool prismatic)
{
  const Frame* X = &sight->X;
  V3 h           = known_vector(link->first_moment);
  V3 z           = v3(X->x.z, X->y.z, X->z.z);
  if (prismatic)
  {
    sight->F = scale(K(link->mass), z);
    sight->N = cross(h, z);
    return;
  }
  V3 b     = v3(dot(X->x, X->p), dot(X->y, X->p), dot(X->z, X->p));
  V3 a     = cross(z, b);
  sight->F = cross_add(z, h, scale(K(link->mass), a));
  sight->N = cross_add(h, a, s3_apply(known_symmetric(link->inertia), z));
}

// Outward: link i from every joint that carries it, itself included.
INLINE void see_link(const lwModel* model, int i, Joint joint, Sight* sights)
{
  int n = model->n, p = model->parent[i];
  Frame step = joint_frame(joint);
  for (int j = 0; j < n; ++j) sights[at(n, j, i)].carried = false;
  for (int j = i; j != LW_BASE; j = model->parent[j])
  {
    Sight* sight   = &sights[at(n, j, i)];
    sight->carried = true;
    sight->X       = j == i ? identity_frame() : compose(sights[at(n, j, p)].X, step);  // (1)
    accelerate_unit(sight, joint.link, is_prismatic(model, j));
  }
}

// What joint j feels of a wrench on link i: the z of jP_i x jR_i F + jR_i N, or of jR_i F.
INLINE REAL felt(const Frame* X, bool prismatic, V3 F, V3 N)
{
  if (prismatic) return dot(v3(X->x.z, X->y.z, X->z.z), F);
  REAL x = dot(v3(X->x.x, X->y.x, X->z.x), F);
  REAL y = dot(v3(X->x.y, X->y.y, X->z.y), F);
  REAL n = dot(v3(X->x.z, X->y.z, X->z.z), N);
  return mul_add(X->p.x, y, sub_mul(n, X->p.y, x));
}

// M_jk, the left side of (10) and (12): links from max(j, k) on, as far as both joints carry them
INLINE REAL inertia_entry(const lwModel* model, const Sight* sights, int j, int k)
{
  int n = model->n, l = j > k ? j : k;
  REAL entry = zero();
  if (!sights[at(n, j + k - l, l)].carried) return entry;
  for (int i = l; i < n; ++i)
  {
    const Sight* from_j = &sights[at(n, j, i)];
    const Sight* from_k = &sights[at(n, k, i)];
    if (!from_j->carried || !from_k->carried) continue;
    entry = r_add(entry, felt(&from_j->X, is_prismatic(model, j), from_k->F, from_k->N));
  }
  return entry;
}

#endif
