// SPDX-License-Identifier: MIT
// Forward dynamics by the articulated body algorithm, ABA, O(n).
//
// Featherstone, "The calculation of robot dynamics using articulated-body inertias", 1983; "Rigid
// Body Dynamics Algorithms", 2008, table 7.1.
//
//   book      here      meaning                                                frame, unit
//   I^A       I, H, M   articulated inertia,                                   link;
//                       n = I wd + H a, f = H^T wd + M a                       kg m^2, kg m, kg
//   p^A       n, f      its bias wrench: what it takes at zero acceleration    link; N m, N
//   c         zn, za    acceleration that comes from velocities alone          link; rad/s^2, m/s^2
//   U         Un, Uf    wrench of unit joint acceleration                      link
//   D, u      D, u      inertia seen by the joint, and the joint force less bias
//   U/D, u/D  Gn, Gf, g                                                        link
//
// Where it differs from the book:
// - Accelerations are those of material points at the link's origin, not spatial ones, so c and p^A
//   are the centripetal terms of Newton and Euler.
// - The row and column of I^A along the joint vanish once the joint is eliminated. They are set to
//   zero, not computed: in single precision this is most of the accuracy.
// - Shifts and rotations are factored into those about z and about x.
// - U/D and u/D are kept instead of U, u and D. Without a rotor, U/D along the joint is 1, so
//   u/D - U/D . (wd, a) without that entry is the acceleration of the link along its joint, and qdd
//   its difference to that of the parent.
// - With rotors, D is the inertia seen by the joint plus that of the motor's rotor J. The row and
//   column of the joint are then U J/D instead of zero, and are written as that: the rotor keeps
//   its part of the wrench from going through.
// - A joint that is held has an infinite rotor inertia: 1/D = 0 and J/D = 1.
//
// Along a chain everything goes from link to link in registers, and the inward pass takes M, H and
// I one after the other from the joint to the parent's frame: an articulated body has more numbers
// than there are registers, and loading a spilled number takes longer than rotating a matrix.
#include "kernels/forward/articulated_inertia.h"

// A link with everything outboard of it, free to move.
typedef struct
{
  Inertia A;
  V3 n, f;  // bias wrench
} Articulated;

// What the passes leave for each other of a link and its joint.
typedef struct
{
  V3 w;   // velocity
  V3 za;  // acceleration from velocities alone, and zn, of which z is 0
  REAL zn_x, zn_y;
  V3 Gn, Gf;
  REAL g;
} ArticulatedBody;

// What a link has for several joints; links that carry the next joint only do without.
typedef struct
{
  V3 w;             // velocity
  Articulated sum;  // of those that were handed over so far
  V3 wd, a;         // acceleration
} Fork;

typedef struct
{
  const lwModel* model;
  const lwState* state;
  Turn* turns;
  ArticulatedBody* body;
  Fork* fork;  // fork[LW_BASE] is the base
} Walk;

// [w x][w x], symmetric
INLINE S3 centripetal(V3 w)
{
  REAL minus_xx = neg_mul(w.x, w.x), minus_yy = neg_mul(w.y, w.y), minus_zz = neg_mul(w.z, w.z);
  return (S3){r_add(minus_yy, minus_zz), r_add(minus_xx, minus_zz), r_add(minus_xx, minus_yy),
              r_mul(w.x, w.y),           r_mul(w.x, w.z),           r_mul(w.y, w.z)};
}

// w x I w = integral of r x B r dm, B = [w x][w x]
INLINE V3 aba_gyroscopic(S3 B, S3 J)
{
  V3 n = v3(r_mul(r_sub(J.yy, J.zz), B.yz), r_mul(r_sub(J.zz, J.xx), B.xz),
            r_mul(r_sub(J.xx, J.yy), B.xy));
  n    = v3(mul_add(J.yz, r_sub(B.zz, B.yy), n.x), mul_add(J.xz, r_sub(B.xx, B.zz), n.y),
            mul_add(J.xy, r_sub(B.yy, B.xx), n.z));
  n    = v3(mul_add(J.xy, B.xz, n.x), mul_add(J.yz, B.xy, n.y), mul_add(J.xz, B.yz, n.z));
  return v3(sub_mul(n.x, J.xz, B.xy), sub_mul(n.y, J.xy, B.yz), sub_mul(n.z, J.yz, B.xz));
}

// w x (w x span), in the parent's frame
INLINE V3 centripetal_arm(Joint j, V3 w)
{
  if (j.skew) return s3_apply(centripetal(w), known_vector(j.link->span));
  REAL x = K(j.link->span[0]);
  V3 xw  = scale(x, w);
  return v3(r_neg(mul_add(xw.y, w.y, r_mul(xw.z, w.z))), r_mul(xw.x, w.y), r_mul(xw.x, w.z));
}

// Velocity of a link, which is returned, and the accelerations that follow from it.
INLINE V3 aba_motion(ArticulatedBody* body, Joint j, bool prismatic, V3 parent, REAL qd)
{
  V3 w  = to_link(j, parent);
  V3 za = to_link(j, centripetal_arm(j, parent));
  V3 dw = scale(j.d, w);
  za    = v3(mul_add(dw.x, w.z, za.x), mul_add(dw.y, w.z, za.y),
             sub_mul(sub_mul(za.z, dw.x, w.x), dw.y, w.y));
  if (prismatic)
  {
    REAL twice = r_add(qd, qd);
    body->zn_x = zero();
    body->zn_y = zero();
    body->za   = v3(mul_add(w.y, twice, za.x), sub_mul(za.y, w.x, twice), za.z);
  }
  else
  {
    body->zn_x = r_mul(w.y, qd);
    body->zn_y = r_neg(r_mul(w.x, qd));
    body->za   = za;
    w.z        = r_add(w.z, qd);
  }
  body->w = w;
  return w;
}

// The outboard links and the link itself: inertia about the origin, H = [h x], M = m 1,
// and the wrench that its motion takes.
INLINE Articulated with_link(Articulated b, const Link* link, V3 w)
{
  V3 h     = known_vector(link->first_moment);
  REAL m   = K(link->mass);
  S3 B     = centripetal(w);
  M3 H     = b.A.H;
  H.x      = v3(H.x.x, r_sub(H.x.y, h.z), r_add(H.x.z, h.y));
  H.y      = v3(r_add(H.y.x, h.z), H.y.y, r_sub(H.y.z, h.x));
  H.z      = v3(r_sub(H.z.x, h.y), r_add(H.z.y, h.x), H.z.z);
  b.A.I    = add(b.A.I, known_symmetric(link->inertia));
  b.A.H    = H;
  b.A.M.xx = r_add(b.A.M.xx, m);
  b.A.M.yy = r_add(b.A.M.yy, m);
  b.A.M.zz = r_add(b.A.M.zz, m);
  b.n      = add(b.n, aba_gyroscopic(B, known_symmetric(link->pseudo)));
  b.f      = add(b.f, s3_apply(B, h));
  return b;
}

INLINE Articulated no_articulated_body(void)
{
  S3 none = {zero(), zero(), zero(), zero(), zero(), zero()};
  return (Articulated){{none, {v3_zero(), v3_zero(), v3_zero()}, none}, v3_zero(), v3_zero()};
}

INLINE Articulated both(Articulated a, Articulated b)
{
  return (Articulated){
      {add(a.A.I, b.A.I), add(a.A.H, b.A.H), add(a.A.M, b.A.M)}, add(a.n, b.n), add(a.f, b.f)};
}

// A joint and what it sees of the articulated body outboard of it, and of the rotor J of its motor.
typedef struct
{
  V3 Un, Uf;
  V3 Gn, Gf;
  REAL g, tau;
  REAL kept;  // J/D
} Opening;

// Returns 1/D. rotor NULL: there is none.
INLINE REAL aba_open_joint(Opening* o, REAL D, REAL u, const REAL* rotor)
{
  if (rotor) D = r_add(D, *rotor);
  REAL over_D = r_div(constant(1), D);
  o->g        = r_mul(u, over_D);
  o->kept     = rotor ? r_mul(*rotor, over_D) : zero();
  return over_D;
}

INLINE Opening open_revolute(const Articulated* b, REAL tau, const REAL* rotor)
{
  V3 Un       = v3(b->A.I.xz, b->A.I.yz, b->A.I.zz);
  Opening o   = {.Un = Un, .Uf = b->A.H.z, .tau = tau};
  REAL over_D = aba_open_joint(&o, Un.z, r_sub(tau, b->n.z), rotor);
  REAL along  = rotor ? r_mul(over_D, Un.z) : constant(1);
  o.Gf        = scale(over_D, o.Uf);
  o.Gn        = v3(r_mul(over_D, Un.x), r_mul(over_D, Un.y), along);
  return o;
}

INLINE Opening open_prismatic(const Articulated* b, REAL tau, const REAL* rotor)
{
  V3 Uf       = v3(b->A.M.xz, b->A.M.yz, b->A.M.zz);
  Opening o   = {.Un = v3(b->A.H.x.z, b->A.H.y.z, b->A.H.z.z), .Uf = Uf, .tau = tau};
  REAL over_D = aba_open_joint(&o, Uf.z, r_sub(tau, b->f.z), rotor);
  REAL along  = rotor ? r_mul(over_D, Uf.z) : constant(1);
  o.Gn        = scale(over_D, o.Un);
  o.Gf        = v3(r_mul(over_D, Uf.x), r_mul(over_D, Uf.y), along);
  return o;
}

// A held joint is revolute, and everything goes through it.
INLINE Opening hold_revolute(const Articulated* b)
{
  V3 none = v3_zero();
  return (Opening){.Un   = v3(b->A.I.xz, b->A.I.yz, b->A.I.zz),
                   .Uf   = b->A.H.z,
                   .Gn   = none,
                   .Gf   = none,
                   .g    = zero(),
                   .tau  = zero(),
                   .kept = constant(1)};
}

// S - G U^T, G along U, and its xx, yy and xy alone.
INLINE S3 less_symmetric(S3 S, V3 G, V3 U)
{
  return (S3){sub_mul(S.xx, G.x, U.x), sub_mul(S.yy, G.y, U.y), sub_mul(S.zz, G.z, U.z),
              sub_mul(S.xy, G.x, U.y), sub_mul(S.xz, G.x, U.z), sub_mul(S.yz, G.y, U.z)};
}

INLINE S3 less_planar(S3 S, V3 G, V3 U)
{
  REAL none = zero();
  return (S3){
      sub_mul(S.xx, G.x, U.x), sub_mul(S.yy, G.y, U.y), none, sub_mul(S.xy, G.x, U.y), none, none};
}

// a - k b
INLINE V3 less(V3 a, REAL k, V3 b)
{
  return v3(sub_mul(a.x, k, b.x), sub_mul(a.y, k, b.y), sub_mul(a.z, k, b.z));
}

// I^a = I^A - U U^T/D and p^a = p^A + I^a c + U u/D: inertia and bias wrench as a revolute joint
// transmits them, taken to the parent. Along the joint there is nothing of I^a, and tau itself of
// p^a, but for what a rotor keeps.
INLINE Articulated through_revolute(const Articulated* b, const Opening* o,
                                    const ArticulatedBody* body, Joint j, bool rotors)
{
  V3 zn = v3(body->zn_x, body->zn_y, zero()), za = body->za;
  Inertia A;
  V3 n;

  A.M  = less_symmetric(b->A.M, o->Gf, o->Uf);
  V3 f = add(scale_add(o->g, o->Uf, b->f), s3_apply(A.M, za));

  A.H = (M3){less(b->A.H.x, o->Gn.x, o->Uf), less(b->A.H.y, o->Gn.y, o->Uf), v3_zero()};
  f   = scale_add(zn.x, A.H.x, scale_add(zn.y, A.H.y, f));
  n.x = dot_add(A.H.x, za, mul_add(o->g, o->Un.x, b->n.x));
  n.y = dot_add(A.H.y, za, mul_add(o->g, o->Un.y, b->n.y));
  if (rotors) A.H.z = scale(o->kept, o->Uf);
  V3 H_z = A.H.z, coupling = shift_coupling_z(&A.H, A.M, j.d);
  A.M = s3_turn_z(j.theta, A.M);
  A.H = rotors ? m3_turn_z(j.theta, A.H) : turn_two_rows_z(j.theta, A.H);

  A.I = less_planar(b->A.I, o->Gn, o->Un);
  n.x = mul_add(A.I.xx, zn.x, mul_add(A.I.xy, zn.y, n.x));
  n.y = mul_add(A.I.xy, zn.x, mul_add(A.I.yy, zn.y, n.y));
  n.z = o->tau;
  shift_inertia_z(&A.I, coupling, j.d);
  if (rotors)
  {
    V3 row = d_cross_add(j, H_z, scale(o->kept, o->Un));
    n.z    = mul_add(o->g, o->Un.z, b->n.z);
    n.z    = mul_add(o->kept, dot_add(o->Un, zn, dot(o->Uf, za)), n.z);
    A.I    = s3_turn_z(j.theta, (S3){A.I.xx, A.I.yy, row.z, A.I.xy, row.x, row.y});
  }
  else
    turn_symmetric(j.theta, &A.I.xx, &A.I.yy, &A.I.xy);

  A = inertia_by_screw_x(j, A, !rotors);
  wrench_to_parent(j, &f, &n);
  return (Articulated){A, n, f};
}

// The same for a prismatic joint. Here M and the columns of H lose an entry, which saves
// too little to be worth separate code.
INLINE Inertia without_prismatic(const Inertia* A, const Opening* o)
{
  REAL x = o->Gf.x, y = o->Gf.y;
  V3 Un = o->Un;
  return (Inertia){less_symmetric(A->I, o->Gn, Un),
                   {v3(sub_mul(A->H.x.x, x, Un.x), sub_mul(A->H.x.y, y, Un.x), zero()),
                    v3(sub_mul(A->H.y.x, x, Un.y), sub_mul(A->H.y.y, y, Un.y), zero()),
                    v3(sub_mul(A->H.z.x, x, Un.z), sub_mul(A->H.z.y, y, Un.z), zero())},
                   less_planar(A->M, o->Gf, o->Uf)};
}

// The row and column of the joint, U J/D, which are zero without a rotor.
INLINE void keep_prismatic(Inertia* A, const Opening* o)
{
  V3 row = scale(o->kept, o->Uf), column = scale(o->kept, o->Un);
  A->M.xz  = row.x;
  A->M.yz  = row.y;
  A->M.zz  = row.z;
  A->H.x.z = column.x;
  A->H.y.z = column.y;
  A->H.z.z = column.z;
}

INLINE Articulated through_prismatic(const Articulated* b, const Opening* o,
                                     const ArticulatedBody* body, Joint j, bool rotors)
{
  Inertia A = without_prismatic(&b->A, o);
  REAL k    = o->g;
  V3 za     = body->za, n, f;
  f.z       = o->tau;
  if (rotors)
  {
    f.z = mul_add(o->kept, dot(o->Uf, za), mul_add(k, o->Uf.z, b->f.z));
    k   = mul_add(o->kept, za.z, k);
  }
  n   = add(scale_add(k, o->Un, b->n), m3_apply(A.H, v3(za.x, za.y, zero())));
  f.x = mul_add(A.M.xx, za.x, mul_add(A.M.xy, za.y, mul_add(k, o->Uf.x, b->f.x)));
  f.y = mul_add(A.M.xy, za.x, mul_add(A.M.yy, za.y, mul_add(k, o->Uf.y, b->f.y)));
  if (rotors) keep_prismatic(&A, o);

  A.I.xz = sub_mul(A.I.xz, j.d, A.H.z.y);
  A.I.yz = mul_add(j.d, A.H.z.x, A.I.yz);
  shift_inertia_z(&A.I, shift_coupling_z(&A.H, A.M, j.d), j.d);
  turn_inertia_z(&A, j.theta);
  wrench_to_parent(j, &f, &n);
  return (Articulated){inertia_by_screw_x(j, A, false), n, f};
}

// Takes joint i out of its articulated body, and stores what the outward pass needs.
INLINE Opening aba_take_out(const Walk* walk, int i, const Articulated* b, bool prismatic,
                            bool rotors)
{
  const lwModel* model  = walk->model;
  ArticulatedBody* body = &walk->body[i];
  REAL tau              = given(walk->state->tau, i);
  REAL rotor            = walk->state->rotors ? rotor_of(model, i) : zero();
  const REAL* J         = rotors ? &rotor : NULL;
  Opening o             = prismatic                     ? open_prismatic(b, tau, J)
                          : rotors && is_held(model, i) ? hold_revolute(b)
                                                        : open_revolute(b, tau, J);
  body->Gn              = o.Gn;
  body->Gf              = o.Gf;
  body->g               = o.g;
  return o;
}

// Joint i with link i and its subtree: the contribution to the parent.
INLINE Articulated aba_add_to_parent(const Walk* walk, int i, const Articulated* b, bool prismatic,
                                     bool rotors)
{
  const lwModel* model = walk->model;
  Opening o            = aba_take_out(walk, i, b, prismatic, rotors);
  if (model->parent[i] == LW_BASE) return no_articulated_body();
  Joint j = joint_at(model, i, walk->turns, walk->state->q);
  return prismatic ? through_prismatic(b, &o, &walk->body[i], j, rotors)
                   : through_revolute(b, &o, &walk->body[i], j, rotors);
}

// Velocity of link i, to which a fork's children come back.
INLINE void keep_at_fork(const Walk* walk, int i, V3 w)
{
  if (!is_fork(walk->model, i)) return;
  walk->fork[i].w   = w;
  walk->fork[i].sum = no_articulated_body();
}

// Base to tip: velocities. Along a run that of the parent is at hand.
INLINE void outward_velocities(const Walk* walk)
{
  const lwModel* model = walk->model;
  V3 w                 = v3_zero();
  for (int i = 0; i < model->n; ++i)
  {
    REAL qd = given(walk->state->qd, i);
    if (continues_run(model, i))
      w = aba_motion(&walk->body[i], joint_in_run(model, i, walk->turns), false, w, qd);
    else
    {
      Joint j = joint_at(model, i, walk->turns, walk->state->q);
      if (!follows(model, i)) w = walk->fork[model->parent[i]].w;
      w = aba_motion(&walk->body[i], j, is_prismatic(model, i), w, qd);
    }
    keep_at_fork(walk, i, w);
  }
}

// The link itself, with the contributions of its other children and of the environment.
INLINE Articulated with_own(const Walk* walk, int i, Articulated b)
{
  const lwModel* model = walk->model;
  if (is_fork(model, i)) b = both(b, walk->fork[i].sum);
  if (walk->state->wrench && i == model->tool)
  {
    V3 f, moment;
    tool_wrench(model, walk->state->wrench, &f, &moment);
    b.f = sub(b.f, f);
    b.n = sub(b.n, moment);
  }
  return with_link(b, &LINKS(model)[i], walk->body[i].w);
}

// Tip to base: articulated bodies. Along a run what goes to the parent stays at hand.
INLINE void aba_inward(const Walk* walk, bool rotors)
{
  const lwModel* model = walk->model;
  Articulated b        = no_articulated_body();
  for (int i = model->n - 1; i >= 0; --i)
  {
    b = with_own(walk, i, b);
    if (continues_run(model, i))
    {
      Opening o = aba_take_out(walk, i, &b, false, rotors);
      b = through_revolute(&b, &o, &walk->body[i], joint_in_run(model, i, walk->turns), rotors);
      continue;
    }
    int p = model->parent[i];
    b     = is_prismatic(model, i) ? aba_add_to_parent(walk, i, &b, true, rotors)
                                   : aba_add_to_parent(walk, i, &b, false, rotors);
    if (p == i - 1 || p == LW_BASE) continue;
    walk->fork[p].sum = both(walk->fork[p].sum, b);
    b                 = no_articulated_body();
  }
}

// Compiled twice, so that rotors and held joints cost nothing where there are none.
APART void inward_plain(const Walk* walk)
{
  aba_inward(walk, false);
}

APART void inward_rotors(const Walk* walk)
{
  aba_inward(walk, true);
}

// Acceleration of a joint, and of its link along the joint, from the link's other accelerations.
INLINE REAL accelerate_revolute(const ArticulatedBody* body, V3* wd, V3 a, bool rotors)
{
  V3 Gn = body->Gn, Gf = body->Gf;
  REAL rest = sub_mul(sub_mul(sub_mul(body->g, Gf.z, a.z), Gn.y, wd->y), Gn.x, wd->x);
  rest      = r_sub(rest, mul_add(Gf.x, a.x, r_mul(Gf.y, a.y)));
  REAL qdd  = rotors ? sub_mul(rest, Gn.z, wd->z) : r_sub(rest, wd->z);
  wd->z     = rotors ? r_add(wd->z, qdd) : rest;
  return qdd;
}

INLINE REAL accelerate_prismatic(const ArticulatedBody* body, V3 wd, V3* a, bool rotors)
{
  V3 Gn = body->Gn, Gf = body->Gf;
  REAL rest = sub_mul(sub_mul(sub_mul(body->g, Gn.z, wd.z), Gn.y, wd.y), Gn.x, wd.x);
  rest      = sub_mul(sub_mul(rest, Gf.y, a->y), Gf.x, a->x);
  REAL qdd  = rotors ? sub_mul(rest, Gf.z, a->z) : r_sub(rest, a->z);
  a->z      = rotors ? r_add(a->z, qdd) : rest;
  return qdd;
}

// Acceleration of a joint; wd and a are those of its parent before, and of its link after.
INLINE REAL aba_accelerate(const ArticulatedBody* body, Joint j, bool prismatic, bool rotors,
                           V3* wd, V3* a)
{
  *a  = to_link(j, cross_span_add(j, *wd, *a));
  *wd = to_link(j, *wd);
  *a  = add(*a, cross_d_add(j, *wd, body->za));
  *wd = v3(r_add(wd->x, body->zn_x), r_add(wd->y, body->zn_y), wd->z);
  return prismatic ? accelerate_prismatic(body, *wd, a, rotors)
                   : accelerate_revolute(body, wd, *a, rotors);
}

// Base to tip: accelerations.
INLINE void outward_accelerations(const Walk* walk, bool rotors, REAL* qdd)
{
  const lwModel* model = walk->model;
  V3 wd = v3_zero(), a = v3_zero();
  for (int i = 0; i < model->n; ++i)
  {
    const ArticulatedBody* body = &walk->body[i];
    if (continues_run(model, i))
      qdd[i] = aba_accelerate(body, joint_in_run(model, i, walk->turns), false, rotors, &wd, &a);
    else
    {
      Joint j = joint_at(model, i, walk->turns, walk->state->q);
      if (!follows(model, i))
      {
        wd = walk->fork[model->parent[i]].wd;
        a  = walk->fork[model->parent[i]].a;
      }
      qdd[i] = aba_accelerate(body, j, is_prismatic(model, i), rotors, &wd, &a);
    }
    if (!is_fork(model, i)) continue;
    walk->fork[i].wd = wd;
    walk->fork[i].a  = a;
  }
}

static void articulated_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n   = (size_t)model->n;
  Walk walk  = {.model = model, .state = state};
  walk.turns = take(&work, n * sizeof *walk.turns);
  walk.body  = take(&work, n * sizeof *walk.body);
  walk.fork  = (Fork*)work + 1;

  Fork* base = &walk.fork[LW_BASE];
  base->w    = v3_zero();
  base->wd   = v3_zero();
  base->a    = neg(gravity_of(model, state));

  joint_turns(model, state->q, walk.turns);
  outward_velocities(&walk);
  if (state->rotors || model->ball_count > 0)
  {
    inward_rotors(&walk);
    outward_accelerations(&walk, true, out);
  }
  else
  {
    inward_plain(&walk);
    outward_accelerations(&walk, false, out);
  }
}

const lwKernel FN(articulated_body) = {
    articulated_body, sizeof(Turn) + sizeof(ArticulatedBody) + sizeof(Fork), 0, {0}};
