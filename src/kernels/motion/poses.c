// SPDX-License-Identifier: MIT
// Poses of the links of all joints of the description in its base frame, fixed joints too: x y z,
// then the rotation row by row. O(n).
#include "kernels/motion/link_frames.h"

static void poses(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns   = take_turns(model, state->q, &work);
  Frame* frames = (Frame*)work + 1;

  outward_frames(model, turns, state->q, frames);
  for (int l = 0; l < model->robot.count; ++l)
    pose_store((REAL*)out + 12 * l, link_place(model, l, frames));
}

const lwKernel FN(poses) = {poses,
                            sizeof(Turn) + sizeof(Frame),
                            0,
                            {0},
                            LW_KERNEL_NARROW | LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
