// SPDX-License-Identifier: MIT
// Composite bodies in the ground frame: inertia I and the matrix B of velocity products, each in
// 3-vectors.
//
//   I m = integral of (r x u_m, u_m) dm,          u_m = v_m + w_m x r     the velocity of a point by the motion m
//   B m = integral of (r x (w_m x u), w_m x u) dm,      u = v + w x r     the velocity that it has
//
// B is (v x* I - I v x + (I v) x*) / 2 of Echeandia & Wensing 2021 and of Singh, Russell & Wensing
// 2022, point by point. It sees the angular part of m only: with the momentum p = integral of u dm
// and N = integral of u r^T dm,
//   B m = ((tr(N) 1 - N) w_m, w_m x p)
// so that 12 numbers stand for 36, and those of a composite body are sums.
#ifndef LW_KERNELS_DERIVATIVES_COMPOSITES_H
#define LW_KERNELS_DERIVATIVES_COMPOSITES_H

#include "kernels/derivatives/ground.h"

enum
{
  BODY_MASS   = 0,   // kg
  BODY_H      = 1,   // first moment
  BODY_P      = 4,   // integral of r r^T dm, xx yy zz xy xz yz
  BODY_N      = 10,  // row by row
  BODY_P_LINE = 19,  // linear momentum
  BODY_SIZE   = 22
};

typedef struct
{
  REAL mass;
  V3 h;
  S3 P;
} Solid;

typedef struct
{
  V3 nx, ny, nz;  // rows of tr(N) 1 - N
  V3 p;
} Spin;

INLINE Solid load_solid(const REAL* at, int n, int i)
{
  const REAL* P = at + BODY_P * n;
  return (Solid){at[i], load3(at + BODY_H * n, n, i),
                 (S3){P[i], P[n + i], P[2 * n + i], P[3 * n + i], P[4 * n + i], P[5 * n + i]}};
}

INLINE void store_solid(REAL* at, int n, int i, Solid body)
{
  at[i] = body.mass;
  store3(at + BODY_H * n, n, i, body.h);
  store3(at + BODY_P * n, n, i, v3(body.P.xx, body.P.yy, body.P.zz));
  store3(at + (BODY_P + 3) * n, n, i, v3(body.P.xy, body.P.xz, body.P.yz));
}

// A link in the ground frame: R P R^T + R h p^T + p (R h + m p)^T
INLINE Solid solid_at(const Link* link, Frame F)
{
  REAL mass = K(link->mass);
  V3 moved  = rotate(F, known_vector(link->first_moment));
  V3 h      = scale_add(mass, F.p, moved);
  S3 P      = known_symmetric(link->pseudo);
  V3 a      = scale_add(P.xx, F.x, scale_add(P.xy, F.y, scale(P.xz, F.z)));
  V3 b      = scale_add(P.xy, F.x, scale_add(P.yy, F.y, scale(P.yz, F.z)));
  V3 c      = scale_add(P.xz, F.x, scale_add(P.yz, F.y, scale(P.zz, F.z)));
#define GROUND_ENTRY(i, j)                                                                         \
  mul_add(a.i, F.x.j,                                                                              \
          mul_add(b.i, F.y.j, mul_add(c.i, F.z.j, mul_add(moved.i, F.p.j, r_mul(F.p.i, h.j)))))
  return (Solid){mass, h,
                 (S3){GROUND_ENTRY(x, x), GROUND_ENTRY(y, y), GROUND_ENTRY(z, z),
                      GROUND_ENTRY(x, y), GROUND_ENTRY(x, z), GROUND_ENTRY(y, z)}};
#undef GROUND_ENTRY
}

// I m
INLINE Wrench inertia_of(Solid body, Twist m)
{
  S3 P       = body.P;
  REAL trace = r_add(P.xx, r_add(P.yy, P.zz));
  V3 turned  = scale_add(trace, m.w, neg(s3_apply(P, m.w)));
  return (Wrench){scale_add(body.mass, m.v, cross(m.w, body.h)), cross_add(body.h, m.v, turned)};
}

// N = v h^T + [w x] P and p of a body that moves with V
INLINE void store_spin(REAL* at, int n, int i, Solid body, Twist V)
{
  S3 P  = body.P;
  V3 cx = cross_add(V.w, v3(P.xx, P.xy, P.xz), scale(body.h.x, V.v));  // columns
  V3 cy = cross_add(V.w, v3(P.xy, P.yy, P.yz), scale(body.h.y, V.v));
  V3 cz = cross_add(V.w, v3(P.xz, P.yz, P.zz), scale(body.h.z, V.v));
  store3(at + BODY_N * n, n, i, v3(cx.x, cy.x, cz.x));
  store3(at + (BODY_N + 3) * n, n, i, v3(cx.y, cy.y, cz.y));
  store3(at + (BODY_N + 6) * n, n, i, v3(cx.z, cy.z, cz.z));
  store3(at + BODY_P_LINE * n, n, i, scale_add(body.mass, V.v, cross(V.w, body.h)));
}

INLINE Spin load_spin(const REAL* at, int n, int i)
{
  V3 x = load3(at + BODY_N * n, n, i), y = load3(at + (BODY_N + 3) * n, n, i),
     z = load3(at + (BODY_N + 6) * n, n, i);
  return (Spin){v3(r_add(y.y, z.z), r_neg(x.y), r_neg(x.z)),
                v3(r_neg(y.x), r_add(x.x, z.z), r_neg(y.z)),
                v3(r_neg(z.x), r_neg(z.y), r_add(x.x, y.y)), load3(at + BODY_P_LINE * n, n, i)};
}

// B m, of the angular part of m
INLINE Wrench spin_of(Spin s, V3 w)
{
  return (Wrench){cross(w, s.p), v3(dot(s.nx, w), dot(s.ny, w), dot(s.nz, w))};
}

// m^T B, which meets the angular part of a motion only
INLINE V3 spin_row(Spin s, Twist m)
{
  V3 turned = scale_add(m.w.x, s.nx, scale_add(m.w.y, s.ny, scale(m.w.z, s.nz)));
  return cross_add(s.p, m.v, turned);
}

// What sustains a body in the motion V with the acceleration A: I A + V x* I V
INLINE Wrench sustain_solid(Solid body, Twist V, Twist A)
{
  M3 U = acceleration_matrix(V.w, A.w);
  V3 a = cross_add(V.w, V.v, A.v);
  return (Wrench){m3_apply_add(U, body.h, scale(body.mass, a)),
                  cross_add(body.h, a, rnea_moment(U, body.P))};
}

// Inward, tip to base: `rows` numbers of every body are added to those of its parent.
INLINE void gather_bodies(const lwModel* model, REAL* at, int rows)
{
  int n = model->n;
  for (int i = n - 1; i >= 0; --i)
  {
    int p = model->parent[i];
    for (int k = 0; k < rows && p != LW_BASE; ++k)
      at[k * n + p] = r_add(at[k * n + p], at[k * n + i]);
  }
}

#endif
