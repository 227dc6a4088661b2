// SPDX-License-Identifier: MIT
#include "trajectory/path.h"

#include <math.h>
#include <string.h>

#include "math/roots.h"
#include "math/rotation.h"
#include "trajectory/segments.h"

enum
{
  SUBSTEPS    = 8,  // of the integration from knot to knot
  NEWTONS     = 8,  // corrections, at most
  MOST_KNOTS  = 20000,
  FIRST_KNOTS = 16  // at least
};

static const double KNOT_STEP =
    0.05;                             // rad, or sizes of the arm, that a joint may go between knots
static const double ON_LINE = 1e-10;  // sizes of the arm, or rad: on the line
static const double NO_RANK = 1e-9;   // of the largest singular value: zero
static const double STEEPEST =
    1e5;  // rad per size of the arm: no arm is meant to go that near to a singularity

// Where the last link should be at s.
static void target_at(const lwPath* path, double s, double p[3], double R[9])
{
  double turn[3], by[9];
  for (int k = 0; k < 3; ++k)
  {
    p[k]    = path->p0[k] + s * path->rate[k];
    turn[k] = s * path->rate[3 + k];
  }
  lw_rotation_exp(turn, by);
  lw_rotation_product(by, path->R0, R);
}

// The error of q at s; returns its size, in sizes of the arm and rad.
static double error_at(lwPath* path, double s, const double* q, double error[6])
{
  double position[3], rotation[9], p[3], R[9];
  target_at(path, s, position, rotation);
  lw_pose(path->task.model, path->task.ws, q, p, R);
  lw_pose_error(position, rotation, p, R, error);
  double linear = lw_length(error) / path->size;
  return path->rows == 3 ? linear : fmax(linear, lw_length(error + 3));
}

// Jacobian and its singular values at q.
static double decompose(lwPath* path, const double* q)
{
  lw_task_jacobian(&path->task, q);
  lw_task_decompose(&path->task, path->task.J, path->rows);
  return NO_RANK * lw_svd_largest(&path->task.svd);
}

// Corrects q until it is on the line; returns the error that is left.
static double correct(lwPath* path, double s, double* q)
{
  double error[6], size = error_at(path, s, q, error);
  double* step = path->scratch;
  for (int k = 0; k < NEWTONS && size > 0; ++k)
  {
    double least = decompose(path, q), before = size;
    lw_svd_solve(&path->task.svd, error, 0, least, step);
    for (int i = 0; i < path->task.n; ++i) q[i] += step[i];
    size = error_at(path, s, q, error);
    if (size < 1e-9 && size > 0.25 * before) break;  // rounding is all that is left
    if (!isfinite(size)) break;
  }
  return size;
}

// q' of which J q' = x' at q; returns how much of x' it misses, relatively.
static double joint_slope(lwPath* path, const double* q, double* q1)
{
  const lwTask* task = &path->task;
  double least       = decompose(path, q);
  double missed = 0, whole = 0;
  lw_svd_solve(&task->svd, path->rate, 0, least, q1);
  for (int row = 0; row < path->rows; ++row)
  {
    double unit = row < 3 ? 1 : path->size, sum = 0;
    for (int i = 0; i < task->n; ++i) sum += task->J[row * task->n + i] * q1[i];
    missed = fmax(missed, unit * fabs(sum - path->rate[row]));
    whole  = fmax(whole, unit * fabs(path->rate[row]));
  }
  return missed / whole;
}

// B^T diag(1 / square) B x: the part of x that J does not leave free, subtracted from x.
static void keep_free_part(const lwSvd* svd, double least, double* x)
{
  for (int row = 0; row < svd->rows; ++row)
  {
    const double* b = svd->B + (size_t)row * (size_t)svd->columns;
    double sum      = 0;
    if (svd->square[row] <= least * least) continue;
    for (int i = 0; i < svd->columns; ++i) sum += b[i] * x[i];
    for (int i = 0; i < svd->columns; ++i) x[i] -= sum / svd->square[row] * b[i];
  }
}

// q'' = d/ds J^+ x' = -J^+ J' q' + (1 - J^+ J) J'^T (J J^T)^+ x' (Golub & Pereyra 1973), at the q
// of the last joint_slope().
static void bend(lwPath* path, const double* q1, double* q2)
{
  lwTask* task    = &path->task;
  int n           = task->n;
  double* free    = path->scratch;
  double least    = NO_RANK * lw_svd_largest(&task->svd);
  double right[6] = {0}, y[6] = {0};
  lw_task_jacobian_rate(task, q1);
  for (int row = 0; row < path->rows; ++row)
    for (int i = 0; i < n; ++i) right[row] -= task->Jd[row * n + i] * q1[i];
  lw_svd_solve(&task->svd, right, 0, least, q2);

  for (int k = 0; k < path->rows; ++k)  // y = (J J^T)^+ x'
  {
    double sum = 0;
    if (task->svd.square[k] <= least * least) continue;
    for (int row = 0; row < path->rows; ++row) sum += task->svd.V[row][k] * path->rate[row];
    for (int row = 0; row < path->rows; ++row)
      y[row] += sum / task->svd.square[k] * task->svd.V[row][k];
  }
  for (int i = 0; i < n; ++i)
  {
    free[i] = 0;
    for (int row = 0; row < path->rows; ++row) free[i] += task->Jd[row * n + i] * y[row];
  }
  keep_free_part(&task->svd, least, free);
  for (int i = 0; i < n; ++i) q2[i] += free[i];
}

// --- following

// From q at s to s + h: the classical Runge-Kutta method on q' = J^+ x', then a correction. False:
// x' is missed.
static bool advance(lwPath* path, double s, double h, double* q)
{
  int n         = path->task.n;
  double* stage = path->scratch + n;  // (n)
  double* sum   = path->scratch + 2 * n;
  double* k     = path->scratch + 3 * n;
  for (int step = 0; step < SUBSTEPS; ++step)
  {
    static const double reach[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double part = h / SUBSTEPS;
    for (int i = 0; i < n; ++i) sum[i] = k[i] = 0;
    for (int r = 0; r < 4; ++r)
    {
      for (int i = 0; i < n; ++i) stage[i] = q[i] + reach[r] * part * k[i];
      if (!(joint_slope(path, stage, k) < 1e-3)) return false;
      for (int i = 0; i < n; ++i) sum[i] += weight[r] / 6 * part * k[i];
    }
    for (int i = 0; i < n; ++i) q[i] += sum[i];
  }
  return correct(path, s + h, q) <= ON_LINE;
}

// The largest slope in joint units: rad, or sizes of the arm for sliding joints, per m.
static double steepness(const lwPath* path, const double* q1)
{
  double most = 0;
  for (int i = 0; i < path->task.n; ++i)
  {
    const lwModel* model = path->task.model;
    bool slides          = lw_model_velocity(model, i).slides;
    most                 = fmax(most, fabs(q1[i]) / (slides ? path->size : 1));
  }
  return most;
}

// Room for knots doubles when it is used up.
static bool make_room_for_knot(lwPath* path, lwArena* arena, int* room)
{
  if (path->knots < *room) return true;
  int more    = *room ? 2 * *room : 4 * FIRST_KNOTS;
  size_t size = 3 * (size_t)path->task.n;
  double* s   = lw_arena_take(arena, (size_t)more, sizeof *s);
  double* q   = lw_arena_take(arena, (size_t)more * size + 1, sizeof *q);
  if (!s || !q) return false;
  if (path->knots > 0) memcpy(s, path->s, (size_t)path->knots * sizeof *s);
  if (path->knots > 0) memcpy(q, path->q, (size_t)path->knots * size * sizeof *q);
  path->s = s;
  path->q = q;
  *room   = more;
  return true;
}

static lwPathEnd add_knot(lwPath* path, lwArena* arena, int* room, double s, const double* q)
{
  int n = path->task.n;
  if (!make_room_for_knot(path, arena, room)) return LW_PATH_MEMORY;
  double* to = path->q + (size_t)path->knots * 3 * (size_t)n;
  memcpy(to, q, (size_t)n * sizeof *q);
  if (!(joint_slope(path, to, to + n) < 1e-6)) return LW_PATH_OFF;
  if (!(steepness(path, to + n) * path->size < STEEPEST)) return LW_PATH_SINGULAR;
  bend(path, to + n, to + 2 * n);
  path->s[path->knots++] = s;
  return path->knots < MOST_KNOTS ? LW_PATH_DONE : LW_PATH_SINGULAR;
}

lwPathEnd lw_path_follow(lwPath* path, lwArena* arena, const double* q, double* reached)
{
  int n = path->task.n, room = 0;
  path->scratch = lw_arena_take(arena, 8 * (size_t)n + 1, sizeof(double));
  if (!path->scratch) return LW_PATH_MEMORY;
  double* now = path->scratch + 4 * n;
  double* try = path->scratch + 5 * n;
  memcpy(now, q, (size_t)n * sizeof *q);
  *reached      = 0;
  lwPathEnd end = add_knot(path, arena, &room, 0, now);
  for (double s = 0, finest = 1e-9 * path->length; end == LW_PATH_DONE && s < path->length;)
  {
    const double* q1 = path->q + ((size_t)(path->knots - 1) * 3 + 1) * (size_t)n;
    double h         = fmin(path->length / FIRST_KNOTS, KNOT_STEP / steepness(path, q1));
    bool last        = s + 1.0001 * h >= path->length;
    if (last) h = path->length - s;
    memcpy(try, now, (size_t)n * sizeof *now);
    while (!advance(path, s, h, try) && h > finest)
    {
      h *= 0.5, last = false;
      memcpy(try, now, (size_t)n * sizeof *now);
    }
    *reached = s;
    if (h <= finest) return LW_PATH_OFF;
    s   = last ? path->length : s + h;
    end = add_knot(path, arena, &room, s, try);
    memcpy(now, try, (size_t)n * sizeof *now);
    if (end == LW_PATH_DONE) *reached = s;
  }
  return end;
}

// --- evaluation

static int knot_before(const lwPath* path, double s)
{
  int low = 0, high = path->knots - 2;
  while (low < high)
  {
    int middle = (low + high + 1) / 2;
    if (path->s[middle] <= s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

void lw_path_at(lwPath* path, double s, double* q, double* q1, double* q2)
{
  int n = path->task.n, k = knot_before(path, s);
  const double* a = path->q + (size_t)k * 3 * (size_t)n;
  const double* b = a + 3 * n;
  for (int i = 0; i < n; ++i)
  {
    const double from[3] = {a[i], a[n + i], a[2 * n + i]}, to[3] = {b[i], b[n + i], b[2 * n + i]};
    lwSegment piece = lw_segment_quintic(from, to, path->s[k], path->s[k + 1] - path->s[k]);
    q[i]            = lw_polynomial(piece.c, LW_PIECE_ORDER, s - path->s[k]);
  }
  correct(path, s, q);
  joint_slope(path, q, q1);
  bend(path, q1, q2);
}
