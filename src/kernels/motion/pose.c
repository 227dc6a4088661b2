// SPDX-License-Identifier: MIT
// Pose of a frame that a link carries in the base frame of the description: x y z, then the
// rotation row by row.
#include "kernels/motion/moving_frames.h"

static void pose(const lwModel* model, void* work, const lwState* state, void* out)
{
  Moving* frames = (Moving*)take(&work, ((size_t)model->n + 1) * sizeof *frames) + 1;
  Turn* turns    = take(&work, (size_t)model->n * sizeof *turns);
  int* path      = work;

  move_path(model, state->q, state->view->carrier, turns, path, frames);
  Moving T = moving_seen(state->view, frames);
  moving_pose(out, &T, true);
}

const lwKernel FN(pose) = {
    pose, sizeof(Turn) + sizeof(Moving) + sizeof(int), 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
