// SPDX-License-Identifier: MIT
// Grouped (base) inertial parameters: what of a link its joint does not move, as seen from the parent, is made a part
// of the parent. No torque changes, and kernels meet zeros.
//
// Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", 1990. In terms of
// mass m, first moment h and J, the integral of r r^T dm about the link's origin:
// - A revolute joint does not move what lies on its axis. Any link is a body on the axis with its own m, h.z and J.zz,
//   plus a rest without them. The body on the axis goes to the parent: m = h.z = J.zz = 0 is left. (The literature
//   moves I.yy, to leave I.yy = 0. That is J.xx = -J.zz: one product more.)
// - A prismatic joint does not turn its link, so the tensor J of a body without mass and first moment is the same from
//   wherever it is seen. It goes to the parent: J = 0 is left. Mass and first moment stay.
// - Parameters that would be moved into the base are dropped: it does not move.
#include "model/grouped.h"

// J += k (a b^T + b a^T) / 2
static void add_product(double J[6], double k, const double a[3], const double b[3])
{
  static const int row[6]    = {0, 1, 2, 0, 0, 1};
  static const int column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; ++i)
    J[i] += 0.5 * k * (a[row[i]] * b[column[i]] + a[column[i]] * b[row[i]]);
}

// Rz(gamma) Rx(alpha) a: from the frame of a joint that has not turned to its parent's
static void to_parent(const lwLink64* link, const double a[3], double out[3])
{
  double y = link->cos_alpha * a[1] - link->sin_alpha * a[2];
  out[0]   = link->cos_gamma * a[0] - link->sin_gamma * y;
  out[1]   = link->sin_gamma * a[0] + link->cos_gamma * y;
  out[2]   = link->sin_alpha * a[1] + link->cos_alpha * a[2];
}

// Of a revolute joint: what lies on the axis. parent NULL: the base.
static void give_axis(lwLink64* link, lwLink64* parent)
{
  double m           = link->grouped_mass;
  double h           = link->grouped_first_moment[2] + m * link->d;  // about the end of the arm
  double J           = link->grouped_pseudo[2] + link->d * (link->grouped_first_moment[2] + h);
  link->grouped_mass = link->grouped_first_moment[2] = link->grouped_pseudo[2] = 0;
  if (!parent) return;

  double z[3];
  to_parent(link, (double[]){0, 0, 1}, z);
  parent->grouped_mass += m;
  for (int k = 0; k < 3; ++k) parent->grouped_first_moment[k] += m * link->span[k] + h * z[k];
  add_product(parent->grouped_pseudo, m, link->span, link->span);
  add_product(parent->grouped_pseudo, 2 * h, link->span, z);
  add_product(parent->grouped_pseudo, J, z, z);
}

// Of a prismatic joint: the tensor.
static void give_tensor(lwLink64* link, lwLink64* parent)
{
  double* J = link->grouped_pseudo;
  if (parent)
  {
    double x[3], y[3], z[3];
    to_parent(link, (double[]){link->cos_theta, link->sin_theta, 0}, x);
    to_parent(link, (double[]){-link->sin_theta, link->cos_theta, 0}, y);
    to_parent(link, (double[]){0, 0, 1}, z);
    add_product(parent->grouped_pseudo, J[0], x, x);
    add_product(parent->grouped_pseudo, J[1], y, y);
    add_product(parent->grouped_pseudo, J[2], z, z);
    add_product(parent->grouped_pseudo, 2 * J[3], x, y);
    add_product(parent->grouped_pseudo, 2 * J[4], x, z);
    add_product(parent->grouped_pseudo, 2 * J[5], y, z);
  }
  for (int k = 0; k < 6; ++k) J[k] = 0;
}

void lw_group_inertials(const lwModel* model, lwLink64* links)
{
  for (int i = 0; i < model->n; ++i)
  {
    lwLink64* link     = &links[i];
    link->grouped_mass = link->mass;
    for (int k = 0; k < 3; ++k) link->grouped_first_moment[k] = link->first_moment[k];
    for (int k = 0; k < 6; ++k) link->grouped_pseudo[k] = link->pseudo[k];
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    lwLink64* parent = model->parent[i] == LW_BASE ? NULL : &links[model->parent[i]];
    if (model->kind[i] & LW_KIND_PRISMATIC)
      give_tensor(&links[i], parent);
    else
      give_axis(&links[i], parent);
  }
}
