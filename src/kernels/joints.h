// SPDX-License-Identifier: MIT
// What all kernels over a chain or tree of joints share: constants of the model, sines and cosines,
// and vectors transformed through a joint. Everything is in canonical frames
// (model/model_internal.h).
#ifndef LW_KERNELS_JOINTS_H
#define LW_KERNELS_JOINTS_H

#include "kernels/kernel.h"
#include "math/vec.h"

// KNOWN is the type of the model's numbers, K() the one way by which a kernel reads one of them.
#if defined(LW_OWN_CONSTANTS)
// The numbers are REAL: a robot of another field, or robots of one structure side by side in lanes.
typedef REAL KNOWN;
typedef struct
{
  LW_LINK_FIELDS(REAL)
} Link;
typedef struct
{
  LW_ENDS_FIELDS(REAL)
} Ends;
typedef struct
{
  LW_VIEW_FIELDS(REAL)
} View;
typedef struct
{
  LW_MEMBER_FIELDS(REAL)
} Member;
#define LINKS(model)   ((const Link*)(model)->scalar_links)
#define ENDS(model)    ((const Ends*)(model)->scalar_ends)
#define VIEW(view)     ((const View*)(view)->own)
#define MEMBERS(model) ((const Member*)(model)->scalar_members)
#define K(x)           (x)
#else
typedef CONST KNOWN;
#define K(x) constant(x)
#if defined(LW_SCALAR_f32)
typedef lwLink32 Link;
typedef lwEnds32 Ends;
typedef lwMember32 Member;
#define LINKS(model)   ((model)->link32)
#define ENDS(model)    (&(model)->ends32)
#define VIEW(view)     (&(view)->view32)
#define MEMBERS(model) ((model)->member32)
#else
typedef lwLink64 Link;
typedef lwEnds64 Ends;
typedef lwMember64 Member;
#define LINKS(model)   ((model)->link64)
#define ENDS(model)    (&(model)->ends64)
#define VIEW(view)     (&(view)->view64)
#define MEMBERS(model) ((model)->member64)
#endif
#endif

INLINE V3 known_vector(const KNOWN a[3])
{
  return v3(K(a[0]), K(a[1]), K(a[2]));
}

INLINE S3 known_symmetric(const KNOWN a[6])
{
  return (S3){K(a[0]), K(a[1]), K(a[2]), K(a[3]), K(a[4]), K(a[5])};
}

INLINE M3 known_matrix(const KNOWN a[9])
{
  return (M3){known_vector(a), known_vector(a + 3), known_vector(a + 6)};
}

// A number of a state, and of torques, accelerations and inertia matrices. One state reads and
// writes the caller's own doubles, in single precision, too: converting numbers where they are
// read and written takes no time of its own.
#if defined(LW_FLOATING) && !LW_LANE_BYTES
typedef double Input;
typedef double Result;
#else
typedef REAL Input;
typedef REAL Result;
#endif

// a[i] of an input that may be absent.
INLINE REAL given(const Input* a, int i)
{
  REAL none = zero();
  return a ? a[i] : none;
}

// An input read joint by joint: if it is absent, step is 0 and next points to a zero.
typedef struct
{
  const Input* next;
  int step;
} MaybeInput;

INLINE MaybeInput maybe_input(const Input* a, const Input* none)
{
  return a ? (MaybeInput){a, 1} : (MaybeInput){none, 0};
}

INLINE REAL next_input(MaybeInput* in)
{
  REAL x = *in->next;
  in->next += in->step;
  return x;
}

// Entry i of such an input.
INLINE REAL input_of(MaybeInput in, int i)
{
  return in.next[i * in.step];
}

INLINE bool is_prismatic(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_PRISMATIC;
}

// Link i has a child that is not the next joint, so its values must be stored for that child.
INLINE bool is_fork(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_FORK;
}

// Serial child: joint i follows its parent directly, whose values are still in registers.
INLINE bool follows(const lwModel* model, int i)
{
  int p = model->parent[i];
  return p != LW_BASE && p == i - 1;
}

// Joint i continues a run: it is revolute, not skew, and its parent is the joint before, whose
// motion is still in registers. Other joints take that of their parent from memory.
INLINE bool continues_run(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_CONTINUES_RUN;
}

// As continues_run(), and link i has no other child, so its values need not be stored.
INLINE bool continues_plainly(const lwModel* model, int i)
{
  return (model->kind[i] & (LW_KIND_CONTINUES_RUN | LW_KIND_FORK)) == LW_KIND_CONTINUES_RUN;
}

// The motion of link i is needed by a joint that does not continue its run.
INLINE bool is_stored(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_STORED;
}

// What the motor's rotor adds to the inertia that joint i sees;
// kernels ask only with state->rotors.
INLINE REAL rotor_of(const lwModel* model, int i)
{
  return K(LINKS(model)[i].rotor);
}

// Joint i in one state.
typedef struct
{
  const Link* link;
  bool skew;
  Turn theta;  // cos, sin
  REAL d;      // m, from the span's end to the origin, along z
} Joint;

// q of joint i, which has one freedom.
INLINE REAL position_of(const lwModel* model, const Input* q, int i)
{
  return given(q, model->q_index ? model->q_index[i] : i);
}

// d of joint i: constant for a revolute joint, moving for a prismatic one.
INLINE Joint joint_at(const lwModel* model, int i, const Turn* turns, const Input* q)
{
  const Link* link = &LINKS(model)[i];
  Joint joint      = {link, model->kind[i] & LW_KIND_SKEW, turns[i], K(link->d)};
  if (is_prismatic(model, i)) joint.d = r_add(joint.d, position_of(model, q, i));
  return joint;
}

// joint_at() for a joint that continues a run.
INLINE Joint joint_in_run(const lwModel* model, int i, const Turn* turns)
{
  const Link* link = &LINKS(model)[i];
  return (Joint){link, false, turns[i], K(link->d)};
}

INLINE Turn gamma_turn(const Link* link)
{
  return (Turn){K(link->cos_gamma), K(link->sin_gamma)};
}

INLINE Turn alpha_turn(const Link* link)
{
  return (Turn){K(link->cos_alpha), K(link->sin_alpha)};
}

// A vector from the parent's frame to that of joint j: two planar rotations, 8 multiplications, 4
// additions. What is turned about x waits for one more operation, not for two.
INLINE V3 to_link(Joint j, V3 a)
{
  if (j.skew) a = turn_back_z(gamma_turn(j.link), a);
  V3 b = turn_back_x(alpha_turn(j.link), a);
  return v3(mul_add(j.theta.s, b.y, r_mul(j.theta.c, b.x)),
            mul_sub(j.theta.c, b.y, r_mul(j.theta.s, b.x)), b.z);
}

// to_link(j, a) + b z
INLINE V3 to_link_add_z(Joint j, V3 a, REAL b)
{
  Turn alpha = alpha_turn(j.link), theta = j.theta;
  if (j.skew) a = turn_back_z(gamma_turn(j.link), a);
  REAL y = mul_add(alpha.c, a.y, r_mul(alpha.s, a.z));
  return v3(mul_add(theta.s, y, r_mul(theta.c, a.x)), mul_sub(theta.c, y, r_mul(theta.s, a.x)),
            mul_add(alpha.c, a.z, sub_mul(b, alpha.s, a.y)));
}

// The part of the way to the parent that is left after turning about z.
INLINE V3 alpha_to_parent(Joint j, V3 a)
{
  a = turn_x(alpha_turn(j.link), a);
  return j.skew ? turn_z(gamma_turn(j.link), a) : a;
}

// A vector of the frame of joint j in its parent's frame.
INLINE V3 to_parent(Joint j, V3 a)
{
  return alpha_to_parent(j, turn_z(j.theta, a));
}

// The part of the way from the parent's origin to that of joint j that is constant, in the parent's
// frame.
INLINE V3 joint_span(Joint j)
{
  return j.skew ? known_vector(j.link->span) : v3(K(j.link->span[0]), zero(), zero());
}

// Vector from the parent's origin to that of joint j, in the parent's frame.
INLINE V3 origin_in_parent(Joint j)
{
  return scale_add(j.d, alpha_to_parent(j, v3(zero(), zero(), constant(1))), joint_span(j));
}

// R A R^T: a tensor of the frame of joint j in its parent's frame.
INLINE S3 tensor_to_parent(Joint j, S3 A)
{
  A = s3_turn_x(alpha_turn(j.link), s3_turn_z(j.theta, A));
  return j.skew ? s3_turn_z(gamma_turn(j.link), A) : A;
}

INLINE M3 matrix_to_parent(Joint j, M3 A)
{
  A = m3_turn_x(alpha_turn(j.link), m3_turn_z(j.theta, A));
  return j.skew ? m3_turn_z(gamma_turn(j.link), A) : A;
}

// span x a + b, in the parent's frame.
INLINE V3 span_cross_add(Joint j, V3 a, V3 b)
{
  REAL x = K(j.link->span[0]);
  if (j.skew) return cross_add(known_vector(j.link->span), a, b);
  return v3(b.x, sub_mul(b.y, x, a.z), mul_add(x, a.y, b.z));
}

// d z x a + b, in the frame of the joint.
INLINE V3 d_cross_add(Joint j, V3 a, V3 b)
{
  return v3(sub_mul(b.x, j.d, a.y), mul_add(j.d, a.x, b.y), b.z);
}

// a x span + b, and a x d z + b.
INLINE V3 cross_span_add(Joint j, V3 a, V3 b)
{
  REAL x = K(j.link->span[0]);
  if (j.skew) return cross_add(a, known_vector(j.link->span), b);
  return v3(b.x, mul_add(x, a.z, b.y), sub_mul(b.z, x, a.y));
}

INLINE V3 cross_d_add(Joint j, V3 a, V3 b)
{
  return v3(mul_add(j.d, a.y, b.x), sub_mul(b.y, j.d, a.x), b.z);
}

// A wrench (force f, moment n about the origin) of joint j's frame, taken to the parent's frame and
// origin: first what is about z, then what is about x.
INLINE void wrench_by_screw_z(Joint j, V3* f, V3* n)
{
  *n = turn_z(j.theta, d_cross_add(j, *f, *n));
  *f = turn_z(j.theta, *f);
}

INLINE void wrench_by_screw_x(Joint j, V3* f, V3* n)
{
  *f = alpha_to_parent(j, *f);
  *n = span_cross_add(j, *f, alpha_to_parent(j, *n));
}

INLINE void wrench_to_parent(Joint j, V3* f, V3* n)
{
  wrench_by_screw_z(j, f, n);
  wrench_by_screw_x(j, f, n);
}

// wrench_to_parent() plus the parent's wrench (F, N): the sums are part of fused operations, and
// f.y and n.y, which are the last to be known in a recursion, pass through as few as can be.
INLINE void wrench_to_parent_add(Joint j, V3* f, V3* n, V3 F, V3 N)
{
#if defined(LW_FLOATING)
  Turn t = j.theta;
  V3 a   = v3(sub_mul(r_mul(t.c, f->x), t.s, f->y), mul_add(t.c, f->y, r_mul(t.s, f->x)), f->z);
  V3 m   = v3(sub_mul(mul_sub(t.c, n->x, r_mul(j.d, a.y)), t.s, n->y),
              mul_add(t.c, n->y, mul_add(t.s, n->x, r_mul(j.d, a.x))), n->z);
#else  // generated code merges rotations about parallel axes only where it sees them whole
  V3 a = *f, m = *n;
  wrench_by_screw_z(j, &a, &m);
#endif
  if (j.skew)
  {
    wrench_by_screw_x(j, &a, &m);
    m = add(m, N);
  }
  else
  {
    a = turn_x(alpha_turn(j.link), a);
    m = turn_x_add(alpha_turn(j.link), m, span_cross_add(j, a, N));
  }
  *f = add(a, F);
  *n = m;
}

// A wrench of the frame that it is in, about the origin: N, N m.
typedef struct
{
  V3 f, n;
} Wrench;

INLINE Wrench wrench_sum(Wrench a, Wrench b)
{
  return (Wrench){add(a.f, b.f), add(a.n, b.n)};
}

INLINE Wrench wrench_less(Wrench a, Wrench b)
{
  return (Wrench){sub(a.f, b.f), sub(a.n, b.n)};
}

// The state's wrench on the last link, expressed at and in its canonical link frame.
INLINE void tool_wrench(const lwModel* model, const Input* wrench, V3* f, V3* n)
{
  const Ends* ends = ENDS(model);
  M3 R             = known_matrix(ends->tool_rotation);
  *f               = m3_apply(R, v3(wrench[0], wrench[1], wrench[2]));
  V3 moment        = m3_apply(R, v3(wrench[3], wrench[4], wrench[5]));
  *n               = cross_add(known_vector(ends->tool_position), *f, moment);
}

// Whether the environment acts on the last link.
INLINE bool is_tool_pushed(const lwModel* model, const lwState* state)
{
  return state->wrench && model->tool != LW_BASE;
}

// The wrench (f, n) that the joints must supply to the last link, less that of the environment.
INLINE void subtract_tool(const lwModel* model, const lwState* state, V3* f, V3* n)
{
  V3 force, moment;
  tool_wrench(model, state->wrench, &force, &moment);
  *f = sub(*f, force);
  *n = sub(*n, moment);
}

INLINE V3 gravity_of(const lwModel* model, const lwState* state)
{
  return state->weightless ? v3_zero() : known_vector(ENDS(model)->gravity);
}

// Work memory is cut into arrays, one after the other.
INLINE void* take(void** work, size_t bytes)
{
  char* piece = *work;
  *work       = piece + bytes;
  return piece;
}

#include "kernels/wide_joints.h"

#include "kernels/turns.h"

#endif
