// SPDX-License-Identifier: MIT
// HeldBody bodies in the base's frame, freedom by freedom: what the recursive formulations share.
//
//   A_i, p_i   F = A a + p: wrench that body i needs with all it carries, whose joints are free
//   U = A S    D = S.U + rotor    u = tau - S.p - U.Z        qdd = (u - U.a_parent)/D
//
// Featherstone 2008, table 7.1.
#ifndef LW_KERNELS_CONSTRAINED_ARTICULATED_H
#define LW_KERNELS_CONSTRAINED_ARTICULATED_H

#include "kernels/constrained/held_equations.h"

// n = I w + H v, f = H^T w + M v
typedef struct
{
  S3 I, M;
  M3 H;  // rows
} HeldBody;

typedef struct
{
  HeldBody* A;       // (n)
  Wrench *p, *U;     // (n)
  REAL *over_D, *u;  // (n)
  Twist* a;          // (n) accelerations, less gravity
} Recursion;

INLINE HeldBody articulated_body_of(const Body* body)
{
  REAL none = zero(), m = body->m;
  V3 h = body->h;
  return (HeldBody){
      body->I,
      {m, m, m, none, none, none},
      {v3(none, r_neg(h.z), h.y), v3(h.z, none, r_neg(h.x)), v3(r_neg(h.y), h.x, none)}};
}

INLINE Wrench articulated_apply(const HeldBody* A, Twist a)
{
  V3 back = v3_zero();
  back    = scale_add(a.w.x, A->H.x, scale_add(a.w.y, A->H.y, scale_add(a.w.z, A->H.z, back)));
  return (Wrench){add(back, s3_apply(A->M, a.v)), add(s3_apply(A->I, a.w), m3_apply(A->H, a.v))};
}

// S - k a a^T
INLINE S3 less_square(S3 S, REAL k, V3 a)
{
  V3 b = scale(k, a);
  return (S3){sub_mul(S.xx, b.x, a.x), sub_mul(S.yy, b.y, a.y), sub_mul(S.zz, b.z, a.z),
              sub_mul(S.xy, b.x, a.y), sub_mul(S.xz, b.x, a.z), sub_mul(S.yz, b.y, a.z)};
}

// A - k U U^T
INLINE HeldBody articulated_less(HeldBody A, REAL k, Wrench U)
{
  V3 n = scale(r_neg(k), U.n);
  M3 H = {scale_add(n.x, U.f, A.H.x), scale_add(n.y, U.f, A.H.y), scale_add(n.z, U.f, A.H.z)};
  return (HeldBody){less_square(A.I, k, U.n), less_square(A.M, k, U.f), H};
}

INLINE HeldBody articulated_sum(HeldBody a, HeldBody b)
{
  return (HeldBody){add(a.I, b.I), add(a.M, b.M), add(a.H, b.H)};
}

// k w + b
INLINE Wrench wrench_times_add(REAL k, Wrench w, Wrench b)
{
  return (Wrench){scale_add(k, w.f, b.f), scale_add(k, w.n, b.n)};
}

INLINE Recursion recursion_begin(const Held* held, void** work)
{
  size_t n            = (size_t)held->n;
  Recursion recursion = {.A      = held_take(work, n, sizeof(HeldBody)),
                         .p      = held_take(work, n, sizeof(Wrench)),
                         .U      = held_take(work, n, sizeof(Wrench)),
                         .over_D = held_take(work, n, sizeof(REAL)),
                         .u      = held_take(work, n, sizeof(REAL)),
                         .a      = held_take(work, n, sizeof(Twist))};
  for (int i = 0; i < held->n; ++i)
  {
    recursion.A[i] = articulated_body_of(&held->body[i]);
    recursion.p[i] = held->P[i];
  }
  return recursion;
}

// Freedom i is eliminated, and its body becomes part of its parent.
INLINE void eliminate_freedom(const Held* held, Recursion* to, int i)
{
  int p         = held->model->parent[i];
  Wrench U      = articulated_apply(&to->A[i], held->S[i]);
  to->U[i]      = U;
  to->over_D[i] = r_div(constant(1), r_add(power(held->S[i], U), rotor_at(held, i)));
  to->u[i] =
      r_sub(given(held->state->tau, i), r_add(power(held->S[i], to->p[i]), power(held->Z[i], U)));
  if (p == LW_BASE) return;
  HeldBody rest  = articulated_less(to->A[i], to->over_D[i], U);
  Wrench shifted = wrench_sum(to->p[i], articulated_apply(&to->A[i], held->Z[i]));
  shifted        = wrench_times_add(r_mul(to->u[i], to->over_D[i]), U, shifted);
  to->A[p]       = articulated_sum(to->A[p], rest);
  to->p[p]       = wrench_sum(to->p[p], shifted);
}

// Accelerations from the base outward; more (n): what forces of rows add to u.
INLINE void accelerate_freedoms(const Held* held, Recursion* to, const REAL* more, REAL* qdd)
{
  for (int i = 0; i < held->n; ++i)
  {
    int p    = held->model->parent[i];
    Twist x  = p == LW_BASE ? held->base : to->a[p];
    REAL u   = more ? r_add(to->u[i], more[i]) : to->u[i];
    qdd[i]   = r_mul(to->over_D[i], r_sub(u, power(x, to->U[i])));
    to->a[i] = twist_scale_add(qdd[i], held->S[i], twist_add(x, held->Z[i]));
  }
}

#endif
