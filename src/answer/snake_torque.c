// SPDX-License-Identifier: MIT
// The inverse problem of snakes: torques of least norm for wanted accelerations, or for a gait.
//
// Without torques the snake accelerates with udot_0 = -M^-1 bias. Torques T give M (udot -
// udot_0) = G T, with G_ik = q_k+1,i - q_k,i, q_k = d omega_k / d u. With M = R R^T, H = R^-1 G
// and y = R^T (udot - udot_0):
//   y = H T,   phi ddot = phi ddot_0 + H^T y,   |y|^2 / 2 the kinetic energy of udot - udot_0
// So both problems are about the two rows of H. A rotation makes them orthogonal
// (one-sided Jacobi), their lengths are then the singular values, and pseudo-inverses
// follow at once, whatever the rank.
#include <assert.h>
#include <math.h>

#include "answer/snake_workspace.h"
#include "linkwork/snake.h"
#include "math/elementary.h"
#include "math/rotation.h"

// A singular value less than this part of the larger one is rounding.
static const double rank_tolerance = 1e-12;

// Two rows of numbers, and the rotation (c, s) from what they were.
typedef struct WheelRows
{
  int count;
  double* row[2];  // (count)
  double c, s;
  double squares[2];  // their lengths squared; 0 where it is only rounding
  int rank;
} WheelRows;

// The snake without torques.
typedef struct Free
{
  double R[3];  // 11, 21, 22 of the Cholesky factor of M
  double udot[2];
  double* theta_ddot;  // (n)
  double* partial;     // (n x 2)
} Free;

static void rotate_rows(WheelRows* rows, double c, double s)
{
  for (int i = 0; i < rows->count; ++i)
  {
    double a = rows->row[0][i], b = rows->row[1][i];
    rows->row[0][i] = c * a + s * b;
    rows->row[1][i] = c * b - s * a;
  }
  double turned = c * rows->c - s * rows->s;
  rows->s       = s * rows->c + c * rows->s;
  rows->c       = turned;
}

// Makes the rows orthogonal. The second rotation takes away what rounding left in the first.
static void orthogonalise(WheelRows* rows)
{
  rows->c = 1;
  rows->s = 0;
  for (int turn = 0; turn < 3; ++turn)
  {
    double aa = lw_dot_product(rows->count, rows->row[0], rows->row[0]);
    double bb = lw_dot_product(rows->count, rows->row[1], rows->row[1]);
    double ab = lw_dot_product(rows->count, rows->row[0], rows->row[1]);
    if (ab == 0) break;
    double angle = 0.5 * lw_atan2(2 * ab, aa - bb);
    rotate_rows(rows, lw_cos(angle), lw_sin(angle));
  }
  rows->rank  = 0;
  double most = 0;
  for (int i = 0; i < 2; ++i)
  {
    rows->squares[i] = lw_dot_product(rows->count, rows->row[i], rows->row[i]);
    most             = fmax(most, rows->squares[i]);
  }
  for (int i = 0; i < 2; ++i)
  {
    if (rows->squares[i] > rank_tolerance * rank_tolerance * most)
      ++rows->rank;
    else
      rows->squares[i] = 0;
  }
}

// A pair in the rotated axes of the rows, and back.
static void to_rows(const WheelRows* rows, const double y[2], double turned[2])
{
  turned[0] = rows->c * y[0] + rows->s * y[1];
  turned[1] = rows->c * y[1] - rows->s * y[0];
}

static void from_rows(const WheelRows* rows, const double turned[2], double y[2])
{
  y[0] = rows->c * turned[0] - rows->s * turned[1];
  y[1] = rows->s * turned[0] + rows->c * turned[1];
}

static Free move_freely(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  double M[4];
  Free free            = {.theta_ddot = ws->inverse, .partial = ws->inverse + snake->n};
  lwSnakeState without = {state->theta, state->u, NULL};
  lwSnakeOut out       = {{[LW_SNAKE_OUT_UDOT]       = free.udot,
                           [LW_SNAKE_OUT_THETA_DDOT] = free.theta_ddot,
                           [LW_SNAKE_OUT_M]          = M,
                           [LW_SNAKE_OUT_PARTIAL]    = free.partial}};
  ws->isa->plain[LW_PRECISION_DOUBLE]->snake[LW_KERNEL_snake_kane_linear]->run(snake, ws->scratch,
                                                                               &without, &out);
  free.R[0] = sqrt(M[0]);
  free.R[1] = M[1] / free.R[0];
  free.R[2] = sqrt(M[3] - free.R[1] * free.R[1]);
  return free;
}

// H = R^-1 G in the two rows
static WheelRows fill_H(const lwSnake* snake, lwSnakeWorkspace* ws, const Free* free)
{
  int joints  = snake->n - 1;
  WheelRows H = {.count = joints};
  H.row[0]    = ws->inverse + 3 * (size_t)snake->n;
  H.row[1]    = H.row[0] + snake->n;
  for (int k = 0; k < joints; ++k)
  {
    double G1   = free->partial[2 * k + 2] - free->partial[2 * k];
    double G2   = free->partial[2 * k + 3] - free->partial[2 * k + 1];
    H.row[0][k] = G1 / free->R[0];
    H.row[1][k] = (G2 - free->R[1] * H.row[0][k]) / free->R[2];
  }
  return H;
}

// T = H^+ y, and y as it results; H is orthogonalised.
static void least_torque(const WheelRows* H, double y[2], double* torque)
{
  double turned[2];
  to_rows(H, y, turned);
  for (int i = 0; i < 2; ++i)
    if (H->squares[i] == 0) turned[i] = 0;
  for (int k = 0; k < H->count; ++k)
  {
    torque[k] = 0;
    for (int i = 0; i < 2; ++i)
      if (H->squares[i] > 0) torque[k] += turned[i] / H->squares[i] * H->row[i][k];
  }
  from_rows(H, turned, y);
}

// udot = udot_0 + R^-T y
static void resulting(const Free* free, const double y[2], double udot[2])
{
  double second = y[1] / free->R[2];
  udot[0]       = free->udot[0] + (y[0] - free->R[1] * second) / free->R[0];
  udot[1]       = free->udot[1] + second;
}

int lw_snake_torque(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                    const double udot[2], double* torque, double reached[2])
{
  Free free       = move_freely(snake, ws, state);
  WheelRows H     = fill_H(snake, ws, &free);
  double wanted[] = {udot[0] - free.udot[0], udot[1] - free.udot[1]};
  double y[]      = {free.R[0] * wanted[0] + free.R[1] * wanted[1], free.R[2] * wanted[1]};
  orthogonalise(&H);
  least_torque(&H, y, torque);
  if (reached) resulting(&free, y, reached);
  return H.rank;
}

// y for which H^T y is nearest to the wanted phi ddot less phi ddot_0, weighted;
// B = H W^1/2, returns its rank.
static int nearest_shape(const lwSnake* snake, lwSnakeWorkspace* ws, const Free* free,
                         const WheelRows* H, const lwSnakeGait* wanted, double y[2])
{
  WheelRows B      = {.count = H->count};
  double turned[2] = {0, 0};
  B.row[0]         = ws->inverse + 5 * (size_t)snake->n;
  B.row[1]         = B.row[0] + snake->n;
  for (int k = 0; k < B.count; ++k)
  {
    double root = wanted->weight ? sqrt(wanted->weight[k]) : 1;
    for (int i = 0; i < 2; ++i) B.row[i][k] = root * H->row[i][k];
  }
  orthogonalise(&B);
  for (int k = 0; k < B.count; ++k)
  {
    double root   = wanted->weight ? sqrt(wanted->weight[k]) : 1;
    double freely = free->theta_ddot[k + 1] - free->theta_ddot[k];
    for (int i = 0; i < 2; ++i)
      if (B.squares[i] > 0)
        turned[i] += B.row[i][k] * root * (wanted->phi_ddot[k] - freely) / B.squares[i];
  }
  from_rows(&B, turned, y);
  return B.rank;
}

int lw_snake_gait(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                  const lwSnakeGait* wanted, double* torque, double udot[2])
{
  Free free   = move_freely(snake, ws, state);
  WheelRows H = fill_H(snake, ws, &free);
  double y[2];
  int rank = nearest_shape(snake, ws, &free, &H, wanted, y);
  orthogonalise(&H);
  least_torque(&H, y, torque);
  if (udot) resulting(&free, y, udot);
  return rank;
}
