// SPDX-License-Identifier: MIT
// Jacobian of a frame that a link carries, 6 x n row by row:
// velocity of its origin, then angular velocity, base frame.
//
// Column i is (z x (p - p_i), z) for a revolute joint and (z, 0) for a prismatic one (Whitney
// 1972), zero for a joint that does not carry the frame.
#include "kernels/motion/frames.h"

INLINE void set_column(REAL* J, int n, int i, V3 linear, V3 angular)
{
  const REAL column[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (int row = 0; row < 6; ++row) J[row * n + i] = column[row];
}

static void jacobian(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take_turns(model, state->q, &work);
  Frame* frames = (Frame*)work + 1;
  REAL* J       = out;

  link_frames(model, turns, state->q, frames);
  V3 p = seen_frame(state->view, frames).p;

  for (int k = 0; k < 6 * n; ++k) J[k] = zero();
  for (int i = state->view->carrier; i != LW_BASE; i = model->parent[i])
  {
    V3 z = frames[i].z;
    if (is_prismatic(model, i))
      set_column(J, n, i, z, v3_zero());
    else
      set_column(J, n, i, cross(z, sub(p, frames[i].p)), z);
  }
}

const lwKernel FN(jacobian) = {jacobian, sizeof(Turn) + sizeof(Frame), 0, {0}, LW_KERNEL_NARROW};
