// SPDX-License-Identifier: MIT
// Joints as screws in the base frame: a point x carried by joint i alone goes to
// screw_i(q) x. All joints together move the last link from its place at q = 0 to its
// place at q: T(q) = screw_1(q1) .. screw_n(qn) T(0).
#ifndef LW_TRAJECTORY_IK_SCREWS_H
#define LW_TRAJECTORY_IK_SCREWS_H

#include <stdbool.h>

typedef struct lwScrew
{
  bool slides;
  double axis[3];   // of length 1, base axes
  double point[3];  // m, on the axis; of no meaning if it slides
} lwScrew;

void lw_screw_rotation(const lwScrew* screw, double q, double R[9]);
void lw_screw_move(const lwScrew* screw, double q, const double x[3], double out[3]);

// Any two directions across an axis, all three of length 1 and at right angles.
void lw_across(const double axis[3], double x[3], double y[3]);

// The part of x across an axis.
void lw_part_across(const double axis[3], const double x[3], double out[3]);

// The sine of the angle between the axes of two screws.
double lw_screw_sine(const lwScrew* one, const lwScrew* two);

// The distance of a point from an axis, and the point of the axis next to it.
double lw_screw_foot(const lwScrew* screw, const double x[3], double foot[3]);

// Where axes one and two are nearest to each other; false if they are parallel.
bool lw_screw_meeting(const lwScrew* one, const lwScrew* two, double centre[3]);

// The angle by which from must turn about the axis (of length 1) to point as to does, rad. *size:
// the product of their lengths across the axis; if it is small, the angle means nothing.
double lw_angle_about(const double axis[3], const double from[3], const double to[3], double* size);

// Both angles t by which x must turn about the axis to have u.x = height. Returns how many: 0, or
// 2, which coincide where the height is only just reached. *free: turning does not change u.x,
// which is the height already; returns 1, angle 0.
int lw_turn_to_height(const double axis[3], const double x[3], const double u[3], double height,
                      double t[2], bool* free);

// Both (q1, q2, q3) of three revolute joints whose rotation is R, axis 2 not parallel to the
// others. If axes 1 and 3 line up, only the sum or difference of q1 and q3 matters: *free, q1 is
// then the one given, and the solution is one of many. Returns how many.
int lw_turn_three(const lwScrew screw[3], const double R[9], double q1, double q[2][3], bool* free);

// The first three of six joints: all q (3) for which screw_1 screw_2 screw_3 brings `from` to `to`.
typedef struct lwThree
{
  double q[3];
  int free_joint;  // -1, or one that is free, so that this is one of many
} lwThree;

enum
{
  LW_MAX_THREE = 32  // candidates, some of them the same or, by rounding, none
};

// size: m, of the arm. guess (3) is taken where a joint is free. Returns how many; they are good to
// about 1e-6 where the arm is singular, and to rounding elsewhere.
int lw_three_joints(const lwScrew screw[3], const double from[3], const double to[3], double size,
                    const double guess[3], lwThree found[LW_MAX_THREE]);

#endif
