// SPDX-License-Identifier: MIT
// Articulated inertias on their way to the parent: shifts and turns about z, then about x. Symbols
// are those of articulated_body.c.
#ifndef LW_KERNELS_FORWARD_ARTICULATED_INERTIA_H
#define LW_KERNELS_FORWARD_ARTICULATED_INERTIA_H

#include "kernels/joints.h"

typedef struct
{
  S3 I;
  M3 H;
  S3 M;
} Inertia;  // articulated

// H' = H + p~ M for p along z by d, where row z of H is zero (or taken care of by the caller).
// Returned is what goes to I' = I + p~ H^T + (p~ H'^T)^T.
INLINE V3 shift_coupling_z(M3* H, S3 M, REAL d)
{
  M3 old = *H;
  H->x   = v3(sub_mul(old.x.x, d, M.xy), sub_mul(old.x.y, d, M.yy), sub_mul(old.x.z, d, M.yz));
  H->y   = v3(mul_add(d, M.xx, old.y.x), mul_add(d, M.xy, old.y.y), mul_add(d, M.xz, old.y.z));
  return v3(r_add(old.x.y, H->x.y), r_add(old.y.x, H->y.x), r_sub(H->x.x, old.y.y));
}

INLINE void shift_inertia_z(S3* I, V3 coupling, REAL d)
{
  I->xx = sub_mul(I->xx, d, coupling.x);
  I->yy = mul_add(d, coupling.y, I->yy);
  I->xy = mul_add(d, coupling.z, I->xy);
}

// The same along x by a.
INLINE V3 shift_coupling_x(M3* H, S3 M, REAL a)
{
  M3 old = *H;
  H->y   = v3(sub_mul(old.y.x, a, M.xz), sub_mul(old.y.y, a, M.yz), sub_mul(old.y.z, a, M.zz));
  H->z   = v3(mul_add(a, M.xy, old.z.x), mul_add(a, M.yy, old.z.y), mul_add(a, M.yz, old.z.z));
  return v3(r_add(old.y.z, H->y.z), r_add(old.z.y, H->z.y), r_sub(H->y.y, old.z.z));
}

INLINE void shift_inertia_x(S3* I, V3 coupling, V3 H_x, REAL a)
{
  I->yy = sub_mul(I->yy, a, coupling.x);
  I->zz = mul_add(a, coupling.y, I->zz);
  I->yz = mul_add(a, coupling.z, I->yz);
  I->xy = sub_mul(I->xy, a, H_x.z);
  I->xz = mul_add(a, H_x.y, I->xz);
}

// The same for a general p.
INLINE void shift(Inertia* A, V3 p)
{
  S3 M  = A->M;
  V3 cx = cross(p, v3(M.xx, M.xy, M.xz)), cy = cross(p, v3(M.xy, M.yy, M.yz)),
     cz = cross(p, v3(M.xz, M.yz, M.zz));
  V3 ox = cross(p, A->H.x), oy = cross(p, A->H.y), oz = cross(p, A->H.z);
  A->H  = m3_add(A->H, (M3){v3(cx.x, cy.x, cz.x), v3(cx.y, cy.y, cz.y), v3(cx.z, cy.z, cz.z)});
  V3 nx = cross(p, A->H.x), ny = cross(p, A->H.y), nz = cross(p, A->H.z);
  A->I = s3_add(A->I, (S3){r_add(ox.x, nx.x), r_add(oy.y, ny.y), r_add(oz.z, nz.z),
                           r_add(oy.x, nx.y), r_add(oz.x, nx.z), r_add(oz.y, ny.z)});
}

INLINE void turn_inertia_z(Inertia* A, Turn t)
{
  *A = (Inertia){s3_turn_z(t, A->I), m3_turn_z(t, A->H), s3_turn_z(t, A->M)};
}

// Turns of H and I whose row z, and for I column z, is zero.
INLINE M3 turn_two_rows_z(Turn t, M3 H)
{
  V3 column = turn_z(t, v3(H.x.z, H.y.z, zero()));
  turn_general(t, &H.x.x, &H.y.y, &H.x.y, &H.y.x);
  return (M3){v3(H.x.x, H.x.y, column.x), v3(H.y.x, H.y.y, column.y), v3_zero()};
}

INLINE M3 turn_two_rows_x(Turn t, M3 H)
{
  REAL k  = mul_add(t.s, H.y.y, r_mul(t.c, H.y.z));
  REAL ck = r_mul(t.c, k), sk = r_mul(t.s, k);
  return (M3){turn_x(t, H.x), v3(r_mul(t.c, H.y.x), r_sub(H.y.y, sk), ck),
              v3(r_mul(t.s, H.y.x), r_sub(ck, H.y.z), sk)};
}

INLINE S3 turn_two_rows_of_inertia_x(Turn t, S3 I)
{
  REAL k = r_mul(t.s, I.yy), sk = r_mul(t.s, k);
  return (S3){I.xx, r_sub(I.yy, sk), sk, r_mul(t.c, I.xy), r_mul(t.s, I.xy), r_mul(t.c, k)};
}

// An inertia in the frame after the turn about z, taken to the parent's frame and origin. empty:
// row z of H, and row and column z of I, are zero.
INLINE Inertia inertia_by_screw_x(Joint j, Inertia A, bool empty)
{
  Turn alpha = alpha_turn(j.link);
  A.M        = s3_turn_x(alpha, A.M);
  A.H        = empty ? turn_two_rows_x(alpha, A.H) : m3_turn_x(alpha, A.H);
  if (j.skew)
  {
    A.I = empty ? turn_two_rows_of_inertia_x(alpha, A.I) : s3_turn_x(alpha, A.I);
    turn_inertia_z(&A, gamma_turn(j.link));
    shift(&A, known_vector(j.link->span));
    return A;
  }
  V3 coupling = shift_coupling_x(&A.H, A.M, K(j.link->span[0]));
  A.I         = empty ? turn_two_rows_of_inertia_x(alpha, A.I) : s3_turn_x(alpha, A.I);
  shift_inertia_x(&A.I, coupling, A.H.x, K(j.link->span[0]));
  return A;
}

#endif
