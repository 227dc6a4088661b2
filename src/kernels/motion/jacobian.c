// SPDX-License-Identifier: MIT
// Jacobian of a frame that a link carries, 6 x n row by row:
// velocity of its origin, then angular velocity, base frame.
//
// Column i is (z x (p - p_i), z) for a revolute joint and (z, 0) for a prismatic one (Whitney
// 1972), zero for a joint that does not carry the frame.
#include "kernels/motion/moving_frames.h"

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

// The column of a joint that carries the frame.
INLINE void set_joint_column(const lwModel* model, REAL* J, int i, const Moving* at, V3 p)
{
  Frame F = frame_of_moving(at);
  if (is_prismatic(model, i))
    set_column(J, model->n, i, F.z, v3_zero());
  else
    set_column(J, model->n, i, cross(F.z, sub(p, F.p)), F.z);
}

static void jacobian(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n = model->n, carrier = state->view->carrier;
  Moving* frames = (Moving*)take(&work, ((size_t)n + 1) * sizeof *frames) + 1;
  Turn* turns    = take(&work, (size_t)model->n * sizeof *turns);
  int* path      = work;
  REAL* J        = out;

  move_path(model, state->q, carrier, turns, path, frames);
  Moving seen = moving_seen(state->view, frames);
  V3 p        = frame_of_moving(&seen).p;

  bool all = model->chain && carrier == n - 1;
  for (int k = 0; k < 6 * n && !all; ++k) J[k] = zero();
  for (int i = carrier; i != LW_BASE; i = model->parent[i])
  {
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      set_wide_columns(J, n, wide, frame_of_moving(&frames[i]), p);
      i = wide->first;
    }
    else
      set_joint_column(model, J, i, &frames[i], p);
  }
}

const lwKernel FN(jacobian) = {jacobian,
                               sizeof(Turn) + sizeof(Moving) + sizeof(int),
                               0,
                               {0},
                               LW_KERNEL_NARROW | LW_KERNEL_WIDE};
