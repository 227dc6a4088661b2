// SPDX-License-Identifier: MIT
// 3-vectors, symmetric and general 3x3 matrices and planar rotations over REAL, by value so that
// code reads as maths. add, sub, neg, scale and madd work on V3, S3 and REAL alike.
#ifndef LW_MATH_VEC_H
#define LW_MATH_VEC_H

#include "math/real.h"

typedef struct
{
  REAL x, y, z;
} V3;

typedef struct
{
  REAL xx, yy, zz, xy, xz, yz;
} S3;  // symmetric

typedef struct
{
  V3 x, y, z;  // rows
} M3;

INLINE V3 v3(REAL x, REAL y, REAL z)
{
  return (V3){x, y, z};
}

INLINE V3 v3_zero(void)
{
  return v3(zero(), zero(), zero());
}

INLINE V3 v3_add(V3 a, V3 b)
{
  return v3(r_add(a.x, b.x), r_add(a.y, b.y), r_add(a.z, b.z));
}

INLINE V3 v3_sub(V3 a, V3 b)
{
  return v3(r_sub(a.x, b.x), r_sub(a.y, b.y), r_sub(a.z, b.z));
}

INLINE V3 v3_neg(V3 a)
{
  return v3(r_neg(a.x), r_neg(a.y), r_neg(a.z));
}

INLINE S3 s3_add(S3 a, S3 b)
{
  return (S3){r_add(a.xx, b.xx), r_add(a.yy, b.yy), r_add(a.zz, b.zz),
              r_add(a.xy, b.xy), r_add(a.xz, b.xz), r_add(a.yz, b.yz)};
}

INLINE M3 m3_add(M3 a, M3 b)
{
  return (M3){v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)};
}

#define add(a, b) _Generic((a), V3 : v3_add, S3 : s3_add, M3 : m3_add, REAL : r_add)(a, b)
#define sub(a, b) _Generic((a), V3 : v3_sub, REAL : r_sub)(a, b)
#define neg(a)    _Generic((a), V3 : v3_neg, REAL : r_neg)(a)

INLINE V3 scale(REAL k, V3 a)
{
  return v3(r_mul(k, a.x), r_mul(k, a.y), r_mul(k, a.z));
}

// k a + b
INLINE V3 scale_add(REAL k, V3 a, V3 b)
{
  return v3(mul_add(k, a.x, b.x), mul_add(k, a.y, b.y), mul_add(k, a.z, b.z));
}

INLINE REAL dot(V3 a, V3 b)
{
  return mul_add(a.x, b.x, mul_add(a.y, b.y, r_mul(a.z, b.z)));
}

// a.b + c
INLINE REAL dot_add(V3 a, V3 b, REAL c)
{
  return mul_add(a.x, b.x, mul_add(a.y, b.y, mul_add(a.z, b.z, c)));
}

INLINE V3 cross(V3 a, V3 b)
{
  return v3(mul_sub(a.y, b.z, r_mul(a.z, b.y)), mul_sub(a.z, b.x, r_mul(a.x, b.z)),
            mul_sub(a.x, b.y, r_mul(a.y, b.x)));
}

// a x b + c
INLINE V3 cross_add(V3 a, V3 b, V3 c)
{
  return v3(mul_add(a.y, b.z, sub_mul(c.x, a.z, b.y)), mul_add(a.z, b.x, sub_mul(c.y, a.x, b.z)),
            mul_add(a.x, b.y, sub_mul(c.z, a.y, b.x)));
}

INLINE V3 m3_apply(M3 A, V3 b)
{
  return v3(dot(A.x, b), dot(A.y, b), dot(A.z, b));
}

// A b + c
INLINE V3 m3_apply_add(M3 A, V3 b, V3 c)
{
  return v3(dot_add(A.x, b, c.x), dot_add(A.y, b, c.y), dot_add(A.z, b, c.z));
}

INLINE V3 s3_apply(S3 A, V3 b)
{
  return v3(dot(v3(A.xx, A.xy, A.xz), b), dot(v3(A.xy, A.yy, A.yz), b),
            dot(v3(A.xz, A.yz, A.zz), b));
}

// The planar rotation by an angle of cosine c and sine s.
typedef struct
{
  REAL c, s;
} Turn;

INLINE Turn turn_back(Turn t)
{
  return (Turn){t.c, r_neg(t.s)};
}

// First by b, then by a.
INLINE Turn turn_compose(Turn a, Turn b)
{
  return (Turn){mul_sub(a.c, b.c, r_mul(a.s, b.s)), mul_add(a.s, b.c, r_mul(a.c, b.s))};
}

// (x, y) turned by t: c x - s y, s x + c y.
INLINE V3 turn_z(Turn t, V3 a)
{
  return v3(mul_sub(t.c, a.x, r_mul(t.s, a.y)), mul_add(t.s, a.x, r_mul(t.c, a.y)), a.z);
}

INLINE V3 turn_x(Turn t, V3 a)
{
  return v3(a.x, mul_sub(t.c, a.y, r_mul(t.s, a.z)), mul_add(t.s, a.y, r_mul(t.c, a.z)));
}

// The inverse turn, without negating s.
INLINE V3 turn_back_z(Turn t, V3 a)
{
  return v3(mul_add(t.c, a.x, r_mul(t.s, a.y)), mul_sub(t.c, a.y, r_mul(t.s, a.x)), a.z);
}

INLINE V3 turn_back_x(Turn t, V3 a)
{
  return v3(a.x, mul_add(t.c, a.y, r_mul(t.s, a.z)), mul_sub(t.c, a.z, r_mul(t.s, a.y)));
}

// a turned about x, + b
INLINE V3 turn_x_add(Turn t, V3 a, V3 b)
{
  return v3(r_add(a.x, b.x), mul_add(t.c, a.y, sub_mul(b.y, t.s, a.z)),
            mul_add(t.c, a.z, mul_add(t.s, a.y, b.z)));
}

// R A R^T for the symmetric 2x2 matrix (xx, yy, xy), in place: 4 multiplications, 6 additions.
INLINE void turn_symmetric(Turn t, REAL* xx, REAL* yy, REAL* xy)
{
  REAL k  = mul_add(t.s, r_sub(*xx, *yy), r_mul(t.c, r_add(*xy, *xy)));
  REAL sk = r_mul(t.s, k);
  *xy     = mul_sub(t.c, k, *xy);
  *xx     = r_sub(*xx, sk);
  *yy     = r_add(*yy, sk);
}

// R A R^T about z: 8 multiplications, 8 additions.
INLINE S3 s3_turn_z(Turn t, S3 A)
{
  V3 column = turn_z(t, v3(A.xz, A.yz, A.zz));
  turn_symmetric(t, &A.xx, &A.yy, &A.xy);
  return (S3){A.xx, A.yy, A.zz, A.xy, column.x, column.y};
}

INLINE S3 s3_turn_x(Turn t, S3 A)
{
  V3 row = turn_x(t, v3(A.xx, A.xy, A.xz));
  turn_symmetric(t, &A.yy, &A.zz, &A.yz);
  return (S3){A.xx, A.yy, A.zz, row.y, row.z, A.yz};
}

// R A R^T for the general 2x2 matrix ((xx, xy), (yx, yy)): its antisymmetric part does not turn.
// 4 multiplications, 7 additions.
INLINE void turn_general(Turn t, REAL* xx, REAL* yy, REAL* xy, REAL* yx)
{
  REAL twice = r_add(*xy, *yx);
  REAL k     = mul_add(t.s, r_sub(*xx, *yy), r_mul(t.c, twice));
  REAL sk    = r_mul(t.s, k);
  REAL old   = *xy;
  *xy        = mul_sub(t.c, k, *yx);
  *yx        = mul_sub(t.c, k, old);
  *xx        = r_sub(*xx, sk);
  *yy        = r_add(*yy, sk);
}

INLINE M3 m3_turn_z(Turn t, M3 A)
{
  V3 column = turn_z(t, v3(A.x.z, A.y.z, A.z.z));
  V3 row    = turn_z(t, A.z);
  turn_general(t, &A.x.x, &A.y.y, &A.x.y, &A.y.x);
  return (M3){v3(A.x.x, A.x.y, column.x), v3(A.y.x, A.y.y, column.y), row};
}

INLINE M3 m3_turn_x(Turn t, M3 A)
{
  V3 row    = turn_x(t, A.x);
  V3 column = turn_x(t, v3(A.x.x, A.y.x, A.z.x));
  turn_general(t, &A.y.y, &A.z.z, &A.y.z, &A.z.y);
  return (M3){row, v3(column.y, A.y.y, A.y.z), v3(column.z, A.z.y, A.z.z)};
}

// Spatial vectors and 6x6 matrices (Featherstone 2008), for texts that follow the book.
typedef struct
{
  V3 w, v;  // angular and linear part; of a wrench: moment and force
} Spatial;

typedef struct
{
  Spatial column[6];
} SpatialMatrix;

// a + k b
INLINE Spatial spatial_add(Spatial a, REAL k, Spatial b)
{
  return (Spatial){scale_add(k, b.w, a.w), scale_add(k, b.v, a.v)};
}

INLINE REAL spatial_dot(Spatial a, Spatial b)
{
  return dot_add(a.w, b.w, dot(a.v, b.v));
}

// The vector whose entry k is 1.
INLINE Spatial spatial_unit(int k)
{
  const REAL o = zero(), l = constant(1);
  return (Spatial){v3(k == 0 ? l : o, k == 1 ? l : o, k == 2 ? l : o),
                   v3(k == 3 ? l : o, k == 4 ? l : o, k == 5 ? l : o)};
}

// A x
INLINE Spatial spatial_apply(const SpatialMatrix* A, Spatial x)
{
  const REAL entry[] = {x.w.x, x.w.y, x.w.z, x.v.x, x.v.y, x.v.z};
  Spatial sum        = {v3_zero(), v3_zero()};
  for (int k = 0; k < 6; ++k) sum = spatial_add(sum, entry[k], A->column[k]);
  return sum;
}

// A^T x
INLINE Spatial spatial_apply_transposed(const SpatialMatrix* A, Spatial x)
{
  const Spatial* a = A->column;
  return (Spatial){v3(spatial_dot(a[0], x), spatial_dot(a[1], x), spatial_dot(a[2], x)),
                   v3(spatial_dot(a[3], x), spatial_dot(a[4], x), spatial_dot(a[5], x))};
}

#endif
