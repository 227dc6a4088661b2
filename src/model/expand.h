// SPDX-License-Identifier: MIT
// Converts between the coordinates of users and those of kernels, in the number of
// model/frame_number.h, one state at a time.
//
//   users    q (nq), qd, qdd, tau (dof)  ball and floating joints: quaternion, velocities
//                                        in the axes of the link
//   between  y (dof)                     as users', but linear velocities of floating joints
//                                        in the axes they move in
//   kernels  q, qd, qdd, tau (n)         every moving joint, held and mimic ones included
//
// yd = S qd with S = R for the linear velocity of a floating joint and 1 elsewhere, and
// kernels' qd = G yd, G as in model/mimic.c. With virtual work,
// tau = S^T G^T tau_k, M = S^T G^T M_k G S, J = J_k G S; S^-1 = S^T. Accelerations have a part that
// is quadratic in velocities. Linear, ydd = R (vd + w x v). Angular: the three joints of a ball
// have the axes x, y, z of the link, of which y turns with the first, and z with both,
//   wd = ydd + x x y wx wy + x x z wx wz + y x z wy wz = ydd + (wy wz, -wx wz, wx wy)
#ifndef LW_MODEL_EXPAND_H
#define LW_MODEL_EXPAND_H

#include <string.h>

#include "model/ball.h"

// Rotations of all ball joints, 9 numbers each. q NULL: at rest.
static inline void ball_rotations(const lwModel* model, const NUMBER* q, NUMBER* R)
{
  static const NUMBER none[4] = {0, 0, 0, 1};
  for (int k = 0; k < model->ball_count; ++k)
    quaternion_matrix(q ? q + model->balls[k].q : none, R + 9 * k);
}

// The position and quaternion of a wide joint; q NULL: at rest.
static inline void copy_wide_positions(const lwWideJoint* wide, const NUMBER* q, NUMBER* out)
{
  int last = wide->floats ? 6 : 3;
  for (int k = 0; k <= last; ++k) out[wide->q + k] = q ? q[wide->given + k] : k == last;
}

// Positions of all moving joints.
static inline void expand_positions(const lwModel* model, const NUMBER* q, NUMBER* out)
{
  for (int i = 0; i < model->n; ++i)
  {
    int v     = model->leader[i];
    bool free = v >= 0 && model->position[v] >= 0;
    int at    = model->q_index ? model->q_index[i] : i;
    if (at >= 0)
      out[at] = (free && q ? model->gain[i] * q[model->position[v]] : 0) + model->shift[i];
  }
  for (int k = 0; k < model->wide_count; ++k) copy_wide_positions(&model->wides[k], q, out);
  for (int k = 0; k < model->ball_count && q; ++k)
    quaternion_angles(q + model->balls[k].q, out + model->balls[k].body);
}

// G y
static inline void expand(const lwModel* model, const NUMBER* y, NUMBER* out)
{
  for (int i = 0; i < model->n; ++i)
    out[i] = model->leader[i] >= 0 ? model->gain[i] * y[model->leader[i]] : 0;
}

// G^T full
static inline void reduce_vector(const lwModel* model, const NUMBER* full, NUMBER* y)
{
  for (int i = 0; i < model->dof; ++i) y[i] = 0;
  for (int i = 0; i < model->n; ++i)
    if (model->leader[i] >= 0) y[model->leader[i]] += model->gain[i] * full[i];
}

// S qd, for velocities and, because S^-T = S, for efforts. At any address.
static inline void to_parent_axes(const lwModel* model, const NUMBER* R, const NUMBER* qd,
                                  NUMBER* y)
{
  if (y != qd) memcpy(y, qd, (size_t)model->dof * sizeof *y);
  for (int k = 0; k < model->ball_count; ++k)
    if (model->balls[k].floats)
      matrix_apply(R + 9 * k, y + model->balls[k].v - 3, y + model->balls[k].v - 3);
}

// S^T y, for efforts and rows of Jacobians.
static inline void from_parent_axes(const lwModel* model, const NUMBER* R, NUMBER* y)
{
  for (int k = 0; k < model->ball_count; ++k)
    if (model->balls[k].floats)
      matrix_apply_back(R + 9 * k, y + model->balls[k].v - 3, y + model->balls[k].v - 3);
}

// w x v of a floating joint, in axes of the link.
static inline void turning_velocity(const NUMBER* v, const NUMBER* w, NUMBER out[3])
{
  out[0] = w[1] * v[2] - w[2] * v[1];
  out[1] = w[2] * v[0] - w[0] * v[2];
  out[2] = w[0] * v[1] - w[1] * v[0];
}

// wd - ydd of a ball joint.
static inline void turning_axes(const NUMBER* w, NUMBER out[3])
{
  out[0] = w[1] * w[2];
  out[1] = -w[0] * w[2];
  out[2] = w[0] * w[1];
}

// ydd at qd and qdd; each may be NULL: zeros.
static inline void accelerations_in_parent_axes(const lwModel* model, const NUMBER* R,
                                                const NUMBER* qd, const NUMBER* qdd, NUMBER* ydd)
{
  for (int i = 0; i < model->dof; ++i) ydd[i] = qdd ? qdd[i] : 0;
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    NUMBER part[3];
    if (qd)
    {
      turning_axes(qd + ball->v, part);
      for (int i = 0; i < 3; ++i) ydd[ball->v + i] -= part[i];
    }
    if (!ball->floats) continue;
    if (qd)
    {
      turning_velocity(qd + ball->v - 3, qd + ball->v, part);
      for (int i = 0; i < 3; ++i) ydd[ball->v - 3 + i] += part[i];
    }
    matrix_apply(R + 9 * k, ydd + ball->v - 3, ydd + ball->v - 3);
  }
}

// qdd in the place of ydd.
static inline void accelerations_back(const lwModel* model, const NUMBER* R, const NUMBER* qd,
                                      NUMBER* ydd)
{
  from_parent_axes(model, R, ydd);
  for (int k = 0; k < model->ball_count && qd; ++k)
  {
    const lwBall* ball = &model->balls[k];
    NUMBER part[3];
    turning_axes(qd + ball->v, part);
    for (int i = 0; i < 3; ++i) ydd[ball->v + i] += part[i];
    if (!ball->floats) continue;
    turning_velocity(qd + ball->v - 3, qd + ball->v, part);
    for (int i = 0; i < 3; ++i) ydd[ball->v - 3 + i] -= part[i];
  }
}

// S^T A in place, A (dof, columns).
static inline void turn_columns(const lwModel* model, const NUMBER* R, size_t columns, NUMBER* A)
{
  for (int k = 0; k < model->ball_count; ++k)
  {
    if (!model->balls[k].floats) continue;
    NUMBER* rows = A + (size_t)(model->balls[k].v - 3) * columns;
    for (size_t j = 0; j < columns; ++j)
    {
      NUMBER column[3] = {rows[j], rows[columns + j], rows[2 * columns + j]};
      matrix_apply_back(R + 9 * k, column, column);
      for (size_t i = 0; i < 3; ++i) rows[i * columns + j] = column[i];
    }
  }
}

// S^T M S in place, M between.
static inline void turn_matrix(const lwModel* model, const NUMBER* R, NUMBER* out)
{
  size_t dof = (size_t)model->dof;
  for (size_t i = 0; i < dof; ++i) from_parent_axes(model, R, out + i * dof);
  turn_columns(model, R, dof, out);
  for (size_t i = 0; i < dof; ++i)  // symmetric to the last bit
    for (size_t j = 0; j < i; ++j) out[i * dof + j] = out[j * dof + i];
}

// G^T M G, only between joints that move, then S^T of it S
static inline void reduce_matrix(const lwModel* model, const NUMBER* R, const NUMBER* M,
                                 NUMBER* out)
{
  size_t n = (size_t)model->n, dof = (size_t)model->dof;
  for (size_t i = 0; i < dof * dof; ++i) out[i] = 0;
  for (size_t i = 0; i < n; ++i)
  {
    if (model->leader[i] < 0) continue;
    NUMBER* row = out + (size_t)model->leader[i] * dof;
    for (size_t j = 0; j < n; ++j)
      if (model->leader[j] >= 0)
        row[model->leader[j]] += model->gain[i] * model->gain[j] * M[i * n + j];
  }
  if (R && model->ball_count > 0) turn_matrix(model, R, out);
}

#endif
