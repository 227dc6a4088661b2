// SPDX-License-Identifier: MIT
// The constants of links that follow from others, over the scalar of math/real.h:
// doubles when a model is built (model/grouped.c), other fields where a kernel has
// constants of its own (kernels/own_constants.c).
//
// The file that includes this defines Link, a struct of LW_LINK_FIELDS(REAL).
//
// Grouped (base) inertial parameters: the part of a link that its own joint cannot move is moved to
// the parent. No torque changes, and kernels multiply by more zeros.
// Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial robots",
// 1990. In terms of mass m, first moment h and J, the integral of r r^T dm about the link's origin:
// - A revolute joint does not move what lies on its axis. Any link is a body on the axis with the
//   link's m, h.z and J.zz, plus a rest without them. The body on the axis goes to the parent:
//   m = h.z = J.zz = 0 is left. (The literature moves I.yy, to leave I.yy = 0. That is
//   J.xx = -J.zz: one product more.)
// - A prismatic joint does not turn its link, so the tensor J of a body without mass and first
//   moment is the same from wherever it is seen. It goes to the parent: J = 0 is left. Mass
//   and first moment stay.
// - On the base, which does not move, the moved part is dropped.
// - Wide joints move everything, so nothing is moved on from their links.
#ifndef LW_MODEL_DERIVED_H
#define LW_MODEL_DERIVED_H

#include "math/real.h"
#include "model/model_internal.h"

// J = tr(I)/2 1 - I, silver1981 (2.11)
INLINE void derive_pseudo(Link* link)
{
  const REAL* I = link->inertia;
  REAL half     = r_mul(constant((CONST)0.5), r_add(r_add(I[0], I[1]), I[2]));
  for (int k = 0; k < 3; ++k)
  {
    link->pseudo[k]     = r_sub(half, I[k]);
    link->pseudo[3 + k] = r_neg(I[3 + k]);
  }
}

INLINE void derive_outboard_masses(const lwModel* model, Link* links)
{
  for (int i = 0; i < model->n; ++i) links[i].outboard_mass = links[i].mass;
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p = model->parent[i];
    if (p != LW_BASE)
      links[p].outboard_mass = r_add(links[p].outboard_mass, links[i].outboard_mass);
  }
}

// J += k (a b^T + b a^T) / 2
INLINE void add_product(REAL J[6], REAL k, const REAL a[3], const REAL b[3])
{
  static const int row[6]    = {0, 1, 2, 0, 0, 1};
  static const int column[6] = {0, 1, 2, 1, 2, 2};
  REAL half                  = r_mul(constant((CONST)0.5), k);
  for (int i = 0; i < 6; ++i)
  {
    REAL ab = r_mul(a[row[i]], b[column[i]]), ba = r_mul(a[column[i]], b[row[i]]);
    J[i] = r_add(J[i], r_mul(half, r_add(ab, ba)));
  }
}

// Rz(gamma) Rx(alpha) (x, y, z): from the frame of a joint that has not turned to its parent's
INLINE void axis_in_parent(const Link* link, REAL x, REAL y, REAL z, REAL out[3])
{
  REAL across = r_sub(r_mul(link->cos_alpha, y), r_mul(link->sin_alpha, z));
  out[0]      = r_sub(r_mul(link->cos_gamma, x), r_mul(link->sin_gamma, across));
  out[1]      = r_add(r_mul(link->sin_gamma, x), r_mul(link->cos_gamma, across));
  out[2]      = r_add(r_mul(link->sin_alpha, y), r_mul(link->cos_alpha, z));
}

// Of a revolute joint: what lies on the axis. parent NULL: the base.
INLINE void give_axis(Link* link, Link* parent)
{
  REAL m = link->grouped_mass, hz = link->grouped_first_moment[2];
  REAL h             = r_add(hz, r_mul(m, link->d));  // about the end of span
  REAL J             = r_add(link->grouped_pseudo[2], r_mul(link->d, r_add(hz, h)));
  link->grouped_mass = link->grouped_first_moment[2] = link->grouped_pseudo[2] = zero();
  if (!parent) return;

  REAL z[3];
  axis_in_parent(link, zero(), zero(), constant(1), z);
  parent->grouped_mass = r_add(parent->grouped_mass, m);
  for (int k = 0; k < 3; ++k)
    parent->grouped_first_moment[k] =
        r_add(parent->grouped_first_moment[k], r_add(r_mul(m, link->span[k]), r_mul(h, z[k])));
  add_product(parent->grouped_pseudo, m, link->span, link->span);
  add_product(parent->grouped_pseudo, r_add(h, h), link->span, z);
  add_product(parent->grouped_pseudo, J, z, z);
}

// Of a prismatic joint: the tensor.
INLINE void give_tensor(Link* link, Link* parent)
{
  REAL* J = link->grouped_pseudo;
  if (parent)
  {
    REAL x[3], y[3], z[3];
    axis_in_parent(link, link->cos_theta, link->sin_theta, zero(), x);
    axis_in_parent(link, r_neg(link->sin_theta), link->cos_theta, zero(), y);
    axis_in_parent(link, zero(), zero(), constant(1), z);
    add_product(parent->grouped_pseudo, J[0], x, x);
    add_product(parent->grouped_pseudo, J[1], y, y);
    add_product(parent->grouped_pseudo, J[2], z, z);
    add_product(parent->grouped_pseudo, r_add(J[3], J[3]), x, y);
    add_product(parent->grouped_pseudo, r_add(J[4], J[4]), x, z);
    add_product(parent->grouped_pseudo, r_add(J[5], J[5]), y, z);
  }
  for (int k = 0; k < 6; ++k) J[k] = zero();
}

INLINE void derive_grouped(const lwModel* model, Link* links)
{
  for (int i = 0; i < model->n; ++i)
  {
    Link* link         = &links[i];
    link->grouped_mass = link->mass;
    for (int k = 0; k < 3; ++k) link->grouped_first_moment[k] = link->first_moment[k];
    for (int k = 0; k < 6; ++k) link->grouped_pseudo[k] = link->pseudo[k];
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    Link* parent = model->parent[i] == LW_BASE ? NULL : &links[model->parent[i]];
    if (model->kind[i] & LW_KIND_WIDE) continue;
    if (model->kind[i] & LW_KIND_PRISMATIC)
      give_tensor(&links[i], parent);
    else
      give_axis(&links[i], parent);
  }
}

// Everything that follows from place, mass, first moment and inertia.
INLINE void derive_links(const lwModel* model, Link* links)
{
  for (int i = 0; i < model->n; ++i) derive_pseudo(&links[i]);
  derive_outboard_masses(model, links);
  derive_grouped(model, links);
}

#endif
