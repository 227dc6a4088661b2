// SPDX-License-Identifier: MIT
// What a motion is made of.
#ifndef LW_MOTION_MOTION_H
#define LW_MOTION_MOTION_H

#include "linkwork/trajectory.h"
#include "trajectory/pieces.h"

typedef struct lwLine lwLine;

struct lwMotion
{
  int dof;
  double duration;   // s
  lwPieces* joints;  // (dof); NULL: a line
  double* ends;      // (2, dof) where it begins and ends, exactly as given
  lwLine* line;      // in the arena; NULL: joints
  lwArena arena;
};

// An empty motion of a robot, or NULL when out of memory.
lwMotion* lw_motion_new(int dof);

// Evaluates a line (motion/line.c).
void lw_line_at(const lwLine* line, double t, double* q, double* qd, double* qdd);

#endif
