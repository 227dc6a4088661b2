// SPDX-License-Identifier: MIT
// Forward dynamics through an inertia matrix: M(q) qdd = tau - b(q, qd), O(n^3) for a chain.
//
// Walker & Orin 1982; swartz1982 (13)-(15). The bias b is inverse dynamics without acceleration and
// holds gravity and the wrench, so neither is subtracted again; it is computed with grouped
// parameters, the cheapest way there is. One kernel for each inertia method.
//
// An inertia matrix rounded to single precision has lost what an ill-conditioned arm needs
// (mata2002 5.1). Each step of iterative refinement puts most of it back: the residual of the
// equation of motion comes from inverse dynamics, O(n), which never sees the matrix, and is solved
// with the factors at hand, O(n^2).
//
// With rotors, the reflected inertia of each motor's rotor is added to the diagonal of M. A joint
// that is held has the row and column of the identity, and no acceleration.
#include "kernels/forward/held.h"
#include "kernels/method_list.h"
#include "math/tree_ldl.h"

extern const lwKernel FN(newton_euler_grouped);

// qdd += M^-1 (tau - ID(q, qd, qdd)), ID with the torque of the rotors
INLINE void refine_once(const lwModel* model, void* work, const lwState* state, const REAL* M,
                        REAL* residual, REAL* qdd)
{
  const REAL* tau = state->tau;
  lwState reached = *state;
  reached.qdd     = qdd;
  FN(newton_euler_grouped).run(model, work, &reached, residual);
  for (int i = 0; i < model->n && state->rotors; ++i)
    residual[i] = mul_add(rotor_of(model, i), qdd[i], residual[i]);
  for (int i = 0; i < model->n; ++i) residual[i] = r_sub(given(tau, i), residual[i]);
  hold_entries(model, residual);
  tree_ldl_solve(model->n, model->parent, M, residual);
  for (int i = 0; i < model->n; ++i) qdd[i] = r_add(qdd[i], residual[i]);
}

INLINE void through_inertia(const lwModel* model, void* work, const lwState* state, REAL* qdd,
                            const lwKernel* inertia)
{
  int n           = model->n;
  size_t count    = (size_t)n;
  REAL* M         = take(&work, lw_lines(count * count, sizeof *M));
  REAL* b         = take(&work, lw_lines(count, sizeof *b));
  const REAL* tau = state->tau;

  lwState at_rest = *state;
  at_rest.qdd     = NULL;
  FN(newton_euler_grouped).run(model, work, &at_rest, b);
  inertia->run(model, work, state, M);
  if (state->rotors) add_rotors(model, M);

  for (int i = 0; i < n; ++i) qdd[i] = r_sub(given(tau, i), b[i]);
  hold_rows(model, M);
  hold_entries(model, qdd);
  tree_ldl_factor(n, model->parent, M);
  tree_ldl_solve(n, model->parent, M, qdd);
  for (int k = 0; k < state->refine; ++k) refine_once(model, work, state, M, b, qdd);
}

#define THROUGH(id, ...)                                                                           \
  extern const lwKernel FN(id);                                                                    \
  static void forward_##id(const lwModel* model, void* work, const lwState* state, void* out)      \
  {                                                                                                \
    through_inertia(model, work, state, out, &FN(id));                                             \
  }                                                                                                \
  const lwKernel FN(forward_##id) = {                                                              \
      forward_##id, 64 + sizeof(REAL), sizeof(REAL), {&FN(newton_euler_grouped), &FN(id)}};

LW_INERTIA_METHODS(THROUGH)
