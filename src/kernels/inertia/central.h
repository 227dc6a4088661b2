// SPDX-License-Identifier: MIT
// A link about its centre of mass, for methods that are printed so.
// Constants of the model: off-line.
#ifndef LW_KERNELS_INERTIA_CENTRAL_H
#define LW_KERNELS_INERTIA_CENTRAL_H

#include "kernels/joints.h"

// 1/mass; 0 where the model says that there is none,
// whose centre is then put at the origin (erratum 2-9).
INLINE REAL inverse_mass(const lwModel* model, int i, unsigned char none, KNOWN mass)
{
  return model->kind[i] & none ? zero() : r_div(constant(1), K(mass));
}

// The origin to the centre of mass of link i, link frame, m.
INLINE V3 mass_centre(const lwModel* model, int i)
{
  const Link* link = &LINKS(model)[i];
  REAL over_mass   = inverse_mass(model, i, LW_KIND_MASSLESS, link->mass);
  return scale(over_mass, known_vector(link->first_moment));
}

// m (r.r 1 - r r^T): what the parallel-axis theorem adds for a mass m at r.
INLINE S3 point_inertia(REAL mass, V3 r)
{
  V3 h    = scale(mass, r);
  REAL xx = r_mul(h.x, r.x), yy = r_mul(h.y, r.y), zz = r_mul(h.z, r.z);
  return (S3){r_add(yy, zz),          r_add(xx, zz),          r_add(xx, yy),
              r_neg(r_mul(h.x, r.y)), r_neg(r_mul(h.x, r.z)), r_neg(r_mul(h.y, r.z))};
}

// Inertia about the centre of mass, link frame, kg m^2.
INLINE S3 central_inertia(const lwModel* model, int i)
{
  const Link* link = &LINKS(model)[i];
  S3 shift         = point_inertia(r_neg(K(link->mass)), mass_centre(model, i));
  return add(known_symmetric(link->inertia), shift);
}

#endif
