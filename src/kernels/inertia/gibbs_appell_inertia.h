// SPDX-License-Identifier: MIT
// Expressions of mata2002, section 4.2; gibbs_appell.c says what the letters mean.
#ifndef LW_KERNELS_INERTIA_GIBBS_APPELL_INERTIA_H
#define LW_KERNELS_INERTIA_GIBBS_APPELL_INERTIA_H

#include "kernels/joints.h"

// psi - s~ phi~ - (s~ phi~)^T = psi + 2 s.phi 1 - s phi^T - phi s^T
INLINE S3 cross_terms(S3 psi, V3 s, V3 phi)
{
  V3 twice = add(s, s);
  REAL x = r_mul(twice.x, phi.x), y = r_mul(twice.y, phi.y), z = r_mul(twice.z, phi.z);
  return (S3){r_add(psi.xx, r_add(y, z)),
              r_add(psi.yy, r_add(x, z)),
              r_add(psi.zz, r_add(x, y)),
              sub_mul(sub_mul(psi.xy, s.x, phi.y), s.y, phi.x),
              sub_mul(sub_mul(psi.xz, s.x, phi.z), s.z, phi.x),
              sub_mul(sub_mul(psi.yz, s.y, phi.z), s.z, phi.y)};
}

// z . psi z for the axis z of the parent's joint, whose own z is constant:
// 8 multiplications, 6 additions
INLINE REAL about(V3 z, S3 psi)
{
  REAL twice_y = r_add(z.y, z.y), twice_z = r_add(z.z, z.z);
  REAL x = mul_add(twice_y, psi.xy, mul_add(z.x, psi.xx, r_mul(twice_z, psi.xz)));
  REAL y = mul_add(z.y, psi.yy, r_mul(twice_z, psi.yz));
  return mul_add(z.x, x, mul_add(z.y, y, r_mul(r_mul(z.z, z.z), psi.zz)));
}

#endif
