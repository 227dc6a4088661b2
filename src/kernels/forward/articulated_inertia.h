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

// A planar rotation of matrices. With fused multiply-add, products of sine and cosine are computed
// ahead: fewer operations wait for each other, which counts in a recursion from joint to joint.
// Without it, the form with the fewest operations is used.
#if defined(LW_FLOATING) && defined(LW_FUSES)

typedef struct
{
  Turn t;
  REAL ss, cc, sc;  // sine squared, cosine squared, sine times cosine
} MatrixTurn;

INLINE MatrixTurn matrix_turn(Turn t)
{
  return (MatrixTurn){t, r_mul(t.s, t.s), r_mul(t.c, t.c), r_mul(t.s, t.c)};
}

// turn_general() and turn_symmetric() of math/vec.h
INLINE void spin_general(MatrixTurn t, REAL* xx, REAL* yy, REAL* xy, REAL* yx)
{
  REAL less = r_sub(*xx, *yy), sum = r_add(*xy, *yx), old = *xy;
  REAL k = mul_add(t.ss, less, r_mul(t.sc, sum)), l = mul_add(t.sc, less, r_mul(t.cc, sum));
  *xx = r_sub(*xx, k);
  *yy = r_add(*yy, k);
  *xy = r_sub(l, *yx);
  *yx = r_sub(l, old);
}

INLINE void spin_symmetric(MatrixTurn t, REAL* xx, REAL* yy, REAL* xy)
{
  REAL yx = *xy;
  spin_general(t, xx, yy, xy, &yx);
}

// The column z of the rows (y, z) and zero, after both turns: c k and s k, k = s y + c z
INLINE void spin_row(MatrixTurn t, REAL y, REAL z, REAL* yz, REAL* zz)
{
  *yz = mul_add(t.sc, y, r_mul(t.cc, z));
  *zz = mul_add(t.ss, y, r_mul(t.sc, z));
}

#else

typedef struct
{
  Turn t;
} MatrixTurn;

INLINE MatrixTurn matrix_turn(Turn t)
{
  return (MatrixTurn){t};
}

INLINE void spin_symmetric(MatrixTurn t, REAL* xx, REAL* yy, REAL* xy)
{
  turn_symmetric(t.t, xx, yy, xy);
}

INLINE void spin_general(MatrixTurn t, REAL* xx, REAL* yy, REAL* xy, REAL* yx)
{
  turn_general(t.t, xx, yy, xy, yx);
}

INLINE void spin_row(MatrixTurn t, REAL y, REAL z, REAL* yz, REAL* zz)
{
  REAL k = mul_add(t.t.s, y, r_mul(t.t.c, z));
  *yz    = r_mul(t.t.c, k);
  *zz    = r_mul(t.t.s, k);
}

#endif

INLINE S3 s3_spin_z(MatrixTurn t, S3 A)
{
  V3 column = turn_z(t.t, v3(A.xz, A.yz, A.zz));
  spin_symmetric(t, &A.xx, &A.yy, &A.xy);
  return (S3){A.xx, A.yy, A.zz, A.xy, column.x, column.y};
}

INLINE S3 s3_spin_x(MatrixTurn t, S3 A)
{
  V3 row = turn_x(t.t, v3(A.xx, A.xy, A.xz));
  spin_symmetric(t, &A.yy, &A.zz, &A.yz);
  return (S3){A.xx, A.yy, A.zz, row.y, row.z, A.yz};
}

INLINE M3 m3_spin_z(MatrixTurn t, M3 A)
{
  V3 column = turn_z(t.t, v3(A.x.z, A.y.z, A.z.z));
  V3 row    = turn_z(t.t, A.z);
  spin_general(t, &A.x.x, &A.y.y, &A.x.y, &A.y.x);
  return (M3){v3(A.x.x, A.x.y, column.x), v3(A.y.x, A.y.y, column.y), row};
}

// An inertia in the frame of its link, taken to where the joint stands on the parent: turned by
// theta and shifted by d. H' = H + p~ M and I' = I + p~ H^T + (p~ H'^T)^T for p along z.
INLINE Inertia inertia_by_screw_z(Joint j, Inertia A)
{
  MatrixTurn theta = matrix_turn(j.theta);
  REAL d           = j.d;
  S3 M             = s3_spin_z(theta, A.M);
  M3 H             = m3_spin_z(theta, A.H);
  S3 I             = s3_spin_z(theta, A.I);
  V3 x             = v3(sub_mul(H.x.x, d, M.xy), sub_mul(H.x.y, d, M.yy), sub_mul(H.x.z, d, M.yz));
  V3 y             = v3(mul_add(d, M.xx, H.y.x), mul_add(d, M.xy, H.y.y), mul_add(d, M.xz, H.y.z));
  I.xx             = sub_mul(I.xx, d, r_add(H.x.y, x.y));
  I.yy             = mul_add(d, r_add(H.y.x, y.x), I.yy);
  I.xy             = mul_add(d, r_sub(x.x, H.y.y), I.xy);
  I.xz             = sub_mul(I.xz, d, H.z.y);
  I.yz             = mul_add(d, H.z.x, I.yz);
  return (Inertia){I, {x, y, H.z}, M};
}

// H' = H + p~ M for p along x by a. Returned is what goes to I' = I + p~ H^T + (p~ H'^T)^T.
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

// Moves the reference point by a general p.
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

// Turns of H whose row z is zero, and of I or M whose row and column z are.
INLINE M3 turn_two_rows_x(MatrixTurn t, M3 H)
{
  REAL yz, zz;
  spin_row(t, H.y.y, H.y.z, &yz, &zz);
  return (M3){turn_x(t.t, H.x), v3(r_mul(t.t.c, H.y.x), r_sub(H.y.y, zz), yz),
              v3(r_mul(t.t.s, H.y.x), r_sub(yz, H.y.z), zz)};
}

INLINE S3 turn_planar_x(Turn t, S3 I)
{
  REAL k = r_mul(t.s, I.yy), zz = r_mul(t.s, k);
  return (S3){I.xx, r_sub(I.yy, zz), zz, r_mul(t.c, I.xy), r_mul(t.s, I.xy), r_mul(t.c, k)};
}

// An inertia where the joint stands on the parent, taken to the parent's frame and origin. empty:
// row z of H, and row and column z of I, are zero; planar: those of M are.
INLINE Inertia inertia_by_screw_x(Joint j, Inertia A, bool empty, bool planar)
{
  MatrixTurn alpha = matrix_turn(alpha_turn(j.link));
  A.M              = planar ? turn_planar_x(alpha.t, A.M) : s3_spin_x(alpha, A.M);
  A.H              = empty ? turn_two_rows_x(alpha, A.H) : m3_turn_x(alpha.t, A.H);
  if (j.skew)
  {
    A.I = empty ? turn_planar_x(alpha.t, A.I) : s3_turn_x(alpha.t, A.I);
    turn_inertia_z(&A, gamma_turn(j.link));
    shift(&A, known_vector(j.link->span));
    return A;
  }
  V3 coupling = shift_coupling_x(&A.H, A.M, K(j.link->span[0]));
  A.I         = empty ? turn_planar_x(alpha.t, A.I) : s3_turn_x(alpha.t, A.I);
  shift_inertia_x(&A.I, coupling, A.H.x, K(j.link->span[0]));
  return A;
}

#endif
