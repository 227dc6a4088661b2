// SPDX-License-Identifier: MIT
// Pose of a frame that a link carries in the base frame of the description: x y z, then the
// rotation row by row.
#include "kernels/motion/frames.h"

static void pose(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns   = take_turns(model, state->q, &work);
  Frame* frames = (Frame*)take(&work, ((size_t)model->n + 1) * sizeof *frames) + 1;
  int* path     = work;
  REAL* r       = out;

  path_frames(model, turns, state->q, state->view->carrier, path, frames);
  Frame T          = seen_frame(state->view, frames);
  const REAL all[] = {T.p.x, T.p.y, T.p.z, T.x.x, T.y.x, T.z.x,
                      T.x.y, T.y.y, T.z.y, T.x.z, T.y.z, T.z.z};
  for (int k = 0; k < 12; ++k) r[k] = all[k];
}

const lwKernel FN(pose) = {
    pose, sizeof(Turn) + sizeof(Frame) + sizeof(int), 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
