// SPDX-License-Identifier: MIT
// A line or an arc in space as a path of joints, q(s), with s the distance along it in m, or the
// angle if the last link only turns.
//
//   x'(s) = (direction, turn)   the last link's origin goes along the line, it turns about one axis
//   J q'  = x'                  q' is the shortest that does it
//   J q'' = x'' - J' q'         and the rate of change of q' within what J leaves free
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
  int rows;       // 6, or 3: position only
  double length;  // m
  double p0[3];   // m, where it begins
  double R0[9];   // orientation there
  double
      rate[6];  // x': direction, and the turn in rad/m, base axes; of an arc the one at the last s
  double bend[6];                          // x'': 0 for a line
  double radius;                           // m, of an arc; 0: a line
  double centre[3], towards[3], along[3];  // m, of the arc; unit vectors to its beginning and along
  double size;                             // m, of the arm, to weigh metres against radians
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
