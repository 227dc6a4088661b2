// SPDX-License-Identifier: MIT
// Joints that friction or end stops hold in a robot with loops, in the speeds of the rows.
//
//   M x = right + f + J^T l     J x = -c     x = 0 at held joints, f = 0 at the others
//
// With x = N v + e, K = N^T M N and the rows C of N of held joints,
//   K v = r + C^T f    C v = -e_held      so that      C K^-1 C^T f = -e_held - C K^-1 r
// Joints that hold each other through the loops leave f open: it is then the solution with the least
// sum of squares; x is unique.
#include <math.h>
#include <string.h>

#include "loop/loop_workspace.h"
#include "math/dense_ldl.h"

static const double ROUNDING = 1e-12;  // of the terms of x that a joint at rest may keep

void lw_loops_begin_holds(lwLoops* loops, const double* q, const double* qd, const double* M)
{
  size_t dof = (size_t)loops->dof;
  lw_loops_at(loops, q);
  memset(loops->bias, 0, (size_t)loops->rows * sizeof *loops->bias);
  if (qd) lw_loop_bias(loops->model, &loops->closer.motion, qd, loops->bias);
  lw_loops_null_space(loops);
  memcpy(loops->M, M, dof * dof * sizeof *M);
  loops->isa->null_space->project(&loops->speeds);
  dense_ldl_factor((size_t)loops->speeds.count, loops->speeds.K);
}

// N_i . v and, in *size, the sum of its terms.
static double joint_sum(const lwLoops* loops, int i, const double* v, double* size)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  const double* N             = speeds->N + (size_t)i * speeds->width;
  double sum                  = 0;
  for (int j = 0; j < speeds->count; ++j)
  {
    sum += N[j] * v[j];
    *size += fabs(N[j] * v[j]);
  }
  return sum;
}

// C K^-1 C^T of the held joints into loops->drive, a row K^-1 C^T of each into loops->V.
static void factor_held(lwLoops* loops, const bool* held)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  size_t count                = (size_t)speeds->count;
  lwPsd* S                    = &loops->drive;
  int rows                    = 0;
  for (int i = 0; i < loops->dof; ++i) rows += held[i];
  S->n = rows;
  for (int i = 0, a = 0; i < loops->dof; ++i)
  {
    double* of = loops->V + (size_t)a * (size_t)loops->dof;
    if (!held[i]) continue;
    memcpy(of, speeds->N + (size_t)i * speeds->width, count * sizeof *of);
    dense_ldl_solve(count, speeds->K, of);
    for (int k = 0, b = 0; k <= i; ++k)
    {
      double size = 0;
      if (held[k]) S->A[a * rows + b++] = joint_sum(loops, k, of, &size);
    }
    ++a;
  }
  lw_psd_factor(S, LW_LOOP_LEAST);
}

void lw_loops_solve_held(lwLoops* loops, const bool* held, const double* right, double* x,
                         double* f)
{
  lwSpeedSystem* speeds = &loops->speeds;
  size_t count = (size_t)speeds->count, width = speeds->width;
  double *v = speeds->speed, *hold = loops->other, *free = loops->rest;
  memset(v, 0, count * sizeof *v);
  for (size_t i = 0; i < (size_t)loops->dof; ++i)
    for (size_t j = 0; j < count; ++j)
      v[j] += speeds->N[i * width + j] * (right[i] - speeds->P[i * width + count]);
  dense_ldl_solve(count, speeds->K, v);
  factor_held(loops, held);
  for (int i = 0, a = 0; i < loops->dof; ++i)
  {
    free[i]    = fabs(speeds->N[(size_t)i * width + count]);  // the size of x without holds
    double sum = joint_sum(loops, i, v, &free[i]) + speeds->N[(size_t)i * width + count];
    if (held[i]) hold[a++] = -sum;
  }
  lw_psd_solve(&loops->drive, hold);
  for (int a = 0; a < loops->drive.n; ++a)
    for (size_t j = 0; j < count; ++j)
      v[j] += loops->V[(size_t)a * (size_t)loops->dof + j] * hold[a];
  for (int i = 0, a = 0; i < loops->dof; ++i)
  {
    double size = free[i];
    x[i]        = joint_sum(loops, i, v, &size) + speeds->N[(size_t)i * width + count];
    if (held[i] || fabs(x[i]) <= ROUNDING * size) x[i] = 0;
    if (held[i]) f[i] = hold[a++];
  }
}
