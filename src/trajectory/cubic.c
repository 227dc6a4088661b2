// SPDX-License-Identifier: MIT
// Cubic pieces through points, without stopping on the way.
//
// grigorov2013 leads each joint of its manipulator through three points by polynomials of
// third order "while the manipulator does not stop at the middle point", and does not say
// which ones. Two cubics have eight coefficients: they pass the points (4), begin and end at
// rest (2), and have the same velocity and acceleration in the middle (2). This is the clamped
// spline; here for any number of points.
//
//   h_k   t_k+1 - t_k, s              d_k  (q_k+1 - q_k) / h_k, the slope of a leg
//   v_k   velocity at point k
// Equal accelerations on both sides of point k:
//   h_k v_k-1 + 2 (h_k-1 + h_k) v_k + h_k-1 v_k+1 = 3 (h_k d_k-1 + h_k-1 d_k)
// No acceleration at the beginning: 2 v_0 + v_1 = 3 d_0, and likewise at the end.

#include "trajectory/waypoints.h"

static double leg(const lwWaypoints* waypoints, int k)
{
  return waypoints->t[k + 1] - waypoints->t[k];
}

static double slope(const lwWaypoints* waypoints, int joint, int k)
{
  return (lw_waypoints_point(waypoints, k + 1, joint) - lw_waypoints_point(waypoints, k, joint)) /
         leg(waypoints, k);
}

// One row of the tridiagonal system: below v_k-1 + middle v_k + above v_k+1 = right
typedef struct TridiagonalRow
{
  double below, middle, above, right;
} TridiagonalRow;

static TridiagonalRow row_of(const lwWaypoints* waypoints, int joint, lwJoin join, int k)
{
  const lwWaypointsDef* def = waypoints->def;
  bool natural              = join == LW_JOIN_NATURAL;
  int last                  = waypoints->legs;
  if (k == 0 && natural) return (TridiagonalRow){0, 2, 1, 3 * slope(waypoints, joint, 0)};
  if (k == 0) return (TridiagonalRow){0, 1, 0, lw_given(def->start_velocity, joint)};
  if (k == last && natural) return (TridiagonalRow){1, 2, 0, 3 * slope(waypoints, joint, last - 1)};
  if (k == last) return (TridiagonalRow){0, 1, 0, lw_given(def->end_velocity, joint)};
  double before = leg(waypoints, k - 1), after = leg(waypoints, k);
  double right = 3 * (after * slope(waypoints, joint, k - 1) + before * slope(waypoints, joint, k));
  return (TridiagonalRow){after, 2 * (before + after), before, right};
}

// Elimination downwards; the matrix is diagonally dominant, so that no pivot is small.
static void solve_spline(const lwWaypoints* waypoints, int joint, lwJoin join, double* v,
                         double* above)
{
  for (int k = 0; k <= waypoints->legs; ++k)
  {
    TridiagonalRow row = row_of(waypoints, joint, join, k);
    double pivot       = row.middle - (k > 0 ? row.below * above[k - 1] : 0);
    above[k]           = row.above / pivot;
    v[k]               = (row.right - (k > 0 ? row.below * v[k - 1] : 0)) / pivot;
  }
  for (int k = waypoints->legs - 1; k >= 0; --k) v[k] -= above[k] * v[k + 1];
}

static void average_slopes(const lwWaypoints* waypoints, int joint, double* v)
{
  v[0]               = lw_given(waypoints->def->start_velocity, joint);
  v[waypoints->legs] = lw_given(waypoints->def->end_velocity, joint);
  for (int k = 1; k < waypoints->legs; ++k)
  {
    double before = slope(waypoints, joint, k - 1), after = slope(waypoints, joint, k);
    v[k] = before * after > 0 ? 0.5 * (before + after) : 0;
  }
}

bool lw_waypoints_fill(lwWaypoints* waypoints, lwJoin join, lwJointFill* fill)
{
  double* v = waypoints->scratch;
  for (int i = 0; i < waypoints->dof; ++i)
  {
    lwSegments* pieces = &waypoints->trajectory->joints[i];
    if (!pieces->piece && !lw_segments_take(pieces, &waypoints->trajectory->arena, waypoints->legs))
      return false;
    if (join == LW_JOIN_AVERAGE)
      average_slopes(waypoints, i, v);
    else
      solve_spline(waypoints, i, join, v, v + waypoints->def->count);
    fill(waypoints, i, v, pieces->piece);
    pieces->count = waypoints->legs;
  }
  return true;
}

static void fill_joint(lwWaypoints* waypoints, int joint, const double* v, lwSegment* pieces)
{
  for (int k = 0; k < waypoints->legs; ++k)
  {
    double h = leg(waypoints, k), d = slope(waypoints, joint, k);
    pieces[k] = (lwSegment){
        waypoints->t[k],
        h,
        {lw_waypoints_point(waypoints, k, joint), v[k], (3 * d - 2 * v[k] - v[k + 1]) / h,
         (v[k] + v[k + 1] - 2 * d) / (h * h)},
    };
  }
}

static bool fill_cubic(lwWaypoints* waypoints)
{
  return lw_waypoints_fill(waypoints, waypoints->def->join, fill_joint);
}

lwStatus lw_trajectory_create_cubic(const lwModel* model, const lwWaypointsDef* waypoints,
                                    lwDiag* diag, lwTrajectory** trajectory)
{
  return lw_waypoints_make(model, waypoints, diag, fill_cubic, trajectory);
}
