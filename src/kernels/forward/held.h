// SPDX-License-Identifier: MIT
// Joints that are held, and the rotors of motors, in an inertia matrix.
#ifndef LW_KERNELS_FORWARD_HELD_H
#define LW_KERNELS_FORWARD_HELD_H

#include "kernels/joints.h"
#include "math/tree_ldl.h"

// The numbers that a kernel of inertia has written, as REAL and at the same place.
INLINE REAL* matrix_of_reals(void* numbers, size_t count)
{
#if defined(LW_SCALAR_f32) && !LW_LANE_BYTES
  const Result* wide = numbers;
  REAL* narrow       = numbers;
  size_t k           = 0;
  for (; k + WIDE <= count; k += WIDE)
  {
    Wide some = JOIN_HALVES(half_wide(wide + k), half_wide(wide + k + WIDE / 2));
    memcpy(narrow + k, &some, sizeof some);
  }
  for (; k < count; ++k)
  {
    Result number;
    memcpy(&number, wide + k, sizeof number);
    REAL real = (REAL)number;
    memcpy(narrow + k, &real, sizeof real);
  }
#else
  (void)count;
#endif
  return numbers;
}

// A joint that is held has the row and column of the identity.
INLINE void hold_rows(const lwModel* model, REAL* M)
{
  for (int i = 0; i < model->n && model->ball_count > 0; ++i)
  {
    if (!lw_joint_is_held(model, i)) continue;
    for (int k = 0; k < model->n; ++k) M[i * model->n + k] = M[k * model->n + i] = zero();
    M[i * model->n + i] = constant(1);
  }
}

INLINE void hold_entries(const lwModel* model, REAL* x)
{
  for (int i = 0; i < model->n && model->ball_count > 0; ++i)
    if (lw_joint_is_held(model, i)) x[i] = zero();
}

// The torque that accelerates the rotors, if they are asked for.
INLINE void add_rotor_torques(const lwModel* model, const lwState* state, const Input* qdd,
                              Result* tau)
{
  for (int i = 0; i < model->n && state->rotors; ++i)
    tau[i] = mul_add(rotor_of(model, i), qdd[i], tau[i]);
}

// The factors M = L^T D L of a matrix that a kernel of inertia has written, in its place, with the
// reflected inertia of every motor's rotor on the diagonal if asked for.
INLINE REAL* factor_inertia(const lwModel* model, const lwState* state, void* matrix)
{
  size_t n = (size_t)model->n;
  REAL* M  = matrix_of_reals(matrix, n * n);
  for (size_t i = 0; i < n && state->rotors; ++i)
    M[i * n + i] = r_add(M[i * n + i], rotor_of(model, (int)i));
  hold_rows(model, M);
  tree_ldl_factor(model->n, model->parent, M);
  return M;
}

#endif
