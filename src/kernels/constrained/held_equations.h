// SPDX-License-Identifier: MIT
// The equations of a robot and of its rows in one frame, that of the description's base.
//
//   here   meaning                                                              unit
//   S_i    motion that unit velocity of freedom i gives to what it carries
//   V_i    velocity of its body                                                 rad/s, m/s
//   Z_i    V_i x S_i qd_i: acceleration by velocities alone                     rad/s^2, m/s^2
//   A_i    acceleration at qdd = 0, less gravity: sum of Z on the way
//   P_i    V_i x* (I_i V_i), wrench that velocities need                        N, N m
//   W_r    wrench of row r on its second link, unit force; its opposite acts on the first
//   D_r    the rate of W_r
// so that J_ri = S_i.W_r for joints that carry the second link, and less that for those that carry
// the first, and c_r = (A_B - A_A).W_r + (V_B - V_A).D_r.
#ifndef LW_KERNELS_CONSTRAINED_HELD_EQUATIONS_H
#define LW_KERNELS_CONSTRAINED_HELD_EQUATIONS_H

#include "kernels/constrained/formulation.h"
#include "kernels/motion/link_frames.h"
#include "math/dense_ldl.h"

// A rigid body, about the base's origin.
typedef struct
{
  REAL m;
  V3 h;  // first moment
  S3 I;
} Body;

typedef struct
{
  int n, rows;
  const lwModel* model;
  const lwConstraints* constraints;
  const lwState* state;
  Twist *S, *V, *Z, *A;  // (n)
  Wrench* P;             // (n)
  Body* body;            // (n)
  Wrench *W, *D;         // (rows)
  REAL* constant_part;   // (rows) (V_B - V_A).D_r
  Twist base;            // acceleration of the base, less gravity
} Held;

// (p.q) 1 - (p q^T + q p^T) / 2
INLINE S3 about_other_point(V3 p, V3 q)
{
  REAL half = constant((CONST)0.5), all = dot(p, q);
  return (S3){sub_mul(all, p.x, q.x),
              sub_mul(all, p.y, q.y),
              sub_mul(all, p.z, q.z),
              neg_mul(half, mul_add(p.x, q.y, r_mul(p.y, q.x))),
              neg_mul(half, mul_add(p.x, q.z, r_mul(p.z, q.x))),
              neg_mul(half, mul_add(p.y, q.z, r_mul(p.z, q.y)))};
}

INLINE Body body_of_link(const Link* link, Frame F)
{
  REAL m  = K(link->mass);
  V3 r    = rotate(F, known_vector(link->first_moment));
  V3 h    = scale_add(m, F.p, r);
  S3 turn = tensor_by_frame(F, known_symmetric(link->inertia));
  return (Body){m, h, add(turn, about_other_point(F.p, add(r, h)))};
}

INLINE Wrench body_apply(const Body* body, Twist a)
{
  return (Wrench){scale_add(body->m, a.v, cross(a.w, body->h)),
                  cross_add(body->h, a.v, s3_apply(body->I, a.w))};
}

// What follows begins at a whole number, also behind flags.
INLINE void* held_take(void** work, size_t count, size_t size)
{
  size_t bytes = (count ? count : 1) * size;
  return take(work, (bytes + sizeof(REAL) - 1) / sizeof(REAL) * sizeof(REAL));
}

// Frames, axes and bodies, and velocities, from the base outward.
INLINE void held_velocities(Held* held, const Frame* frames)
{
  const lwModel* model = held->model;
  for (int i = 0; i < held->n; ++i)
  {
    bool wide      = is_wide(model, i);
    bool last      = !wide || wide_joint(model, i)->last == i;
    const Frame* F = &frames[wide ? wide_joint(model, i)->last : i];
    int p          = model->parent[i];
    Body none      = {zero(), v3_zero(), {zero(), zero(), zero(), zero(), zero(), zero()}};
    held->S[i]     = freedom_twist(model, i, F);
    held->body[i]  = last ? body_of_link(&LINKS(model)[i], *F) : none;
    held->V[i]     = twist_scale_add(given(held->state->qd, i), held->S[i],
                                 p == LW_BASE ? twist_zero() : held->V[p]);
  }
}

// What velocities cause. The axes of a wide joint turn with its link, so with its last velocity.
INLINE void held_accelerations(Held* held)
{
  const lwModel* model = held->model;
  for (int i = 0; i < held->n; ++i)
  {
    int body = is_wide(model, i) ? wide_joint(model, i)->last : i, p = model->parent[i];
    Twist rate = twist_scale_add(given(held->state->qd, i), held->S[i], twist_zero());
    Wrench L   = body_apply(&held->body[i], held->V[i]);
    held->Z[i] = twist_cross(held->V[body], rate);
    held->A[i] = twist_add(p == LW_BASE ? held->base : held->A[p], held->Z[i]);
    held->P[i] = twist_cross_wrench(held->V[i], L);
  }
}

INLINE V3 row_direction(const Held* held, int r, Frame F)
{
#if defined(LW_OWN_CONSTANTS)
  V3 n = known_vector((const KNOWN*)held->constraints->own + 3 * r);
#else
  const double* own = held->constraints->row[r].direction;
  V3 n              = v3(constant((CONST)own[0]), constant((CONST)own[1]), constant((CONST)own[2]));
#endif
  return rotate(F, n);
}

INLINE Twist twist_less(Twist a, Twist b)
{
  return (Twist){sub(a.w, b.w), sub(a.v, b.v)};
}

// The carrier of an end of row r, as a freedom; gears have none.
INLINE int row_carrier(const Held* held, int r, int side)
{
  const lwHeldRow* row = &held->constraints->row[r];
  return row->first >= 0 ? LW_BASE : held->constraints->ends[2 * row->loop + side].carrier;
}

// A wheel or a disc, whose lowest point p = c + R d does not slip along g: its velocity is V_B at p,
// and p' = c' + R d'. n the axle, z the normal of the ground: h = n x z / |n x z|, d = n x h, and g is h
// or, across the heading, z x h. |n x z| needs a root, which fields do not have.
INLINE void held_wheel(Held* held, const Frame* frames, int r)
{
#if !defined(LW_SCALAR_prime)
  const lwHeldRow* row = &held->constraints->row[r];
  const lwView* ends   = &held->constraints->ends[2 * row->loop];
  Frame F              = seen_frame(&ends[1], frames);
  V3 z                 = seen_frame(&ends[0], frames).z;
  REAL R               = constant((CONST)row->radius);
  Twist V              = held->V[row_carrier(held, r, 1)];
  V3 n = row_direction(held, r, F), dn = cross(V.w, n);
  V3 m = cross(n, z), dm = cross(dn, z);
  REAL over              = r_div(constant(1), r_sqrt(dot(m, m)));
  V3 h                   = scale(over, m);
  V3 dh                  = scale(over, sub(dm, scale(dot(h, dm), h)));
  V3 g                   = row->across ? cross(z, h) : h;
  V3 dg                  = row->across ? cross(z, dh) : dh;
  V3 p                   = scale_add(R, cross(n, h), F.p);
  V3 dp                  = scale_add(R, add(cross(dn, h), cross(n, dh)), cross_add(V.w, F.p, V.v));
  held->W[r]             = (Wrench){g, cross(p, g)};
  held->D[r]             = (Wrench){dg, cross_add(dp, g, cross(p, dg))};
  held->constant_part[r] = power(V, held->D[r]);
#else
  (void)held, (void)frames, (void)r;
#endif
}

INLINE void held_row(Held* held, const Frame* frames, int r)
{
  const lwHeldRow* row = &held->constraints->row[r];
  const lwView* ends   = &held->constraints->ends[2 * row->loop];
  int a = row_carrier(held, r, 0), b = row_carrier(held, r, 1);
  Wrench none = {v3_zero(), v3_zero()};
  held->W[r] = held->D[r] = none;
  held->constant_part[r]  = zero();
  if (row->first >= 0) return;
  if (row->radius > 0) return held_wheel(held, frames, r);
  Twist VA = a == LW_BASE ? twist_zero() : held->V[a], VB = b == LW_BASE ? VA : held->V[b];
  if (b == LW_BASE) VB = twist_zero();
  V3 n = row_direction(held, r, seen_frame(&ends[row->carried], frames));
  V3 p = seen_frame(&ends[1], frames).p, dn = cross(row->carried ? VB.w : VA.w, n);
  held->W[r] = row->turns ? (Wrench){v3_zero(), n} : (Wrench){n, cross(p, n)};
  held->D[r] = (Wrench){v3_zero(), dn};
  if (!row->turns) held->D[r] = (Wrench){dn, cross_add(cross_add(VB.w, p, VB.v), n, cross(p, dn))};
  held->constant_part[r] = power(twist_less(VB, VA), held->D[r]);
}

// All of a state but its matrices. work is moved behind what is taken.
INLINE Held held_equations(const lwModel* model, const lwConstraints* constraints,
                           const lwState* state, void** work)
{
  size_t n = (size_t)model->n, m = (size_t)constraints->rows;
  Held held          = {.n = model->n, .rows = constraints->rows, .model = model};
  held.constraints   = constraints;
  held.state         = state;
  Turn* turns        = take_turns(model, state->q, work);
  Frame* frames      = (Frame*)held_take(work, n + 1, sizeof(Frame)) + 1;
  held.S             = held_take(work, n, sizeof(Twist));
  held.V             = held_take(work, n, sizeof(Twist));
  held.Z             = held_take(work, n, sizeof(Twist));
  held.A             = held_take(work, n, sizeof(Twist));
  held.P             = held_take(work, n, sizeof(Wrench));
  held.body          = held_take(work, n, sizeof(Body));
  held.W             = held_take(work, m, sizeof(Wrench));
  held.D             = held_take(work, m, sizeof(Wrench));
  held.constant_part = held_take(work, m, sizeof(REAL));
  outward_frames(model, turns, state->q, frames);
  held.base = (Twist){v3_zero(), neg(rotate(frames[LW_BASE], known_vector(ENDS(model)->gravity)))};
  held_velocities(&held, frames);
  held_accelerations(&held);
  for (int r = 0; r < held.rows; ++r) held_row(&held, frames, r);
  return held;
}

// The rate of row r while links accelerate by `at` (n), -1 being the base.
INLINE REAL row_rate(const Held* held, int r, const Twist* at)
{
  int a = row_carrier(held, r, 0), b = row_carrier(held, r, 1);
  Twist less = twist_less(b == LW_BASE ? held->base : at[b], a == LW_BASE ? held->base : at[a]);
  return r_add(power(less, held->W[r]), held->constant_part[r]);
}

// What joint i itself has of row r: a gear's.
INLINE REAL gear_entry(const Held* held, int r, int i)
{
  const lwHeldRow* row = &held->constraints->row[r];
  if (row->second == i) return constant(1);
  if (row->first != i) return zero();
#if defined(LW_OWN_CONSTANTS)
  return r_neg(K(((const KNOWN*)held->constraints->own)[3 * r]));
#else
  return constant((CONST)-row->direction[0]);
#endif
}

INLINE bool carries(const lwModel* model, int i, int body)
{
  while (body > i) body = model->parent[body];
  return body == i;
}

INLINE REAL rotor_at(const Held* held, int i)
{
  return held->state->rotors ? rotor_of(held->model, i) : zero();
}

// --- matrices

typedef struct
{
  REAL *M, *right, *J, *c;  // (n, n), (n) tau - h, (rows, n), (rows)
} Matrices;

INLINE void held_inertia(const Held* held, Body* composite, REAL* M)
{
  const lwModel* model = held->model;
  size_t n             = (size_t)held->n;
  for (int i = 0; i < held->n; ++i) composite[i] = held->body[i];
  for (size_t k = 0; k < n * n; ++k) M[k] = zero();
  for (int i = held->n - 1; i >= 0; --i)
  {
    Wrench F = body_apply(&composite[i], held->S[i]);
    int p    = model->parent[i];
    for (int j = i; j != LW_BASE; j = model->parent[j])
      M[(size_t)i * n + (size_t)j] = M[(size_t)j * n + (size_t)i] = power(held->S[j], F);
    M[(size_t)i * (n + 1)] = r_add(M[(size_t)i * (n + 1)], rotor_at(held, i));
    if (p == LW_BASE) continue;
    composite[p].m = r_add(composite[p].m, composite[i].m);
    composite[p].h = add(composite[p].h, composite[i].h);
    composite[p].I = add(composite[p].I, composite[i].I);
  }
}

INLINE void held_right(const Held* held, Wrench* F, REAL* right)
{
  for (int i = 0; i < held->n; ++i)
    F[i] = wrench_sum(body_apply(&held->body[i], held->A[i]), held->P[i]);
  for (int i = held->n - 1; i >= 0; --i)
  {
    int p    = held->model->parent[i];
    right[i] = r_sub(given(held->state->tau, i), power(held->S[i], F[i]));
    if (p != LW_BASE) F[p] = wrench_sum(F[p], F[i]);
  }
}

INLINE void held_jacobian(const Held* held, REAL* J, REAL* c)
{
  size_t n = (size_t)held->n;
  for (int r = 0; r < held->rows; ++r)
  {
    int a = row_carrier(held, r, 0), b = row_carrier(held, r, 1);
    c[r] = row_rate(held, r, held->A);
    for (int i = 0; i < held->n; ++i)
    {
      bool ofa = carries(held->model, i, a), ofb = carries(held->model, i, b);
      REAL x = gear_entry(held, r, i);
      if (ofa != ofb) x = power(held->S[i], held->W[r]);
      J[(size_t)r * n + (size_t)i] = ofa && !ofb ? r_neg(x) : x;
    }
  }
}

INLINE Matrices held_matrices(const Held* held, void** work)
{
  size_t n = (size_t)held->n, m = (size_t)held->rows;
  Matrices all    = {.M     = held_take(work, n * n, sizeof(REAL)),
                     .right = held_take(work, n, sizeof(REAL)),
                     .J     = held_take(work, m * n, sizeof(REAL)),
                     .c     = held_take(work, m, sizeof(REAL))};
  Body* composite = held_take(work, n, sizeof(Body));
  Wrench* F       = held_take(work, n, sizeof(Wrench));
  held_inertia(held, composite, all.M);
  held_right(held, F, all.right);
  held_jacobian(held, all.J, all.c);
  return all;
}

// Sum of a_k b_k.
INLINE REAL row_product(size_t count, const REAL* a, const REAL* b)
{
  REAL sum = zero();
  for (size_t k = 0; k < count; ++k) sum = mul_add(a[k], b[k], sum);
  return sum;
}

#endif
