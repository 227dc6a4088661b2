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

extern const lwKernel FN(newton_euler_grouped);

// What the solver works on, and what inverse dynamics gives.
typedef struct
{
  REAL* M;      // (n, n) factors
  REAL* x;      // (n)
  Result* tau;  // (n)
} InertiaMemory;

// x = tau - tau of inverse dynamics, and then M^-1 of it
INLINE void solve_for_rest(const lwModel* model, const lwState* state, InertiaMemory memory)
{
  for (int i = 0; i < model->n; ++i) memory.x[i] = r_sub(given(state->tau, i), memory.tau[i]);
  hold_entries(model, memory.x);
  tree_ldl_solve(model->n, model->parent, memory.M, memory.x);
}

// qdd += M^-1 (tau - ID(q, qd, qdd)), ID with the torque of the rotors
INLINE void refine_once(const lwModel* model, void* work, const lwState* state,
                        InertiaMemory memory, Result* qdd)
{
  lwState reached = *state;
  reached.qdd     = qdd;
  FN(newton_euler_grouped).run(model, work, &reached, memory.tau);
  add_rotor_torques(model, state, qdd, memory.tau);
  solve_for_rest(model, state, memory);
  for (int i = 0; i < model->n; ++i) qdd[i] = r_add(qdd[i], memory.x[i]);
}

// Compiled once for all inertia methods, which are called through their kernels anyway.
static __attribute__((noinline)) void through_inertia(const lwModel* model, void* work,
                                                      const lwState* state, Result* qdd,
                                                      const lwKernel* inertia)
{
  size_t n             = (size_t)model->n;
  InertiaMemory memory = {.M = take(&work, lw_lines(n * n, sizeof(Result)))};
  memory.x             = take(&work, lw_lines(n, sizeof *memory.x));
  memory.tau           = take(&work, lw_lines(n, sizeof *memory.tau));

  lwState at_rest = *state;
  at_rest.qdd     = NULL;
  FN(newton_euler_grouped).run(model, work, &at_rest, memory.tau);
  inertia->run(model, work, state, memory.M);
  memory.M = factor_inertia(model, state, memory.M);
  solve_for_rest(model, state, memory);
  for (size_t i = 0; i < n; ++i) qdd[i] = memory.x[i];
  for (int k = 0; k < state->refine; ++k) refine_once(model, work, state, memory, qdd);
}

// The inertia methods that take wide joints.
#define FLAGS_composite_body           LW_KERNEL_WIDE
#define FLAGS_walker_orin_1            0
#define FLAGS_walker_orin_2            0
#define FLAGS_walker_orin_3            0
#define FLAGS_orthogonal_complement    0
#define FLAGS_common_frame             LW_KERNEL_WIDE
#define FLAGS_gibbs_appell_inertia     0
#define FLAGS_closed_form_inertia      0
#define FLAGS_gibbs_appell_inertia_sum 0
#define FLAGS_reference_composite_body 0

#define THROUGH(id, ...)                                                                           \
  extern const lwKernel FN(id);                                                                    \
  static void forward_##id(const lwModel* model, void* work, const lwState* state, void* out)      \
  {                                                                                                \
    through_inertia(model, work, state, out, &FN(id));                                             \
  }                                                                                                \
  const lwKernel FN(forward_##id) = {forward_##id,                                                 \
                                     64 + sizeof(REAL) + sizeof(Result),                           \
                                     sizeof(Result),                                               \
                                     {&FN(newton_euler_grouped), &FN(id)},                         \
                                     FLAGS_##id};

LW_INERTIA_METHODS(THROUGH)
