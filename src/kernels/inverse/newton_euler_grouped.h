// SPDX-License-Identifier: MIT
// Net force and moment of a link with grouped inertial parameters. Symbols, frames and equation
// numbers are those of newton_euler_grouped.c.
#ifndef LW_KERNELS_INVERSE_NEWTON_EULER_GROUPED_H
#define LW_KERNELS_INVERSE_NEWTON_EULER_GROUPED_H

#include "kernels/inverse/newton_euler.h"

// A link without mass, h.z and J.zz.
typedef struct
{
  REAL x, y;  // h
  S3 J;       // zz is not read
} RegroupedLink;

// integral of r x U r dm: 13 multiplications
INLINE V3 grouped_moment(M3 U, S3 J)
{
  V3 n = v3(r_mul(J.yz, r_sub(U.z.z, U.y.y)), r_mul(J.xz, r_sub(U.x.x, U.z.z)),
            r_mul(J.xy, r_sub(U.y.y, U.x.x)));
  n    = v3(mul_add(J.yy, U.z.y, n.x), sub_mul(n.y, J.xx, U.z.x), mul_add(J.xx, U.y.x, n.z));
  n    = v3(mul_add(J.xy, U.z.x, n.x), mul_add(J.yz, U.x.y, n.y), sub_mul(n.z, J.yy, U.x.y));
  n    = v3(sub_mul(n.x, J.xz, U.y.x), sub_mul(n.y, J.xy, U.z.y), mul_add(J.xz, U.y.z, n.z));
  return v3(n.x, n.y, sub_mul(n.z, J.yz, U.x.z));
}

INLINE Wrench grouped_net_wrench_body(Motion link, RegroupedLink body)
{
  REAL x = body.x, y = body.y;
  M3 U = link.U;
  V3 a = link.a;
  V3 n = grouped_moment(U, body.J);
  V3 f = v3(mul_add(U.x.x, x, r_mul(U.x.y, y)), mul_add(U.y.x, x, r_mul(U.y.y, y)),
            mul_add(U.z.x, x, r_mul(U.z.y, y)));  // (5), (6)
  n = v3(mul_add(y, a.z, n.x), sub_mul(n.y, x, a.z), mul_add(x, a.y, sub_mul(n.z, y, a.x)));  // (7)
  return (Wrench){f, n};
}

INLINE Wrench grouped_net_wrench_revolute(Motion link, const Link* known)
{
  return grouped_net_wrench_body(link, (RegroupedLink){K(known->grouped_first_moment[0]),
                                                       K(known->grouped_first_moment[1]),
                                                       known_symmetric(known->grouped_pseudo)});
}

// Net force and moment of a link without J.
INLINE Wrench grouped_net_wrench_prismatic(Motion link, const Link* known)
{
  V3 h = known_vector(known->grouped_first_moment);
  return (Wrench){m3_apply_add(link.U, h, scale(K(known->grouped_mass), link.a)),  // (5), (6)
                  cross(h, link.a)};                                               // (7)
}

// Net force and moment of a link from which nothing was moved.
INLINE Wrench grouped_net_wrench_wide(Motion link, const Link* known)
{
  return wrench_of_motion(link.U, link.a, K(known->grouped_mass),
                          known_vector(known->grouped_first_moment),
                          known_symmetric(known->grouped_pseudo));
}

// Of any link but those of wide joints.
INLINE Wrench grouped_net_wrench(const lwModel* model, int i, Motion link)
{
  const Link* known = &LINKS(model)[i];
  return is_prismatic(model, i) ? grouped_net_wrench_prismatic(link, known)
                                : grouped_net_wrench_revolute(link, known);
}

#endif
