// SPDX-License-Identifier: MIT
// Closing loops: Newton's method for the joints that are free, with Levenberg's damping where a
// step does not help.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/symmetric.h"
#include "model/loops.h"

enum
{
  MOST_STEPS = 200,
  RETRIES    = 3
};

static const double FARTHEST = 0.5;    // rad or m that a joint moves in one step
static const double CLOSED   = 1e-11;  // m per m of the robot's size, rad
static const double DAMPING  = 1e-12;  // of the largest diagonal entry, at least

bool lw_loop_closer_take(const lwModel* model, lwArena* arena, lwLoopCloser* closer)
{
  size_t rows = (size_t)model->loops->rows, dof = (size_t)model->dof;
  bool enough      = lw_loop_motion_take(model, arena, &closer->motion);
  closer->model    = model;
  closer->held     = NULL;
  closer->J        = lw_arena_take(arena, rows * dof, sizeof(double));
  closer->error    = lw_arena_take(arena, rows, sizeof(double));
  closer->normal   = lw_arena_take(arena, 2 * dof * dof, sizeof(double));
  closer->gradient = lw_arena_take(arena, dof, sizeof(double));
  closer->step     = lw_arena_take(arena, dof, sizeof(double));
  closer->trial    = lw_arena_take(arena, (size_t)model->nq, sizeof(double));
  closer->start    = lw_arena_take(arena, (size_t)model->nq, sizeof(double));
  closer->other    = lw_arena_take(arena, (size_t)model->nq, sizeof(double));
  return enough && closer->J && closer->error && closer->normal && closer->gradient &&
         closer->step && closer->trial && closer->start && closer->other;
}

// Sum of squared errors at q; the size of what is closed into *size.
static double measure_errors(lwLoopCloser* closer, const double* q, double* size)
{
  const lwModel* model = closer->model;
  double sum           = 0;
  lw_loop_place(model, &closer->motion, q);
  lw_loop_errors(model, &closer->motion, q, closer->error);
  lw_loop_gap(model, closer->error, closer->gap);
  for (int r = 0; r < model->loops->shut; ++r) sum += closer->error[r] * closer->error[r];
  *size = 1;
  for (int i = 0; i < model->loops->reach; ++i)
    for (int k = 0; k < 3; ++k) *size = fmax(*size, fabs(closer->motion.X[i].p[k]));
  return sum;
}

// J^T J and J^T e, where held joints have the identity.
static void normal_equations(lwLoopCloser* closer)
{
  const lwModel* model = closer->model;
  size_t dof = (size_t)model->dof, rows = (size_t)model->loops->shut;
  lw_loop_jacobian(model, &closer->motion, closer->J);
  memset(closer->normal, 0, dof * dof * sizeof *closer->normal);
  memset(closer->gradient, 0, dof * sizeof *closer->gradient);
  for (size_t r = 0; r < rows; ++r)
  {
    const double* row = closer->J + r * dof;
    for (size_t i = 0; i < dof; ++i)
    {
      if (row[i] == 0 || (closer->held && closer->held[i])) continue;
      closer->gradient[i] += row[i] * closer->error[r];
      for (size_t j = 0; j <= i; ++j)
        if (!closer->held || !closer->held[j]) closer->normal[i * dof + j] += row[i] * row[j];
    }
  }
}

// step = -(N + mu 1)^-1 gradient; false where that matrix is not positive definite.
static bool damped_step(lwLoopCloser* closer, double mu)
{
  size_t n  = (size_t)closer->model->dof;
  double* L = closer->normal + n * n;
  double* x = closer->step;
  memcpy(L, closer->normal, n * n * sizeof *L);
  for (size_t i = 0; i < n; ++i)
  {
    L[i * n + i] += mu;
    x[i] = -closer->gradient[i];
  }
  if (lw_cholesky((int)n, (int)n, L, 0) < (int)n) return false;
  lw_cholesky_solve((int)n, (int)n, L, x);
  double farthest = FARTHEST;
  for (size_t i = 0; i < n; ++i) farthest = fmax(farthest, fabs(x[i]));
  for (size_t i = 0; i < n; ++i) x[i] *= FARTHEST / farthest;
  return isfinite(farthest);
}

// Takes a step that makes the sum of squares smaller; false if there is none. *mu:
// damping, relative to `largest`.
static bool step_down(lwLoopCloser* closer, double* q, double* sum, double largest, double* mu)
{
  const lwModel* model = closer->model;
  double size;
  for (; *mu < 1e6; *mu *= 10)
  {
    if (!damped_step(closer, *mu * largest)) continue;
    lw_model_integrate(model, q, closer->step, closer->trial);
    double next = measure_errors(closer, closer->trial, &size);
    if (!(next < *sum)) continue;
    *sum = next;
    memcpy(q, closer->trial, (size_t)model->nq * sizeof *q);
    *mu = fmax(*mu / 100, DAMPING);
    return true;
  }
  measure_errors(closer, q, &size);
  return false;
}

// Newton's method from q.
static bool solve_from(lwLoopCloser* closer, double* q, double* left)
{
  const lwModel* model = closer->model;
  double size, mu = DAMPING, sum = measure_errors(closer, q, &size);
  double rounding = DBL_EPSILON * DBL_EPSILON;
  for (int k = 0; k < MOST_STEPS && sum > rounding * size * size; ++k)
  {
    double largest = DBL_MIN, before = sum;
    normal_equations(closer);
    for (int i = 0; i < model->dof; ++i)
      largest = fmax(largest, closer->normal[(size_t)i * (size_t)model->dof + (size_t)i]);
    if (!step_down(closer, q, &sum, largest, &mu)) break;
    bool closed = closer->gap[0] <= CLOSED * size && closer->gap[1] <= CLOSED;
    if (closed && sum > before / 4) break;
  }
  *left = measure_errors(closer, q, &size);
  return closer->gap[0] <= CLOSED * size && closer->gap[1] <= CLOSED;
}

// Moves free joints slightly aside: straight arms and other symmetric
// positions have no downhill direction.
static void step_aside(lwLoopCloser* closer, int retry, const double* from, double* q)
{
  const lwModel* model = closer->model;
  for (int i = 0; i < model->dof; ++i)
    closer->step[i] =
        closer->held && closer->held[i] ? 0 : 0.3 * retry * lw_sin(1 + i + 2.4 * retry);
  lw_model_integrate(model, from, closer->step, q);
}

bool lw_loop_solve(lwLoopCloser* closer, double* q)
{
  size_t bytes = (size_t)closer->model->nq * sizeof *q;
  double least, left, size;
  memcpy(closer->start, q, bytes);
  bool closed = solve_from(closer, q, &least);
  for (int retry = 1; retry <= RETRIES && !closed; ++retry)
  {
    step_aside(closer, retry, closer->start, closer->other);
    closed = solve_from(closer, closer->other, &left);
    if (!(closed || left < least)) continue;
    least = left;
    memcpy(q, closer->other, bytes);
  }
  if (!closed) measure_errors(closer, q, &size);
  return closed;
}

// Removes from `row` its part along the kept rows, each of length 1; twice because of rounding.
static double orthogonal_rest(int kept, int dof, const double* work, double* row)
{
  double square = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < kept; ++k)
    {
      const double* other = work + (size_t)k * (size_t)dof;
      double along        = 0;
      for (int i = 0; i < dof; ++i) along += other[i] * row[i];
      for (int i = 0; i < dof; ++i) row[i] -= along * other[i];
    }
  for (int i = 0; i < dof; ++i) square += row[i] * row[i];
  return sqrt(square);
}

int lw_loop_rank(int rows, int dof, const double* J, double* work, bool* redundant)
{
  int kept       = 0;
  double largest = 0;
  for (size_t i = 0; i < (size_t)rows * (size_t)dof; ++i) largest = fmax(largest, fabs(J[i]));
  for (int r = 0; r < rows; ++r)
  {
    const double* given = J + (size_t)r * (size_t)dof;
    double* row         = work + (size_t)kept * (size_t)dof;
    double size         = 0;
    memcpy(row, given, (size_t)dof * sizeof *row);
    for (int i = 0; i < dof; ++i) size = fmax(size, fabs(row[i]));
    double rest = orthogonal_rest(kept, dof, work, row);
    bool adds   = rest > 1e-9 * size && size > 1e-12 * largest;
    if (redundant) redundant[r] = !adds;
    for (int i = 0; i < dof && adds; ++i) row[i] /= rest;
    kept += adds;
  }
  return kept;
}
