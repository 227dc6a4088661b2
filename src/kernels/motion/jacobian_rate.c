// SPDX-License-Identifier: MIT
// The rate of a frame's pose, J qd, and the part of its acceleration that velocities cause, dJ/dt
// qd; in the base frame, O(n).
//
// Both as the rows of the Jacobian: the origin of the frame, then angular. dJ/dt qd is the
// acceleration at qdd = 0, without gravity (joints with a quaternion: at zero acceleration of their
// own coordinates, for which those of the kernel are given).
#include "kernels/motion/link_frames.h"

static void jacobian_rate(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n         = (size_t)model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Frame* frames    = (Frame*)take(&work, (n + 1) * sizeof *frames) + 1;
  MovingBody* body = (MovingBody*)work + 1;
  int carrier      = state->view->carrier;

  outward_frames(model, turns, state->q, frames);
  move_bodies(model, frames, state->qd, model->ball_count > 0 ? state->qdd : NULL, body);

  V3 r = v3_zero();
  if (carrier != LW_BASE) r = sub(seen_frame(state->view, frames).p, frames[carrier].p);
  wrench_store(out, velocity_at(&body[carrier], r));
  wrench_store((REAL*)out + 6, acceleration_at(&body[carrier], r));
}

const lwKernel FN(jacobian_rate) = {jacobian_rate,
                                    sizeof(Turn) + sizeof(Frame) + sizeof(MovingBody),
                                    0,
                                    {0},
                                    LW_KERNEL_NARROW | LW_KERNEL_WIDE};
