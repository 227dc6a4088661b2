// SPDX-License-Identifier: MIT
// Expressions of mata2002, section 4.1; gibbs_appell.c says what the letters mean.
#ifndef LW_KERNELS_INVERSE_GIBBS_APPELL_H
#define LW_KERNELS_INVERSE_GIBBS_APPELL_H

#include "kernels/inverse/acceleration.h"

// The z of to_parent(): 4 multiplications, 2 additions. gamma leaves it alone.
INLINE REAL z_in_parent(Joint j, V3 a)
{
  Turn alpha = alpha_turn(j.link);
  REAL y     = mul_add(j.theta.s, a.x, r_mul(j.theta.c, a.y));
  return mul_add(alpha.s, y, r_mul(alpha.c, a.z));
}

// t of t~ = W J - (W J)^T: 15 multiplications, 15 additions. The sums are entries of W J without
// the products whose factor of J is common to an entry and its transpose.
INLINE V3 moment_of(M3 W, S3 J)
{
  REAL zy = mul_add(W.z.x, J.xy, r_mul(W.z.y, J.yy)), yz = mul_add(W.y.x, J.xz, r_mul(W.y.z, J.zz));
  REAL xz = mul_add(W.x.y, J.yz, r_mul(W.x.z, J.zz)), zx = mul_add(W.z.x, J.xx, r_mul(W.z.y, J.xy));
  REAL yx = mul_add(W.y.x, J.xx, r_mul(W.y.z, J.xz)), xy = mul_add(W.x.y, J.yy, r_mul(W.x.z, J.yz));
  return v3(mul_add(J.yz, r_sub(W.z.z, W.y.y), r_sub(zy, yz)),
            mul_add(J.xz, r_sub(W.x.x, W.z.z), r_sub(xz, zx)),
            mul_add(J.xy, r_sub(W.y.y, W.x.x), r_sub(yx, xy)));
}

#endif
