// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, with grouped (base) inertial
// parameters, O(n). kernels/reference/newton_euler.c computes the same from the links' parameters.
//
// Luh, Walker & Paul 1980; Khalil & Kleinfinger, "Minimum operations and minimum parameters of the
// dynamic models of tree structure robots", 1987. Symbols, frames and equation numbers are those of
// newton_euler.c; the passes of motion and of wrenches are shared (newton_euler.h).
//
//   paper     here    meaning                                                   frame, unit
//   M         m       mass of the regrouped link: 0 if its joint is revolute    kg
//   MX MY MZ  h       its first moment: h.z = 0 if revolute                     link, kg m
//   XX .. ZZ  J       its integral of r r^T dm about the origin, in place of
//                     the inertia: J.zz = 0 if revolute, J = 0 if prismatic     link, kg m^2
//
// When a model is built, the parameters that a joint cannot excite are moved into its parent
// (model/grouped.c). The f and n of a regrouped link are not the wrench that its joint transmits,
// but tau is right: n.z of revolute joints, because a body on the axis adds nothing to it; f.z of
// prismatic joints, because moments of inertia add nothing to it.
//
// Where it differs from the paper:
// - J.zz is moved instead of YY, which leaves one product less (model/grouped.c).
// - What would be moved into the base is dropped, so the first link is regrouped as well.
// - For the link of a prismatic joint the tensor is moved, but not mass and first moment, even
//   where parallel axes would allow more.
#include "kernels/inverse/newton_euler_grouped.h"

INLINE Wrench net_wrench_revolute(Motion link, const Link* known)
{
  return grouped_net_wrench_revolute(link, known);
}

INLINE Wrench net_wrench_wide(Motion link, const Link* known)
{
  return grouped_net_wrench_wide(link, known);
}

INLINE Wrench net_wrench(const lwModel* model, int i, Motion link)
{
  return grouped_net_wrench(model, i, link);
}

#if defined(LW_FLOATING) && !LW_LANE_BYTES
INLINE Wrench net_wrench_in_block(Motion link, const BodyLine* line, int k)
{
  return grouped_net_wrench_body(link, (RegroupedLink){line->grouped_first_moment[0][k],
                                                       line->grouped_first_moment[1][k],
                                                       line_symmetric(line->grouped_pseudo, k)});
}
#endif

enum
{
  SLIDES_APART = 1
};

#include "kernels/inverse/newton_euler_passes.h"

static void newton_euler_grouped(const lwModel* model, void* work, const lwState* state, void* out)
{
  rnea(model, work, state, out);
}

const lwKernel FN(newton_euler_grouped) = {
    newton_euler_grouped, RNEA_PER_JOINT, 0, {0}, LW_KERNEL_WIDE};
