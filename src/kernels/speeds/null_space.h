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

// A kernel's own scalar where math/real.h is included, before this; elsewhere those of double.
#ifdef LW_MATH_REAL_H
#define LW_SPEED_NUMBER REAL
#else
#define LW_SPEED_NUMBER double
#endif

// The rows of one state. Entry (r, i) of J is J[r * across + i * along]: rows by rows, or columns.
typedef struct lwSpeedRows
{
  LW_SPEED_NUMBER* J;
  size_t across, along;
  LW_SPEED_NUMBER* bias;    // (rows) c
  LW_SPEED_NUMBER* pivots;  // (lwSpeedPlan.pivots) as they were met
} lwSpeedRows;

// What is projected.
typedef struct lwSpeedSystem
{
  int dof, count;
  size_t width;              // count + 1, and up to a multiple of 4
  const int* parent;         // (dof) lwLoopSet.parent
  const LW_SPEED_NUMBER* M;  // (dof, dof), of which the lower triangle counts
  LW_SPEED_NUMBER* N;        // (dof, width): N, e in column `count`, zeros
  LW_SPEED_NUMBER* P;        // (dof, width): M N, M e
  LW_SPEED_NUMBER* K;        // (count, count): N^T M N, or its factors
  LW_SPEED_NUMBER* right;    // (dof) tau - h
  LW_SPEED_NUMBER* speed;    // (count) N^T (tau - h - M e), then vd
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
  void (*accelerate)(lwSpeedSystem* system, LW_SPEED_NUMBER* x);

  // Forces of rows with J^T f = rest (dof) from what eliminate() left; redundant rows get none.
  void (*forces)(const lwSpeedPlan* plan, const lwSpeedRows* rows, const LW_SPEED_NUMBER* rest,
                 LW_SPEED_NUMBER* f);
} lwNullSpace;

#endif
