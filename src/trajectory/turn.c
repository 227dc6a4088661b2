// SPDX-License-Identifier: MIT
#include "trajectory/turn.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/ball.h"

bool lw_turns_take(lwTurns* turns, lwArena* arena, const lwModel* model, int dof)
{
  *turns        = (lwTurns){.dof = dof, .nq = model ? model->nq : dof};
  turns->count  = model ? model->ball_count : 0;
  turns->turn   = lw_arena_take(arena, (size_t)turns->count + 1, sizeof *turns->turn);
  int* position = lw_arena_take(arena, (size_t)dof + 1, sizeof *position);
  if (!turns->turn || !position) return false;
  for (int i = 0; i < dof; ++i) position[i] = model ? lw_model_velocity(model, i).other : i;
  for (int k = 0; k < turns->count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    turns->turn[k]     = (lwTurn){ball->q, ball->v, ball->floats, {0, 0, 0, 1}};
  }
  turns->position = position;
  return true;
}

// a^-1 b, or a b, of quaternions x y z w.
static void quaternions_multiply(const double a[4], const double b[4], bool back, double out[4])
{
  double sign = back ? -1 : 1, v[3];
  lw_cross(a, b, v);
  double w = a[3] * b[3] - sign * lw_dot(a, b);
  for (int k = 0; k < 3; ++k) out[k] = sign * v[k] + a[3] * b[k] + sign * b[3] * a[k];
  out[3] = w;
}

void lw_turn_point(const lwTurn* turn, const double* q, const double* near, double y[LW_TURN_WIDTH])
{
  double d[4];
  double* e = y + 3;
  for (int k = 0; k < 3; ++k) y[k] = turn->floats ? q[turn->q - 3 + k] : 0;
  quaternions_multiply(turn->from, q + turn->q, true, d);
  double sine = lw_length(d), sign = d[3] < 0 ? -1 : 1;
  double angle = 2 * lw_atan2(sine, fabs(d[3]));
  double by    = sine > 1e-8 ? angle / sine : 2;
  for (int k = 0; k < 3; ++k) e[k] = sign * by * d[k];
  if (!near || !(angle > 0)) return;
  double along = lw_dot(e, near + 3) / angle;  // of the axis; whole turns bring e next to near
  double turns = round((along - angle) / (2 * LW_PI));
  for (int k = 0; k < 3; ++k) e[k] *= 1 + turns * 2 * LW_PI / angle;
}

// b and c of T, and their derivatives by |e| over |e|.
typedef struct TurnShape
{
  double b, c, b1, c1;
} TurnShape;

static TurnShape shape_of(const double e[3])
{
  double square = lw_dot(e, e), angle = sqrt(square);
  if (angle < 0.05)  // six terms of the series: rounding
  {
    const double s = square;
    return (TurnShape){
        .b  = 1.0 / 2 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s / 3628800))),
        .c  = 1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880 - s / 39916800))),
        .b1 = -1.0 / 12 + s * (1.0 / 180 - s * (1.0 / 6720 - s / 453600)),
        .c1 = -1.0 / 60 + s * (1.0 / 1260 - s * (1.0 / 60480 - s / 4989600))};
  }
  double half     = lw_sin(angle / 2);
  TurnShape shape = {.b = 2 * half * half / square,
                     .c = (angle - lw_sin(angle)) / (square * angle)};
  shape.b1        = (lw_sin(angle) / angle - 2 * shape.b) / square;
  shape.c1        = (shape.b - 3 * shape.c) / square;
  return shape;
}

// T a
static void turning_rate(const TurnShape* shape, const double e[3], const double a[3],
                         double out[3])
{
  double ea[3], eea[3];
  lw_cross(e, a, ea);
  lw_cross(e, ea, eea);
  for (int k = 0; k < 3; ++k) out[k] = a[k] - shape->b * ea[k] + shape->c * eea[k];
}

// T^-1 a = a + e x a / 2 + d e x (e x a)
static void vector_rate(const TurnShape* shape, const double e[3], const double a[3], double out[3])
{
  double ea[3], eea[3], square = lw_dot(e, e), angle = sqrt(square);
  double d = 1.0 / 12 + square / 720 + square * square / 30240;
  if (angle >= 0.05) d = (1 - lw_sin(angle) / (2 * shape->b * angle)) / square;
  lw_cross(e, a, ea);
  lw_cross(e, ea, eea);
  for (int k = 0; k < 3; ++k) out[k] = a[k] + 0.5 * ea[k] + d * eea[k];
}

// dT/dt e'
static void turning_bias(const TurnShape* shape, const double e[3], const double rate[3],
                         double out[3])
{
  double ex[3], eex[3], xex[3], along = lw_dot(e, rate);
  lw_cross(e, rate, ex);
  lw_cross(e, ex, eex);
  lw_cross(rate, ex, xex);
  for (int k = 0; k < 3; ++k)
    out[k] = along * (shape->c1 * eex[k] - shape->b1 * ex[k]) + shape->c * xex[k];
}

static void rotation_at(const lwTurn* turn, const double e[3], double quaternion[4], double R[9])
{
  double step[4];
  lw_quaternion_exp(e, step);
  quaternions_multiply(turn->from, step, false, quaternion);
  double length = sqrt(lw_dot(quaternion, quaternion) + quaternion[3] * quaternion[3]);
  for (int k = 0; k < 4; ++k) quaternion[k] /= length;
  quaternion_matrix(quaternion, R);
}

void lw_turn_rates(const lwTurn* turn, const double y[LW_TURN_WIDTH], const double* qd,
                   const double* qdd, double rate[LW_TURN_WIDTH], double bend[LW_TURN_WIDTH])
{
  const double *e = y + 3, *w = qd + turn->v;
  TurnShape shape = shape_of(e);
  double quaternion[4], R[9], bias[3];
  rotation_at(turn, e, quaternion, R);
  memset(rate, 0, 3 * sizeof *rate);
  vector_rate(&shape, e, w, rate + 3);
  if (turn->floats) lw_rotate(R, w - 3, rate);
  if (!qdd) return;
  memset(bend, 0, 3 * sizeof *bend);
  turning_bias(&shape, e, rate + 3, bias);
  for (int k = 0; k < 3; ++k) bias[k] = qdd[turn->v + k] - bias[k];
  vector_rate(&shape, e, bias, bend + 3);
  if (!turn->floats) return;
  lw_cross(w, w - 3, bias);
  for (int k = 0; k < 3; ++k) bias[k] += qdd[turn->v - 3 + k];
  lw_rotate(R, bias, bend);
}

void lw_turn_at(const lwTurn* turn, const double y[LW_TURN_WIDTH][3], double* q, double* qd,
                double* qdd)
{
  double at[3][LW_TURN_WIDTH], quaternion[4], R[9], w[3], v[3], turned[3];
  for (int order = 0; order < 3; ++order)
    for (int k = 0; k < LW_TURN_WIDTH; ++k) at[order][k] = y[k][order];
  const double *e = at[0] + 3, *rate = at[1] + 3;
  TurnShape shape = shape_of(e);
  rotation_at(turn, e, quaternion, R);
  turning_rate(&shape, e, rate, w);
  lw_rotate_back(R, at[1], v);
  if (q) memcpy(q + turn->q, quaternion, sizeof quaternion);
  if (q && turn->floats) memcpy(q + turn->q - 3, at[0], 3 * sizeof *q);
  if (qd) memcpy(qd + turn->v, w, sizeof w);
  if (qd && turn->floats) memcpy(qd + turn->v - 3, v, sizeof v);
  if (!qdd) return;
  turning_rate(&shape, e, at[2] + 3, qdd + turn->v);
  turning_bias(&shape, e, rate, turned);
  for (int k = 0; k < 3; ++k) qdd[turn->v + k] += turned[k];
  if (!turn->floats) return;
  lw_rotate_back(R, at[2], qdd + turn->v - 3);
  lw_cross(w, v, turned);
  for (int k = 0; k < 3; ++k) qdd[turn->v - 3 + k] -= turned[k];
}
