// SPDX-License-Identifier: MIT
// Random arms for testing the equations of documents. Their links consist of a few point
// masses: integrals over a body, silver1981 (2.7) and (2.9), are then sums, and no inertia
// formula has to be trusted.
#ifndef PAPERS_RANDOM_ARM_H
#define PAPERS_RANDOM_ARM_H

#include "base/random.h"
#include "linkwork/linkwork.h"

enum
{
  ARM_JOINTS = 32,
  ARM_POINTS = 6,
  ARM_NAME   = 24
};

typedef struct ArmPoint
{
  double mass;   // kg
  double at[3];  // m, from the link's origin, link axes
} ArmPoint;

// An arm in a state, standard DH as in 1981.
typedef struct Arm
{
  int n;
  lwJointDef joint[ARM_JOINTS];  // names are set by arm_model()
  ArmPoint point[ARM_JOINTS][ARM_POINTS];
  double gravity[3];                                      // m/s^2, in no special direction
  double q[ARM_JOINTS], qd[ARM_JOINTS], qdd[ARM_JOINTS];  // rad or m, per s, per s^2
} Arm;

typedef enum ArmKind
{
  ARM_REVOLUTE,  // all joints are revolute
  ARM_MIXED,     // revolute and prismatic joints
  // revolute; the last three axes meet, and only the last of the links between has a mass
  ARM_WRIST
} ArmKind;

void arm_random(Arm* arm, lwRandom* random, int n, ArmKind kind);

// The library's model of it.
lwStatus arm_model(const Arm* arm, lwModel** model);

// Torques by a method of the registry, N m or N; wrench on the last link, or NULL.
lwStatus arm_torques(const Arm* arm, const char* method, const double wrench[6], double* tau);

#endif
