// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops, compiled for each instruction set: the equations of the tree
// and of its loops, and their elimination. src/loop/dynamics.c says what is solved.
//
//   loop_equations.c     M, J^T, tau - h and dJ/dt qd of one state
//   loop_elimination.c   the Schur complement of the rows, its forces, and accelerations
#ifndef LW_KERNELS_FORWARD_LOOP_KERNEL_H
#define LW_KERNELS_FORWARD_LOOP_KERNEL_H

#include "model/loops.h"

// One state's equations on their way to its accelerations. Coordinates are those of the users, or
// those between (model/expand.h). Arrays are aligned to 64 bytes.
typedef struct lwLoopSystem
{
  int rows, dof;
  int width;          // rows + 1, and up to a multiple of 4
  const int* parent;  // (dof) lwLoopSet.parent
  double* M;          // (dof, dof), of which the lower triangle counts
  double* Y;          // (dof, width) and 4: J^T, tau - h in column `rows`, and zeros
  double* bias;       // (rows) and 4: dJ/dt qd
  double* A;          // (rows, width): Schur complement on and right of its diagonal
  double* factors;    // (rows, width)
  double* force;      // (width)
  void* bodies;       // (n) of lwLoopKernel.body_size bytes
  double* turns;      // (n, 2) cos and sin
  double* q;          // (n) of kernels
} lwLoopSystem;

// A state as users know it, and what follows from it.
typedef struct lwLoopState
{
  const double* q;    // (nq)
  const double* yd;   // (dof) velocities between
  const double* tau;  // (dof) efforts between
} lwLoopState;

typedef struct lwLoopEquations
{
  size_t body_size;

  // M, Y and bias of a state, in coordinates between.
  void (*write)(const lwModel* model, const lwLoopState* state, lwLoopSystem* system);
} lwLoopEquations;

typedef struct lwLoopElimination
{
  // M = L^T D L, Y = L^-T Y, A = Y^T D^-1 Y, and force = -bias - Y^T D^-1 z,
  // z being the last column of Y.
  void (*eliminate)(lwLoopSystem* system);

  // A force = force by L D L^T in the order of the rows. False, with A and force as they were, if a
  // pivot keeps less than `least` of its diagonal entry.
  bool (*solve)(lwLoopSystem* system, double least);

  // x = L^-1 D^-1 (z + Y force)
  void (*accelerate)(const lwLoopSystem* system, double* x);
} lwLoopElimination;

#endif
