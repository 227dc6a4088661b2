// SPDX-License-Identifier: MIT
// Joints as screws in the base frame: a point x that is carried by joint i alone goes to screw_i(q) x. All joints
// together lead the last link from its place at q = 0 to its place at q: T(q) = screw_1(q1) .. screw_n(qn) T(0).
#ifndef LW_TRAJECTORY_SCREWS_H
#define LW_TRAJECTORY_SCREWS_H

#include <stdbool.h>

typedef struct lwScrew
{
  bool slides;
  double axis[3];   // of length 1, base axes
  double point[3];  // m, on the axis; of no meaning if it slides
} lwScrew;

void lw_screw_rotation(const lwScrew* screw, double q, double R[9]);
void lw_screw_move(const lwScrew* screw, double q, const double x[3], double out[3]);

// The angle by which from must turn about the axis (of length 1) to point as to does, rad. *size: the lengths that
// they have across the axis, multiplied; small, and the angle is of no meaning.
double lw_angle_about(const double axis[3], const double from[3], const double to[3], double* size);

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

// size: m, of the arm. guess (3) is taken where a joint is free. Returns how many; they are good to about 1e-6 where
// the arm is singular, and to rounding elsewhere.
int lw_three_joints(const lwScrew screw[3], const double from[3], const double to[3], double size,
                    const double guess[3], lwThree found[LW_MAX_THREE]);

#endif
