// SPDX-License-Identifier: MIT
// Velocities, and accelerations, of the links of all joints of the description: of the origin of
// the link's frame, then angular, in the base frame. O(n).
//
// Accelerations are those of points, d^2 x/dt^2, as an accelerometer would have them without
// gravity; not the rates of motion vectors.
#include "kernels/motion/link_frames.h"

// Stores six numbers for each link: `motion_at` of its origin.
INLINE void link_motion(const lwModel* model, void* work, const lwState* state, const Input* qdd,
                        Wrench (*motion_at)(const MovingBody* body, V3 r), REAL* out)
{
  size_t n         = (size_t)model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Frame* frames    = (Frame*)take(&work, (n + 1) * sizeof *frames) + 1;
  MovingBody* body = (MovingBody*)work + 1;

  outward_frames(model, turns, state->q, frames);
  move_bodies(model, frames, state->qd, qdd, body);
  for (int l = 0; l < model->robot.count; ++l)
  {
    int carrier = model->carrier[l];
    V3 arm      = sub(link_place(model, l, frames).p, frames[carrier].p);
    wrench_store(out + 6 * l, motion_at(&body[carrier], arm));
  }
}

static void velocities(const lwModel* model, void* work, const lwState* state, void* out)
{
  link_motion(model, work, state, NULL, velocity_at, out);
}

static void accelerations(const lwModel* model, void* work, const lwState* state, void* out)
{
  link_motion(model, work, state, state->qdd, acceleration_at, out);
}

enum
{
  PER_JOINT = sizeof(Turn) + sizeof(Frame) + sizeof(MovingBody)
};

const lwKernel FN(velocities) = {
    velocities, PER_JOINT, 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
const lwKernel FN(accelerations) = {
    accelerations, PER_JOINT, 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
