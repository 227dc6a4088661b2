// SPDX-License-Identifier: MIT
// The loops of a robot from the inside: temporaries of one thread.
//
//   loop_workspace.c  making them, states that are closed or not
//   close.c           closing: positions, velocities, accelerations
//   dynamics.c        forward and inverse dynamics
//   tangent.c         motions that keep the loops closed, for searches
#ifndef LW_LOOP_LOOP_WORKSPACE_H
#define LW_LOOP_LOOP_WORKSPACE_H

#include "answer/variants.h"
#include "base/arena.h"
#include "linkwork/loop.h"
#include "math/psd.h"
#include "model/loops.h"

struct lwLoops
{
  const lwModel* model;
  const lwLoopSet* set;
  lwWorkspace* ws;
  const lwIsa* isa;
  bool by_methods;  // forward: M and h by methods that were asked for
  bool rotors;
  int rows, dof;
  lwLoopSystem system;  // forward
  lwLoopCloser closer;  // its motion serves all
  bool* none;           // (dof) false: no joint is held
  double* J;            // (rows, dof)
  double* bias;         // (rows)
  double* force;        // (rows)
  double* M;            // (dof, dof)
  double* rest;         // (dof)
  double* other;        // (dof)
  double* R;            // (9 ball_count)
  double* table;        // (rows, dof + 1) for elimination
  int* pivot_of;        // (dof) row that an entry of qd is found from, or -1
  bool* taken;          // (rows) a pivot is in it
  double* V;            // (dof, dof) motions that the loops leave, a column each
  double* trial;        // (nq)
  lwPsd cut;            // (rows) of the Schur complement, or J J^T
  lwPsd drive;          // (dof)
  lwArena arena;
};

// Pivots below this part of the largest are taken for zero: squares of singular values.
#define LW_LOOP_LEAST 1e-13

// Places the links at q and finds J.
void lw_loops_at(lwLoops* loops, const double* q);

// Factors J J^T in loops->cut.
void lw_loops_gram(lwLoops* loops);

// Eliminates [J | right] by rows with the largest pivots, first of joints that are not driven,
// then, if `all`, of those that are. Pivots become 1.
void lw_loops_eliminate(lwLoops* loops, const double* right, bool all);

// Places the links at q and factors J J^T of the joints that are not held (dof, or NULL: none is).
void lw_loops_tangent(lwLoops* loops, const double* q, const bool* held);

// x (dof) becomes its part that keeps the loops closed: x - J^+ J x, J of lw_loops_tangent().
void lw_loops_keep_tangent(lwLoops* loops, double* x);

// The shortest second derivative (dof) of a motion at q that goes along v (dof) and keeps the loops
// closed: -J^+ dJ/dt v. Includes lw_loops_tangent().
void lw_loops_bend(lwLoops* loops, const double* q, const double* v, double* bend);

// Closes the loops from q by the joints that are not held (dof;
// NULL: none is held); false on failure.
bool lw_loops_close_near(lwLoops* loops, const bool* held, double* q);

#endif
