// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Lagrangian equations in rotation matrices and vectors, O(n).
//
// Hollerbach, "A recursive Lagrangian formulation of manipulator dynamics and a comparative study
// of dynamics formulation complexity", 1980; silver1981, sections 1.4 and 2.4. With p the parent
// of link i, the numbers being those of this list, not the paper's:
//
//   W_i   = W_p A_i                                                                             (1)
//   Wd_i  = Wd_p A_i + W_p A_i' qd_i                                                            (2)
//   Wdd_i = Wdd_p A_i + 2 Wd_p A_i' qd_i + W_p A_i'' qd_i^2 + W_p A_i' qdd_i                    (3)
//   pdd_i = pdd_p + Wdd_p s_i                                                                   (4)
//   e_i   = m_i pdd_i + Wdd_i n_i + sum over the children k of e_k                              (5)
//   D_i   = J_i Wdd_i^T + n_i pdd_i^T + sum over the children k of A_k D_k + s_k e_k^T          (6)
//   c_i   = n_i + sum over the children k of A_k c_k + M_k s_k                                  (7)
//   tau_i = tr(dW_i/dq_i D_i) - g^T dW_i/dq_i c_i,   dW_i/dq_i = W_p A_i'                       (8)
//
// A prismatic joint has A' = 0 and moves all that it carries along z_i, the third column of W_i:
//
//   pdd_i = pdd_p + Wdd_p s_i + 2 Wd_p z qd_i + W_p z qdd_i,   z the third column of A_i       (4p)
//   tau_i = z_i.(e_i - M_i g)                                                                  (8p)
//
//   paper       here      meaning                                           frame, unit
//   W           W         link's axes in those of the base, 3x3             base
//   W dot       Wd, Wdd   its derivatives by time                           base, 1/s, 1/s^2
//   p           pdd       acceleration of the link's origin                 base, m/s^2
//   A_i         A         link's axes in those of its parent                parent
//   p*_i        s         parent's origin to the link's                     parent, m
//   dW_i/dq_i   U         derivative by the link's own joint                base
//   J_i         J         integral of r r^T dm about the link's origin      link, kg m^2
//   n_i         n         first moment m_i r_i                              link, kg m
//   e_i         e         integral of a dm, all that i carries              base, N
//   D_i         D         integral of r a^T dm, all that i carries          link by base, N m
//   c_i         c         first moment of all that i carries                link, kg m
//   M_i         mass      its mass, known off-line                          kg
//   g           g         gravity                                           base, m/s^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), with z along the link's own joint, so that A' =
// A Q: its
//   columns are those of A in other places, and s_i is constant for a revolute joint.
// - Of the product in (8) only the diagonal is formed, and dW_i/dq_i is that of (2).
// - Trees are added. Of a wrench (f, m) on the last link, f is subtracted from e and
//   [m x]^T W^T / 2 from D: tr(dW D) is then the virtual work of the moment m (erratum 2-7).
#include "kernels/motion/frames.h"

typedef struct
{
  M3 W, Wd, Wdd;  // motion
  V3 pdd;
  M3 A, U;
  V3 s, z;  // z: the third column of A
  V3 e;     // sums over all that the joint carries
  M3 D;
  V3 c;
} VectorBody;

INLINE V3 row_multiply(V3 a, M3 B)
{
  return scale_add(a.x, B.x, scale_add(a.y, B.y, scale(a.z, B.z)));
}

INLINE M3 m3_multiply(M3 A, M3 B)
{
  return (M3){row_multiply(A.x, B), row_multiply(A.y, B), row_multiply(A.z, B)};
}

// A B^T
INLINE M3 m3_multiply_transposed(M3 A, M3 B)
{
  return (M3){m3_apply(B, A.x), m3_apply(B, A.y), m3_apply(B, A.z)};
}

// k A + B
INLINE M3 m3_scale_add(REAL k, M3 A, M3 B)
{
  return (M3){scale_add(k, A.x, B.x), scale_add(k, A.y, B.y), scale_add(k, A.z, B.z)};
}

// a b^T + C
INLINE M3 outer_add(V3 a, V3 b, M3 C)
{
  return (M3){scale_add(a.x, b, C.x), scale_add(a.y, b, C.y), scale_add(a.z, b, C.z)};
}

// tr(A B)
INLINE REAL trace_of_product(M3 A, M3 B)
{
  REAL trace = dot(A.x, v3(B.x.x, B.y.x, B.z.x));
  trace      = dot_add(A.y, v3(B.x.y, B.y.y, B.z.y), trace);
  return dot_add(A.z, v3(B.x.z, B.y.z, B.z.z), trace);
}

// A Q, the derivative of A Rz(q) by q: columns change places
INLINE V3 row_derivative(V3 a)
{
  return v3(a.y, r_neg(a.x), zero());
}

INLINE M3 derivative(M3 A)
{
  return (M3){row_derivative(A.x), row_derivative(A.y), row_derivative(A.z)};
}

INLINE M3 m3_zero(void)
{
  return (M3){v3_zero(), v3_zero(), v3_zero()};
}

INLINE void hollerbach3_base(VectorBody* base)
{
  REAL none = zero(), one = constant(1);
  base->W  = (M3){v3(one, none, none), v3(none, one, none), v3(none, none, one)};
  base->Wd = base->Wdd = m3_zero();
  base->pdd            = v3_zero();
}

INLINE void hollerbach3_place(VectorBody* body, Joint j)
{
  Frame F = joint_frame(j);
  body->A = (M3){v3(F.x.x, F.y.x, F.z.x), v3(F.x.y, F.y.y, F.z.y), v3(F.x.z, F.y.z, F.z.z)};
  body->z = F.z;
  body->s = F.p;
}

// Motion of link i from that of its parent.
INLINE void hollerbach3_move_revolute(VectorBody* body, const VectorBody* parent, REAL qd, REAL qdd)
{
  M3 A       = body->A;
  M3 dA      = derivative(A);
  M3 ddA     = derivative(dA);
  REAL twice = r_add(qd, qd);
  body->U    = m3_multiply(parent->W, dA);
  body->W    = m3_multiply(parent->W, A);                              // (1)
  body->Wd   = m3_scale_add(qd, body->U, m3_multiply(parent->Wd, A));  // (2)
  M3 Wdd     = m3_multiply(parent->Wdd, A);
  Wdd        = m3_scale_add(twice, m3_multiply(parent->Wd, dA), Wdd);
  Wdd        = m3_scale_add(r_mul(qd, qd), m3_multiply(parent->W, ddA), Wdd);
  body->Wdd  = m3_scale_add(qdd, body->U, Wdd);                  // (3)
  body->pdd  = m3_apply_add(parent->Wdd, body->s, parent->pdd);  // (4)
}

INLINE void hollerbach3_move_prismatic(VectorBody* body, const VectorBody* parent, REAL qd,
                                       REAL qdd)
{
  body->U   = m3_zero();
  body->W   = m3_multiply(parent->W, body->A);    // (1)
  body->Wd  = m3_multiply(parent->Wd, body->A);   // (2)
  body->Wdd = m3_multiply(parent->Wdd, body->A);  // (3)
  V3 pdd    = m3_apply_add(parent->Wdd, body->s, parent->pdd);
  pdd       = m3_apply_add(parent->Wd, scale(r_add(qd, qd), body->z), pdd);
  body->pdd = m3_apply_add(parent->W, scale(qdd, body->z), pdd);  // (4p)
}

// What the link itself adds to (5), (6) and (7).
INLINE void hollerbach3_net_wrench(VectorBody* body, const Link* link)
{
  S3 I    = known_symmetric(link->pseudo);
  M3 J    = {v3(I.xx, I.xy, I.xz), v3(I.xy, I.yy, I.yz), v3(I.xz, I.yz, I.zz)};
  V3 n    = known_vector(link->first_moment);
  body->e = m3_apply_add(body->Wdd, n, scale(K(link->mass), body->pdd));
  body->D = outer_add(n, body->pdd, m3_multiply_transposed(J, body->Wdd));
  body->c = n;
}

// The wrench of the environment is subtracted from the one that the joints must supply.
INLINE void hollerbach3_subtract_wrench(const lwModel* model, const Input* wrench, VectorBody* body)
{
  V3 f, m;
  tool_wrench(model, wrench, &f, &m);
  V3 h      = scale(constant((CONST)-0.5), m);
  REAL none = zero();
  M3 S      = {v3(none, h.z, r_neg(h.y)), v3(r_neg(h.z), none, h.x), v3(h.y, r_neg(h.x), none)};
  body->e   = sub(body->e, m3_apply(body->W, f));
  body->D   = add(body->D, m3_multiply_transposed(S, body->W));
}

INLINE REAL joint_torque(const VectorBody* body, V3 g)
{
  return r_sub(trace_of_product(body->U, body->D), dot(g, m3_apply(body->U, body->c)));  // (8)
}

INLINE REAL joint_force(const VectorBody* body, REAL mass, V3 g)
{
  V3 z = v3(body->W.x.z, body->W.y.z, body->W.z.z);
  return dot(z, sub(body->e, scale(mass, g)));  // (8p)
}

// Adds the sums of joint i to those of its parent.
INLINE void hollerbach3_carry(VectorBody* parent, const VectorBody* body, REAL mass)
{
  M3 D      = add(parent->D, m3_multiply(body->A, body->D));
  V3 c      = m3_apply_add(body->A, body->c, parent->c);
  parent->e = add(parent->e, body->e);         // (5)
  parent->D = outer_add(body->s, body->e, D);  // (6)
  parent->c = scale_add(mass, body->s, c);     // (7)
}

static void lagrange_hollerbach_3x3(const lwModel* model, void* work, const lwState* state,
                                    void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  VectorBody* body = (VectorBody*)work + 1;  // body[LW_BASE] is the base
  const Input* q   = state->q;
  const Input* qd  = state->qd;
  const Input* qdd = state->qdd;
  V3 g             = gravity_of(model, state);
  Result* tau      = out;

  hollerbach3_base(&body[LW_BASE]);

  // outward, base to tip: motion of each link
  for (int i = 0; i < n; ++i)
  {
    const VectorBody* parent = &body[model->parent[i]];
    hollerbach3_place(&body[i], joint_at(model, i, turns, q));
    if (is_prismatic(model, i))
      hollerbach3_move_prismatic(&body[i], parent, given(qd, i), given(qdd, i));
    else
      hollerbach3_move_revolute(&body[i], parent, given(qd, i), given(qdd, i));
    hollerbach3_net_wrench(&body[i], &LINKS(model)[i]);
  }
  if (is_tool_pushed(model, state))
    hollerbach3_subtract_wrench(model, state->wrench, &body[model->tool]);

  // inward, tip to base: sums over all that a joint carries, and their part in its direction
  for (int i = n - 1; i >= 0; --i)
  {
    int p     = model->parent[i];
    REAL mass = K(LINKS(model)[i].outboard_mass);
    tau[i]    = is_prismatic(model, i) ? joint_force(&body[i], mass, g) : joint_torque(&body[i], g);
    if (p != LW_BASE) hollerbach3_carry(&body[p], &body[i], mass);
  }
}

const lwKernel FN(lagrange_hollerbach_3x3) = {
    lagrange_hollerbach_3x3, sizeof(Turn) + sizeof(VectorBody), 0, {0}, 0};
