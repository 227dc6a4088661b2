// SPDX-License-Identifier: MIT
// Coordinates of users and those between (model/expand.h) in dual numbers, at positions that have
// no slopes: rotations of ball and floating joints are plain numbers.
//
// The file that includes this has chosen the scalar.
#ifndef LW_ANSWER_SLOPES_BALLS_H
#define LW_ANSWER_SLOPES_BALLS_H

#include "kernels/joints.h"
#include "model/expand.h"

// R a of entries `apart` from each other, in place; R^T a: back.
INLINE void ball_turn(const double R[9], bool back, REAL* a, size_t apart)
{
  REAL old[3] = {a[0], a[apart], a[2 * apart]};
  for (size_t i = 0; i < 3; ++i)
  {
    const size_t at[3] = {back ? i : 3 * i, back ? 3 + i : 3 * i + 1, back ? 6 + i : 3 * i + 2};
    REAL sum           = zero();
    for (int k = 0; k < 3; ++k) sum = r_add(sum, r_mul(constant(R[at[k]]), old[k]));
    a[i * apart] = sum;
  }
}

// S y, or S^T y: the linear entries of floating joints. Entries of y are `apart`.
INLINE void balls_turn(const lwModel* model, const double* R, bool back, REAL* y, size_t apart)
{
  for (int k = 0; k < model->ball_count; ++k)
    if (model->balls[k].floats)
      ball_turn(R + 9 * k, back, y + (size_t)(model->balls[k].v - 3) * apart, apart);
}

INLINE V3 ball_vector(const REAL* a)
{
  return v3(a[0], a[1], a[2]);
}

INLINE void ball_add(V3 a, bool subtract, REAL* to)
{
  const REAL all[3] = {a.x, a.y, a.z};
  for (int i = 0; i < 3; ++i) to[i] = subtract ? r_sub(to[i], all[i]) : r_add(to[i], all[i]);
}

// What is quadratic in velocities qd, in link axes: -(wy wz, -wx wz, wx wy) and w x v to ydd, or
// the opposite to qdd.
INLINE void balls_accelerate(const lwModel* model, const REAL* qd, bool back, REAL* ydd)
{
  for (int k = 0; k < model->ball_count && qd; ++k)
  {
    int at    = model->balls[k].v;
    V3 w      = ball_vector(qd + at);
    V3 scalar = v3(r_mul(w.y, w.z), r_neg(r_mul(w.x, w.z)), r_mul(w.x, w.y));
    ball_add(scalar, !back, ydd + at);
    if (model->balls[k].floats) ball_add(cross(w, ball_vector(qd + at - 3)), back, ydd + at - 3);
  }
}

#endif
