// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, O(n).
// kernels/reference/newton_euler.c computes the same and is the text to read first.
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982
// (1)-(10).
//
//   paper     here    meaning                                              frame, unit
//   w         w       angular velocity of the link                         link, rad/s
//   w dot     wd      angular acceleration                                 link, rad/s^2
//   v dot     a       acceleration of the link's origin, less gravity      link, m/s^2
//   -         U       a point at r accelerates with a + U r:
//                     U = [wd x] + [w x][w x]                              link, 1/s^2
//   F*        F       net force of the link                                link, N
//   N*        N       moment of it about the link's origin                 link, N m
//   f, n      f, n    wrench that the joint transmits, at the origin       link, N, N m
//   p*        span, d parent's origin to the link's, before and along z    parent, z, m
//   J*        J       integral of r r^T dm about the origin                link, kg m^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), z along the link's joint, so (10) reads n.z; any
// tree.
// - Velocities (3) of the origins are not needed for torques and are left out.
// - Sums are about the link's origin instead of its centre of mass: with first moment h = m c, (5)
//   and (6) become F = m a + U h, and (7) with the shift of (9) becomes N = sum r x U r dm + h x a,
//   where the sum needs U and J only (the pseudo-inertia of Uicker and Kahn; silver1981 (2.11)):
//   15 multiplications where J* wd + w x J* w takes 24.
// - A point on a revolute axis belongs to both links, so the part of p* along z uses the link's U.
// - Prismatic joints are added: 2 w x z qd + z qdd. swartz1982 covers revolute ones.
// - The environment exerts the wrench on the last link (erratum 3-7: the paper has the other sign).
#include "kernels/inverse/newton_euler.h"

typedef struct
{
  REAL mass;  // kg
  V3 h;       // kg m
  S3 J;       // kg m^2
} MassProperties;

INLINE Wrench net_wrench_body(Motion link, MassProperties body)
{
  return (Wrench){scale_add(body.mass, link.a, m3_apply(link.U, body.h)),   // (5), (6)
                  cross_add(body.h, link.a, rnea_moment(link.U, body.J))};  // (7)
}

INLINE Wrench net_wrench_revolute(Motion link, const Link* known)
{
  return net_wrench_body(link, (MassProperties){K(known->mass), known_vector(known->first_moment),
                                                known_symmetric(known->pseudo)});
}

INLINE Wrench net_wrench_wide(Motion link, const Link* known)
{
  return net_wrench_revolute(link, known);
}

INLINE Wrench net_wrench(const lwModel* model, int i, Motion link)
{
  return net_wrench_revolute(link, &LINKS(model)[i]);
}

#if defined(LW_FLOATING) && !LW_LANE_BYTES
INLINE Wrench net_wrench_in_block(Motion link, const BodyLine* line, int k)
{
  return net_wrench_body(link, (MassProperties){line->mass[k], line_vector(line->first_moment, k),
                                                line_symmetric(line->pseudo, k)});
}
#endif

enum
{
  SLIDES_APART = 0
};

#include "kernels/inverse/newton_euler_passes.h"

static void newton_euler(const lwModel* model, void* work, const lwState* state, void* out)
{
  rnea(model, work, state, out);
}

const lwKernel FN(newton_euler) = {newton_euler, RNEA_PER_JOINT, 0, {0}, LW_KERNEL_WIDE};
