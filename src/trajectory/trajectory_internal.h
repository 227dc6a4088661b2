// SPDX-License-Identifier: MIT
// The parts of a trajectory.
#ifndef LW_TRAJECTORY_TRAJECTORY_INTERNAL_H
#define LW_TRAJECTORY_TRAJECTORY_INTERNAL_H

#include "linkwork/loop.h"
#include "linkwork/trajectory.h"
#include "trajectory/samples.h"
#include "trajectory/segments.h"
#include "trajectory/turn.h"

typedef struct lwLine lwLine;

struct lwTrajectory
{
  int dof;
  lwTurns turns;             // which entries of q go with which of qd
  double duration;           // s
  lwSegments* joints;        // (dof); NULL: a line or samples
  double* ends;              // (2, nq) where it begins and ends, exactly as given
  lwLine* line;              // in the arena; NULL: joints
  lwLoops* loops;            // of the line's path, or NULL
  const lwSamples* samples;  // in the arena; or NULL
  lwArena arena;
};

// An empty motion of a robot, or of dof joints without quaternions if
// model is NULL. NULL: out of memory.
lwTrajectory* lw_trajectory_new(const lwModel* model, int dof);

// Evaluates a line (trajectory/line.c).
void lw_line_at(const lwLine* line, double t, double* q, double* qd, double* qdd);

#endif
