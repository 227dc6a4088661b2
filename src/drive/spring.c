// SPDX-License-Identifier: MIT
// Spring and damper. grigorov2013 (14) prints tau = k (theta - theta0) - d theta., which drives the
// joint away from theta0; the elastic torque pulls back to it.
#include "linkwork/drive.h"

double lw_spring_torque(const lwSpring* spring, double q, double qd)
{
  return spring->preload - spring->stiffness * (q - spring->rest) - spring->damping * qd;  // (14)
}
