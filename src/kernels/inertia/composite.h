// SPDX-License-Identifier: MIT
// Composite rigid bodies: a link and its whole subtree as one body,
// shifted and rotated to the parent's frame.
//
// Kept as first moment h and J = integral of r r^T dm (silver1981 (2.7)) about the link's origin,
// so nothing is divided by mass, and massless links need no special case (erratum 2-9). J rather
// than the inertia I = tr(J) 1 - J, because a shift along z changes what is along z only, J.zz,
// J.xz and J.yz: one addition less, and a turn about z, which comes next, need not wait for the
// largest part of it. Shifts and rotations are factored into those about z and about x ("screws"):
// a shift along an axis costs 4 multiplications, a planar rotation of J costs 8.
#ifndef LW_KERNELS_INERTIA_COMPOSITE_H
#define LW_KERNELS_INERTIA_COMPOSITE_H

#include "kernels/inertia/columns.h"

typedef struct
{
  V3 h;  // kg m, link frame
  S3 J;  // kg m^2, link frame
} Composite;

INLINE Composite link_alone(const Link* link)
{
  return (Composite){known_vector(link->first_moment), known_symmetric(link->pseudo)};
}

// What resists a joint: the mass that slides along z, or the inertia about z, I.zz of I = tr(J) 1 -
// J (silver1981 (2.11)). An entry of the diagonal.
INLINE REAL resists(const Composite* body, const Link* link, bool prismatic)
{
  return prismatic ? K(link->outboard_mass) : r_add(body->J.xx, body->J.yy);
}

// Reference point moved by -p, p along z by d: h grows by M p, J by (p k^T + k p^T)/2 with k = h +
// h' (old and new).
INLINE void shift_z(Composite* body, REAL mass, REAL d)
{
  REAL old   = body->h.z;
  body->h.z  = mul_add(mass, d, old);
  body->J.zz = mul_add(d, r_add(old, body->h.z), body->J.zz);
  body->J.xz = mul_add(d, body->h.x, body->J.xz);
  body->J.yz = mul_add(d, body->h.y, body->J.yz);
}

INLINE void shift_x(Composite* body, REAL mass, REAL a)
{
  REAL old   = body->h.x;
  body->h.x  = mul_add(mass, a, old);
  body->J.xx = mul_add(a, r_add(old, body->h.x), body->J.xx);
  body->J.xy = mul_add(a, body->h.y, body->J.xy);
  body->J.xz = mul_add(a, body->h.z, body->J.xz);
}

// Moves the reference point by a general p.
INLINE void shift(Composite* body, REAL mass, V3 p)
{
  V3 old     = body->h;
  body->h    = scale_add(mass, p, old);
  V3 sum     = add(old, body->h);
  V3 k       = scale(constant((CONST)0.5), sum);
  body->J.xx = mul_add(p.x, sum.x, body->J.xx);
  body->J.yy = mul_add(p.y, sum.y, body->J.yy);
  body->J.zz = mul_add(p.z, sum.z, body->J.zz);
  body->J.xy = mul_add(p.x, k.y, mul_add(p.y, k.x, body->J.xy));
  body->J.xz = mul_add(p.x, k.z, mul_add(p.z, k.x, body->J.xz));
  body->J.yz = mul_add(p.y, k.z, mul_add(p.z, k.y, body->J.yz));
}

// The composite body of joint j, about the end of its span and in half-way axes; the rest of the
// way to the parent is a screw about x.
INLINE void screw_z(Joint j, Composite* body)
{
  shift_z(body, K(j.link->outboard_mass), j.d);
  body->h = turn_z(j.theta, body->h);
  body->J = s3_turn_z(j.theta, body->J);
}

// The screw about x, to the parent's origin and axes.
INLINE void screw_x(Joint j, Composite* body)
{
  REAL mass  = K(j.link->outboard_mass);
  Turn alpha = alpha_turn(j.link);
  body->h    = turn_x(alpha, body->h);
  body->J    = s3_turn_x(alpha, body->J);
  if (j.skew)
  {
    Turn gamma = gamma_turn(j.link);
    body->h    = turn_z(gamma, body->h);
    body->J    = s3_turn_z(gamma, body->J);
    shift(body, mass, known_vector(j.link->span));
  }
  else
    shift_x(body, mass, K(j.link->span[0]));
}

// The composite body of a wide joint, to the parent's origin and axes: F h + M p, and J with it.
INLINE void wide_screw(Frame F, REAL mass, Composite* body)
{
  body->h = rotate(F, body->h);
  body->J = tensor_by_frame(F, body->J);
  shift(body, mass, F.p);
}

// The wrench of unit acceleration along (k < 3) or about (k >= 3) an axis of the link.
INLINE Column wide_unit_wrench(const Composite* body, REAL mass, int k)
{
  REAL none = zero();
  V3 h      = body->h;
  S3 J      = body->J;
  switch (k)
  {
    case 0:
      return (Column){v3(mass, none, none), v3(none, h.z, r_neg(h.y))};
    case 1:
      return (Column){v3(none, mass, none), v3(r_neg(h.z), none, h.x)};
    case 2:
      return (Column){v3(none, none, mass), v3(h.y, r_neg(h.x), none)};
    case 3:
      return (Column){v3(none, r_neg(h.z), h.y), v3(r_add(J.yy, J.zz), r_neg(J.xy), r_neg(J.xz))};
    case 4:
      return (Column){v3(h.z, none, r_neg(h.x)), v3(r_neg(J.xy), r_add(J.xx, J.zz), r_neg(J.yz))};
    default:
      return (Column){v3(r_neg(h.y), h.x, none), v3(r_neg(J.xz), r_neg(J.yz), r_add(J.xx, J.yy))};
  }
}

// Number of the first freedom of a wide joint among those of a floating one.
INLINE int first_freedom(const lwWideJoint* wide)
{
  return wide->floats ? 0 : 3;
}

// Entry of a column at the link of a wide joint: component k of it, k as in wide_unit_wrench().
INLINE REAL wide_entry(Column column, int k)
{
  const REAL all[6] = {column.f.x, column.f.y, column.f.z, column.n.x, column.n.y, column.n.z};
  return all[k];
}

INLINE void join(Composite* sum, const Composite* body)
{
  sum->h = add(sum->h, body->h);
  sum->J = add(sum->J, body->J);
}

// Composite bodies on their way inward, tip to base. The contribution to the next joint stays in
// registers, so a chain needs no other memory. `chain` is model->chain, as a constant where
// possible: a chain looks nothing up.
typedef struct
{
  const lwModel* model;
  Composite next;
  Composite* aside;  // (n) what has arrived at forks from joints other than the next one
} CompositeBodies;

INLINE CompositeBodies no_bodies(const lwModel* model, Composite* aside)
{
  Composite none = {v3_zero(), {zero(), zero(), zero(), zero(), zero(), zero()}};
  for (int i = 0; i < model->n && !model->chain; ++i)
    if (is_fork(model, i)) aside[i] = none;
  return (CompositeBodies){model, none, aside};
}

INLINE int parent_of(const lwModel* model, int i, bool chain)
{
  return chain ? i - 1 : model->parent[i];
}

// The composite body of joint i, after all that it carries has left.
INLINE Composite composite_of(const CompositeBodies* bodies, int i, bool chain)
{
  const lwModel* model = bodies->model;
  Composite body       = link_alone(&LINKS(model)[i]);
  bool is_tip          = i + 1 == model->n || parent_of(model, i + 1, chain) != i;
  if (!is_tip) join(&body, &bodies->next);
  if (!chain && is_fork(model, i)) join(&body, &bodies->aside[i]);
  return body;
}

// The composite body of joint i, in the parent's frame, to the parent.
INLINE void leave(CompositeBodies* bodies, int i, const Composite* body, bool chain)
{
  int p = parent_of(bodies->model, i, chain);
  if (p == i - 1)
    bodies->next = *body;
  else
    join(&bodies->aside[p], body);
}

#endif
