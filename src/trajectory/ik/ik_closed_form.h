// SPDX-License-Identifier: MIT
// Inverse kinematics in closed form: what the kinds of arms share.
#ifndef LW_TRAJECTORY_IK_IK_CLOSED_FORM_H
#define LW_TRAJECTORY_IK_IK_CLOSED_FORM_H

#include "linkwork/trajectory.h"
#include "trajectory/ik/screws.h"

enum
{
  LW_MAX_CANDIDATES = 2 * LW_MAX_THREE,
  LW_WHY_NOT        = 160  // characters that say why an arm is not of a kind
};

#define LW_MEETING  1e-6  // sizes of the arm between axes that meet
#define LW_CROSSING 1e-3  // sine of the least angle between axes that are not parallel

typedef struct lwArmKind lwArmKind;

// An arm whose solutions can be found in closed form.
typedef struct lwClosedForm
{
  const lwArmKind* kind;
  int n;                            // joints, all of which move the last link
  lwScrew screw[LW_MAX_IK_JOINTS];  // (n)
  double p0[3];                     // m, of the last link at q = 0
  double R0[9];
  double size;         // m, of the arm
  double shoulder[3];  // m, at q = 0: where axes 1 to 3 meet, if they have to
  double wrist[3];     // m, at q = 0: where the last axes meet
  double elbow[3];     // m, at q = 0: the point of axis 4 next to the shoulder, of seven joints
} lwClosedForm;

// G = T T(0)^-1 = screw_1 .. screw_n: what the joints have to do to the last link.
typedef struct lwGoal
{
  double G[9];          // its rotation
  double position[3];   // m, where it brings p0
  const double* guess;  // (n)
  double arm_angle;     // rad, of seven joints
  const double* p0;     // m, of the arm
} lwGoal;

void lw_goal_move(const lwGoal* goal, const double x[3], double out[3]);  // G x

// R = (screw_1 .. screw_count)^-1 R, for positions q.
void lw_undo_rotations(const lwScrew* screw, int count, const double* q, double R[9]);

// Whether the axes of joints first, first + 1 and first + 2 meet in a point; if not, why says how
// far they are off.
bool lw_axes_meet(const lwClosedForm* form, int first, double centre[3], char why[LW_WHY_NOT]);

// A kind of arm. Candidates need only be near solutions: the caller polishes and verifies them.
struct lwArmKind
{
  int joints;
  bool (*fits)(lwClosedForm* form, char why[LW_WHY_NOT]);
  int (*candidates)(const lwClosedForm* form, const lwGoal* goal,
                    lwIkSolution found[LW_MAX_CANDIDATES]);
};

extern const lwArmKind lw_spherical_wrist, lw_three_parallel_axes, lw_spherical_shoulder_and_wrist;

// The arm angle of positions q (7), rad.
double lw_arm_angle(const lwClosedForm* form, const double* q);

#endif
