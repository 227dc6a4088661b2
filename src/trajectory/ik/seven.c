// SPDX-License-Identifier: MIT
// Seven revolute joints with a spherical shoulder (axes 1 to 3 meet) and a spherical wrist
// (axes 5 to 7 meet), as the human arm: Kreutz-Delgado, Long & Seraji 1992; Shimizu, Kakuya,
// Yoon, Kitagaki & Kosuge 2008.
//
//   s, w   shoulder and wrist, points       e   elbow, the point of axis 4 next to the shoulder
//   n      direction from s to w            arm angle   from axis 1 to e - s, both normal to n
// q4 is given by the distance of w from s. The place of w and the arm angle give the rotation of
// the upper arm, which is that of joints 1 to 3; joints 5 to 7 supply the rotation that is left.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/rotation.h"
#include "trajectory/ik/ik_closed_form.h"

enum
{
  JOINTS = 7
};

static const double NEAR =
    1e-7;  // sizes of the arm, or a sine, across n: too short for a direction

static bool is_shoulder_and_wrist(lwClosedForm* form, char why[LW_WHY_NOT])
{
  const lwScrew* four = &form->screw[3];
  double foot[3];
  if (four->slides) return snprintf(why, LW_WHY_NOT, "joint 4 is prismatic"), false;
  if (!lw_axes_meet(form, 0, form->shoulder, why) || !lw_axes_meet(form, 4, form->wrist, why))
    return false;
  if (lw_screw_foot(four, form->shoulder, form->elbow) < LW_MEETING * form->size)
    return snprintf(why, LW_WHY_NOT, "axis 4 goes through the shoulder"), false;
  if (lw_screw_foot(four, form->wrist, foot) < LW_MEETING * form->size)
    return snprintf(why, LW_WHY_NOT, "axis 4 goes through the wrist"), false;
  return true;
}

// --- the arm angle

// The direction n from a to b, and their distance; if they are one point, the axis and 0.
static double unit_direction(const double a[3], const double b[3], const double axis[3],
                             double size, double n[3])
{
  for (int k = 0; k < 3; ++k) n[k] = b[k] - a[k];
  double length = lw_length(n);
  bool none     = length <= NEAR * size;
  for (int k = 0; k < 3; ++k) n[k] = none ? axis[k] : n[k] / length;
  return none ? 0 : length;
}

// Scales x to length 1; false if it is too short for that.
static bool scale_to_one(double x[3], double least)
{
  double length = lw_length(x);
  if (length <= least) return false;
  for (int k = 0; k < 3; ++k) x[k] /= length;
  return true;
}

// Where the arm angle is 0: axis 1 across n; if n is along it, a fixed direction.
static void zero_direction(const lwClosedForm* form, const double n[3], double zero[3])
{
  double x[3], y[3];
  lw_part_across(n, form->screw[0].axis, zero);
  if (scale_to_one(zero, NEAR)) return;
  lw_across(form->screw[0].axis, x, y);
  lw_part_across(n, x, zero);
  scale_to_one(zero, 0);
}

// Where the elbow is, across n; for a straight arm, where joint 4 would move it.
static void elbow_direction(const lwClosedForm* form, const double elbow[3], const double axis[3],
                            const double n[3], double out[3])
{
  double arm[3], x[3], y[3];
  for (int k = 0; k < 3; ++k) arm[k] = elbow[k] - form->shoulder[k];
  lw_part_across(n, arm, out);
  if (scale_to_one(out, NEAR * form->size)) return;
  lw_cross(axis, n, out);
  if (scale_to_one(out, NEAR)) return;
  lw_across(n, x, y);
  memcpy(out, x, sizeof x);
}

double lw_arm_angle(const lwClosedForm* form, const double* q)
{
  const lwScrew* screw = form->screw;
  double wrist[3], elbow[3], axis[3], n[3], zero[3], to[3], by[9], size;
  memcpy(axis, screw[3].axis, sizeof axis);
  memcpy(elbow, form->elbow, sizeof elbow);
  lw_screw_move(&screw[3], q[3], form->wrist, wrist);
  for (int i = 2; i >= 0; --i)
  {
    lw_screw_move(&screw[i], q[i], wrist, wrist);
    lw_screw_move(&screw[i], q[i], elbow, elbow);
    lw_screw_rotation(&screw[i], q[i], by);
    lw_rotate(by, axis, axis);
  }
  unit_direction(form->shoulder, wrist, screw[0].axis, form->size, n);
  zero_direction(form, n, zero);
  elbow_direction(form, elbow, axis, n, to);
  return lw_angle_about(n, zero, to, &size);
}

// --- candidates

// Both q4 for which the wrist is as far from the shoulder as `distance`.
static int elbow_angles(const lwClosedForm* form, double distance, double q4[2])
{
  const lwScrew* four = &form->screw[3];
  double shoulder[3], wrist[3];
  bool free;
  for (int k = 0; k < 3; ++k)
  {
    shoulder[k] = form->shoulder[k] - form->elbow[k];
    wrist[k]    = form->wrist[k] - form->elbow[k];
  }
  double height = 0.5 * (lw_dot(shoulder, shoulder) + lw_dot(wrist, wrist) - distance * distance);
  return lw_turn_to_height(four->axis, wrist, shoulder, height, q4, &free);
}

// The rotation that leads the directions n0 and e0, at right angles, to n and e.
static void rotation_of_pairs(const double n0[3], const double e0[3], const double n[3],
                              const double e[3], double R[9])
{
  double third0[3], third[3];
  lw_cross(n0, e0, third0);
  lw_cross(n, e, third);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) R[3 * i + k] = n[i] * n0[k] + e[i] * e0[k] + third[i] * third0[k];
}

// The rotation of the upper arm for q4, the direction n to the wrist and the direction
// e to the elbow.
static void upper_arm(const lwClosedForm* form, double q4, const double n[3], const double e[3],
                      double R[9])
{
  const lwScrew* screw = form->screw;
  double wrist[3], n0[3], e0[3];
  lw_screw_move(&screw[3], q4, form->wrist, wrist);
  unit_direction(form->shoulder, wrist, screw[0].axis, form->size, n0);
  elbow_direction(form, form->elbow, screw[3].axis, n0, e0);
  rotation_of_pairs(n0, e0, n, e, R);
}

// All candidates with this q4 and this rotation of the upper arm.
static int turn_candidates(const lwClosedForm* form, const lwGoal* goal, double q4,
                           const double upper[9], lwIkSolution* found)
{
  double first[2][3], last[2][3];
  bool free1 = false, free5 = false;
  int count = 0, firsts = lw_turn_three(form->screw, upper, goal->guess[0], first, &free1);
  for (int k = 0; k < firsts; ++k)
  {
    double q[JOINTS] = {first[k][0], first[k][1], first[k][2], q4}, left[9];
    memcpy(left, goal->G, sizeof left);
    lw_undo_rotations(form->screw, 4, q, left);
    int pairs = lw_turn_three(form->screw + 4, left, goal->guess[4], last, &free5);
    for (int j = 0; j < pairs; ++j, ++count)
    {
      memcpy(q + 4, last[j], sizeof last[j]);
      found[count] = (lwIkSolution){.free_joint = free1 ? 0 : free5 ? 4 : -1};
      memcpy(found[count].q, q, sizeof q);
    }
  }
  return count;
}

static int seven_candidates(const lwClosedForm* form, const lwGoal* goal,
                            lwIkSolution found[LW_MAX_CANDIDATES])
{
  double wrist[3], n[3], zero[3], side[3], e[3], q4[2], upper[9];
  int count = 0;
  lw_goal_move(goal, form->wrist, wrist);
  double distance = unit_direction(form->shoulder, wrist, form->screw[0].axis, form->size, n);
  zero_direction(form, n, zero);
  lw_cross(n, zero, side);
  for (int k = 0; k < 3; ++k)
    e[k] = lw_cos(goal->arm_angle) * zero[k] + lw_sin(goal->arm_angle) * side[k];
  int elbows = elbow_angles(form, distance, q4);
  for (int k = 0; k < elbows; ++k)
  {
    upper_arm(form, q4[k], n, e, upper);
    int more = turn_candidates(form, goal, q4[k], upper, found + count);
    for (int i = count; i < count + more && distance == 0; ++i) found[i].free_joint = 0;
    count += more;
  }
  return count;
}

const lwArmKind lw_spherical_shoulder_and_wrist = {JOINTS, is_shoulder_and_wrist, seven_candidates};
