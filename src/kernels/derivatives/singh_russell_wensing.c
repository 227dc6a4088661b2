// SPDX-License-Identifier: MIT
// Derivatives of inverse dynamics by closed expressions, O(n^2) for a chain, O(n depth) for a tree.
//
// Singh, Russell & Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial
// vector algebra", IEEE Robotics and Automation Letters, 2022: its expressions for joints of one
// freedom, in the ground frame, S constant in the link.
//
//   paper     here    meaning                                                    unit
//   Phi_i     S       twist of joint i                                           1, m
//   Psi dot   Sd      its rate, V x S                                            1/s, m/s
//   Psi ddot  Sdd     A x S + V x Sd                                             1/s^2, m/s^2
//   v_i a_i   V, A    velocity and acceleration of link i, less gravity
//   I_i^C     solid   inertia of link i and all that it carries (composites.h)
//   B_i^C     spin    their matrix of velocity products (composites.h)
//   f_i^C     need    wrench that joint i transmits                              N m, N
//
// For joint j on the way from i to the base, or i itself:
//   d tau_i / dq_j  = S_i.(2 B_i Sd_j + I_i Sdd_j)                        (1)
//   d tau_i / dqd_j = 2 S_i.(B_i S_j + I_i Sd_j)                          (2)
//   d tau_j / dq_i  = S_j.(2 B_i Sd_i + I_i Sdd_i + S_i x* f_i)           (3)
//   d tau_j / dqd_i = 2 S_j.(B_i S_i + I_i Sd_i)                          (4)
//
// Where it differs from the paper:
// - The paper has V and A of the parent in Sd and Sdd. Those of the link itself give the same,
//   since S x S = 0.
// - B_i is 12 numbers; its row S_i^T B_i meets angular parts only.
// - 2 Sd is kept, not Sd.
// - A wrench in the axes of its link is part of f_i; for one in base axes see pushed.h.
//
// Joints with several freedoms (wide joints) are as in the paper: Sd and Sdd have V and A of the
// parent, 2 Sd in (2) and (4) is Sd + V x S = 2 Sd + C with C = (V - V_parent) x S, and pairs of
// freedoms of one joint use (1) and (2): their S turn with the link, which takes away S x* f. q
// changes in the tangent space, along and about the axes of the link (docs/conventions.md).
#include "kernels/derivatives/composites.h"
#include "kernels/derivatives/pushed.h"

enum
{
  AT_NEED = AT_OWN,       // n, f; gathered with the body
  AT_A    = AT_NEED + 6,  // acceleration of the link, then
  AT_SDD  = AT_A,
  SIZE    = AT_A + 6,
  AT_ROW  = 0,       // I S
  AT_BY_Q = 6,       // n, f: bracket of (3)
  AT_BY_V = 12,      // n, f: bracket of (4)
  AT_SPIN = 18,      // S^T B
  AT_C    = AT_NEED  // of wide joints
};

// A link by itself: Sdd, inertia, velocity products and net wrench. 2 Sd replaces Sd.
INLINE void link_by_itself(REAL* joint)
{
  Twist S = get_twist(joint, AT_S), Sd = get_twist(joint, AT_SD);
  Twist V = get_twist(joint, AT_V), A = get_twist(joint, AT_A);
  Wrench F = net_wrench_solid(put_body(joint), V, A);
  put_twist(joint, AT_NEED, (Twist){F.n, F.f});
  put_twist(joint, AT_SDD, twist_add(twist_cross(A, S), twist_cross(V, Sd)));
  put_twist(joint, AT_SD, twist_add(Sd, Sd));
}

// What a composite body has for the pairs: the brackets of (1) to (4), S_i in the first two.
INLINE void form_brackets(REAL* joint)
{
  Twist S = get_twist(joint, AT_S), Sd2 = get_twist(joint, AT_SD), need = get_twist(joint, AT_NEED);
  Solid body = get_composite(joint);
  Spin spin  = get_spin(joint);
  Wrench I_S = inertia_of(body, S), I_Sd2 = inertia_of(body, Sd2);
  Wrench I_Sdd = inertia_of(body, get_twist(joint, AT_SDD));
  Wrench B_S2 = spin_of(spin, add(S.w, S.w)), B_Sd2 = spin_of(spin, Sd2.w);
  Wrench f = twist_cross_wrench(S, (Wrench){need.v, need.w});
  put_twist(joint, AT_ROW, (Twist){I_S.n, I_S.f});
  put3(joint, AT_SPIN, spin_times(spin, S));
  put_twist(joint, AT_BY_V, (Twist){add(B_S2.n, I_Sd2.n), add(B_S2.f, I_Sd2.f)});
  put_twist(joint, AT_BY_Q,
            (Twist){add(B_Sd2.n, add(I_Sdd.n, f.n)), add(B_Sd2.f, add(I_Sdd.f, f.f))});
}

// Joint i as its row has it.
typedef struct
{
  V3 spin, spin2;  // S^T B, 2 S^T B
  Twist row, S;
} JointRow;

INLINE JointRow row_of(const REAL* joint)
{
  V3 spin = get3(joint, AT_SPIN);
  return (JointRow){spin, add(spin, spin), get_twist(joint, AT_ROW), get_twist(joint, AT_S)};
}

// Entries of its row for a joint on the way to the base, or itself: (1), (2).
INLINE void project_inward(const JointRow* i, const REAL* joint, REAL* q, REAL* qd)
{
  Twist Sd2 = get_twist(joint, AT_SD);
  *q        = dot_add(i->spin, Sd2.w, dot6(i->row, get_twist(joint, AT_SDD)));
  *qd       = dot_add(i->spin2, get3(joint, AT_S), dot6(i->row, Sd2));
}

// Entries for a joint that it carries: (3), (4).
INLINE void project_outward(const JointRow* i, const REAL* joint, REAL* q, REAL* qd)
{
  *q  = dot6(i->S, get_twist(joint, AT_BY_Q));
  *qd = dot6(i->S, get_twist(joint, AT_BY_V));
}

// Row i of both matrices for a chain.
INLINE void project_chain(const REAL* joints, int n, int i, REAL* by_q, size_t next)
{
  REAL* by_qd = by_q + next;
  REAL q[JOINT_LANES], qd[JOINT_LANES];
  JointRow row = row_of(in_known_block(joints, SIZE, i));
  for (int first = block_start(i + 1); first < n; first += JOINT_LANES)
  {
    const REAL* block = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) project_outward(&row, block + k, &q[k], &qd[k]);
    put_some(by_q + first, q, JOINT_LANES);
    put_some(by_qd + first, qd, JOINT_LANES);
  }
  for (int first = 0; first <= i; first += JOINT_LANES)
  {
    const REAL* block = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) project_inward(&row, block + k, &q[k], &qd[k]);
    put_some(by_q + first, q, i + 1 - first);
    put_some(by_qd + first, qd, i + 1 - first);
  }
}

// --- wide joints

// Link by link before link_by_itself(): what the last freedom of a wide joint needs of its parent.
INLINE void keep_parents(const lwModel* model, REAL* joints, Frame* kept)
{
  for (int k = 0; k < model->wide_count; ++k)
  {
    const REAL* first = in_block(joints, SIZE, model->wides[k].first);
    Twist V = get_twist(first, AT_V), A = get_twist(first, AT_A);
    kept[k] = (Frame){V.w, V.v, A.w, A.v};
  }
}

// And after it: Sdd of that freedom, whose link has V and A of its own.
INLINE void correct_last_freedoms(const lwModel* model, REAL* joints, const Frame* kept)
{
  for (int k = 0; k < model->wide_count; ++k)
  {
    REAL* last = in_block(joints, SIZE, model->wides[k].last);
    Twist V = {kept[k].x, kept[k].y}, A = {kept[k].z, kept[k].p}, S = get_twist(last, AT_S);
    put_twist(last, AT_SDD, twist_add(twist_cross(A, S), twist_cross(V, twist_cross(V, S))));
  }
}

// C of all freedoms of wide joints, and I C in the bracket of (4).
INLINE void form_wide_brackets(const lwModel* model, REAL* joints)
{
  for (int k = 0; k < model->wide_count; ++k)
  {
    const lwWideJoint* wide = &model->wides[k];
    Twist from              = get_twist(in_block(joints, SIZE, wide->first), AT_V),
          to                = get_twist(in_block(joints, SIZE, wide->last), AT_V);
    Twist turn              = {sub(to.w, from.w), sub(to.v, from.v)};
    for (int i = wide->first; i <= wide->last; ++i)
    {
      REAL* joint = in_block(joints, SIZE, i);
      Twist C     = twist_cross(turn, get_twist(joint, AT_S));
      Wrench I_C  = inertia_of(get_composite(joint), C);
      put_twist(joint, AT_BY_V, twist_add(get_twist(joint, AT_BY_V), (Twist){I_C.n, I_C.f}));
      put_twist(joint, AT_C, C);
    }
  }
}

// Lanes of a block, whose first joint is `first`, to a row: those of joints from..end - 1.
INLINE void put_between(REAL* row, int first, const REAL block[JOINT_LANES], int from, int end)
{
  for (int k = 0; k < JOINT_LANES; ++k)
    if (first + k >= from && first + k < end) row[first + k] = block[k];
}

// Entries of a row for all freedoms of a wide joint on the way to the base, or its own.
INLINE void project_on_wide(const JointRow* row, const REAL* joints, const lwWideJoint* wide,
                            REAL* row_q, REAL* row_qd)
{
  REAL q[JOINT_LANES], qd[JOINT_LANES];
  for (int first = block_start(wide->first); first <= wide->last; first += JOINT_LANES)
  {
    const REAL* block = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k)
    {
      project_inward(row, block + k, &q[k], &qd[k]);
      qd[k] = r_add(qd[k], dot6(row->row, get_twist(block + k, AT_C)));
    }
    put_between(row_q, first, q, wide->first, wide->last + 1);
    put_between(row_qd, first, qd, wide->first, wide->last + 1);
  }
}

// Row j, of a freedom of a wide joint, for joints that it carries: from..end - 1.
INLINE void project_carried(const lwModel* model, const REAL* joints, int j, int from, int end,
                            REAL* by_q)
{
  size_t n     = (size_t)model->n;
  JointRow row = {.S = get_twist(in_known_block(joints, SIZE, j), AT_S)};
  REAL q[JOINT_LANES], qd[JOINT_LANES];
  for (int first = block_start(from); first < end; first += JOINT_LANES)
  {
    const REAL* block = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) project_outward(&row, block + k, &q[k], &qd[k]);
    put_between(by_q + (size_t)j * n, first, q, from, end);
    put_between(by_q + (n + (size_t)j) * n, first, qd, from, end);
  }
}

// Both matrices, pair by pair. Freedoms of wide joints stand side by side, and so do the joints
// that they carry, in depth-first order. any_wide: a constant.
INLINE void project_pairs(const lwModel* model, const REAL* joints, REAL* by_q, REAL* by_qd,
                          bool any_wide)
{
  size_t n = (size_t)model->n;
  for (size_t k = 0; k < n * n; ++k) by_q[k] = by_qd[k] = zero();
  for (int i = 0; i < model->n; ++i)
  {
    const REAL* at         = in_known_block(joints, SIZE, i);
    JointRow row           = row_of(at);
    const lwWideJoint* own = any_wide && is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (own && model->depth_first)
      project_carried(model, joints, i, own->last + 1, model->end[i], by_q);
    for (int j = i; j != LW_BASE; j = model->parent[j])
    {
      if (any_wide && is_wide(model, j))
      {
        const lwWideJoint* wide = wide_joint(model, j);
        project_on_wide(&row, joints, wide, by_q + (size_t)i * n, by_qd + (size_t)i * n);
        j = wide->first;
        for (int k = j; k <= wide->last && wide != own && !model->depth_first; ++k)
          project_carried(model, joints, k, i, i + 1, by_q);
        continue;
      }
      const REAL* other = in_known_block(joints, SIZE, j);
      size_t below = (size_t)i * n + (size_t)j, above = (size_t)j * n + (size_t)i;
      JointRow inner = {.S = get_twist(other, AT_S)};
      if (j != i) project_outward(&inner, at, &by_q[above], &by_qd[above]);
      project_inward(&row, other, &by_q[below], &by_qd[below]);
    }
  }
}

// The wrenches of the environment are subtracted from the net wrenches of the bodies.
INLINE void subtract_wrenches(const lwModel* model, const lwState* state, REAL* joints,
                              Frame* frames)
{
  frames[LW_BASE] = identity_frame();
  for (int i = 0; i < model->n; ++i) frames[i] = get_frame(in_block(joints, SIZE, i), AT_FRAME);
  for (int k = 0; k < wrench_count(state); ++k)
  {
    int i = pushed_body(model, state, k);
    if (i == LW_BASE) continue;
    REAL* joint = in_block(joints, SIZE, i);
    Wrench w    = ground_wrench(model, state, frames, k);
    put3(joint, AT_NEED, sub(get3(joint, AT_NEED), w.n));
    put3(joint, AT_NEED + 3, sub(get3(joint, AT_NEED + 3), w.f));
  }
}

static void singh_russell_wensing(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n = (size_t)model->n, end = (size_t)block_end(model->n);
  REAL* joints  = take(&work, end * SIZE * sizeof *joints);
  REAL* spare   = take(&work, 2 * end * sizeof *spare);
  Turn* turns   = take(&work, n * sizeof *turns);
  Frame* frames = (Frame*)work + 1;  // for wide joints, then for wrenches
  REAL *by_q = out, *by_qd = by_q + n * n;

  // outward, base to tip: twists and motion; then every link by itself
  joint_turns(model, state->q, turns);
  ground_outward(model, state, turns, joints, SIZE, AT_A);
  keep_parents(model, joints, frames);
  for (size_t first = 0; first < n; first += JOINT_LANES)
    EACH_JOINT_LANE(k) link_by_itself(joints + first * SIZE + k);
  correct_last_freedoms(model, joints, frames);
  if (state->wrench) subtract_wrenches(model, state, joints, frames);

  // inward, tip to base: composite bodies; then every pair of joints on one way to the base
  gather_inward(model, joints, SIZE, AT_BODY, BODY_SIZE + 6);
  for (size_t first = 0; first < n; first += JOINT_LANES)
    EACH_JOINT_LANE(k) form_brackets(joints + first * SIZE + k);
  form_wide_brackets(model, joints);
  if (model->wide_count > 0)
    project_pairs(model, joints, by_q, by_qd, true);
  else if (model->chain)
    rows_of_chain(joints, model->n, spare, project_chain, 2, by_q);
  else
    project_pairs(model, joints, by_q, by_qd, false);
  keep_directions(model, state, frames, by_q);
}

const lwKernel FN(singh_russell_wensing) = {
    singh_russell_wensing,
    sizeof(Turn) + sizeof(Frame) + (SIZE + 2) * sizeof(REAL),
    0,
    {0},
    LW_KERNEL_NARROW | LW_KERNEL_TAKES_PUSHES | LW_KERNEL_WIDE};
