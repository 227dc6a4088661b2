// SPDX-License-Identifier: MIT
// Forward dynamics through an inertia matrix: M(q) qdd = tau - b(q, qd), O(n^3) for a chain.
//
// Walker & Orin 1982; swartz1982 (13)-(15). The bias b is inverse dynamics without acceleration and holds gravity and
// the wrench, so neither is subtracted again. One kernel for each inertia method.
#include "kernels/joints.h"
#include "kernels/methods.h"
#include "math/tree_ldl.h"

extern const lwKernel FN(newton_euler);

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
  FN(newton_euler).run(model, work, &at_rest, b);
  inertia->run(model, work, state, M);

  for (int i = 0; i < n; ++i) qdd[i] = r_sub(given(tau, i), b[i]);
  tree_ldl_factor(n, model->parent, M);
  tree_ldl_solve(n, model->parent, M, qdd);
}

#define THROUGH(id, ...)                                                                           \
  extern const lwKernel FN(id);                                                                    \
  static void forward_##id(const lwModel* model, void* work, const lwState* state, void* out)      \
  {                                                                                                \
    through_inertia(model, work, state, out, &FN(id));                                             \
  }                                                                                                \
  const lwKernel FN(forward_##id) = {                                                              \
      forward_##id, 64 + sizeof(REAL), sizeof(REAL), {&FN(newton_euler), &FN(id)}};

LW_INERTIA_METHODS(THROUGH)
