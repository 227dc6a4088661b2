// SPDX-License-Identifier: MIT
// The Coriolis matrix C(q, qd) of Christoffel's symbols, O(n^2) for a chain: C qd are the velocity
// torques, and dM/dt - 2 C is antisymmetric.
//
// Echeandia & Wensing, "Numerical methods to compute the Coriolis matrix and Christoffel symbols
// for rigid-body systems", 2021. For joint j on the way from i to the base, or i itself, with
// symbols as in singh_russell_wensing.c:
//   C_ij = S_i.(B_i S_j + I_i Sd_j)      C_ji = S_j.(B_i S_i + I_i Sd_i)
// Without ball and floating joints it is half of d tau / dqd. With them it is not: Sd is that of
// the link, whereas in the derivative half of it is that of the link, and half that of its parent.
#include "kernels/derivatives/composites.h"

enum
{
  SIZE    = AT_OWN,
  AT_ROW  = 0,  // I S
  AT_BY   = 6,  // n, f: B S + I Sd
  AT_SPIN = 12  // S^T B
};

INLINE void products_of_composite(REAL* joint)
{
  Twist S = get_twist(joint, AT_S), Sd = get_twist(joint, AT_SD);
  Solid body = get_composite(joint);
  Spin spin  = get_spin(joint);
  Wrench I_S = inertia_of(body, S), I_Sd = inertia_of(body, Sd), B_S = spin_of(spin, S.w);
  put3(joint, AT_SPIN, spin_times(spin, S));
  put_twist(joint, AT_ROW, (Twist){I_S.n, I_S.f});
  put_twist(joint, AT_BY, (Twist){add(B_S.n, I_Sd.n), add(B_S.f, I_Sd.f)});
}

// C_ij of joint i and a joint on its way to the base, or itself
INLINE REAL product_inward(V3 spin, Twist row, const REAL* joint)
{
  return dot_add(spin, get3(joint, AT_S), dot6(row, get_twist(joint, AT_SD)));
}

// Row i for a chain.
INLINE void product_row(const REAL* joints, int n, int i, REAL* to, size_t next)
{
  (void)next;
  const REAL* joint = in_known_block(joints, SIZE, i);
  V3 spin           = get3(joint, AT_SPIN);
  Twist row = get_twist(joint, AT_ROW), S = get_twist(joint, AT_S);
  REAL entry[JOINT_LANES];
  for (int first = block_start(i + 1); first < n; first += JOINT_LANES)
  {
    const REAL* block           = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) entry[k] = dot6(S, get_twist(block + k, AT_BY));
    put_some(to + first, entry, JOINT_LANES);
  }
  for (int first = 0; first <= i; first += JOINT_LANES)
  {
    const REAL* block           = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) entry[k] = product_inward(spin, row, block + k);
    put_some(to + first, entry, i + 1 - first);
  }
}

// All entries for a tree, pair by pair.
INLINE void products_of_tree(const lwModel* model, const REAL* joints, REAL* C)
{
  size_t n = (size_t)model->n;
  for (size_t k = 0; k < n * n; ++k) C[k] = zero();
  for (int i = 0; i < model->n; ++i)
  {
    const REAL* joint = in_known_block(joints, SIZE, i);
    V3 spin           = get3(joint, AT_SPIN);
    Twist row = get_twist(joint, AT_ROW), by = get_twist(joint, AT_BY);
    for (int j = i; j != LW_BASE; j = model->parent[j])
    {
      const REAL* other = in_known_block(joints, SIZE, j);
      if (j != i) C[(size_t)j * n + (size_t)i] = dot6(get_twist(other, AT_S), by);
      C[(size_t)i * n + (size_t)j] = product_inward(spin, row, other);
    }
  }
}

static void coriolis_matrix(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n = (size_t)model->n, end = (size_t)block_end(model->n);
  REAL* joints = take(&work, end * SIZE * sizeof *joints);
  REAL* spare  = take(&work, end * sizeof *spare);
  Turn* turns  = work;

  joint_turns(model, state->q, turns);
  ground_outward(model, state, turns, joints, SIZE, NOWHERE);
  for (size_t first = 0; first < n; first += JOINT_LANES)
    EACH_JOINT_LANE(k) put_body(joints + first * SIZE + k);
  gather_inward(model, joints, SIZE, AT_BODY, BODY_SIZE);
  for (size_t first = 0; first < n; first += JOINT_LANES)
    EACH_JOINT_LANE(k) products_of_composite(joints + first * SIZE + k);
  if (model->chain)
    rows_of_chain(joints, model->n, spare, product_row, 1, out);
  else
    products_of_tree(model, joints, out);
}

const lwKernel FN(coriolis_matrix) = {coriolis_matrix,
                                      sizeof(Turn) + (SIZE + 1) * sizeof(REAL),
                                      0,
                                      {0},
                                      LW_KERNEL_NARROW | LW_KERNEL_WIDE};
