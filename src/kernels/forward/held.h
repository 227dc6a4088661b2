// SPDX-License-Identifier: MIT
// Joints that are held, and the rotors of motors, in an inertia matrix.
#ifndef LW_KERNELS_FORWARD_HELD_H
#define LW_KERNELS_FORWARD_HELD_H

#include "kernels/joints.h"

// A joint that is held has the row and column of the identity.
INLINE void hold_rows(const lwModel* model, REAL* M)
{
  for (int i = 0; i < model->n && model->ball_count > 0; ++i)
  {
    if (!is_held(model, i)) continue;
    for (int k = 0; k < model->n; ++k) M[i * model->n + k] = M[k * model->n + i] = zero();
    M[i * model->n + i] = constant(1);
  }
}

INLINE void hold_entries(const lwModel* model, REAL* x)
{
  for (int i = 0; i < model->n && model->ball_count > 0; ++i)
    if (is_held(model, i)) x[i] = zero();
}

// The reflected inertia of every motor's rotor on the diagonal.
INLINE void add_rotors(const lwModel* model, REAL* M)
{
  size_t n = (size_t)model->n;
  for (size_t i = 0; i < n; ++i) M[i * n + i] = r_add(M[i * n + i], rotor_of(model, (int)i));
}

#endif
