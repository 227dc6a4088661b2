// SPDX-License-Identifier: MIT
// Forward dynamics by articulated bodies, O(n).
//
// Featherstone, "The calculation of robot dynamics using articulated-body inertias", 1983; "Rigid Body Dynamics
// Algorithms", 2008, table 7.1.
//
//   book      here      meaning                                                      frame, unit
//   I^A       I, H, M   articulated inertia: n = I wd + H a, f = H^T wd + M a         link; kg m^2, kg m, kg
//   p^A       n, f      its bias wrench: what it takes at zero acceleration           link; N m, N
//   c         zn, za    acceleration that comes from velocities alone                 link; rad/s^2, m/s^2
//   U         Un, Uf    wrench of unit joint acceleration                             link
//   D, u      D, u      inertia seen by the joint, and the force left for it
//
// Where it differs from the book:
// - Accelerations are those of material points at the link's origin, not spatial ones, so c and p^A are the
//   centripetal terms of Newton and Euler.
// - The row and column of I^A along the joint vanish after the joint is taken out. They are set to zero, not computed:
//   in single precision this is most of the accuracy.
// - Shifts and rotations are factored into those about z and about x.
// - With rotors, D is the inertia seen by the joint and that of the motor's rotor J. The row and column of the joint are
//   then not zero but U J/D: the rotor keeps its part of the wrench from going through. They are written as that.
#include "kernels/joints.h"

typedef struct
{
  S3 I;
  M3 H;
  S3 M;
} Inertia;  // articulated

typedef struct
{
  V3 w, zn, za;  // velocity; accelerations from velocities alone
  Inertia A;
  V3 n, f;  // bias wrench
  V3 Un, Uf;
  REAL u, over_D;  // force left for the joint, 1/D
  REAL kept;       // J/D, with rotors
  V3 wd, a;        // acceleration
} Body;

// [w x][w x], symmetric
INLINE S3 centripetal(V3 w)
{
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  return (S3){r_neg(r_add(yy, zz)), r_neg(r_add(xx, zz)), r_neg(r_add(xx, yy)),
              r_mul(w.x, w.y),      r_mul(w.x, w.z),      r_mul(w.y, w.z)};
}

// w x I w = integral of r x B r dm, B = [w x][w x]
INLINE V3 gyroscopic(S3 B, S3 J)
{
  V3 n = v3(r_mul(r_sub(J.yy, J.zz), B.yz), r_mul(r_sub(J.zz, J.xx), B.xz),
            r_mul(r_sub(J.xx, J.yy), B.xy));
  n    = v3(mul_add(J.yz, r_sub(B.zz, B.yy), n.x), mul_add(J.xz, r_sub(B.xx, B.zz), n.y),
            mul_add(J.xy, r_sub(B.yy, B.xx), n.z));
  n    = v3(mul_add(J.xy, B.xz, n.x), mul_add(J.yz, B.xy, n.y), mul_add(J.xz, B.yz, n.z));
  return v3(sub_mul(n.x, J.xz, B.xy), sub_mul(n.y, J.xy, B.yz), sub_mul(n.z, J.yz, B.xz));
}

// w x (w x arm), in the parent's frame
INLINE V3 centripetal_arm(Joint j, V3 w)
{
  if (j.skew) return s3_apply(centripetal(w), known_vector(j.link->arm));
  REAL x = K(j.link->arm[0]);
  V3 xw  = scale(x, w);
  return v3(r_neg(mul_add(xw.y, w.y, r_mul(xw.z, w.z))), r_mul(xw.x, w.y), r_mul(xw.x, w.z));
}

// Velocity of link i, the accelerations that follow from it, and the bias wrench of its own inertia.
INLINE void move(const lwModel* model, int i, Joint j, Body* body, REAL qd)
{
  const Body* parent = &body[model->parent[i]];
  V3 w               = to_link(j, parent->w);
  V3 za              = to_link(j, centripetal_arm(j, parent->w));
  V3 dw              = scale(j.d, w);
  za                 = v3(mul_add(dw.x, w.z, za.x), mul_add(dw.y, w.z, za.y),
                          sub_mul(sub_mul(za.z, dw.x, w.x), dw.y, w.y));
  if (is_prismatic(model, i))
  {
    REAL twice = r_add(qd, qd);
    body[i].w  = w;
    body[i].zn = v3_zero();
    body[i].za = v3(mul_add(w.y, twice, za.x), sub_mul(za.y, w.x, twice), za.z);
  }
  else
  {
    body[i].w  = v3(w.x, w.y, r_add(w.z, qd));
    body[i].zn = v3(r_mul(w.y, qd), r_neg(r_mul(w.x, qd)), zero());
    body[i].za = za;
  }
  S3 B      = centripetal(body[i].w);
  body[i].f = s3_apply(B, known_vector(j.link->moment));
  body[i].n = gyroscopic(B, known_symmetric(j.link->pseudo));
}

INLINE Inertia rigid_inertia(const Link* link)
{
  V3 h   = known_vector(link->moment);
  REAL m = K(link->mass), none = zero();
  return (Inertia){
      known_symmetric(link->inertia),
      {v3(none, r_neg(h.z), h.y), v3(h.z, none, r_neg(h.x)), v3(r_neg(h.y), h.x, none)},
      {m, m, m, none, none, none}};
}

// H' = H + p~ M, I' = I + p~ H^T + (p~ H'^T)^T for p along z by d, where row z of H is zero (or taken care of by the
// caller), and along x by a.
INLINE void shift_z(Inertia* A, REAL d)
{
  S3* I = &A->I;
  S3* M = &A->M;
  M3 H  = A->H;
  H.x   = v3(sub_mul(H.x.x, d, M->xy), sub_mul(H.x.y, d, M->yy), sub_mul(H.x.z, d, M->yz));
  H.y   = v3(mul_add(d, M->xx, H.y.x), mul_add(d, M->xy, H.y.y), mul_add(d, M->xz, H.y.z));
  I->xx = sub_mul(I->xx, d, r_add(A->H.x.y, H.x.y));
  I->yy = mul_add(d, r_add(A->H.y.x, H.y.x), I->yy);
  I->xy = mul_add(d, r_sub(H.x.x, A->H.y.y), I->xy);
  A->H  = H;
}

INLINE void shift_x(Inertia* A, REAL a)
{
  S3* I = &A->I;
  S3* M = &A->M;
  M3 H  = A->H;
  H.y   = v3(sub_mul(H.y.x, a, M->xz), sub_mul(H.y.y, a, M->yz), sub_mul(H.y.z, a, M->zz));
  H.z   = v3(mul_add(a, M->xy, H.z.x), mul_add(a, M->yy, H.z.y), mul_add(a, M->yz, H.z.z));
  I->yy = sub_mul(I->yy, a, r_add(A->H.y.z, H.y.z));
  I->zz = mul_add(a, r_add(A->H.z.y, H.z.y), I->zz);
  I->yz = mul_add(a, r_sub(H.y.y, A->H.z.z), I->yz);
  I->xy = sub_mul(I->xy, a, H.x.z);
  I->xz = mul_add(a, H.x.y, I->xz);
  A->H  = H;
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

// Shift and turn about z for what is left after a revolute joint: row and column z of I, and row z of H, are zero.
INLINE void screw_z_revolute(Inertia* A, REAL d, Turn t)
{
  shift_z(A, d);
  M3 H      = A->H;
  V3 column = turn_z(t, v3(H.x.z, H.y.z, zero()));
  turn_symmetric(t, &A->I.xx, &A->I.yy, &A->I.xy);
  turn_general(t, &H.x.x, &H.y.y, &H.x.y, &H.y.x);
  A->H = (M3){v3(H.x.x, H.x.y, column.x), v3(H.y.x, H.y.y, column.y), v3_zero()};
  A->M = s3_turn_z(t, A->M);
}

// The same for any inertia, as a prismatic joint leaves it, and as rotors do.
INLINE void screw_z_general(Inertia* A, REAL d, Turn t)
{
  A->I.xz = sub_mul(A->I.xz, d, A->H.z.y);
  A->I.yz = mul_add(d, A->H.z.x, A->I.yz);
  shift_z(A, d);
  turn_inertia_z(A, t);
}

INLINE Inertia inertia_to_parent(Joint j, Inertia A, bool general)
{
  Turn alpha = alpha_turn(j.link);
  if (general)
    screw_z_general(&A, j.d, j.theta);
  else
    screw_z_revolute(&A, j.d, j.theta);
  A = (Inertia){s3_turn_x(alpha, A.I), m3_turn_x(alpha, A.H), s3_turn_x(alpha, A.M)};
  if (j.skew)
  {
    turn_inertia_z(&A, gamma_turn(j.link));
    shift(&A, known_vector(j.link->arm));
  }
  else
    shift_x(&A, K(j.link->arm[0]));
  return A;
}

// I^A - U U^T / D without the row and column of the joint, which are zero
INLINE Inertia without_revolute(Inertia A, V3 Un, V3 Uf, REAL over_D)
{
  REAL x = r_mul(Un.x, over_D), y = r_mul(Un.y, over_D);
  V3 k = scale(over_D, Uf);
  A.I  = (S3){sub_mul(A.I.xx, x, Un.x),
              sub_mul(A.I.yy, y, Un.y),
              zero(),
              sub_mul(A.I.xy, x, Un.y),
              zero(),
              zero()};
  A.H  = (M3){sub(A.H.x, scale(x, Uf)), sub(A.H.y, scale(y, Uf)), v3_zero()};
  A.M  = (S3){sub_mul(A.M.xx, k.x, Uf.x), sub_mul(A.M.yy, k.y, Uf.y), sub_mul(A.M.zz, k.z, Uf.z),
              sub_mul(A.M.xy, k.x, Uf.y), sub_mul(A.M.xz, k.x, Uf.z), sub_mul(A.M.yz, k.y, Uf.z)};
  return A;
}

INLINE Inertia without_prismatic(Inertia A, V3 Un, V3 Uf, REAL over_D)
{
  REAL x = r_mul(Uf.x, over_D), y = r_mul(Uf.y, over_D);
  V3 k = scale(over_D, Un);
  A.I  = (S3){sub_mul(A.I.xx, k.x, Un.x), sub_mul(A.I.yy, k.y, Un.y), sub_mul(A.I.zz, k.z, Un.z),
              sub_mul(A.I.xy, k.x, Un.y), sub_mul(A.I.xz, k.x, Un.z), sub_mul(A.I.yz, k.y, Un.z)};
  A.H  = (M3){v3(sub_mul(A.H.x.x, x, Un.x), sub_mul(A.H.x.y, y, Un.x), zero()),
              v3(sub_mul(A.H.y.x, x, Un.y), sub_mul(A.H.y.y, y, Un.y), zero()),
              v3(sub_mul(A.H.z.x, x, Un.z), sub_mul(A.H.z.y, y, Un.z), zero())};
  A.M  = (S3){sub_mul(A.M.xx, x, Uf.x),
              sub_mul(A.M.yy, y, Uf.y),
              zero(),
              sub_mul(A.M.xy, x, Uf.y),
              zero(),
              zero()};
  return A;
}

// The row and column of the joint, U J/D, which are zero without a rotor.
INLINE void keep_revolute(Inertia* A, const Body* body)
{
  V3 row  = scale(body->kept, body->Un);
  A->I.xz = row.x;
  A->I.yz = row.y;
  A->I.zz = row.z;
  A->H.z  = scale(body->kept, body->Uf);
}

INLINE void keep_prismatic(Inertia* A, const Body* body)
{
  V3 row = scale(body->kept, body->Uf), column = scale(body->kept, body->Un);
  A->M.xz  = row.x;
  A->M.yz  = row.y;
  A->M.zz  = row.z;
  A->H.x.z = column.x;
  A->H.y.z = column.y;
  A->H.z.z = column.z;
}

// What the joint sees of the articulated body outboard of it; rotor NULL: and of nothing else.
INLINE void open_joint(Body* body, bool prismatic, REAL tau, const REAL* rotor)
{
  Inertia* A = &body->A;
  if (prismatic)
  {
    body->Un = v3(A->H.x.z, A->H.y.z, A->H.z.z);
    body->Uf = v3(A->M.xz, A->M.yz, A->M.zz);
    body->u  = r_sub(tau, body->f.z);
  }
  else
  {
    body->Un = v3(A->I.xz, A->I.yz, A->I.zz);
    body->Uf = A->H.z;
    body->u  = r_sub(tau, body->n.z);
  }
  REAL D = prismatic ? body->Uf.z : body->Un.z;
  if (rotor) D = r_add(D, *rotor);
  body->over_D = r_div(constant(1), D);
  if (rotor) body->kept = r_mul(*rotor, body->over_D);
}

// p^A + I^a c + U u/D: the bias wrench as the joint transmits it. Along the joint that is tau itself, but for what the
// rotor takes: with rotors, A is still without the row and column of the joint, and their part of I^a c is added here.
INLINE void bias_revolute(const Body* body, const Inertia* A, V3* n, V3* f, bool rotors)
{
  REAL k = r_mul(body->u, body->over_D);
  V3 zn = body->zn, za = body->za;
  V3 p = scale_add(k, body->Un, body->n);
  n->x = dot_add(A->H.x, za, mul_add(A->I.xx, zn.x, mul_add(A->I.xy, zn.y, p.x)));
  n->y = dot_add(A->H.y, za, mul_add(A->I.xy, zn.x, mul_add(A->I.yy, zn.y, p.y)));
  n->z = r_add(body->n.z, body->u);
  if (rotors) n->z = mul_add(body->kept, dot_add(body->Un, zn, dot(body->Uf, za)), p.z);
  *f = scale_add(zn.x, A->H.x, scale_add(zn.y, A->H.y, scale_add(k, body->Uf, body->f)));
  *f = add(*f, s3_apply(A->M, za));
}

INLINE void bias_prismatic(const Body* body, const Inertia* A, V3* n, V3* f, bool rotors)
{
  REAL k = r_mul(body->u, body->over_D);
  V3 za  = body->za;
  f->z   = r_add(body->f.z, body->u);
  if (rotors)
  {
    f->z = mul_add(body->kept, dot(body->Uf, za), mul_add(k, body->Uf.z, body->f.z));
    k    = mul_add(body->kept, za.z, k);
  }
  *n   = add(scale_add(k, body->Un, body->n), m3_apply(A->H, v3(za.x, za.y, zero())));
  f->x = mul_add(A->M.xx, za.x, mul_add(A->M.xy, za.y, mul_add(k, body->Uf.x, body->f.x)));
  f->y = mul_add(A->M.xy, za.x, mul_add(A->M.yy, za.y, mul_add(k, body->Uf.y, body->f.y)));
}

// The articulated body as the parent sees it through the joint, added to the parent's.
INLINE void hand_over(Body* parent, const Body* body, Joint j, bool prismatic, bool rotors)
{
  Inertia A = prismatic ? without_prismatic(body->A, body->Un, body->Uf, body->over_D)
                        : without_revolute(body->A, body->Un, body->Uf, body->over_D);
  V3 n, f;
  if (prismatic)
    bias_prismatic(body, &A, &n, &f, rotors);
  else
    bias_revolute(body, &A, &n, &f, rotors);
  if (rotors && prismatic) keep_prismatic(&A, body);
  if (rotors && !prismatic) keep_revolute(&A, body);
  wrench_to_parent(j, &f, &n);
  Inertia moved = inertia_to_parent(j, A, prismatic || rotors);
  parent->A.I   = add(parent->A.I, moved.I);
  parent->A.H   = add(parent->A.H, moved.H);
  parent->A.M   = add(parent->A.M, moved.M);
  parent->n     = add(parent->n, n);
  parent->f     = add(parent->f, f);
}

// Tip to base: articulated inertias and their bias. Compiled twice, so that rotors cost nothing where there are none.
INLINE void inward(const lwModel* model, const lwState* state, const Turn* turns, Body* body,
                   bool rotors)
{
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p      = model->parent[i];
    REAL rotor = rotors ? rotor_of(model, i) : zero();
    open_joint(&body[i], is_prismatic(model, i), given(state->tau, i), rotors ? &rotor : NULL);
    if (p == LW_BASE) continue;
    Joint j = joint_at(model, i, turns, state->q);
    hand_over(&body[p], &body[i], j, is_prismatic(model, i), rotors);
  }
}

// Acceleration of the joint and of its link from that of the parent.
INLINE REAL accelerate(Body* body, const Body* parent, Joint j, bool prismatic)
{
  V3 wd = to_link(j, parent->wd);
  V3 a  = to_link(j, sub(parent->a, arm_cross_add(j, parent->wd, v3_zero())));
  a     = add(sub(a, d_cross_add(j, wd, v3_zero())), body->za);
  wd    = add(wd, body->zn);

  REAL rest = r_sub(r_sub(body->u, dot(body->Un, wd)), dot(body->Uf, a));
  REAL qdd  = r_mul(rest, body->over_D);
  if (prismatic)
    a.z = r_add(a.z, qdd);
  else
    wd.z = r_add(wd.z, qdd);
  body->wd = wd;
  body->a  = a;
  return qdd;
}

static void articulated_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take(&work, (size_t)n * sizeof *turns);
  Body* body    = (Body*)work + 1;  // body[LW_BASE] is the base
  const REAL* q = state->q;
  REAL* qdd     = out;

  joint_turns(model, q, turns);
  body[LW_BASE].w  = v3_zero();
  body[LW_BASE].wd = v3_zero();
  body[LW_BASE].a  = neg(gravity_of(model, state));

  // outward: velocities and what follows from them
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(model, i, turns, q);
    move(model, i, j, body, given(state->qd, i));
    body[i].A = rigid_inertia(j.link);
  }
  if (state->wrench && model->tool != LW_BASE)
  {
    V3 f, moment;
    tool_wrench(model, state->wrench, &f, &moment);
    body[model->tool].f = sub(body[model->tool].f, f);
    body[model->tool].n = sub(body[model->tool].n, moment);
  }

  if (state->rotors)
    inward(model, state, turns, body, true);
  else
    inward(model, state, turns, body, false);

  // outward: accelerations
  for (int i = 0; i < n; ++i)
    qdd[i] = accelerate(&body[i], &body[model->parent[i]], joint_at(model, i, turns, q),
                        is_prismatic(model, i));
}

const lwKernel FN(articulated_body) = {articulated_body, sizeof(Turn) + sizeof(Body), 0, {0}};
