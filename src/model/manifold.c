// SPDX-License-Identifier: MIT
// Positions whose derivative is not the velocity: steps and differences of q,
// where joints have quaternions.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "math/rotation.h"
#include "model/ball.h"

// How far a quaternion's length may be from 1.
static const double SLACK = 1e-6;

// q2 * q1 of quaternions x y z w, at any address.
static void quaternion_product(const double a[4], const double b[4], double out[4])
{
  double v[3];
  lw_cross(a, b, v);
  double w = a[3] * b[3] - lw_dot(a, b);
  for (int k = 0; k < 3; ++k) v[k] += a[3] * b[k] + b[3] * a[k];
  memcpy(out, v, sizeof v);
  out[3] = w;
}

static double quaternion_length(const double q[4])
{
  return sqrt(lw_dot(q, q) + q[3] * q[3]);
}

void lw_model_neutral(const lwModel* model, double* q)
{
  memset(q, 0, (size_t)model->nq * sizeof *q);
  for (int k = 0; k < model->ball_count; ++k) q[model->balls[k].q + 3] = 1;
}

lwStatus lw_model_check_positions(const lwModel* model, const double* q, lwDiag* diag)
{
  for (int i = 0; i < model->nq; ++i)
  {
    if (isfinite(q[i])) continue;
    LW_REFUSE(diag, NULL, "position %d, '%.60s', is %g, expected a finite number", i + 1,
              model->positions[i].name, q[i]);
    return LW_ERROR_INPUT;
  }
  for (int k = 0; k < model->ball_count; ++k)
  {
    int at        = model->balls[k].q;
    double length = quaternion_length(q + at);
    if (fabs(length - 1) <= SLACK) continue;
    const char* joint = model->robot.joints[model->positions[at].joint].name;
    LW_REFUSE(diag,
              "q of a ball or floating joint ends with the quaternion x y z w of its rotation",
              "the quaternion of joint '%.60s', q%d to q%d, has the length %.9g, expected 1 to "
              "within 1e-6",
              joint, at + 1, at + 4, length);
    return LW_ERROR_INPUT;
  }
  return LW_OK;
}

void lw_model_normalize(const lwModel* model, double* q)
{
  for (int k = 0; k < model->ball_count; ++k)
  {
    double* quaternion = q + model->balls[k].q;
    double length      = quaternion_length(quaternion);
    for (int i = 0; i < 4; ++i) quaternion[i] /= length;
  }
}

void lw_model_rates(const lwModel* model, const double* q, const double* qd, double* qdot)
{
  for (int i = 0; i < model->dof; ++i)
    if (model->position[i] >= 0) qdot[model->position[i]] = qd[i];
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    const double* w    = qd + ball->v;
    double R[9], spin[4] = {w[0] / 2, w[1] / 2, w[2] / 2, 0};
    quaternion_product(q + ball->q, spin, qdot + ball->q);
    if (!ball->floats) continue;
    quaternion_matrix(q + ball->q, R);
    matrix_apply(R, qd + ball->v - 3, qdot + ball->q - 3);
  }
}

void lw_model_velocities(const lwModel* model, const double* q, const double* qdot, double* qd)
{
  for (int i = 0; i < model->dof; ++i)
    if (model->position[i] >= 0) qd[i] = qdot[model->position[i]];
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    const double* at   = q + ball->q;
    double R[9], w[4], square = lw_dot(at, at) + at[3] * at[3];
    const double back[4] = {-at[0], -at[1], -at[2], at[3]};
    quaternion_product(back, qdot + ball->q, w);
    for (int i = 0; i < 3; ++i) qd[ball->v + i] = 2 * w[i] / square;
    if (!ball->floats) continue;
    quaternion_matrix(at, R);
    matrix_apply_back(R, qdot + ball->q - 3, qd + ball->v - 3);
  }
}

void lw_model_integrate(const lwModel* model, const double* q, const double* v, double* out)
{
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    double R[9], step[4], moved[3] = {0};
    quaternion_matrix(q + ball->q, R);
    lw_quaternion_exp(v + ball->v, step);
    if (ball->floats) matrix_apply(R, v + ball->v - 3, moved);
    for (int i = 0; i < 3 && ball->floats; ++i)
      out[ball->q - 3 + i] = q[ball->q - 3 + i] + moved[i];
    quaternion_product(q + ball->q, step, out + ball->q);
  }
  for (int i = 0; i < model->dof; ++i)
  {
    int at = model->position[i];
    if (at >= 0 && model->velocities[i].other >= 0) out[at] = q[at] + v[i];
  }
  lw_model_normalize(model, out);
}

void lw_model_difference(const lwModel* model, const double* q0, const double* q1, double* v)
{
  for (int i = 0; i < model->dof; ++i)
    if (model->position[i] >= 0) v[i] = q1[model->position[i]] - q0[model->position[i]];
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball   = &model->balls[k];
    const double* from   = q0 + ball->q;
    const double back[4] = {-from[0], -from[1], -from[2], from[3]};
    double R[9], turn[4];
    quaternion_product(back, q1 + ball->q, turn);
    double sine = lw_length(turn), sign = turn[3] < 0 ? -1 : 1;
    double angle = 2 * lw_atan2(sine, fabs(turn[3]));
    // the length of both quaternions cancels but where the sine is that of a small angle
    double scale = quaternion_length(turn);
    double by    = sine > 1e-8 * scale ? angle / sine : 2 / scale;
    for (int i = 0; i < 3; ++i) v[ball->v + i] = sign * by * turn[i];
    if (!ball->floats) continue;
    quaternion_matrix(from, R);
    matrix_apply_back(R, v + ball->v - 3, v + ball->v - 3);
  }
}
