// SPDX-License-Identifier: MIT
// A straight line in space as a path of joints, q(s), s being the way along the line in m.
//
//   x'(s) = (direction, turn)   the last link's origin goes straight, its orientation turns about one axis
//   J q'  = x'                  q' is the shortest that does it
//   J q'' = -J' q'              and the rate of change of q' within what J leaves free
#ifndef LW_TRAJECTORY_PATH_H
#define LW_TRAJECTORY_PATH_H

#include "trajectory/ik/task.h"

typedef struct lwPath
{
  lwTask task;
  int rows;         // 6, or 3: position only
  double length;    // m
  double p0[3];     // m, where it begins
  double R0[9];     // orientation there
  double rate[6];   // x': direction, and the turn in rad/m, base axes
  double size;      // m, of the arm, to weigh metres against radians
  int knots;        // of the joints' path
  double* s;        // (knots) m
  double* q;        // (knots, 3, n) q, q', q'' at each
  double* scratch;  // (8, n)
} lwPath;

typedef enum lwPathEnd
{
  LW_PATH_DONE,
  LW_PATH_MEMORY,
  LW_PATH_OFF,      // the arm cannot be there, or cannot move on in this direction
  LW_PATH_SINGULAR  // joints would have to be too fast, or the path needs too many knots
} lwPathEnd;

// Follows the line from q (n), where the last link is at its beginning. *reached: how far it came,
// m. Everything but knots, s, q and scratch is set.
lwPathEnd lw_path_follow(lwPath* path, lwArena* arena, const double* q, double* reached);

// q, q', q'' (n each) at s. Allocates nothing.
void lw_path_at(lwPath* path, double s, double* q, double* q1, double* q2);

#endif
