// SPDX-License-Identifier: MIT
// A straight line in space as a path of joints, q(s), with s the distance along the line in m.
//
//   x'(s) = (direction, turn)   the last link's origin goes straight, it turns about one axis
//   J q'  = x'                  q' is the shortest that does it
//   J q'' = -J' q'              and the rate of change of q' within what J leaves free
// q', q'' and steps are velocities and accelerations by s, also for ball and floating joints. With
// loops, q is closed, and q' is the shortest that also keeps them closed.
#ifndef LW_TRAJECTORY_PATH_H
#define LW_TRAJECTORY_PATH_H

#include "loop/loop_workspace.h"
#include "trajectory/ik/task.h"
#include "trajectory/samples.h"

typedef struct lwPath
{
  lwTask task;
  lwLoops* loops;  // or NULL
  int nq;
  int rows;        // 6, or 3: position only
  double length;   // m
  double p0[3];    // m, where it begins
  double R0[9];    // orientation there
  double rate[6];  // x': direction, and the turn in rad/m, base axes
  double size;     // m, of the arm, to weigh metres against radians
  lwTurns turns;
  lwSamples knots;  // of the joints' path: s for t, m; q, q', q''
  double* scratch;  // (SCRATCH, nq)
} lwPath;

typedef enum lwPathEnd
{
  LW_PATH_DONE,
  LW_PATH_MEMORY,
  LW_PATH_OFF,      // the arm cannot be there, or cannot move on in this direction
  LW_PATH_SINGULAR  // joints would have to be too fast, or the path needs too many knots
} lwPathEnd;

// Follows the line from q (n), with the last link at its beginning. *reached: the distance covered,
// m. Everything but turns, knots and scratch is set.
lwPathEnd lw_path_follow(lwPath* path, lwArena* arena, const double* q, double* reached);

// q (nq), q', q'' (n each) at s. Allocates nothing.
void lw_path_at(lwPath* path, double s, double* q, double* q1, double* q2);

#endif
