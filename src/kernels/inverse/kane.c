// SPDX-License-Identifier: MIT
// Inverse dynamics by Kane's equations, F_j + F*_j = 0, in recursive form, O(n).
// kernels/reference/kane.c computes the same and is the text to read first.
//
// Kane & Levinson, "The use of Kane's dynamical equations in robotics", 1983; Angeles,
// Ma & Rojas, "An algorithm for the inverse dynamics of n-axis general manipulators
// using Kane's equations", 1989.
//
// The generalised inertia force of joint j is a sum over the links i that it carries, F* and T*
// being the inertia force and torque of link i, v_ij and w_ij the partial velocity of its origin
// and its partial angular velocity:
//   F*_j = sum_i v_ij . F*_i + w_ij . T*_i                                                     (K1)
// Partial rates of joint j travel outward as those of a rigid body,
// starting from those of its own link:
//   w_jj = z, v_jj = 0 if it turns;  w_jj = 0, v_jj = z if it slides                           (K2)
//   w_ij = w_pj,  v_ij = v_pj + w_pj x s_i,  p the parent of link i                            (K3)
// so that the sum collapses onto link j: with R*, Q* the resultant of all F*,
// T* outboard of j, at its origin,
//   F*_j = v_jj . R*_j + w_jj . Q*_j                                                           (K4)
//
//   Kane        here  meaning                                              frame, unit
//   omega       w     angular velocity of the link                         link, rad/s
//   alpha       wd    angular acceleration                                 link, rad/s^2
//   a           a     acceleration of the link's origin, less gravity      link, m/s^2
//   -           U     a point at r accelerates with a + U r                link, 1/s^2
//   v_ij, w_ij  v, w  partial rates of a link                              link, per unit of qd_j
//   -F*, -T*    R, Q  net force and moment, then the resultant             link, N, N m
//   m c, I      h, I  first moment, inertia about the link's origin        link, kg m, kg m^2
//   F_j         tau   generalised active force of the actuator             N m or N
//
// Where it differs from the papers:
// - (K1)-(K4) are derived from Kane's equations, in canonical frames and about link origins, with
//   Q = I wd + w x I w + h x a. This is not the recursion of Angeles, Ma & Rojas line by line, and
//   has an operation count of its own.
// - Gravity is not a generalised active force: the base accelerates upwards instead. The wrench on
//   the last link is an active force, and joins the resultants with its own sign.
// - A joint on the base takes (K1) with the resultants of the links next to its own, instead of a
//   resultant of which only one component would be used; its own link gives Izz qdd and its weight.
// - Prismatic joints and trees are added.
#include "kernels/inverse/acceleration.h"

typedef struct
{
  V3 w, wd, a;  // motion
  M3 U;
  V3 R, Q;  // first of the link alone, then with all that it carries
} KaneBody;

typedef struct
{
  V3 v, w;
} PartialRates;  // partial, of one link and one joint

// (K2)
INLINE PartialRates own_rates(bool prismatic)
{
  V3 none = v3_zero(), z = v3(zero(), zero(), constant(1));
  return prismatic ? (PartialRates){z, none} : (PartialRates){none, z};
}

// (K3), in two steps: along the span in the parent's frame, along z in the link's
INLINE PartialRates carry_rates(Joint j, PartialRates of_parent)
{
  V3 w     = to_link(j, of_parent.w);
  V3 minus = span_cross_add(j, of_parent.w, neg(of_parent.v));  // span x w - v
  V3 v     = to_link(j, neg(minus));
  return (PartialRates){v3(mul_add(j.d, w.y, v.x), sub_mul(v.y, j.d, w.x), v.z), w};
}

// v . R + w . Q: one term of (K1), or (K4)
INLINE REAL active(PartialRates rates, V3 R, V3 Q)
{
  return dot_add(rates.v, R, dot(rates.w, Q));
}

// Motion of the link from that of its parent.
INLINE void kane_motion(KaneBody* body, const KaneBody* parent, Joint j, bool prismatic, REAL qd,
                        REAL qdd)
{
  V3 w  = to_link(j, parent->w);
  V3 wd = to_link(j, parent->wd);
  V3 a  = to_link(j, accelerate_span(j, parent->U, parent->a));
  if (prismatic)
  {
    REAL twice = r_add(qd, qd);
    a          = v3(mul_add(w.y, twice, a.x), sub_mul(a.y, w.x, twice), r_add(a.z, qdd));
  }
  else
  {
    wd  = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));
    w.z = r_add(w.z, qd);
  }
  body->w  = w;
  body->wd = wd;
  body->U  = acceleration_matrix(w, wd);
  body->a  = accelerate_d(j, body->U, a);
}

// -F* and -T* of the link, at its origin
INLINE void kane_net_wrench(KaneBody* body, const Link* link)
{
  V3 h    = known_vector(link->first_moment);
  S3 I    = known_symmetric(link->inertia);
  V3 spin = cross_add(body->w, s3_apply(I, body->w), s3_apply(I, body->wd));
  body->R = m3_apply_add(body->U, h, scale(K(link->mass), body->a));
  body->Q = cross_add(h, body->a, spin);
}

// -F* and -T* of a link on the base, only the part that its own joint feels
INLINE void kane_net_wrench_on_base(KaneBody* body, const Link* link, bool prismatic)
{
  V3 h    = known_vector(link->first_moment);
  body->R = v3_zero();
  body->Q = v3_zero();
  if (prismatic)
    body->R.z = r_mul(K(link->mass), body->a.z);
  else
  {
    REAL weight = mul_sub(h.x, body->a.y, r_mul(h.y, body->a.x));  // h x a
    body->Q.z   = mul_add(K(link->inertia[2]), body->wd.z, weight);
  }
}

// The resultant of link i joins that of its parent.
INLINE void kane_to_parent(KaneBody* parent, const KaneBody* body, Joint j)
{
  V3 R = body->R, Q = body->Q;
  wrench_to_parent(j, &R, &Q);
  parent->R = add(parent->R, R);
  parent->Q = add(parent->Q, Q);
}

// Inward: generalised forces. tau of a joint on the base gathers the terms of the links
// that its own carries.
INLINE void generalised_forces(const lwModel* model, const Turn* turns, const Input* q,
                               KaneBody* body, Result* tau)
{
  for (int i = 0; i < model->n; ++i) tau[i] = zero();
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p            = model->parent[i];
    PartialRates own = own_rates(is_prismatic(model, i));
    tau[i]           = r_add(tau[i], active(own, body[i].R, body[i].Q));  // (K4)
    if (p == LW_BASE) continue;
    Joint j = joint_at(model, i, turns, q);
    if (model->parent[p] == LW_BASE)
    {
      PartialRates carried = carry_rates(j, own_rates(is_prismatic(model, p)));
      tau[p]               = r_add(tau[p], active(carried, body[i].R, body[i].Q));  // (K1)
    }
    else
      kane_to_parent(&body[p], &body[i], j);
  }
}

static void kane(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n          = model->n;
  Turn* turns    = take_turns(model, state->q, &work);
  KaneBody* body = (KaneBody*)work + 1;  // body[LW_BASE] is the base
  const Input* q = state->q;
  V3 none        = v3_zero();

  body[LW_BASE] =
      (KaneBody){none, none, neg(gravity_of(model, state)), {none, none, none}, none, none};

  // outward: motion of each link, its net force and moment
  for (int i = 0; i < n; ++i)
  {
    Joint j        = joint_at(model, i, turns, q);
    int p          = model->parent[i];
    bool prismatic = is_prismatic(model, i);
    kane_motion(&body[i], &body[p], j, prismatic, given(state->qd, i), given(state->qdd, i));
    if (p == LW_BASE)
      kane_net_wrench_on_base(&body[i], j.link, prismatic);
    else
      kane_net_wrench(&body[i], j.link);
  }

  // the wrench on the last link is an active force
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].R, &body[model->tool].Q);

  generalised_forces(model, turns, q, body, out);
}

const lwKernel FN(kane) = {kane, sizeof(Turn) + sizeof(KaneBody), 0, {0}, 0};
