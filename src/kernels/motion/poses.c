// SPDX-License-Identifier: MIT
// Poses of the links of all joints of the description in its base frame, fixed joints too: x y z,
// then the rotation row by row. O(n).
#include "kernels/motion/moving_frames.h"

static void poses(const lwModel* model, void* work, const lwState* state, void* out)
{
  int count      = model->robot.count;
  Moving* frames = (Moving*)take(&work, ((size_t)model->n + 1) * sizeof *frames) + 1;
  Turn* turns    = take_turns(model, state->q, &work);

  move_frames(model, turns, state->q, frames);
  for (int l = 0; l < count; ++l)
  {
    Moving F = moving_link(model, l, frames);
    moving_pose((REAL*)out + 12 * l, &F, l == count - 1);
  }
}

const lwKernel FN(poses) = {poses,
                            sizeof(Turn) + sizeof(Moving),
                            0,
                            {0},
                            LW_KERNEL_NARROW | LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
