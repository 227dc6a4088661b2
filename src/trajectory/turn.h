// SPDX-License-Identifier: MIT
// Joints with a quaternion in trajectories: coordinates that polynomials can interpolate.
//
// A ball joint has the rotation vector e of its rotation as seen from a chosen one, R = R0 exp(e);
// a floating joint has its position p before that. There are as many of them as velocities.
// Velocities and accelerations of the joint are those of the body in its own axes:
//   w = T(e) e'        T = 1 - b [e]x + c [e]x^2      b = (1 - cos)/|e|^2, c = (|e| - sin)/|e|^3
//   v = R^T p'
// T is singular where |e| is a whole turn, but even there a motion about one axis is not affected.
#ifndef LW_TRAJECTORY_TURN_H
#define LW_TRAJECTORY_TURN_H

#include <stdbool.h>

#include "base/arena.h"
#include "linkwork/model.h"

enum
{
  LW_TURN_WIDTH = 6  // p, e; p of a ball joint is 0
};

typedef struct lwTurn
{
  int q, v;  // index in q of its quaternion, in qd of its angular velocity; p and v stand before
  bool floats;
  double from[4];  // R0, x y z w
} lwTurn;

// The joints of a model: which entries of qd are those of an entry of q, and which are of a turn.
typedef struct lwTurns
{
  int nq, dof;
  const int* position;  // (dof) index in q, -1: of a turn
  int count;
  lwTurn* turn;  // (count)
} lwTurns;

// model NULL: dof joints without quaternions. False: out of memory.
bool lw_turns_take(lwTurns* turns, lwArena* arena, const lwModel* model, int dof);

// The coordinates of the positions q. near (6, or NULL): of the rotation vectors that differ by a
// whole turn, the one next to it.
void lw_turn_point(const lwTurn* turn, const double* q, const double* near,
                   double y[LW_TURN_WIDTH]);

// Their first and second derivatives, from qd and qdd at y. bend: NULL if qdd is.
void lw_turn_rates(const lwTurn* turn, const double y[LW_TURN_WIDTH], const double* qd,
                   const double* qdd, double rate[LW_TURN_WIDTH], double bend[LW_TURN_WIDTH]);

// The other way, each coordinate with its derivatives; q, qd, qdd may be NULL.
void lw_turn_at(const lwTurn* turn, const double y[LW_TURN_WIDTH][3], double* q, double* qd,
                double* qdd);

#endif
