// SPDX-License-Identifier: MIT
// Generalized speeds, Kane's v with qd = N(q) v: the null space of the rows J of a robot with loops,
// and what is projected into it. Kane & Levinson, "Dynamics: Theory and Applications", 1985.
//
//   J qd = 0           qd = N v
//   J qdd + c = 0      qdd = N vd + e       e = dN/dt v, c = dJ/dt qd
//   M qdd + h = tau + J^T f   gives   N^T M N vd = N^T (tau - h - M e), without f
//
// The order of the elimination is that of lwSpeedPlan; nothing is searched for.
#ifndef LW_KERNELS_SPEEDS_NULL_SPACE_H
#define LW_KERNELS_SPEEDS_NULL_SPACE_H

#include "model/loops.h"

// The rows of one state. Entry (r, i) of J is J[r * across + i * along]: rows by rows, or columns.
typedef struct lwSpeedRows
{
  double* J;
  size_t across, along;
  double* bias;    // (rows) c
  double* pivots;  // (lwSpeedPlan.pivots) as they were met
} lwSpeedRows;

// What is projected.
typedef struct lwSpeedSystem
{
  int dof, count;
  size_t width;       // count + 1, and up to a multiple of 4
  const int* parent;  // (dof) lwLoopSet.parent
  const double* M;    // (dof, dof), of which the lower triangle counts
  double* N;          // (dof, width): N, e in column `count`, zeros
  double* P;          // (dof, width): M N, M e
  double* K;          // (count, count): N^T M N, or its factors
  double* right;      // (dof) tau - h
  double* speed;      // (count) N^T (tau - h - M e), then vd
} lwSpeedSystem;

typedef struct lwNullSpace
{
  // Eliminates J and c. Columns of pivots keep the factors for forces().
  void (*eliminate)(const lwSpeedPlan* plan, lwSpeedRows* rows);

  // N and e from what eliminate() left.
  void (*expand)(const lwSpeedPlan* plan, const lwSpeedRows* rows, lwSpeedSystem* system);

  // P = M N, K = N^T P.
  void (*project)(lwSpeedSystem* system);

  // Solves K vd = N^T (right - M e): K becomes its factors, x (dof) the accelerations N vd + e.
  void (*accelerate)(lwSpeedSystem* system, double* x);

  // Forces of rows with J^T f = rest (dof) from what eliminate() left; redundant rows get none.
  void (*forces)(const lwSpeedPlan* plan, const lwSpeedRows* rows, const double* rest, double* f);
} lwNullSpace;

#endif
