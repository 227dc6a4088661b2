// SPDX-License-Identifier: MIT
// Six revolute joints of which axes 2, 3 and 4 are parallel and axes 5 and 6 meet, as in arms of
// Universal Robots (Hawkins 2013 for their DH parameters; here for screws, so that any angles
// between the other axes will do).
//
//   h   direction of axes 2, 3, 4            w_i, a_i   axis i and a point on it
//   c   where axes 5 and 6 meet              r          across h
// screw_2 screw_3 screw_4 leaves heights along h and the direction h as they are.
// With A = screw_1^-1 G:
//   q1   h.(A c) = h.c                     joints 5 and 6 leave c where it is         two solutions
//   q5   h.(R5 w6) = h.(A w6)              directions: joint 6 leaves w6 as it is     two solutions
//   q6   R6 (A^T h) = R5^T h
// Then screw_2 screw_3 screw_4 = screw_1^-1 G screw_6^-1 screw_5^-1 = B is a motion in
// the plane across h:
//   q3   |screw_3 a4 - a2| = |B a4 - a2|   two solutions, elbow up and down
//   q2   leads screw_3 a4 to B a4          q4   the angle that is left of B
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "trajectory/ik/ik_closed_form.h"

static const int JOINTS = 6;

static const double PARALLEL = 1e-6;  // sine of an angle between axes that are parallel
static const double ALONG    = 1e-7;  // sine of an angle, or sizes of the arm, taken for none

// --- the kind of arm

static const char* why_other_axes(lwClosedForm* form)
{
  const lwScrew* screw = form->screw;
  double foot[3], least = LW_MEETING * form->size;
  if (lw_screw_foot(&screw[1], screw[2].point, foot) < least ||
      lw_screw_foot(&screw[2], screw[3].point, foot) < least)
    return "two of axes 2, 3 and 4 are one line";
  if (lw_screw_sine(&screw[0], &screw[1]) < LW_CROSSING) return "axes 1 and 2 are parallel";
  if (lw_screw_sine(&screw[3], &screw[4]) < LW_CROSSING) return "axes 4 and 5 are parallel";
  if (lw_screw_sine(&screw[4], &screw[5]) < LW_CROSSING) return "axes 5 and 6 are parallel";
  lw_screw_meeting(&screw[4], &screw[5], form->wrist);
  return lw_screw_foot(&screw[5], form->wrist, foot) > least ? "axes 5 and 6 do not meet" : NULL;
}

static bool has_parallel_axes(lwClosedForm* form, char why[LW_WHY_NOT])
{
  const lwScrew* screw = form->screw;
  for (int i = 0; i < JOINTS; ++i)
    if (screw[i].slides)
      return snprintf(why, LW_WHY_NOT, "joint %d is prismatic, expected revolute", i + 1), false;
  if (lw_screw_sine(&screw[1], &screw[2]) > PARALLEL ||
      lw_screw_sine(&screw[1], &screw[3]) > PARALLEL)
    return snprintf(why, LW_WHY_NOT, "axes 2, 3 and 4 are not parallel"), false;
  const char* other = why_other_axes(form);
  if (other) snprintf(why, LW_WHY_NOT, "axes 2, 3 and 4 are parallel, but %s", other);
  return !other;
}

// --- joints 2, 3 and 4

typedef struct Plane
{
  const double* h;
  double two[3];   // m, from a3 to a2 across h
  double four[3];  // m, from a3 to a4 across h
} Plane;

static Plane plane_of(const lwClosedForm* form)
{
  const lwScrew* screw = form->screw;
  Plane plane          = {.h = screw[1].axis};
  for (int k = 0; k < 3; ++k)
  {
    plane.two[k]  = screw[1].point[k] - screw[2].point[k];
    plane.four[k] = screw[3].point[k] - screw[2].point[k];
  }
  lw_part_across(plane.h, plane.two, plane.two);
  lw_part_across(plane.h, plane.four, plane.four);
  return plane;
}

// B a4 - a2 across h, for q1, q5 and q6.
static void reach_of(const lwClosedForm* form, const lwGoal* goal, const double q[6], double r[3])
{
  const lwScrew* screw = form->screw;
  double x[3];
  lw_screw_move(&screw[4], -q[4], screw[3].point, x);
  lw_screw_move(&screw[5], -q[5], x, x);
  lw_goal_move(goal, x, x);
  lw_screw_move(&screw[0], -q[0], x, x);
  for (int k = 0; k < 3; ++k) x[k] -= screw[1].point[k];
  lw_part_across(screw[1].axis, x, r);
}

// The angle of B about h.
static double turn_of(const lwClosedForm* form, const lwGoal* goal, const double q[6])
{
  const lwScrew* screw = form->screw;
  double B[9], by[9], e[3];
  memcpy(B, goal->G, sizeof B);
  lw_undo_rotations(screw, 1, q, B);
  for (int i = 5; i >= 4; --i)
  {
    lw_screw_rotation(&screw[i], -q[i], by);
    lw_rotation_product(B, by, B);
  }
  lw_rotation_log(B, e);
  return lw_dot(e, screw[1].axis);
}

// Both (q2, q3, q4) for the q1, q5 and q6 of *made.
static int plane_candidates(const lwClosedForm* form, const lwGoal* goal, const lwIkSolution* made,
                            lwIkSolution* found)
{
  const lwScrew* screw = form->screw;
  Plane plane          = plane_of(form);
  double r[3], t3[2], sign[6], around = turn_of(form, goal, made->q);
  bool always;
  reach_of(form, goal, made->q, r);
  for (int i = 1; i < 4; ++i) sign[i] = lw_dot(screw[i].axis, plane.h) < 0 ? -1 : 1;
  double height =
      0.5 * (lw_dot(plane.two, plane.two) + lw_dot(plane.four, plane.four) - lw_dot(r, r));
  int count = lw_turn_to_height(plane.h, plane.four, plane.two, height, t3, &always);
  for (int k = 0; k < count; ++k)
  {
    double R[9], arm[3], size, by[3];
    for (int i = 0; i < 3; ++i) by[i] = t3[k] * plane.h[i];
    lw_rotation_exp(by, R);
    lw_rotate(R, plane.four, arm);
    for (int i = 0; i < 3; ++i) arm[i] -= plane.two[i];
    double t2     = lw_angle_about(plane.h, arm, r, &size);
    found[k]      = *made;
    bool free     = size < ALONG * ALONG * form->size * form->size;
    t2            = free ? sign[1] * goal->guess[1] : t2;
    found[k].q[1] = sign[1] * t2;
    found[k].q[2] = sign[2] * t3[k];
    found[k].q[3] = sign[3] * (around - t2 - t3[k]);
    if (free && made->free_joint < 0) found[k].free_joint = 1;
  }
  return count;
}

// --- joint 6 where it is free

// |r|^2 = middle + cosine cos q6 + sine sin q6; here the q6 nearest to the guess at which the arm
// is stretched or folded. False if there is none.
static bool edge_of_reach(const lwClosedForm* form, const lwGoal* goal, lwIkSolution* made)
{
  Plane plane = plane_of(form);
  double one = lw_length(plane.two), other = lw_length(plane.four);
  double middle = 0, cosine = 0, sine = 0, nearest = INFINITY;
  for (int k = 0; k < 3; ++k)
  {
    double r[3];
    made->q[5] = k * 2 * LW_PI / 3;
    reach_of(form, goal, made->q, r);
    middle += lw_dot(r, r) / 3;
    cosine += lw_dot(r, r) * lw_cos(made->q[5]) * 2 / 3;
    sine += lw_dot(r, r) * lw_sin(made->q[5]) * 2 / 3;
  }
  for (int k = 0; k < 4; ++k)
  {
    double reach = k < 2 ? one + other : one - other;
    double part  = (reach * reach - middle) / lw_hypot(cosine, sine);
    if (!(fabs(part) <= 1)) continue;
    double q6  = lw_atan2(sine, cosine) + (k % 2 ? lw_acos(part) : -lw_acos(part));
    double way = remainder(q6 - goal->guess[5], 2 * LW_PI);
    if (fabs(way) < fabs(nearest)) nearest = way;
  }
  made->q[5] = goal->guess[5] + nearest;
  return isfinite(nearest);
}

// Axis 6 along h: joints 2, 3 and 4 compensate for a turn of joint 6, as far as they reach.
static int free_candidates(const lwClosedForm* form, const lwGoal* goal, lwIkSolution* made,
                           lwIkSolution* found)
{
  made->free_joint = 5;
  made->q[5]       = goal->guess[5];
  int count        = plane_candidates(form, goal, made, found);
  if (count > 0 || !edge_of_reach(form, goal, made)) return count;
  return plane_candidates(form, goal, made, found);
}

// --- joints 1, 5 and 6

// All candidates with the q1 of *made.
static int bend_candidates(const lwClosedForm* form, const lwGoal* goal, lwIkSolution* made,
                           lwIkSolution* found)
{
  const lwScrew* screw = form->screw;
  const double *h = screw[1].axis, *w6 = screw[5].axis;
  double A[9], y[3], off[3], q5[2];
  int count = 0, first = made->free_joint;
  bool always;
  memcpy(A, goal->G, sizeof A);
  lw_undo_rotations(screw, 1, made->q, A);
  lw_rotate_back(A, h, y);
  lw_cross(w6, y, off);
  int wrists = lw_turn_to_height(screw[4].axis, w6, h, lw_dot(w6, y), q5, &always);
  for (int k = 0; k < wrists; ++k)
  {
    double R5[9], x[3], size;
    lw_screw_rotation(&screw[4], q5[k], R5);
    lw_rotate_back(R5, h, x);
    made->free_joint = first;
    made->q[4]       = q5[k];
    made->q[5]       = lw_angle_about(w6, y, x, &size);
    count += lw_length(off) < ALONG ? free_candidates(form, goal, made, found + count)
                                    : plane_candidates(form, goal, made, found + count);
  }
  return count;
}

static int parallel_candidates(const lwClosedForm* form, const lwGoal* goal,
                               lwIkSolution found[LW_MAX_CANDIDATES])
{
  const lwScrew* one = &form->screw[0];
  const double* h    = form->screw[1].axis;
  double arm[3], from[3], t[2];
  bool free;
  int count = 0;
  lw_goal_move(goal, form->wrist, arm);
  for (int k = 0; k < 3; ++k)
  {
    arm[k] -= one->point[k];
    from[k] = form->wrist[k] - one->point[k];
  }
  int shoulders = lw_turn_to_height(one->axis, arm, h, lw_dot(h, from), t, &free);
  for (int k = 0; k < shoulders; ++k)
  {
    lwIkSolution made = {.free_joint = free ? 0 : -1};
    made.q[0]         = free ? goal->guess[0] : -t[k];
    count += bend_candidates(form, goal, &made, found + count);
  }
  return count;
}

const lwArmKind lw_three_parallel_axes = {JOINTS, has_parallel_axes, parallel_candidates};
