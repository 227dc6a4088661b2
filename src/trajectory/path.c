// SPDX-License-Identifier: MIT
#include "trajectory/path.h"

#include <math.h>
#include <string.h>

#include "base/arrays.h"
#include "math/elementary.h"
#include "math/rotation.h"

enum
{
  SUBSTEPS    = 8,  // of the integration from knot to knot
  NEWTONS     = 8,  // corrections, at most
  MOST_KNOTS  = 20000,
  FIRST_KNOTS = 16,  // at least
  SCRATCH     = 10   // arrays of nq: step, stage, sum, slope, now, try, two slopes, free
};

static const double KNOT_STEP =
    0.05;                             // rad, or sizes of the arm, that a joint may go between knots
static const double ON_LINE = 1e-10;  // sizes of the arm, or rad: on the line
static const double NO_RANK = 1e-9;   // of the largest singular value: zero
static const double STEEPEST =
    1e5;  // rad per size of the arm: no arm is meant to go that near to a singularity

// The direction and the curvature of an arc at s.
static void face_along(lwPath* path, double s)
{
  if (path->radius == 0) return;
  double c = lw_cos(s / path->radius), d = lw_sin(s / path->radius);
  for (int k = 0; k < 3; ++k)
  {
    path->rate[k] = c * path->along[k] - d * path->towards[k];
    path->bend[k] = -(c * path->towards[k] + d * path->along[k]) / path->radius;
  }
}

// Where the last link should be at s.
static void target_at(const lwPath* path, double s, double p[3], double R[9])
{
  double turn[3], by[9], r = path->radius;
  for (int k = 0; k < 3; ++k)
  {
    p[k] = path->p0[k] + s * path->rate[k];
    if (r > 0)
      p[k] =
          path->centre[k] + r * (lw_cos(s / r) * path->towards[k] + lw_sin(s / r) * path->along[k]);
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

// Jacobian and its singular values at q; with loops, of the part
// of its rows that keeps them closed.
static double decompose(lwPath* path, const double* q)
{
  lwTask* task = &path->task;
  lw_task_jacobian(task, q);
  double largest = 0;
  if (path->loops)
  {
    for (int k = 0; k < path->rows * task->n; ++k) largest = fmax(largest, fabs(task->J[k]));
    lw_loops_tangent(path->loops, q, NULL);
    memcpy(task->Jd, task->J, (size_t)(path->rows * task->n) * sizeof *task->J);
    for (int row = 0; row < path->rows; ++row)
      lw_loops_keep_tangent(path->loops, task->Jd + (size_t)row * (size_t)task->n);
  }
  lw_task_decompose(task, path->loops ? task->Jd : task->J, path->rows);
  return NO_RANK * fmax(largest, lw_svd_largest(&task->svd));
}

// Corrects q until it is on the line; returns the error that is left.
static double correct(lwPath* path, double s, double* q)
{
  if (path->loops) lw_loops_project(path->loops, q, NULL);
  double error[6], size = error_at(path, s, q, error);
  double* step = path->scratch;
  for (int k = 0; k < NEWTONS && size > 0; ++k)
  {
    double least = decompose(path, q), before = size;
    lw_svd_solve(&path->task.svd, error, 0, least, step);
    lw_model_integrate(path->task.model, q, step, q);
    if (path->loops) lw_loops_project(path->loops, q, NULL);
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

// With loops: q'' = b + (A P)^+ (-A' q' - A b) + the free part of d/ds q', with b the
// second derivative that keeps loops closed; the last term by differences, if any freedom is left.
static void bend_closed(lwPath* path, const double* q, const double* q1, double* q2)
{
  lwTask* task = &path->task;
  int n = task->n, nq = path->nq, rank = 0;
  double *way = path->scratch, *there = path->scratch + nq, *slope = path->scratch + 7 * nq;
  double *free = path->scratch + 8 * nq, right[6] = {0}, h = 1e-5 * path->size;
  lw_task_jacobian_rate(task, q1);
  lw_loops_bend(path->loops, q, q1, q2);
  for (int row = 0; row < path->rows; ++row)
  {
    right[row] = path->bend[row];
    for (int i = 0; i < n; ++i)
      right[row] -= task->Jd[row * n + i] * q1[i] + task->J[row * n + i] * q2[i];
  }
  double least = decompose(path, q);
  lw_svd_solve(&task->svd, right, 0, least, way);
  for (int i = 0; i < n; ++i) q2[i] += way[i];
  for (int row = 0; row < path->rows; ++row) rank += task->svd.square[row] > least * least;
  if (rank + path->loops->cut.rank >= n) return;
  for (int i = 0; i < n; ++i) free[i] = 0;
  for (int side = -1; side <= 1; side += 2)
  {
    for (int i = 0; i < n; ++i) way[i] = side * h * q1[i] + 0.5 * h * h * q2[i];
    lw_model_integrate(task->model, q, way, there);
    joint_slope(path, there, slope);
    for (int i = 0; i < n; ++i) free[i] += side * slope[i] / (2 * h);
  }
  least = decompose(path, q);
  lw_loops_keep_tangent(path->loops, free);
  keep_free_part(&task->svd, least, free);
  for (int i = 0; i < n; ++i) q2[i] += free[i];
}

// q'' = d/ds J^+ x' = -J^+ J' q' + (1 - J^+ J) J'^T (J J^T)^+ x' (Golub & Pereyra 1973), at the q
// of the last joint_slope().
static void bend(lwPath* path, const double* q, const double* q1, double* q2)
{
  if (path->loops) return bend_closed(path, q, q1, q2);
  lwTask* task    = &path->task;
  int n           = task->n;
  double* free    = path->scratch;
  double least    = NO_RANK * lw_svd_largest(&task->svd);
  double right[6] = {0}, y[6] = {0};
  lw_task_jacobian_rate(task, q1);
  for (int row = 0; row < path->rows; ++row)
  {
    right[row] = path->bend[row];
    for (int i = 0; i < n; ++i) right[row] -= task->Jd[row * n + i] * q1[i];
  }
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

// The coordinates of ball and floating joints that are y (n) away from q, into value; of one joint
// the turn from q, which is returned.
static lwTurn turn_from(const lwPath* path, int k, const double* q, const double* y,
                        double value[LW_TURN_WIDTH][3])
{
  lwTurn turn = path->turns.turn[k];
  memcpy(turn.from, q + turn.q, sizeof turn.from);
  for (int i = 0; i < LW_TURN_WIDTH; ++i)
  {
    bool place  = i < 3;
    value[i][0] = place && !turn.floats ? 0 : y[turn.v - 3 + i];
    value[i][1] = value[i][2] = 0;
    if (place && turn.floats) value[i][0] += q[turn.q - 3 + i];
  }
  return turn;
}

// q moved by y (n), in coordinates whose rate is qd for most joints.
static void move_from(const lwPath* path, const double* q, const double* y, double* to)
{
  for (int i = 0; i < path->task.n; ++i)
    if (path->turns.position[i] >= 0)
      to[path->turns.position[i]] = q[path->turns.position[i]] + y[i];
  for (int k = 0; k < path->turns.count; ++k)
  {
    double value[LW_TURN_WIDTH][3];
    lwTurn turn = turn_from(path, k, q, y, value);
    lw_turn_at(&turn, value, to, NULL, NULL);
  }
}

// Velocities qd (n) there become the rates of these coordinates.
static void rates_from(const lwPath* path, const double* q, const double* y, double* qd)
{
  for (int k = 0; k < path->turns.count; ++k)
  {
    double value[LW_TURN_WIDTH][3], at[LW_TURN_WIDTH], rate[LW_TURN_WIDTH];
    lwTurn turn = turn_from(path, k, q, y, value);
    for (int i = 0; i < LW_TURN_WIDTH; ++i) at[i] = value[i][0];
    lw_turn_rates(&turn, at, qd, NULL, rate, NULL);
    for (int i = turn.floats ? 0 : 3; i < LW_TURN_WIDTH; ++i) qd[turn.v - 3 + i] = rate[i];
  }
}

// From q at s to s + h: classical Runge-Kutta on q' = J^+ x',
// then a correction. False: x' is missed.
static bool advance(lwPath* path, double s, double h, double* q)
{
  int n = path->task.n, nq = path->nq;
  double* step  = path->scratch;
  double* stage = path->scratch + nq;
  double* sum   = path->scratch + 2 * nq;
  double* k     = path->scratch + 3 * nq;
  for (int substep = 0; substep < SUBSTEPS; ++substep)
  {
    static const double reach[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double part = h / SUBSTEPS;
    for (int i = 0; i < n; ++i) sum[i] = k[i] = 0;
    for (int r = 0; r < 4; ++r)
    {
      for (int i = 0; i < n; ++i) step[i] = reach[r] * part * k[i];
      move_from(path, q, step, stage);
      face_along(path, s + (substep + reach[r]) * part);
      if (!(joint_slope(path, stage, k) < 1e-3)) return false;
      rates_from(path, q, step, k);
      for (int i = 0; i < n; ++i) sum[i] += weight[r] / 6 * part * k[i];
    }
    move_from(path, q, sum, q);
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

// The memory for knots doubles when it is used up.
static bool grow_knots(lwPath* path, lwArena* arena, long* capacity)
{
  lwSamples* knots = &path->knots;
  if (knots->rows < *capacity) return true;
  long more = *capacity ? 2 * *capacity : 4 * FIRST_KNOTS;
  size_t n  = (size_t)path->task.n;
  size_t nq = (size_t)path->nq, rows = (size_t)knots->rows, size = sizeof(double);
  knots->t   = lw_arena_grow(arena, knots->t, rows, (size_t)more, size);
  knots->q   = lw_arena_grow(arena, knots->q, rows, (size_t)more, nq * size);
  knots->qd  = lw_arena_grow(arena, knots->qd, rows, (size_t)more, n * size);
  knots->qdd = lw_arena_grow(arena, knots->qdd, rows, (size_t)more, n * size);
  *capacity  = more;
  return !lw_arena_failed(arena);
}

static lwPathEnd add_knot(lwPath* path, lwArena* arena, long* capacity, double s, const double* q)
{
  lwSamples* knots = &path->knots;
  if (!grow_knots(path, arena, capacity)) return LW_PATH_MEMORY;
  size_t row = (size_t)knots->rows, n = (size_t)path->task.n, nq = (size_t)path->nq;
  double* to = (double*)knots->q + row * nq;
  double* q1 = (double*)knots->qd + row * n;
  memcpy(to, q, nq * sizeof *q);
  face_along(path, s);
  if (!(joint_slope(path, to, q1) < 1e-6)) return LW_PATH_OFF;
  if (!(steepness(path, q1) * path->size < STEEPEST)) return LW_PATH_SINGULAR;
  bend(path, to, q1, (double*)knots->qdd + row * n);
  ((double*)knots->t)[knots->rows++] = s;
  return knots->rows < MOST_KNOTS ? LW_PATH_DONE : LW_PATH_SINGULAR;
}

lwPathEnd lw_path_follow(lwPath* path, lwArena* arena, const double* q, double* reached)
{
  int n = path->task.n, nq = path->nq;
  long capacity = 0;
  size_t size   = (size_t)nq * sizeof *q;
  path->scratch = lw_arena_take(arena, SCRATCH * (size_t)nq + 1, sizeof(double));
  if (!path->scratch || !lw_turns_take(&path->turns, arena, path->task.model, n))
    return LW_PATH_MEMORY;
  path->knots = (lwSamples){.n = n, .turns = &path->turns};
  double* now = path->scratch + 4 * nq;
  double* try = path->scratch + 5 * nq;
  memcpy(now, q, size);
  *reached      = 0;
  lwPathEnd end = add_knot(path, arena, &capacity, 0, now);
  for (double s = 0, finest = 1e-9 * path->length; end == LW_PATH_DONE && s < path->length;)
  {
    const double* q1 = path->knots.qd + (size_t)(path->knots.rows - 1) * (size_t)n;
    double h         = fmin(path->length / FIRST_KNOTS, KNOT_STEP / steepness(path, q1));
    bool last        = s + 1.0001 * h >= path->length;
    if (last) h = path->length - s;
    memcpy(try, now, size);
    while (!advance(path, s, h, try) && h > finest)
    {
      h *= 0.5, last = false;
      memcpy(try, now, size);
    }
    *reached = s;
    if (h <= finest) return LW_PATH_OFF;
    s   = last ? path->length : s + h;
    end = add_knot(path, arena, &capacity, s, try);
    memcpy(now, try, size);
    if (end == LW_PATH_DONE) *reached = s;
  }
  return end;
}

// --- evaluation

void lw_path_at(lwPath* path, double s, double* q, double* q1, double* q2)
{
  lw_samples_at(&path->knots, s, q, NULL, NULL);
  correct(path, s, q);
  face_along(path, s);
  joint_slope(path, q, q1);
  bend(path, q, q1, q2);
}
