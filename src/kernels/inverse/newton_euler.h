// SPDX-License-Identifier: MIT
// Shared by the Newton-Euler (RNEA) kernels: the outward pass of motion and the inward pass of
// wrenches. Symbols, frames and equation numbers are those of newton_euler.c. Each kernel forms the
// links' own wrenches itself.
#ifndef LW_KERNELS_INVERSE_NEWTON_EULER_H
#define LW_KERNELS_INVERSE_NEWTON_EULER_H

#include "kernels/blocks.h"
#include "kernels/inverse/acceleration.h"

// How a link moves. Kernels keep the motion of the current link in registers, and store it only
// for links that do not follow at once.
typedef struct
{
  V3 w, wd, a;
  M3 U;
} Motion;

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
  Motion link;
  V3 a    = to_link(j, accelerate_span(j, parent.U, parent.a));
  V3 w    = to_link_add_z(j, parent.w, qd);
  V3 wd   = to_link_add_z(j, parent.wd, qdd);
  link.w  = w;                                                         // (1)
  link.wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), wd.z);  // (2)
  link.U  = acceleration_matrix(link.w, link.wd);
  link.a  = accelerate_d(j, link.U, a);  // (4)
  return link;
}

INLINE Motion rnea_move_prismatic(Motion parent, Joint j, REAL qd, REAL qdd)
{
  Motion link;
  V3 a       = to_link_add_z(j, accelerate_span(j, parent.U, parent.a), qdd);
  REAL twice = r_add(qd, qd);
  link.w     = to_link(j, parent.w);   // (1)
  link.wd    = to_link(j, parent.wd);  // (2)
  link.U     = acceleration_matrix(link.w, link.wd);
  a          = v3(mul_add(link.w.y, twice, a.x), sub_mul(a.y, link.w.x, twice), a.z);
  link.a     = accelerate_d(j, link.U, a);  // (4)
  return link;
}

// Motion of a link behind a wide joint, whose frame in that of the parent is F.
INLINE Motion rnea_move_wide(Motion parent, Frame F, WideRates qd, WideRates qdd)
{
  Motion link;
  V3 w    = rotate_back(F, parent.w);
  V3 a    = rotate_back(F, m3_apply_add(parent.U, F.p, parent.a));
  V3 wd   = rotate_back(F, parent.wd);
  link.w  = add(w, qd.w);                                    // (1)
  link.wd = add(wd, cross_add(w, qd.w, qdd.w));              // (2)
  link.a  = add(a, cross_add(add(w, link.w), qd.v, qdd.v));  // (4)
  link.U  = acceleration_matrix(link.w, link.wd);
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

INLINE Motion rnea_move_wide_on_base(V3 gravity, Frame F, WideRates qd, WideRates qdd)
{
  V3 a = rotate_back(F, neg(gravity));
  return (Motion){qd.w, qdd.w, add(a, cross_add(qd.w, qd.v, qdd.v)),
                  acceleration_matrix(qd.w, qdd.w)};
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

// As rnea_motion(), behind a wide joint; stored[LW_BASE] is the base.
INLINE Motion rnea_motion_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                               const lwState* state, const Motion* stored)
{
  return rnea_move_wide(stored[model->parent[wide->first]], wide_frame(model, wide, turns),
                        wide_rates(wide, state->qd), wide_rates(wide, state->qdd));
}

// As rnea_motion(), also from the base at rest, which need not be stored.
INLINE Motion rnea_motion_from(const lwModel* model, int i, Joint j, const lwState* state,
                               const Motion* stored)
{
  if (model->parent[i] != LW_BASE) return rnea_motion(model, i, j, state, stored);
  return rnea_move_on_base(gravity_of(model, state), j, is_prismatic(model, i), given(state->qd, i),
                           given(state->qdd, i));
}

// Zeros (n), cut from work, for rates that the state lacks, so
// that the loops along runs need no test.
INLINE const Input* rnea_zeros(const lwModel* model, void** work, const lwState* state)
{
  Input* zeros = take(work, (size_t)model->n * sizeof *zeros);
  for (int i = 0; i < model->n && !(state->qd && state->qdd); ++i) zeros[i] = zero();
  return zeros;
}

// Memory of the two passes.
typedef struct
{
  REAL* wrench;    // (n, 6) in blocks: F and N of a link, then what its joint transmits
  REAL* motion;    // (n, 9) in blocks of several joints: w, wd and a of all links
  Motion* stored;  // (n) in blocks of one: of links that joints elsewhere stand on
} RneaMemory;

enum
{
  WRENCH_NUMBERS = 6,
  MOTION_NUMBERS = 9
};

#define RNEA_PER_JOINT                                                                             \
  (sizeof(Turn) + WRENCH_NUMBERS * sizeof(REAL) +                                                  \
   (JOINT_LANES > 1 ? MOTION_NUMBERS * sizeof(REAL) : sizeof(Motion)))

INLINE RneaMemory rnea_memory(const lwModel* model, void* work)
{
  RneaMemory memory = {0};
  size_t joints     = (size_t)block_end(model->n);
  memory.wrench     = take(&work, joints * WRENCH_NUMBERS * sizeof *memory.wrench);
  if (JOINT_LANES > 1)
  {
    memory.motion = work;
    clear_last_block(memory.motion, MOTION_NUMBERS, model->n, 0, MOTION_NUMBERS);
  }
  else
    memory.stored = work;
  return memory;
}

// Keeps the motion of link i: for its wrench where blocks have several joints, else for children
// that do not continue the run.
INLINE void rnea_keep(const RneaMemory* memory, const lwModel* model, int i, Motion link)
{
  if (JOINT_LANES > 1)
  {
    REAL* at = in_block(memory->motion, MOTION_NUMBERS, i);
    put3(at, 0, link.w);
    put3(at, 3, link.wd);
    put3(at, 6, link.a);
  }
  else if (is_stored(model, i))
    memory->stored[i] = link;
}

INLINE Motion rnea_kept(const RneaMemory* memory, int i)
{
  if (JOINT_LANES == 1) return memory->stored[i];
  const REAL* at = in_block(memory->motion, MOTION_NUMBERS, i);
  V3 w = get3(at, 0), wd = get3(at, 3);
  return (Motion){w, wd, get3(at, 6), acceleration_matrix(w, wd)};
}

// Outward: motion of link i from that of its parent, which is kept or is the base.
INLINE Motion rnea_motion_after(const lwModel* model, int i, Joint j, const lwState* state,
                                const RneaMemory* memory, REAL qd, REAL qdd)
{
  int p = model->parent[i];
  if (p == LW_BASE)
    return rnea_move_on_base(gravity_of(model, state), j, is_prismatic(model, i), qd, qdd);
  Motion parent = rnea_kept(memory, p);
  return is_prismatic(model, i) ? rnea_move_prismatic(parent, j, qd, qdd)
                                : rnea_move_revolute(parent, j, qd, qdd);
}

// As rnea_motion_after(), behind a wide joint.
INLINE Motion rnea_motion_after_wide(const lwModel* model, const lwWideJoint* wide,
                                     const Turn* turns, const lwState* state,
                                     const RneaMemory* memory)
{
  int p         = model->parent[wide->first];
  Frame F       = wide_frame(model, wide, turns);
  WideRates qd  = wide_rates(wide, state->qd);
  WideRates qdd = wide_rates(wide, state->qdd);
  if (p == LW_BASE) return rnea_move_wide_on_base(gravity_of(model, state), F, qd, qdd);
  return rnea_move_wide(rnea_kept(memory, p), F, qd, qdd);
}

INLINE Wrench rnea_wrench(const RneaMemory* memory, int i)
{
  const REAL* at = in_block(memory->wrench, WRENCH_NUMBERS, i);
  return (Wrench){get3(at, 0), get3(at, 3)};
}

INLINE void rnea_set_wrench(const RneaMemory* memory, int i, Wrench w)
{
  REAL* at = in_block(memory->wrench, WRENCH_NUMBERS, i);
  put3(at, 0, w.f);
  put3(at, 3, w.n);
}

#if defined(LW_FLOATING) && !LW_LANE_BYTES

// A line of the model has the mass properties of BODIES_BESIDE links side by side. BODIES: the line
// that has link `first`.
#if defined(LW_SCALAR_f32)
#define BODIES_BESIDE        LW_BODIES_32
#define BODIES(model, first) (&(model)->bodies32[(first) / LW_BODIES_32])
typedef lwBodies32 BodyLine;
#else
#define BODIES_BESIDE        LW_BODIES_64
#define BODIES(model, first) (&(model)->bodies64[(first) / LW_BODIES_64])
typedef lwBodies64 BodyLine;
#endif

INLINE V3 line_vector(const REAL a[3][BODIES_BESIDE], int k)
{
  return v3(a[0][k], a[1][k], a[2][k]);
}

INLINE S3 line_symmetric(const REAL a[6][BODIES_BESIDE], int k)
{
  return (S3){a[0][k], a[1][k], a[2][k], a[3][k], a[4][k], a[5][k]};
}

#endif

// What a body of this mass, first moment h and pseudo-inertia J takes to move: (5)-(7).
INLINE Wrench wrench_of_motion(M3 U, V3 a, REAL mass, V3 h, S3 J)
{
  return (Wrench){m3_apply_add(U, h, scale(mass, a)), cross_add(h, a, rnea_moment(U, J))};
}

// The wrench of body i joins that of its parent.
INLINE void wrench_join_parent(const lwModel* model, int i, const Turn* turns, const Input* q,
                               Wrench* body)
{
  int p    = model->parent[i];
  Wrench w = body[i];
  if (p == LW_BASE) return;
  wrench_to_parent(joint_at(model, i, turns, q), &w.f, &w.n);
  body[p] = wrench_sum(body[p], w);
}

// (8)-(10) of a wide joint, whose link transmits w, into the stored wrench of its parent.
INLINE void rnea_transmit_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                               const RneaMemory* memory, Wrench w, Result* tau)
{
  int p = model->parent[wide->first];
  store_wide(wide, w, tau);
  if (p != LW_BASE)
    rnea_set_wrench(memory, p,
                    wrench_sum(rnea_wrench(memory, p),
                               wide_wrench_to_parent(wide_frame(model, wide, turns), w)));
}

// Inward, tip to base: wrench that each joint transmits, and its part along the joint. Along a
// chain it stays in w.
INLINE void rnea_transmit(const lwModel* model, const Turn* turns, const lwState* state,
                          const RneaMemory* memory, Result* tau, bool any_wide)
{
  int n = model->n, tool = state->wrench ? model->tool : LW_BASE;
  if (n == 0) return;
  if (tool != LW_BASE)
  {
    Wrench last = rnea_wrench(memory, tool);
    subtract_tool(model, state, &last.f, &last.n);
    rnea_set_wrench(memory, tool, last);
  }
  Wrench w = rnea_wrench(memory, n - 1);
  for (int i = n - 1; i >= 0; --i)
  {
    if (continues_run(model, i))
    {
      Wrench parent = rnea_wrench(memory, i - 1);
      tau[i]        = w.n.z;  // (10)
      wrench_to_parent_add(joint_in_run(model, i, turns), &w.f, &w.n, parent.f,
                           parent.n);  // (8), (9)
      continue;
    }
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      rnea_transmit_wide(model, wide, turns, memory, w, tau);
      i = wide->first;
      if (i > 0) w = rnea_wrench(memory, i - 1);
      continue;
    }
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? w.f.z : w.n.z;  // (10)
    if (p != LW_BASE)
    {
      Wrench parent = rnea_wrench(memory, p);
      wrench_to_parent_add(joint_at(model, i, turns, state->q), &w.f, &w.n, parent.f, parent.n);
      if (p != i - 1) rnea_set_wrench(memory, p, w);
    }
    if (p != i - 1) w = rnea_wrench(memory, i - 1);
  }
}

#endif
