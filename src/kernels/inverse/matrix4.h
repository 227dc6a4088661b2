// SPDX-License-Identifier: MIT
// 4x4 matrices over REAL, and the links and joints of a model as such:
// the language of Uicker, Kahn and Hollerbach.
//
//   W = [R p; 0 1] takes a point (r, 1) of a link to the base; derivatives end in a row of zeros.
//
// Products are full ones, 64 multiplications each, as the papers count them; what the zeros save,
// the folded count shows.
#ifndef LW_KERNELS_INVERSE_MATRIX4_H
#define LW_KERNELS_INVERSE_MATRIX4_H

#include "kernels/motion/frames.h"

typedef struct
{
  REAL at[4];
} V4;

typedef struct
{
  REAL at[4][4];
} M4;

INLINE M4 m4_zero(void)
{
  M4 A;
  for (int k = 0; k < 16; ++k) A.at[k / 4][k % 4] = zero();
  return A;
}

INLINE M4 m4_identity(void)
{
  M4 A = m4_zero();
  for (int k = 0; k < 4; ++k) A.at[k][k] = constant(1);
  return A;
}

INLINE M4 m4_add(M4 A, M4 B)
{
  for (int k = 0; k < 16; ++k) A.at[k / 4][k % 4] = r_add(A.at[k / 4][k % 4], B.at[k / 4][k % 4]);
  return A;
}

// k A + B
INLINE M4 m4_scale_add(REAL k, M4 A, M4 B)
{
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) B.at[r][c] = mul_add(k, A.at[r][c], B.at[r][c]);
  return B;
}

// Row r of A times column c of B.
INLINE REAL m4_entry(const M4* A, const M4* B, int r, int c)
{
  REAL sum = r_mul(A->at[r][0], B->at[0][c]);
  for (int k = 1; k < 4; ++k) sum = mul_add(A->at[r][k], B->at[k][c], sum);
  return sum;
}

INLINE M4 m4_multiply(M4 A, M4 B)
{
  M4 C;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) C.at[r][c] = m4_entry(&A, &B, r, c);
  return C;
}

INLINE M4 m4_transpose(M4 A)
{
  M4 B;
  for (int k = 0; k < 16; ++k) B.at[k / 4][k % 4] = A.at[k % 4][k / 4];
  return B;
}

INLINE REAL m4_trace(M4 A)
{
  return r_add(r_add(A.at[0][0], A.at[1][1]), r_add(A.at[2][2], A.at[3][3]));
}

// tr(A B), of which only the diagonal is formed: 16 multiplications.
INLINE REAL m4_trace_of_product(M4 A, M4 B)
{
  REAL sum = m4_entry(&A, &B, 0, 0);
  for (int k = 1; k < 4; ++k) sum = r_add(sum, m4_entry(&A, &B, k, k));
  return sum;
}

INLINE V4 m4_apply(M4 A, V4 b)
{
  V4 c;
  for (int r = 0; r < 4; ++r)
  {
    c.at[r] = r_mul(A.at[r][0], b.at[0]);
    for (int k = 1; k < 4; ++k) c.at[r] = mul_add(A.at[r][k], b.at[k], c.at[r]);
  }
  return c;
}

INLINE V4 v4_add(V4 a, V4 b)
{
  for (int k = 0; k < 4; ++k) a.at[k] = r_add(a.at[k], b.at[k]);
  return a;
}

// The first three entries: a point becomes a vector.
INLINE V3 v4_vector(V4 a)
{
  return v3(a.at[0], a.at[1], a.at[2]);
}

// A: the frame of joint j seen from its parent.
INLINE M4 joint_matrix(Joint j)
{
  Frame F  = joint_frame(j);
  REAL one = constant(1), none = zero();
  return (M4){{{F.x.x, F.y.x, F.z.x, F.p.x},
               {F.x.y, F.y.y, F.z.y, F.p.y},
               {F.x.z, F.y.z, F.z.z, F.p.z},
               {none, none, none, one}}};
}

// A Q, the derivative of A Rz(q) or A Tz(q) by q: columns change places, nothing is multiplied.
INLINE M4 m4_derivative(M4 A, bool prismatic)
{
  M4 D = m4_zero();
  for (int r = 0; r < 4; ++r)
  {
    if (prismatic)
      D.at[r][3] = A.at[r][2];
    else
    {
      D.at[r][0] = A.at[r][1];
      D.at[r][1] = r_neg(A.at[r][0]);
    }
  }
  return D;
}

// First moment and mass, (m r, m).
INLINE V4 moment_and_mass(const Link* link)
{
  const KNOWN* h = link->first_moment;
  return (V4){{K(h[0]), K(h[1]), K(h[2]), K(link->mass)}};
}

// J: integral of (r, 1)(r, 1)^T dm about the link's origin.
INLINE M4 pseudo_inertia(const Link* link)
{
  S3 J = known_symmetric(link->pseudo);
  V3 h = known_vector(link->first_moment);
  return (M4){{{J.xx, J.xy, J.xz, h.x},
               {J.xy, J.yy, J.yz, h.y},
               {J.xz, J.yz, J.zz, h.z},
               {h.x, h.y, h.z, K(link->mass)}}};
}

// S of a wrench on a link, force f and moment n at its origin and in its axes: its work in a
// displacement dW of the link is tr(dW S W^T): S W^T is to the wrench what J Wdd^T is to inertia.
// S = [[n x]^T / 2, 0; f^T, 0]
INLINE M4 wrench_matrix(V3 f, V3 n)
{
  V3 h      = scale(constant((CONST)0.5), n);
  REAL none = zero();
  return (M4){{{none, h.z, r_neg(h.y), none},
               {r_neg(h.z), none, h.x, none},
               {h.y, r_neg(h.x), none, none},
               {f.x, f.y, f.z, none}}};
}

#endif
