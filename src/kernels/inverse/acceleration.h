// SPDX-License-Identifier: MIT
// Acceleration of the points of a link: a point at r from the link's origin has a + U r.
#ifndef LW_KERNELS_INVERSE_ACCELERATION_H
#define LW_KERNELS_INVERSE_ACCELERATION_H

#include "kernels/joints.h"

// U = [wd x] + [w x][w x]
INLINE M3 acceleration_matrix(V3 w, V3 wd)
{
  REAL xx = neg_mul(w.x, w.x), yy = neg_mul(w.y, w.y), zz = neg_mul(w.z, w.z);
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  return (M3){v3(r_add(yy, zz), r_sub(xy, wd.z), r_add(xz, wd.y)),
              v3(r_add(xy, wd.z), r_add(xx, zz), r_sub(yz, wd.x)),
              v3(r_sub(xz, wd.y), r_add(yz, wd.x), r_add(xx, yy))};
}

// a + U span, in the parent's frame; the span is along x unless the joint is skew
INLINE V3 accelerate_span(Joint j, M3 U, V3 a)
{
  REAL x = K(j.link->span[0]);
  if (j.skew) return m3_apply_add(U, known_vector(j.link->span), a);
  return v3(mul_add(U.x.x, x, a.x), mul_add(U.y.x, x, a.y), mul_add(U.z.x, x, a.z));
}

// a + U d z, in the link's frame
INLINE V3 accelerate_d(Joint j, M3 U, V3 a)
{
  return v3(mul_add(j.d, U.x.z, a.x), mul_add(j.d, U.y.z, a.y), mul_add(j.d, U.z.z, a.z));
}

#endif
