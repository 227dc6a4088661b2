// SPDX-License-Identifier: MIT
// The valves close while the pistons move: from then on the compressed oil and the hoses act
// as springs, by (14).
#ifndef PAPERS_GRIGOROV2013_VALVES_H
#define PAPERS_GRIGOROV2013_VALVES_H

#include "grigorov2013.h"

typedef struct Valves
{
  double q[JOINTS], qd[JOINTS];  // rad, rad/s, at the closing, t = 0
  double stiffness[JOINTS];      // k_j, N m/rad
  double damping[JOINTS];        // d_j, N m s/rad
  double weight[JOINTS];         // N m, holds the arm at q
  double duration;               // s
} Valves;

// Reads the data of the page; false after a failure, which the page has recorded.
bool valves_read(Valves* valves, Page* page, const Manipulator* manipulator);

// The sign of the elastic torque in (14).
typedef enum Sign
{
  SIGN_CORRECTED,  // tau = -k (th - th0) - d th., erratum 4-12
  SIGN_PRINTED     // tau =  k (th - th0) - d th.
} Sign;

// The arm when the valves close, computed by (13); th0 is chosen so that the elastic torques carry
// the weight there. NULL after a failure.
lwArmRun* valves_close(const Valves* valves, Page* page, const Manipulator* manipulator, Sign sign,
                       const lwIntegratorDef* integrator);

// Continues to time t; false after a failure, which the page has recorded.
bool valves_advance(lwArmRun* run, Page* page, double t);

#endif
