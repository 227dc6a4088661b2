// SPDX-License-Identifier: MIT
// Wide joints in articulated bodies: their freedoms are eliminated together, in the frame of their
// link. Symbols are those of articulated_body.c.
#ifndef LW_KERNELS_FORWARD_WIDE_ELIMINATION_H
#define LW_KERNELS_FORWARD_WIDE_ELIMINATION_H

#include "kernels/forward/articulated_inertia.h"

// A rigid body by itself joins: I += tr(J) 1 - J, H += [h x], M += m 1
INLINE void inertia_add_body(Inertia* A, REAL m, V3 h, S3 J)
{
  S3 I = {r_add(J.yy, J.zz), r_add(J.xx, J.zz), r_add(J.xx, J.yy),
          r_neg(J.xy),       r_neg(J.xz),       r_neg(J.yz)};
  A->I = s3_add(A->I, I);
  A->M = s3_add(A->M, (S3){m, m, m, zero(), zero(), zero()});
  A->H = m3_add(A->H, (M3){v3(zero(), r_neg(h.z), h.y), v3(h.z, zero(), r_neg(h.x)),
                           v3(r_neg(h.y), h.x, zero())});
}

// A symmetric matrix S = L D L^T of 3 x 3: L below the diagonal, 1 / D.
typedef struct
{
  REAL yx, zx, zy;  // L
  V3 over_D;
} Factors3;

INLINE Factors3 factor3(S3 S)
{
  Factors3 f;
  f.over_D.x = r_div(constant(1), S.xx);
  f.yx       = r_mul(S.xy, f.over_D.x);
  f.zx       = r_mul(S.xz, f.over_D.x);
  f.over_D.y = r_div(constant(1), sub_mul(S.yy, f.yx, S.xy));
  REAL yz    = sub_mul(S.yz, f.yx, S.xz);
  f.zy       = r_mul(yz, f.over_D.y);
  f.over_D.z = r_div(constant(1), sub_mul(sub_mul(S.zz, f.zx, S.xz), f.zy, yz));
  return f;
}

// S^-1 b
INLINE V3 solve3(Factors3 f, V3 b)
{
  b.y = sub_mul(b.y, f.yx, b.x);
  b.z = sub_mul(sub_mul(b.z, f.zx, b.x), f.zy, b.y);
  b   = v3(r_mul(b.x, f.over_D.x), r_mul(b.y, f.over_D.y), r_mul(b.z, f.over_D.z));
  b.y = sub_mul(b.y, f.zy, b.z);
  b.x = sub_mul(sub_mul(b.x, f.yx, b.y), f.zx, b.z);
  return b;
}

// A^T b
INLINE V3 apply_transposed(M3 A, V3 b)
{
  return scale_add(b.x, A.x, scale_add(b.y, A.y, scale(b.z, A.z)));
}

INLINE M3 m3_transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

// S - A^T B, which is symmetric; A and B by rows
INLINE S3 less_product(S3 S, M3 A, M3 B)
{
#define LESS(entry, i, j)                                                                          \
  sub_mul(sub_mul(sub_mul(S.entry, A.x.i, B.x.j), A.y.i, B.y.j), A.z.i, B.z.j)
  return (S3){LESS(xx, x, x), LESS(yy, y, y), LESS(zz, z, z),
              LESS(xy, x, y), LESS(xz, x, z), LESS(yz, y, z)};
#undef LESS
}

// Acceleration (a, wd) of the link of a floating joint: I wd + H a = n, H^T wd + M a = f. a is
// eliminated first: M has the mass of all that is carried.
INLINE Wrench solve_floating(const Inertia* A, V3 f, V3 n)
{
  Factors3 M = factor3(A->M);
  M3 H_T     = m3_transposed(A->H);
  // M^-1 H^T, whose columns are those of the rows of H
  M3 K_T     = {solve3(M, A->H.x), solve3(M, A->H.y), solve3(M, A->H.z)};
  M3 K       = m3_transposed(K_T);
  Factors3 I = factor3(less_product(A->I, H_T, K));
  V3 without = solve3(M, f);
  V3 wd      = solve3(I, sub(n, m3_apply(A->H, without)));
  return (Wrench){sub(without, m3_apply(K, wd)), wd};
}

// A ball: wd = g - G a, and what it lets through, M - H^T I^-1 H.
typedef struct
{
  V3 g;  // I^-1 u
  M3 G;  // I^-1 H
  S3 M;
} BallElimination;

INLINE BallElimination eliminate_ball(const Inertia* A, V3 u)
{
  Factors3 I = factor3(A->I);
  M3 H_T     = m3_transposed(A->H);
  M3 G_T     = {solve3(I, H_T.x), solve3(I, H_T.y), solve3(I, H_T.z)};
  M3 G       = m3_transposed(G_T);
  return (BallElimination){solve3(I, u), G, less_product(A->M, A->H, G)};
}

#endif
