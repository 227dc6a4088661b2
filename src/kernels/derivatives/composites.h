// SPDX-License-Identifier: MIT
// Composite bodies in the ground frame: inertia I and the matrix B of velocity products, each in
// 3-vectors.
//
//   I m = integral of (r x u_m, u_m) dm,          u_m = v_m + w_m x r   velocity of a point by m
//   B m = integral of (r x (w_m x u), w_m x u) dm,    u = v + w x r     the velocity that it has
//
// B is (v x* I - I v x + (I v) x*) / 2 of Echeandia & Wensing 2021 and of Singh, Russell & Wensing
// 2022, point by point. It sees the angular part of m only: with the momentum p = integral of u dm
// and N = integral of u r^T dm,
//   B m = ((tr(N) 1 - N) w_m, w_m x p)
// so that 12 numbers stand for 36, and those of a composite body are sums.
#ifndef LW_KERNELS_DERIVATIVES_COMPOSITES_H
#define LW_KERNELS_DERIVATIVES_COMPOSITES_H

#include "kernels/derivatives/joint_blocks.h"

// Numbers of a joint, side by side with those of others (blocks.h). Kernels put their own behind
// them, and what they need after the links became composite bodies in the place of FRAME and LINK.
enum
{
  AT_FRAME    = 0,   // x, y, z, p
  AT_LINK     = 12,  // mass, first moment, integral of r r^T dm in the link's frame
  AT_OUTBOARD = 22,  // mass of the composite body, kg
  AT_S        = 23,  // twist of the joint
  AT_SD       = 29,  // its rate, V x S
  AT_V        = 35,  // velocity of the link
  AT_BODY     = 41,  // first moment; integral of r r^T dm, xx yy zz xy xz yz; N row by row; p
  BODY_SIZE   = 21,
  AT_OWN      = AT_BODY + BODY_SIZE
};

typedef struct
{
  REAL mass;
  V3 h;  // first moment
  S3 P;  // integral of r r^T dm
} Solid;

typedef struct
{
  M3 N;
  V3 p;
} Spin;

INLINE S3 get_symmetric(const REAL* joint, int c)
{
  V3 a = get3(joint, c), b = get3(joint, c + 3);
  return (S3){a.x, a.y, a.z, b.x, b.y, b.z};
}

INLINE void put_symmetric(REAL* joint, int c, S3 P)
{
  put3(joint, c, v3(P.xx, P.yy, P.zz));
  put3(joint, c + 3, v3(P.xy, P.xz, P.yz));
}

// A link in its own frame.
INLINE Solid own_solid(const Link* link)
{
  return (Solid){K(link->mass), known_vector(link->first_moment), known_symmetric(link->pseudo)};
}

INLINE Solid get_link(const REAL* joint)
{
  return (Solid){joint[AT_LINK * JOINT_LANES], get3(joint, AT_LINK + 1),
                 get_symmetric(joint, AT_LINK + 4)};
}

INLINE void put_link(REAL* joint, const Link* link)
{
  Solid body                       = own_solid(link);
  joint[AT_LINK * JOINT_LANES]     = body.mass;
  joint[AT_OUTBOARD * JOINT_LANES] = K(link->outboard_mass);
  put3(joint, AT_LINK + 1, body.h);
  put_symmetric(joint, AT_LINK + 4, body.P);
}

INLINE Solid get_composite(const REAL* joint)
{
  return (Solid){joint[AT_OUTBOARD * JOINT_LANES], get3(joint, AT_BODY),
                 get_symmetric(joint, AT_BODY + 3)};
}

INLINE Spin get_spin(const REAL* joint)
{
  const int N = AT_BODY + 9;
  return (Spin){{get3(joint, N), get3(joint, N + 3), get3(joint, N + 6)}, get3(joint, N + 9)};
}

// A link in the ground frame: R P R^T + R h p^T + p (R h + m p)^T
INLINE Solid solid_at(Solid own, Frame F)
{
  V3 moved = rotate(F, own.h);
  V3 h     = scale_add(own.mass, F.p, moved);
  S3 P     = own.P;
  V3 a     = scale_add(P.xx, F.x, scale_add(P.xy, F.y, scale(P.xz, F.z)));
  V3 b     = scale_add(P.xy, F.x, scale_add(P.yy, F.y, scale(P.yz, F.z)));
  V3 c     = scale_add(P.xz, F.x, scale_add(P.yz, F.y, scale(P.zz, F.z)));
#define GROUND_ENTRY(i, j)                                                                         \
  mul_add(a.i, F.x.j,                                                                              \
          mul_add(b.i, F.y.j, mul_add(c.i, F.z.j, mul_add(moved.i, F.p.j, r_mul(F.p.i, h.j)))))
  return (Solid){own.mass, h,
                 (S3){GROUND_ENTRY(x, x), GROUND_ENTRY(y, y), GROUND_ENTRY(z, z),
                      GROUND_ENTRY(x, y), GROUND_ENTRY(x, z), GROUND_ENTRY(y, z)}};
#undef GROUND_ENTRY
}

// (tr(A) 1 - A) b, of a general and of a symmetric matrix
INLINE V3 less_trace(M3 A, V3 b)
{
  return v3(sub_mul(sub_mul(r_mul(r_add(A.y.y, A.z.z), b.x), A.x.y, b.y), A.x.z, b.z),
            sub_mul(sub_mul(r_mul(r_add(A.x.x, A.z.z), b.y), A.y.x, b.x), A.y.z, b.z),
            sub_mul(sub_mul(r_mul(r_add(A.x.x, A.y.y), b.z), A.z.x, b.x), A.z.y, b.y));
}

INLINE M3 m3_of(S3 A)
{
  return (M3){v3(A.xx, A.xy, A.xz), v3(A.xy, A.yy, A.yz), v3(A.xz, A.yz, A.zz)};
}

INLINE M3 transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

// I m
INLINE Wrench inertia_of(Solid body, Twist m)
{
  return (Wrench){scale_add(body.mass, m.v, cross(m.w, body.h)),
                  cross_add(body.h, m.v, less_trace(m3_of(body.P), m.w))};
}

// N = v h^T + [w x] P and p of a body that moves with V
INLINE Spin spin_at(Solid body, Twist V)
{
  S3 P     = body.P;
  M3 turns = {cross_add(V.w, v3(P.xx, P.xy, P.xz), scale(body.h.x, V.v)),
              cross_add(V.w, v3(P.xy, P.yy, P.yz), scale(body.h.y, V.v)),
              cross_add(V.w, v3(P.xz, P.yz, P.zz), scale(body.h.z, V.v))};  // columns
  return (Spin){transposed(turns), scale_add(body.mass, V.v, cross(V.w, body.h))};
}

// B m, of the angular part of m
INLINE Wrench spin_of(Spin s, V3 w)
{
  return (Wrench){cross(w, s.p), less_trace(s.N, w)};
}

// m^T B, which meets the angular part of a motion only
INLINE V3 spin_times(Spin s, Twist m)
{
  return cross_add(s.p, m.v, less_trace(transposed(s.N), m.w));
}

// Net wrench of a body in the motion V with the acceleration A: I A + V x* I V
INLINE Wrench net_wrench_solid(Solid body, Twist V, Twist A)
{
  return wrench_of_motion(acceleration_matrix(V.w, A.w), cross_add(V.w, V.v, A.v), body.mass,
                          body.h, body.P);
}

// A link by itself, which will be summed to composite bodies.
INLINE Solid put_body(REAL* joint)
{
  Solid body = solid_at(get_link(joint), get_frame(joint, AT_FRAME));
  Spin spin  = spin_at(body, get_twist(joint, AT_V));
  put3(joint, AT_BODY, body.h);
  put_symmetric(joint, AT_BODY + 3, body.P);
  put3(joint, AT_BODY + 9, spin.N.x);
  put3(joint, AT_BODY + 12, spin.N.y);
  put3(joint, AT_BODY + 15, spin.N.z);
  put3(joint, AT_BODY + 18, spin.p);
  return body;
}

// How one link moves, from how its parent does.
typedef struct
{
  Frame F;
  Twist V, A;  // A: less gravity
} GroundMotion;

INLINE GroundMotion ground_at_rest(const lwModel* model, const lwState* state)
{
  return (GroundMotion){identity_frame(), twist_zero(), {v3_zero(), neg(gravity_of(model, state))}};
}

// Where a kernel puts accelerations; NOWHERE: it needs none.
enum
{
  NOWHERE = -1
};

// Link i moves with `at`, before that of its parent: the twist S of its joint and its rate Sd; the
// acceleration only if asked for.
INLINE void ground_step(const lwModel* model, const lwState* state, const Turn* turns, int i,
                        bool accelerates, GroundMotion* at, Twist* S, Twist* Sd)
{
  REAL qd = given(state->qd, i);
  at->F   = ground_frame(at->F, joint_at(model, i, turns, state->q));
  *S      = joint_twist(model, i, &at->F);
  at->V   = twist_scale_add(qd, *S, at->V);
  *Sd     = twist_cross(at->V, *S);
  if (accelerates)
    at->A = twist_scale_add(qd, *Sd, twist_scale_add(given(state->qdd, i), *S, at->A));
}

// As ground_step(), for a wide joint. Its relative motion is (w, v) of qd in the axes of the
// link, v being that of its origin. By value and compiled apart, as move_wide_links(), so that loops
// over other joints keep their motion in registers.
APART GroundMotion ground_step_wide(const lwModel* model, const lwState* state, const Turn* turns,
                                    const lwWideJoint* wide, bool accelerates, GroundMotion at)
{
  at.F        = compose(at.F, wide_frame(model, wide, turns));
  Twist moved = frame_twist(&at.F, wide_rates(wide, state->qd));
  at.V        = twist_add(at.V, moved);
  if (accelerates)
    at.A = twist_add(twist_add(at.A, frame_twist(&at.F, wide_rates(wide, state->qdd))),
                     twist_cross(at.V, moved));
  return at;
}

// ground_step(), and its results written to the joint's record. at_A is a constant.
INLINE void move_link(const lwModel* model, const lwState* state, const Turn* turns, int i,
                      REAL* joint, int at_A, GroundMotion* at)
{
  Twist S, Sd;
  ground_step(model, state, turns, i, at_A != NOWHERE, at, &S, &Sd);
  put_frame(joint, AT_FRAME, at->F);
  put_link(joint, &LINKS(model)[i]);
  put_twist(joint, AT_S, S);
  put_twist(joint, AT_V, at->V);
  put_twist(joint, AT_SD, Sd);
  if (at_A != NOWHERE) put_twist(joint, at_A, at->A);
}

// Records of all freedoms of a wide joint. Only the last one has a body; the others have the
// motion of the parent. The rates of twists are those that the parent gives them, V_parent x S, if
// accelerations are asked for, and V x S otherwise.
APART GroundMotion move_wide_links(const lwModel* model, const lwState* state, const Turn* turns,
                                   const lwWideJoint* wide, REAL* joints, int size, int at_A,
                                   GroundMotion parent)
{
  GroundMotion at = ground_step_wide(model, state, turns, wide, at_A != NOWHERE, parent);
  for (int i = wide->first; i <= wide->last; ++i)
  {
    const GroundMotion* own = i == wide->last ? &at : &parent;
    REAL* joint             = in_block(joints, size, i);
    Twist S                 = wide_twist(wide, i, &at.F);
    put_frame(joint, AT_FRAME, at.F);
    put_link(joint, &LINKS(model)[i]);
    put_twist(joint, AT_S, S);
    put_twist(joint, AT_V, own->V);
    put_twist(joint, AT_SD, twist_cross(at_A != NOWHERE ? parent.V : at.V, S));
    if (at_A != NOWHERE) put_twist(joint, at_A, own->A);
  }
  return at;
}

// Outward, base to tip: frames, twists and their rates, motion of all links. Along a chain the
// motion of the parent is at hand.
INLINE void ground_outward(const lwModel* model, const lwState* state, const Turn* turns,
                           REAL* joints, int size, int at_A)
{
  GroundMotion at = ground_at_rest(model, state);
  clear_last_block(joints, size, model->n, 0, AT_BODY);
  if (at_A != NOWHERE) clear_last_block(joints, size, model->n, at_A, 6);
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (p != i - 1)
    {
      const REAL* parent = p == LW_BASE ? NULL : in_block(joints, size, p);
      at                 = ground_at_rest(model, state);
      if (parent)
      {
        at.F = get_frame(parent, AT_FRAME);
        at.V = get_twist(parent, AT_V);
        if (at_A != NOWHERE) at.A = get_twist(parent, at_A);
      }
    }
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      at                      = move_wide_links(model, state, turns, wide, joints, size, at_A, at);
      i                       = wide->last;
      continue;
    }
    move_link(model, state, turns, i, in_block(joints, size, i), at_A, &at);
  }
}

#endif
