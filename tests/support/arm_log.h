// SPDX-License-Identifier: MIT
// Logs for identification: a robot with friction, also Coulomb friction that holds joints at rest,
// is simulated along an exciting motion; encoders and torque sensors add noise.
#ifndef TEST_ARM_LOG_H
#define TEST_ARM_LOG_H

#include <stdint.h>

#include "linkwork/identify.h"

enum
{
  ARM_LOG_HERTZ = 1000,  // of the simulated record
  ARM_LOG_MOST  = 7      // joints
};

typedef struct ArmLog
{
  int n;
  long count;
  double *t, *q, *tau;           // (count), (count, n), (count, n)
  double largest[ARM_LOG_MOST];  // torque of each joint, N m
} ArmLog;

typedef struct ArmNoise
{
  double encoder;  // standard deviation, deg
  double torque;   // standard deviation, of the largest torque of each joint
} ArmNoise;

// A robot of robots/ ("puma560") or of tests/data ("data/ur10"), which must load.
lwModel* arm_log_robot(const char* name);

// The robot under computed torque along the motion that lw_excite() finds with this seed, recorded
// for `duration` seconds. Joints stick and slip as their Coulomb friction has it.
ArmLog arm_log_simulate(const lwModel* model, uint64_t seed, double duration);

// Every `step`-th sample of `from`, with noise.
ArmLog arm_log_measure(const ArmLog* from, int step, ArmNoise noise, uint64_t seed);
void arm_log_free(ArmLog* log);

// What lw_identify() takes.
lwLogDef arm_log_def(const ArmLog* log);

// The text of the robot found loads without errors, its inertia matrix is positive definite, and so
// are the pseudo-inertias of its links: their smallest eigenvalue is at least 1e-6 of the largest.
// Returns the smallest ratio.
double arm_log_check_robot(const lwIdentified* found);

#endif
