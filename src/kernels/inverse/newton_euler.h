// SPDX-License-Identifier: MIT
// Shared by the Newton-Euler (RNEA) kernels: the outward pass of motion and the inward pass of wrenches. Symbols,
// frames and equation numbers are those of newton_euler.c. Each kernel forms the links' own wrenches itself.
#ifndef LW_KERNELS_INVERSE_NEWTON_EULER_H
#define LW_KERNELS_INVERSE_NEWTON_EULER_H

#include "kernels/inverse/acceleration.h"

typedef struct
{
  V3 w, wd, a;  // motion
  M3 U;
  V3 f, n;  // wrench, first F and N of the link, then what the joint transmits
} Body;

// integral of r x U r dm: the axial vector of U J, 15 multiplications
INLINE V3 rnea_moment(M3 U, S3 J)
{
  V3 n = v3(r_mul(J.yz, r_sub(U.z.z, U.y.y)), r_mul(J.xz, r_sub(U.x.x, U.z.z)),
            r_mul(J.xy, r_sub(U.y.y, U.x.x)));
  n    = v3(mul_add(J.yy, U.z.y, n.x), mul_add(J.zz, U.x.z, n.y), mul_add(J.xx, U.y.x, n.z));
  n    = v3(sub_mul(n.x, J.zz, U.y.z), sub_mul(n.y, J.xx, U.z.x), sub_mul(n.z, J.yy, U.x.y));
  n    = v3(mul_add(J.xy, U.z.x, n.x), mul_add(J.yz, U.x.y, n.y), mul_add(J.xz, U.y.z, n.z));
  return v3(sub_mul(n.x, J.xz, U.y.x), sub_mul(n.y, J.xy, U.z.y), sub_mul(n.z, J.yz, U.x.z));
}

// Motion of link i from that of its parent.
INLINE void rnea_move_revolute(Body* body, const Body* parent, Joint j, REAL qd, REAL qdd)
{
  V3 w     = to_link(j, parent->w);
  V3 wd    = to_link(j, parent->wd);
  V3 a     = to_link(j, accelerate_span(j, parent->U, parent->a));
  body->w  = v3(w.x, w.y, r_add(w.z, qd));                                          // (1)
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));  // (2)
  body->U  = acceleration_matrix(body->w, body->wd);
  body->a  = accelerate_d(j, body->U, a);  // (4)
}

INLINE void rnea_move_prismatic(Body* body, const Body* parent, Joint j, REAL qd, REAL qdd)
{
  V3 a       = to_link(j, accelerate_span(j, parent->U, parent->a));
  body->w    = to_link(j, parent->w);   // (1)
  body->wd   = to_link(j, parent->wd);  // (2)
  body->U    = acceleration_matrix(body->w, body->wd);
  REAL twice = r_add(qd, qd);
  V3 slide   = v3(r_mul(body->w.y, twice), r_neg(r_mul(body->w.x, twice)), qdd);
  a          = add(a, slide);
  body->a    = accelerate_d(j, body->U, a);  // (4)
}

INLINE void rnea_base(Body* base, V3 gravity)
{
  V3 none = v3_zero();
  *base   = (Body){none, none, neg(gravity), {none, none, none}, none, none};
}

// Outward: motion of link i from that of its parent.
INLINE void rnea_motion(const lwModel* model, int i, Joint j, const lwState* state, Body* body)
{
  const Body* parent = &body[model->parent[i]];
  REAL qd = given(state->qd, i), qdd = given(state->qdd, i);
  if (is_prismatic(model, i))
    rnea_move_prismatic(&body[i], parent, j, qd, qdd);
  else
    rnea_move_revolute(&body[i], parent, j, qd, qdd);
}

// The wrench of the environment on the last link is subtracted from the one that the joints must supply.
INLINE void hold_tool(const lwModel* model, const lwState* state, Body* body)
{
  if (!state->wrench || model->tool == LW_BASE) return;
  V3 f, moment;
  tool_wrench(model, state->wrench, &f, &moment);
  body[model->tool].f = sub(body[model->tool].f, f);
  body[model->tool].n = sub(body[model->tool].n, moment);
}

// Inward, tip to base: wrench that each joint transmits, and its part along the joint. Along a chain it stays in f, m.
INLINE void rnea_transmit(const lwModel* model, const Turn* turns, const REAL* q, Body* body,
                          REAL* tau)
{
  V3 f = body[model->n - 1].f;
  V3 m = body[model->n - 1].n;
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? f.z : m.z;  // (10)
    if (p != LW_BASE)
      wrench_to_parent_add(joint_at(model, i, turns, q), &f, &m, body[p].f, body[p].n);  // (8), (9)
    if (p == i - 1) continue;
    body[p].f = f;  // written for the base, too, and never read
    body[p].n = m;
    f         = body[i - 1].f;
    m         = body[i - 1].n;
  }
}

#endif
