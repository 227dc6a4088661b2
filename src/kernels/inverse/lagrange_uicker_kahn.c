// SPDX-License-Identifier: MIT
// Inverse dynamics by Lagrange's equation in 4x4 matrices, as first done, O(n^4): the baseline.
//
// Uicker, "On the dynamic analysis of spatial linkages using 4x4 matrices", 1965; Kahn 1969;
// silver1981 (1.2), with gravity, and with the second derivative by time written out:
//
//   tau_i = sum over links j of tr(dW_j/dq_i J_j Wdd_j^T) - g^T dW_j/dq_i m_j r_j             (1.2)
//   Wdd_j = sum over k of dW_j/dq_k qdd_k + sum over k, l of d2W_j/dq_k dq_l qd_k qd_l
//
//   paper             here      meaning                                          frame, unit
//   W_j               W         link j's coordinates to those of the base, 4x4   base; 1, m
//   -                 A         the same to those of the parent, W_j = W_p A_j   parent; 1, m
//   dW_j/dq_i         U[j][i]   partial derivative                               base; per rad or m
//   d2W_j/dq_k dq_l   second    partial derivative of second order               base
//   J_j               J         4x4 pseudo-inertia about the link's origin       link; kg m^2 ..
//   -                 T[l]      link j's coordinates to link l's, W_j = W_l T_l  link l; 1, m
//   g                 g         gravity                                          base, m/s^2
//
// It is meant to be slow. For every i, j, k, l one trace is evaluated as two products of 4x4
// matrices, of which nothing is kept: with qd_k qd_l 130 multiplications and 100 additions, n^4/4
// times. This is the leading term that Hollerbach 1980 counts, 32.5 n^4 and 25 n^4 (silver1981,
// section 1.2: "well over 100,000" in all for n = 6). That d2W is symmetric is not made use of.
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), with z along the link's own joint, so that dA/dq
// = A Q.
// - J is about the link's origin, and gravity, which the memo leaves out, is there (erratum 2-4).
// - d2W_j/dq_k dq_l = dW_l/dq_k Q_l T_l for a joint l beyond k: one product from first derivatives.
// - qd_k qd_l is formed once for all i, which leaves 129 of the 130 multiplications.
// - Trees: only the joints that carry link j move it, and the sums run over these.
// - The wrench on the last link is subtracted as its virtual work (matrix4.h; erratum 2-7).
// - Without velocities the quadruple sum is left out.
#include "kernels/inverse/matrix4.h"

// Joint i carries link j if it is j or on the way from the base to it: from j inwards by parent[i].
typedef struct
{
  const lwModel* model;
  const int* parent;
  const Input* qd;   // or NULL
  const Input* qdd;  // or NULL
  V3 g;              // gravity
  Result* tau;
  M4* A;  // (n)
  M4* T;  // (n) from the current link to each of its ancestors
  M4* U;  // (n n) U[j][i], i on the way from the base to j
} UickerChain;

INLINE M4* first(const UickerChain* chain, int j, int i)
{
  return &chain->U[(size_t)j * (size_t)chain->model->n + (size_t)i];
}

// W and the first derivatives of every link from those of its parent.
INLINE void first_derivatives(UickerChain* chain, const Turn* turns, const Input* q, M4* W)
{
  const lwModel* model = chain->model;
  W[LW_BASE]           = m4_identity();
  for (int j = 0; j < model->n; ++j)
  {
    int p               = model->parent[j];
    M4 A                = joint_matrix(joint_at(model, j, turns, q));
    chain->A[j]         = A;
    W[j]                = m4_multiply(W[p], A);
    *first(chain, j, j) = m4_derivative(W[j], is_prismatic(model, j));
    for (int i = p; i != LW_BASE; i = chain->parent[i])
      *first(chain, j, i) = m4_multiply(*first(chain, p, i), A);
  }
}

// Coordinates of link j to those of the links that carry it.
INLINE void set_transforms(UickerChain* chain, int j)
{
  const int* parent = chain->parent;
  chain->T[j]       = m4_identity();
  for (int l = j; parent[l] != LW_BASE; l = parent[l])
    chain->T[parent[l]] = m4_multiply(chain->A[l], chain->T[l]);
}

// d2W_j/dq_k dq_l; of two joints that carry a link the one of higher index is farther from the base
INLINE M4 second_derivative(const UickerChain* chain, int k, int l)
{
  int inner = k < l ? k : l;
  int outer = k < l ? l : k;
  M4 UQ     = m4_derivative(*first(chain, outer, inner), is_prismatic(chain->model, outer));
  return m4_multiply(UQ, chain->T[outer]);
}

// tau_i += tr(dW_j/dq_i J X^T) rate for every i: X rate is one of the terms of Wdd_j
INLINE void project(const UickerChain* chain, int j, M4 X, REAL rate)
{
  M4 J  = pseudo_inertia(&LINKS(chain->model)[j]);
  M4 Xt = m4_transpose(X);
  for (int i = j; i != LW_BASE; i = chain->parent[i])
  {
    REAL trace    = m4_trace(m4_multiply(m4_multiply(*first(chain, j, i), J), Xt));
    chain->tau[i] = mul_add(trace, rate, chain->tau[i]);
  }
}

static void project_accelerations(const UickerChain* chain, int j)
{
  for (int k = j; k != LW_BASE; k = chain->parent[k])
    project(chain, j, *first(chain, j, k), given(chain->qdd, k));
}

static void project_velocities(UickerChain* chain, int j)
{
  set_transforms(chain, j);
  for (int k = j; k != LW_BASE; k = chain->parent[k])
    for (int l = j; l != LW_BASE; l = chain->parent[l])
      project(chain, j, second_derivative(chain, k, l), r_mul(chain->qd[k], chain->qd[l]));
}

// tau_i -= g^T dW_j/dq_i m_j r_j
static void project_weight(const UickerChain* chain, int j)
{
  V4 mr = moment_and_mass(&LINKS(chain->model)[j]);
  for (int i = j; i != LW_BASE; i = chain->parent[i])
  {
    V3 span       = v4_vector(m4_apply(*first(chain, j, i), mr));
    chain->tau[i] = r_sub(chain->tau[i], dot(chain->g, span));
  }
}

// tau_i -= tr(dW_t/dq_i S W_t^T) for the wrench on the last link t
static void project_wrench(const UickerChain* chain, const Input* wrench, M4 W)
{
  int t = chain->model->tool;
  V3 f, n;
  tool_wrench(chain->model, wrench, &f, &n);
  M4 SW = m4_multiply(wrench_matrix(f, n), m4_transpose(W));
  for (int i = t; i != LW_BASE; i = chain->parent[i])
  {
    REAL work     = m4_trace_of_product(*first(chain, t, i), SW);
    chain->tau[i] = r_sub(chain->tau[i], work);
  }
}

static void lagrange_uicker_kahn(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n          = (size_t)model->n;
  UickerChain chain = {.model  = model,
                       .parent = model->parent,
                       .qd     = state->qd,
                       .qdd    = state->qdd,
                       .g      = gravity_of(model, state),
                       .tau    = out};
  Turn* turns       = take_turns(model, state->q, &work);
  chain.A           = take(&work, n * sizeof *chain.A);
  chain.T           = take(&work, n * sizeof *chain.T);
  M4* W             = (M4*)take(&work, (n + 1) * sizeof *W) + 1;  // W[LW_BASE] is the base
  chain.U           = work;

  first_derivatives(&chain, turns, state->q, W);
  for (int i = 0; i < model->n; ++i) chain.tau[i] = zero();
  for (int j = 0; j < model->n; ++j)
  {
    project_accelerations(&chain, j);
    if (state->qd) project_velocities(&chain, j);
    project_weight(&chain, j);
  }
  if (is_tool_pushed(model, state)) project_wrench(&chain, state->wrench, W[model->tool]);
}

const lwKernel FN(lagrange_uicker_kahn) = {
    lagrange_uicker_kahn, sizeof(Turn) + 3 * sizeof(M4), sizeof(M4), {0}, 0};
