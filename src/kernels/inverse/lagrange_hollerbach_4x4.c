// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Lagrangian equations in 4x4 matrices, O(n).
//
// Hollerbach, "A recursive Lagrangian formulation of manipulator dynamics and a comparative study
// of dynamics formulation complexity", 1980; silver1981, section 1.4. With p the parent of link i,
// the numbers being those of this list, not the paper's:
//
//   W_i   = W_p A_i                                                                             (1)
//   Wd_i  = Wd_p A_i + W_p A_i' qd_i                                                            (2)
//   Wdd_i = Wdd_p A_i + 2 Wd_p A_i' qd_i + W_p A_i'' qd_i^2 + W_p A_i' qdd_i                    (3)
//   D_i   = J_i Wdd_i^T + sum over the children k of A_k D_k                                    (4)
//   c_i   = m_i r_i + sum over the children k of A_k c_k                                        (5)
//   tau_i = tr(dW_i/dq_i D_i) - g^T dW_i/dq_i c_i,   dW_i/dq_i = W_p A_i'                       (6)
//
// (4) and (5) sum silver1981 (1.2) inwards: dW_j/dq_i is dW_i/dq_i times what takes link j to i.
//
//   paper       here      meaning                                           frame, unit
//   W           W         link's coordinates to those of the base, 4x4      base; 1, m
//   W dot       Wd, Wdd   its derivatives by time                           base; per s, per s^2
//   A_i         A         link's coordinates to those of its parent         parent; 1, m
//   dA/dq       dA, ddA   A', A''                                           parent; per rad or m
//   dW_i/dq_i   U         derivative by the link's own joint                base; per rad or m
//   J_i         J         pseudo-inertia about the link's origin, 4x4       link; kg m^2, kg m, kg
//   D_i         D         integral of (r, 1) a^T dm, all that i carries     link by base; N m, N
//   c_i         c         first moment and mass of all that i carries       link; kg m, kg
//   g           g         gravity                                           base, m/s^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), with z along the link's own joint, so that A' =
// A Q: its
//   columns are those of A in other places, and A' and A'' cost nothing.
// - Of the product in (6) only the diagonal is formed, and dW_i/dq_i is that of (2).
// - Trees are added. The wrench on the last link is subtracted from D as S
//   W^T (matrix4.h; erratum 2-7).
// - The paper counts full 4x4 products; compare its numbers with those executed. The folded count
//   leaves out the zeros of last rows and of A'.
#include "kernels/inverse/matrix4.h"

typedef struct
{
  M4 W, Wd, Wdd;  // motion
  M4 A, U;
  M4 D;  // inertia times acceleration
  V4 c;  // first moment and mass
} MatrixBody;

INLINE void hollerbach4_base(MatrixBody* base)
{
  M4 none = m4_zero();
  V4 c    = {{zero(), zero(), zero(), zero()}};
  *base   = (MatrixBody){m4_identity(), none, none, m4_identity(), none, none, c};
}

// Motion of link i from that of its parent.
INLINE void hollerbach4_motion(MatrixBody* body, const MatrixBody* parent, bool prismatic, REAL qd,
                               REAL qdd)
{
  M4 A       = body->A;
  M4 dA      = m4_derivative(A, prismatic);
  M4 ddA     = m4_derivative(dA, prismatic);
  REAL twice = r_add(qd, qd);
  body->U    = m4_multiply(parent->W, dA);
  body->W    = m4_multiply(parent->W, A);                              // (1)
  body->Wd   = m4_scale_add(qd, body->U, m4_multiply(parent->Wd, A));  // (2)
  M4 Wdd     = m4_multiply(parent->Wdd, A);
  Wdd        = m4_scale_add(twice, m4_multiply(parent->Wd, dA), Wdd);
  Wdd        = m4_scale_add(r_mul(qd, qd), m4_multiply(parent->W, ddA), Wdd);
  body->Wdd  = m4_scale_add(qdd, body->U, Wdd);  // (3)
}

// What the link itself adds to (4) and (5).
INLINE void hollerbach4_net_wrench(MatrixBody* body, const Link* link)
{
  body->D = m4_multiply(pseudo_inertia(link), m4_transpose(body->Wdd));
  body->c = moment_and_mass(link);
}

// D -= S W^T: the wrench of the environment is subtracted from the one that the joints must supply
INLINE void hollerbach4_subtract_wrench(const lwModel* model, const Input* wrench, MatrixBody* body)
{
  V3 f, n;
  tool_wrench(model, wrench, &f, &n);
  M4 SW   = m4_multiply(wrench_matrix(f, n), m4_transpose(body->W));
  body->D = m4_scale_add(constant(-1), SW, body->D);
}

static void lagrange_hollerbach_4x4(const lwModel* model, void* work, const lwState* state,
                                    void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  MatrixBody* body = (MatrixBody*)work + 1;  // body[LW_BASE] is the base
  const Input* q   = state->q;
  V3 g             = gravity_of(model, state);
  Result* tau      = out;

  hollerbach4_base(&body[LW_BASE]);

  // outward, base to tip: motion of each link
  for (int i = 0; i < n; ++i)
  {
    body[i].A                = joint_matrix(joint_at(model, i, turns, q));
    const MatrixBody* parent = &body[model->parent[i]];
    hollerbach4_motion(&body[i], parent, is_prismatic(model, i), given(state->qd, i),
                       given(state->qdd, i));
    hollerbach4_net_wrench(&body[i], &LINKS(model)[i]);
  }
  if (is_tool_pushed(model, state))
    hollerbach4_subtract_wrench(model, state->wrench, &body[model->tool]);

  // inward, tip to base: sums over all that a joint carries, and their part in its direction
  for (int i = n - 1; i >= 0; --i)
  {
    const MatrixBody* link = &body[i];
    V3 weight              = v4_vector(m4_apply(link->U, link->c));
    tau[i]                 = r_sub(m4_trace_of_product(link->U, link->D), dot(g, weight));  // (6)
    if (model->parent[i] == LW_BASE) continue;
    MatrixBody* parent = &body[model->parent[i]];
    parent->D          = m4_add(parent->D, m4_multiply(link->A, link->D));  // (4)
    parent->c          = v4_add(parent->c, m4_apply(link->A, link->c));     // (5)
  }
}

const lwKernel FN(lagrange_hollerbach_4x4) = {
    lagrange_hollerbach_4x4, sizeof(Turn) + sizeof(MatrixBody), 0, {0}, 0};
