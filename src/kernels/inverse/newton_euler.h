// SPDX-License-Identifier: MIT
// Shared by the Newton-Euler (RNEA) kernels: the outward pass of motion and the inward pass of
// wrenches. Symbols, frames and equation numbers are those of newton_euler.c. Each kernel forms the
// links' own wrenches itself.
#ifndef LW_KERNELS_INVERSE_NEWTON_EULER_H
#define LW_KERNELS_INVERSE_NEWTON_EULER_H

#include "kernels/inverse/acceleration.h"

// How a link moves. Kernels keep the motion of the current link in registers, and store it only
// for links that do not follow at once.
typedef struct
{
  V3 w, wd, a;
  M3 U;
} Motion;

// First F and N of a link, then what its joint transmits.
typedef struct
{
  V3 f, n;  // N, N m about the origin
} Wrench;

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

// Motion of a link from that of its parent.
INLINE Motion rnea_move_revolute(Motion parent, Joint j, REAL qd, REAL qdd)
{
  V3 w  = to_link(j, parent.w);
  V3 wd = to_link(j, parent.wd);
  V3 a  = to_link(j, accelerate_span(j, parent.U, parent.a));
  Motion link;
  link.w  = v3(w.x, w.y, r_add(w.z, qd));                                          // (1)
  link.wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));  // (2)
  link.U  = acceleration_matrix(link.w, link.wd);
  link.a  = accelerate_d(j, link.U, a);  // (4)
  return link;
}

INLINE Motion rnea_move_prismatic(Motion parent, Joint j, REAL qd, REAL qdd)
{
  V3 a = to_link(j, accelerate_span(j, parent.U, parent.a));
  Motion link;
  link.w     = to_link(j, parent.w);   // (1)
  link.wd    = to_link(j, parent.wd);  // (2)
  link.U     = acceleration_matrix(link.w, link.wd);
  REAL twice = r_add(qd, qd);
  V3 slide   = v3(r_mul(link.w.y, twice), r_neg(r_mul(link.w.x, twice)), qdd);
  link.a     = accelerate_d(j, link.U, add(a, slide));  // (4)
  return link;
}

INLINE Motion rnea_base(V3 gravity)
{
  V3 none = v3_zero();
  return (Motion){none, none, neg(gravity), {none, none, none}};
}

// Motion of a link on the base, which rests: of the velocities there is qd alone.
INLINE Motion rnea_move_on_base(V3 gravity, Joint j, bool prismatic, REAL qd, REAL qdd)
{
  REAL none   = zero();
  V3 still    = v3_zero();
  Motion link = {still, still, to_link(j, neg(gravity)), {still, still, still}};
  if (prismatic)
  {
    link.a.z = r_add(link.a.z, qdd);  // (4)
    return link;
  }
  REAL inward = neg_mul(qd, qd);
  link.w      = v3(none, none, qd);   // (1)
  link.wd     = v3(none, none, qdd);  // (2)
  link.U      = (M3){v3(inward, r_neg(qdd), none), v3(qdd, inward, none), still};
  return link;
}

// Outward: motion of link i from that of its parent, which is stored.
INLINE Motion rnea_motion(const lwModel* model, int i, Joint j, const lwState* state,
                          const Motion* stored)
{
  Motion parent = stored[model->parent[i]];
  REAL qd = given(state->qd, i), qdd = given(state->qdd, i);
  return is_prismatic(model, i) ? rnea_move_prismatic(parent, j, qd, qdd)
                                : rnea_move_revolute(parent, j, qd, qdd);
}

// The same, from the base at rest as well, which need not be stored.
INLINE Motion rnea_motion_from(const lwModel* model, int i, Joint j, const lwState* state,
                               const Motion* stored)
{
  if (model->parent[i] != LW_BASE) return rnea_motion(model, i, j, state, stored);
  return rnea_move_on_base(gravity_of(model, state), j, is_prismatic(model, i), given(state->qd, i),
                           given(state->qdd, i));
}

// Zeros (n), cut from work, for rates that the state lacks, so
// that the loops along runs need no test.
INLINE const REAL* rnea_zeros(const lwModel* model, void** work, const lwState* state)
{
  REAL* zeros = take(work, (size_t)model->n * sizeof *zeros);
  for (int i = 0; i < model->n && !(state->qd && state->qdd); ++i) zeros[i] = zero();
  return zeros;
}

// Subtracts the environment's wrench on the last link from the one that the joints must supply.
INLINE void hold_tool(const lwModel* model, const lwState* state, Wrench* body)
{
  if (!state->wrench || model->tool == LW_BASE) return;
  V3 f, moment;
  tool_wrench(model, state->wrench, &f, &moment);
  body[model->tool].f = sub(body[model->tool].f, f);
  body[model->tool].n = sub(body[model->tool].n, moment);
}

// Inward, tip to base: wrench that each joint transmits, and its part along the joint. Along a
// chain it stays in f, m.
INLINE void rnea_transmit(const lwModel* model, const Turn* turns, const REAL* q, Wrench* body,
                          REAL* tau)
{
  V3 f = body[model->n - 1].f;
  V3 m = body[model->n - 1].n;
  for (int i = model->n - 1; i >= 0; --i)
  {
    if (continues_run(model, i))
    {
      tau[i] = m.z;  // (10)
      wrench_to_parent_add(joint_in_run(model, i, turns), &f, &m, body[i - 1].f, body[i - 1].n);
      continue;
    }
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
