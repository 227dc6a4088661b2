// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler equations, O(n).
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982 (1)-(10).
//
//   paper     here    meaning                                              frame, unit
//   w         w       angular velocity of the link                         link, rad/s
//   w dot     wd      angular acceleration                                 link, rad/s^2
//   v dot     a       acceleration of the link's origin, less gravity      link, m/s^2
//   -         U       a point at r accelerates with a + U r:
//                     U = [wd x] + [w x][w x]                              link, 1/s^2
//   F*        F       force that sustains the link's motion                link, N
//   N*        N       moment of it about the link's origin                 link, N m
//   f, n      f, n    wrench that the joint transmits, at the origin       link, N, N m
//   p*        arm, d  parent's origin to the link's, before and along z    parent, z, m
//   J*        J       integral of r r^T dm about the origin                link, kg m^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model.h), with z along the link's own joint, so (10) reads n.z; any tree.
// - Velocities (3) of the origins are not needed for torques and are left out.
// - Sums are about the link's origin instead of its centre of mass: with first moment h = m c, (5) and (6) become
//   F = m a + U h, and (7) with the shift of (9) becomes N = sum r x U r dm + h x a, where the sum needs U and J only
//   (the pseudo-inertia of Uicker and Kahn; silver1981 (2.11)): 15 multiplications where J* wd + w x J* w takes 24.
// - A point on a revolute axis belongs to both links, so the part of p* along z uses the link's own U.
// - Prismatic joints are added: 2 w x z qd + z qdd. swartz1982 covers revolute ones.
// - The wrench on the last link is exerted on it by the environment (ERRATA 3-7: the paper's has the other sign).
#include "kernels/joints.h"

typedef struct
{
  V3 w, wd, a;  // motion
  M3 U;
  V3 f, n;  // wrench, first F and N of the link, then what the joint transmits
} Body;

// U = [wd x] + [w x][w x]
INLINE M3 acceleration_matrix(V3 w, V3 wd)
{
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  return (M3){v3(r_neg(r_add(yy, zz)), r_sub(xy, wd.z), r_add(xz, wd.y)),
              v3(r_add(xy, wd.z), r_neg(r_add(xx, zz)), r_sub(yz, wd.x)),
              v3(r_sub(xz, wd.y), r_add(yz, wd.x), r_neg(r_add(xx, yy)))};
}

// a + U arm, arm along x unless the joint is skew
INLINE V3 accelerate_arm(Joint j, M3 U, V3 a)
{
  REAL x = K(j.link->arm[0]);
  if (j.skew) return m3_apply_add(U, known_vector(j.link->arm), a);
  return v3(mul_add(U.x.x, x, a.x), mul_add(U.y.x, x, a.y), mul_add(U.z.x, x, a.z));
}

// integral of r x U r dm: the axial vector of U J, 15 multiplications
INLINE V3 moment_of(M3 U, S3 J)
{
  V3 n = v3(r_mul(J.yz, r_sub(U.z.z, U.y.y)), r_mul(J.xz, r_sub(U.x.x, U.z.z)),
            r_mul(J.xy, r_sub(U.y.y, U.x.x)));
  n    = v3(mul_add(J.yy, U.z.y, n.x), mul_add(J.zz, U.x.z, n.y), mul_add(J.xx, U.y.x, n.z));
  n    = v3(sub_mul(n.x, J.zz, U.y.z), sub_mul(n.y, J.xx, U.z.x), sub_mul(n.z, J.yy, U.x.y));
  n    = v3(mul_add(J.xy, U.z.x, n.x), mul_add(J.yz, U.x.y, n.y), mul_add(J.xz, U.y.z, n.z));
  return v3(sub_mul(n.x, J.xz, U.y.x), sub_mul(n.y, J.xy, U.z.y), sub_mul(n.z, J.yz, U.x.z));
}

// Motion of link i from that of its parent.
INLINE void move_revolute(Body* body, const Body* parent, Joint j, REAL qd, REAL qdd)
{
  V3 w     = to_link(j, parent->w);
  V3 wd    = to_link(j, parent->wd);
  V3 a     = to_link(j, accelerate_arm(j, parent->U, parent->a));
  body->w  = v3(w.x, w.y, r_add(w.z, qd));                                          // (1)
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));  // (2)
  body->U  = acceleration_matrix(body->w, body->wd);
  body->a  = v3(mul_add(j.d, body->U.x.z, a.x), mul_add(j.d, body->U.y.z, a.y),
                mul_add(j.d, body->U.z.z, a.z));  // (4)
}

INLINE void move_prismatic(Body* body, const Body* parent, Joint j, REAL qd, REAL qdd)
{
  V3 a       = to_link(j, accelerate_arm(j, parent->U, parent->a));
  body->w    = to_link(j, parent->w);   // (1)
  body->wd   = to_link(j, parent->wd);  // (2)
  body->U    = acceleration_matrix(body->w, body->wd);
  REAL twice = r_add(qd, qd);
  V3 slide   = v3(r_mul(body->w.y, twice), r_neg(r_mul(body->w.x, twice)), qdd);
  a          = add(a, slide);
  body->a    = v3(mul_add(j.d, body->U.x.z, a.x), mul_add(j.d, body->U.y.z, a.y),
                  mul_add(j.d, body->U.z.z, a.z));  // (4)
}

// The wrench that sustains the link's own motion.
INLINE void sustain(Body* body, const Link* link)
{
  V3 h    = known_vector(link->moment);
  body->f = m3_apply_add(body->U, h, scale(K(link->mass), body->a));                   // (5), (6)
  body->n = cross_add(h, body->a, moment_of(body->U, known_symmetric(link->pseudo)));  // (7)
}

INLINE void set_base(Body* base, V3 gravity)
{
  V3 none = v3_zero();
  *base   = (Body){none, none, neg(gravity), {none, none, none}, none, none};
}

static void newton_euler(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n           = model->n;
  Turn* turns     = take(&work, (size_t)n * sizeof *turns);
  Body* body      = (Body*)work + 1;  // body[LW_BASE] is the base
  const REAL* q   = state->q;
  const REAL* qd  = state->qd;
  const REAL* qdd = state->qdd;
  REAL* tau       = out;

  joint_turns(model, q, turns);
  set_base(&body[LW_BASE], gravity_of(model, state));

  // outward, base to tip: motion of each link and the wrench that sustains it
  for (int i = 0; i < n; ++i)
  {
    Joint j            = joint_at(model, i, turns, q);
    const Body* parent = &body[model->parent[i]];
    if (is_prismatic(model, i))
      move_prismatic(&body[i], parent, j, given(qd, i), given(qdd, i));
    else
      move_revolute(&body[i], parent, j, given(qd, i), given(qdd, i));
    sustain(&body[i], j.link);
  }

  // the environment holds the last link: what it gives, the joints need not
  if (state->wrench && model->tool != LW_BASE)
  {
    V3 f, moment;
    tool_wrench(model, state->wrench, &f, &moment);
    body[model->tool].f = sub(body[model->tool].f, f);
    body[model->tool].n = sub(body[model->tool].n, moment);
  }

  // inward, tip to base: wrench that each joint transmits, and its part along the joint
  for (int i = n - 1; i >= 0; --i)
  {
    V3 f   = body[i].f;
    V3 m   = body[i].n;
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? f.z : m.z;  // (10)
    if (p == LW_BASE) continue;
    wrench_to_parent(joint_at(model, i, turns, q), &f, &m);
    body[p].f = add(body[p].f, f);  // (8)
    body[p].n = add(body[p].n, m);  // (9)
  }
}

const lwKernel FN(newton_euler) = {newton_euler, sizeof(Turn) + sizeof(Body), 0, {0}};
