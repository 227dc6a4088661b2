// SPDX-License-Identifier: MIT
// From the equations of a tree with cut loops to its accelerations; src/loop/dynamics.c says how.
//
// Rows are rows of Y and A as stored: `width` numbers, four at a time. The right-hand side is the
// column behind those of the loops, so that it goes through every step with them.
#include <string.h>

#include "kernels/forward/loop_kernel.h"
#include "math/tree_ldl.h"
#include "math/vec4.h"

static const int GROUP = 4;

// target -= k row, from the group that has entry `first` on
INLINE void loop_subtract(double* restrict target, double k, const double* restrict row,
                          size_t first, size_t width)
{
  for (size_t j = first / GROUP * GROUP; j < width; j += GROUP)
    four_store(target + j, four_sub_mul(four_load(target + j), four_all(k), four_load(row + j)));
}

// Y = L^-T Y, from the tips to the base.
static void loop_half_solve(const lwLoopSystem* system)
{
  size_t dof = (size_t)system->dof, width = (size_t)system->width;
  for (int k = system->dof - 1; k > 0; --k)
    for (int i = system->parent[k]; i >= 0; i = system->parent[i])
      loop_subtract(system->Y + (size_t)i * width, system->M[(size_t)k * dof + (size_t)i],
                    system->Y + (size_t)k * width, 0, width);
}

// A = Y^T D^-1 Y, each row with its right-hand side. A joint beside a loop has zeros in its rows.
static void loop_schur_complement(const lwLoopSystem* system)
{
  size_t rows = (size_t)system->rows, width = (size_t)system->width, dof = (size_t)system->dof;
  memset(system->A, 0, rows * width * sizeof *system->A);
  for (size_t k = 0; k < dof; ++k)
  {
    const double* y = system->Y + k * width;
    double over_D   = system->M[k * (dof + 1)];
    for (size_t a = 0; a < rows; ++a)
      if (y[a] != 0) loop_subtract(system->A + a * width, -y[a] * over_D, y, a, width);
  }
}

static void loop_eliminate(lwLoopSystem* system)
{
  size_t rows = (size_t)system->rows, width = (size_t)system->width;
  tree_ldl_factor(system->dof, system->parent, system->M);
  loop_half_solve(system);
  loop_schur_complement(system);
  for (size_t a = 0; a < rows; ++a)
    system->force[a] = -system->bias[a] - system->A[a * width + rows];
}

static bool loop_solve(lwLoopSystem* system, double least)
{
  size_t rows = (size_t)system->rows, width = (size_t)system->width;
  double* U = system->factors;  // D L^T, and what follows from force in the same steps
  memcpy(U, system->A, rows * width * sizeof *U);
  for (size_t a = 0; a < rows; ++a) U[a * width + rows] = system->force[a];
  for (size_t k = 0; k < rows; ++k)
  {
    const double* row = U + k * width;
    if (!(row[k] > least * system->A[k * width + k])) return false;
    double over_D = 1 / row[k];
    for (size_t i = k + 1; i < rows; ++i)
      if (row[i] != 0) loop_subtract(U + i * width, row[i] * over_D, row, i, width);
  }
  for (size_t k = rows; k-- > 0;)
  {
    double sum = U[k * width + rows];
    for (size_t i = k + 1; i < rows; ++i) sum = sub_mul(sum, U[k * width + i], system->force[i]);
    system->force[k] = sum / U[k * width + k];
  }
  return true;
}

static void loop_accelerate(const lwLoopSystem* system, double* x)
{
  size_t dof = (size_t)system->dof, width = (size_t)system->width;
  double* by       = system->force;  // z stays as it is
  by[system->rows] = 1;
  for (size_t j = (size_t)system->rows + 1; j < width; ++j) by[j] = 0;
  for (size_t k = 0; k < dof; ++k)
  {
    Four sum = four_all(0);
    for (size_t j = 0; j < width; j += GROUP)
      sum = four_mul_add(four_load(system->Y + k * width + j), four_load(by + j), sum);
    const double* row = system->M + k * dof;
    double found      = four_sum(sum) * row[k];
    for (int i = system->parent[k]; i >= 0; i = system->parent[i])
      found = sub_mul(found, row[i], x[i]);
    x[k] = found;
  }
}

extern const lwLoopElimination FN(loop_elimination);
const lwLoopElimination FN(loop_elimination) = {loop_eliminate, loop_solve, loop_accelerate};
