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

// Columns of a wide joint: its velocities are along and about the axes of its link.
INLINE void set_wide_columns(REAL* J, int n, const lwWideJoint* wide, Frame F, V3 p)
{
  const V3 axes[3] = {F.x, F.y, F.z};
  V3 r             = sub(p, F.p);
  for (int k = 0; k < 3; ++k)
  {
    if (wide->floats) set_column(J, n, wide->first + k, axes[k], v3_zero());
    set_column(J, n, wide->last - 2 + k, cross(axes[k], r), axes[k]);
  }
}

static void jacobian(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take_turns(model, state->q, &work);
  Frame* frames = (Frame*)take(&work, ((size_t)model->n + 1) * sizeof *frames) + 1;
  int* path     = work;
  REAL* J       = out;

  path_frames(model, turns, state->q, state->view->carrier, path, frames);
  V3 p = seen_frame(state->view, frames).p;

  for (int k = 0; k < 6 * n; ++k) J[k] = zero();
  for (int i = state->view->carrier; i != LW_BASE; i = model->parent[i])
  {
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      set_wide_columns(J, n, wide, frames[i], p);
      i = wide->first;
      continue;
    }
    V3 z = frames[i].z;
    if (is_prismatic(model, i))
      set_column(J, n, i, z, v3_zero());
    else
      set_column(J, n, i, cross(z, sub(p, frames[i].p)), z);
  }
}

const lwKernel FN(jacobian) = {jacobian,
                               sizeof(Turn) + sizeof(Frame) + sizeof(int),
                               0,
                               {0},
                               LW_KERNEL_NARROW | LW_KERNEL_WIDE};
