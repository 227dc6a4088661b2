// SPDX-License-Identifier: MIT
// The equations of the free chain with the wheels' constraints,
// nia2005 (26)-(27) corrected (errata 0-10, 0-11):
//   [ M  A^T ] [ q''    ]   [ Q - B   ]
//   [ A   0  ] [ lambda ] = [ -A' q'  ]
// M is (n+2) x (n+2), A is n x (n+2). The paper eliminates the whole matrix, which is symmetric but
// indefinite; so would LAPACK's sytrf. Here M is known to be positive definite and A to have full
// rank, so no pivots need to be searched for, which the count scalar and lanes could not do, and
// the core library needs no LAPACK:
//   M = L^T D L,  Y = L^-T A^T,  S = A M^-1 A^T = Y^T D^-1 Y,
//   S lambda = A M^-1 (Q - B) + A' q'                                                          (A1)
//   L q'' = D^-1 L^-T (Q - B - A^T lambda)                                                     (A2)
// Constraint k is about the first k + 3 coordinates only (x, y, and the links up to k). Elimination
// from the last coordinate to the first keeps it so: Y is triangular except for two rows. 2/3 n^3
// multiplications in all, against 4/3 n^3 for the elimination of the whole.
#ifndef LW_KERNELS_SNAKE_AUGMENTED_H
#define LW_KERNELS_SNAKE_AUGMENTED_H

#include "kernels/snake/report.h"
#include "math/tree_ldl.h"

typedef struct
{
  int n, size;   // links; coordinates, n + 2
  REAL* M;       // (size x size) lower triangle; then its factors
  REAL* A;       // (n x size) row k: constraint k, its first k + 3 entries; then Y^T
  REAL* S;       // (n x n)
  REAL* b;       // (size) Q - B; then q''
  REAL* drift;   // (n) A' q'
  REAL* lambda;  // (n) N
} Augmented;

INLINE Augmented take_augmented(void** work, int n)
{
  size_t links = (size_t)n, size = links + 2;
  REAL* M = take_reals(work, size * size);
  REAL* A = take_reals(work, links * size);
  REAL* S = take_reals(work, links * links);
  REAL* b = take_reals(work, size);
  REAL* d = take_reals(work, links);
  return (Augmented){n, n + 2, M, A, S, b, d, take_reals(work, links)};
}

enum
{
  AUGMENTED_PER_LINK = 3 * sizeof(REAL),
  AUGMENTED_PER_PAIR = 3 * sizeof(REAL)
};

INLINE REAL* row_of(REAL* matrix, int row, int columns)
{
  return &matrix[(size_t)row * (size_t)columns];
}

// x = L^-T x, whose entries from count on are 0
INLINE void eliminate(const Augmented* a, int count, REAL* x)
{
  for (int k = count - 1; k > 0; --k)
  {
    const REAL* L = row_of(a->M, k, a->size);
    for (int i = 0; i < k; ++i) x[i] = sub_mul(x[i], L[i], x[k]);
  }
}

// Row k of S (A1), from rows l <= k of Y^T. scaled has room for (size).
INLINE void schur_row(Augmented* a, int k, REAL* scaled)
{
  REAL* S = row_of(a->S, k, a->n);
  REAL* Y = row_of(a->A, k, a->size);
  for (int i = 0; i < k + 3; ++i) scaled[i] = r_mul(Y[i], row_of(a->M, i, a->size)[i]);  // D^-1 Y
  for (int l = 0; l <= k; ++l)
  {
    const REAL* other = row_of(a->A, l, a->size);
    S[l]              = r_mul(other[0], scaled[0]);
    for (int i = 1; i < l + 3; ++i) S[l] = mul_add(other[i], scaled[i], S[l]);
  }
}

INLINE void factor_augmented(const lwSnake* snake, Augmented* a, REAL* scaled)
{
  tree_ldl_factor(a->size, snake->chain, a->M);
  for (int k = 0; k < a->n; ++k)
  {
    eliminate(a, k + 3, row_of(a->A, k, a->size));
    schur_row(a, k, scaled);
  }
  tree_ldl_factor(a->n, snake->chain, a->S);
}

// q'' in b, and lambda, with the factors at hand. scaled has room for (size).
INLINE void solve_augmented(const lwSnake* snake, Augmented* a, REAL* scaled)
{
  int n = a->n, size = a->size;
  eliminate(a, size, a->b);
  for (int i = 0; i < size; ++i) scaled[i] = r_mul(a->b[i], row_of(a->M, i, size)[i]);
  for (int k = 0; k < n; ++k)
  {
    const REAL* Y = row_of(a->A, k, size);
    a->lambda[k]  = a->drift[k];
    for (int i = 0; i < k + 3; ++i) a->lambda[k] = mul_add(Y[i], scaled[i], a->lambda[k]);
  }
  tree_ldl_solve(n, snake->chain, a->S, a->lambda);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < k + 3; ++i)
      a->b[i] = sub_mul(a->b[i], row_of(a->A, k, size)[i], a->lambda[k]);
  for (int k = 0; k < size; ++k)  // (A2)
  {
    const REAL* L = row_of(a->M, k, size);
    a->b[k]       = r_mul(a->b[k], L[k]);
    for (int i = 0; i < k; ++i) a->b[k] = sub_mul(a->b[k], L[i], a->b[i]);
  }
}

// The terms of Kane's equations by their definitions (9) and (11), which these methods do
// not use: V_i and w_i are the speeds of a link for u = (1, 0) and (0, 1). The bias
// follows from M udot + bias = F.
INLINE void report_kane(const lwSnake* snake, const lwSnakeState* state, const Turn* turn,
                        const REAL udot[2], const lwSnakeOut* out)
{
  REAL V[2] = {constant(1), zero()}, w[2] = {zero(), constant(1)};
  REAL* partial = OUT(out, PARTIAL);
  Reduced r     = no_sums();
  if (!partial && !wants_reduced(out)) return;
  for (int k = 0; k < snake->n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    REAL m = K(part->mass), J = K(part->axle_inertia);
    REAL torque = net_torque(state->torque, k, snake->n);
    for (int i = 0; i < 2; ++i)
    {
      if (k > 0) next_velocity(part - 1, turn[k - 1], &V[i], &w[i]);
      if (partial) partial[2 * k + i] = w[i];
      r.force[i] = mul_add(torque, w[i], r.force[i]);
    }
    r.M11 = mul_add(r_mul(m, V[0]), V[0], mul_add(r_mul(J, w[0]), w[0], r.M11));
    r.M12 = mul_add(r_mul(m, V[0]), V[1], mul_add(r_mul(J, w[0]), w[1], r.M12));
    r.M22 = mul_add(r_mul(m, V[1]), V[1], mul_add(r_mul(J, w[1]), w[1], r.M22));
  }
  r.bias[0] = r_sub(r.force[0], mul_add(r.M11, udot[0], r_mul(r.M12, udot[1])));
  r.bias[1] = r_sub(r.force[1], mul_add(r.M12, udot[0], r_mul(r.M22, udot[1])));
  report_reduced(&r, out);
}

#endif
