// SPDX-License-Identifier: MIT
// model/expand.h for expressions: converts between the coordinates of users and those of kernels.
// Included by record.c only, which has chosen the scalar.
//
// A rotation that is NULL is the identity: if a ball joint carries the whole robot, only
// gravity sees its rotation (rooted_ball()).
#ifndef LW_GENERATE_EXPAND_SYMBOLS_H
#define LW_GENERATE_EXPAND_SYMBOLS_H

#include "kernels/joints.h"
#include "model/transform.h"

// --- quaternions

// Link to joint frame, row by row; whatever the length of the quaternion.
static void quaternion_rotation(const REAL q[4], REAL R[9])
{
  static const int next[3] = {1, 2, 0};
  REAL sum                 = mul_add(q[0], q[0], r_mul(q[1], q[1]));
  REAL length2             = r_add(sum, mul_add(q[2], q[2], r_mul(q[3], q[3])));
  REAL s                   = r_mul(constant(2), r_div(constant(1), length2));
  for (int i = 0; i < 3; ++i)
  {
    int j = next[i], k = next[j];
    REAL squares = mul_add(q[j], q[j], r_mul(q[k], q[k]));
    REAL product = r_mul(q[i], q[j]), turned = r_mul(q[k], q[3]);
    R[4 * i]     = sub_mul(constant(1), s, squares);
    R[3 * i + j] = r_mul(s, r_sub(product, turned));
    R[3 * j + i] = r_mul(s, r_add(product, turned));
  }
}

// The turns of R = Rx(a) Rz(b) Rx(c), as in model/ball.h: a and c are half the sum plus and minus
// half the difference of angles whose tangents are x / w and -y / z. With t = sqrt((x^2 + w^2)
// (y^2 + z^2)),
//   cos a = (w z + x y) / t,  sin a = (x z - w y) / t,
//   cos c = (w z - x y) / t,  sin c = (x z + w y) / t
// What is added to w and z is lost in rounding unless they are 0: there an angle is not defined,
// does not matter, and is taken as 0.
static void quaternion_turns(const REAL q[4], Turn turn[3])
{
  const REAL least = constant(1e-18);
  REAL x = q[0], y = q[1], z = r_add(q[2], least), w = r_add(q[3], least);
  REAL sum        = mul_add(x, x, r_mul(w, w));
  REAL difference = mul_add(y, y, r_mul(z, z));
  REAL square     = r_mul(sum, difference);
  REAL t          = in_graph(square.graph, lw_graph_sqrt(square.graph, square.expr));
  REAL length2    = r_add(sum, difference);
  REAL over       = r_div(constant(1), r_mul(t, length2));
  REAL over_t = r_mul(over, length2), over_length = r_mul(over, t);
  REAL wz = r_mul(w, z), xy = r_mul(x, y), xz = r_mul(x, z), wy = r_mul(w, y);
  turn[0] = (Turn){r_mul(r_add(wz, xy), over_t), r_mul(r_sub(xz, wy), over_t)};
  turn[1] =
      (Turn){r_mul(r_sub(sum, difference), over_length), r_mul(r_mul(constant(2), t), over_length)};
  turn[2] = (Turn){r_mul(r_sub(wz, xy), over_t), r_mul(r_add(xz, wy), over_t)};
}

// --- rotations of three entries in place

static void turn_entries(const REAL* R, bool back, REAL* a, size_t stride)
{
  REAL x = a[0], y = a[stride], z = a[2 * stride];
  for (size_t i = 0; i < 3; ++i)
  {
    size_t row = back ? i : 3 * i, step = back ? 3 : 1;
    a[i * stride] = mul_add(R[row], x, mul_add(R[row + step], y, r_mul(R[row + 2 * step], z)));
  }
}

// S^T A in place, A (dof, columns); not back: S A.
static void turn_floating(const lwModel* model, const REAL* R, bool back, size_t columns, REAL* A)
{
  for (int k = 0; R && k < model->ball_count; ++k)
    for (size_t c = 0; c < columns && model->balls[k].floats; ++c)
      turn_entries(R + 9 * k, back, A + (size_t)(model->balls[k].v - 3) * columns + c, columns);
}

// A S in place, A (rows, dof)
static void turn_floating_rows(const lwModel* model, const REAL* R, size_t rows, REAL* A)
{
  for (size_t row = 0; row < rows; ++row, A += model->dof) turn_floating(model, R, true, 1, A);
}

// --- accelerations

// Adds to accelerations qdd of users in place of y, or subtracts again, what those of kernels
// differ by in axes of the link: terms quadratic in velocities.
static void add_turning(const lwModel* model, const REAL* qd, bool subtract, REAL* y)
{
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    const REAL* w      = qd + ball->v;
    REAL terms[6] = {[3] = r_neg(r_mul(w[1], w[2])), r_mul(w[0], w[2]), r_neg(r_mul(w[0], w[1]))};
    V3 wxv        = ball->floats ? cross(v3(w[0], w[1], w[2]), v3(w[-3], w[-2], w[-1]))
                                 : v3(zero(), zero(), zero());
    terms[0] = wxv.x, terms[1] = wxv.y, terms[2] = wxv.z;
    for (int i = ball->floats ? 0 : 3; i < 6; ++i)
    {
      REAL* a = y + ball->v - 3 + i;
      *a      = r_add(*a, subtract ? r_neg(terms[i]) : terms[i]);
    }
  }
}

// --- a robot that stands on one ball or floating joint

// Whether the first joint has the only quaternion and carries all others: the arm then moves as it
// would unturned, under gravity seen from the turned link.
static bool is_rooted(const lwModel* model)
{
  int roots = 0;
  for (int i = 0; i < model->n; ++i) roots += model->parent[i] == LW_BASE;
  if (model->ball_count != 1 || roots != 1) return false;
  return model->balls[0].body == (model->balls[0].floats ? 3 : 0);
}

// Axes of that joint's frame in the description's base frame, row by row.
static void rooted_frame(const lwModel* model, double R[9])
{
  lwTransform place = lw_identity, before, after;
  for (int i = model->joint[0]; i >= 0; i = model->robot.joints[i].parent)
  {
    lw_joint_place(&model->robot.joints[i], &before, &after);
    before = lw_compose(&before, &after);
    place  = lw_compose(&before, &place);
  }
  for (int k = 0; k < 9; ++k) R[k] = place.R[k / 3][k % 3];
}

#endif
