// SPDX-License-Identifier: MIT
// Derivatives of forward dynamics from those of inverse dynamics, O(n^3):
// with qdd = forward(q, qd, tau),
//   d qdd / dq = -M^-1 d tau / dq      d qdd / dqd = -M^-1 d tau / dqd      d qdd / d tau = M^-1
// the derivatives of tau being taken at that qdd, with the rotors in M where they are wanted. Jain
// & Rodriguez 1993; Carpentier & Mansard
// 2018. One kernel for each way of differentiating inverse dynamics. M is factored once, M = L^T D
// L, in the place of the third answer.
#include "kernels/forward/held.h"
#include "kernels/methods.h"
#include "math/tree_inverse.h"

extern const lwKernel FN(composite_body);
extern const lwKernel FN(newton_euler_grouped);
extern const lwKernel FN(pushed_torques);

// tau - b, where wrenches at places are torques of their own
INLINE void torque_left(const lwModel* model, void* work, const lwState* state, REAL* left)
{
  lwState at_rest = *state, pushed = *state;
  bool places     = state->pushes && state->wrench;
  at_rest.qdd     = NULL;
  pushed.subtract = false;
  if (places) at_rest.wrench = NULL;
  FN(newton_euler_grouped).run(model, work, &at_rest, left);
  for (int i = 0; i < model->n; ++i) left[i] = r_sub(given(state->tau, i), left[i]);
  pushed.tau = left;
  if (places) FN(pushed_torques).run(model, work, &pushed, left);
}

INLINE void through_inverse(const lwModel* model, void* work, const lwState* state, REAL* by_q,
                            const lwKernel* derivatives)
{
  int n         = model->n;
  size_t count  = (size_t)n;
  REAL* by_qd   = by_q + count * count;
  REAL* by_tau  = by_qd + count * count;
  REAL* qdd     = take(&work, lw_lines(count, sizeof *qdd));
  lwState moves = *state;
  moves.qdd     = qdd;

  torque_left(model, work, state, qdd);
  FN(composite_body).run(model, work, state, by_tau);
  if (state->rotors) add_rotors(model, by_tau);
  hold_rows(model, by_tau);
  hold_entries(model, qdd);
  tree_ldl_factor(n, model->parent, by_tau);
  tree_ldl_solve(n, model->parent, by_tau, qdd);
  derivatives->run(model, work, &moves, by_q);
  tree_ldl_solve_matrix(n, model->parent, by_tau, by_q);
  tree_ldl_solve_matrix(n, model->parent, by_tau, by_qd);
  tree_ldl_invert(n, by_tau);
}

#define THROUGH(id, ...)                                                                           \
  extern const lwKernel FN(id);                                                                    \
  static void forward_##id(const lwModel* model, void* work, const lwState* state, void* out)      \
  {                                                                                                \
    through_inverse(model, work, state, out, &FN(id));                                             \
  }                                                                                                \
  const lwKernel FN(forward_##id) = {                                                              \
      forward_##id,                                                                                \
      64 + sizeof(REAL),                                                                           \
      0,                                                                                           \
      {&FN(id), &FN(composite_body), &FN(newton_euler_grouped), &FN(pushed_torques)}};

LW_DERIVATIVE_METHODS(THROUGH)
