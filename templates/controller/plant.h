/* The arm, simulated: replace it by the drives and encoders of yours. */
#ifndef PLANT_H
#define PLANT_H

#include "arm.h"

typedef struct Arm
{
  double q[ARM_JOINTS], qd[ARM_JOINTS]; /* rad or m, rad/s or m/s */
} Arm;

void plant_begin(Arm* arm);

/* Moves on by h s with constant torques, by a step of the classical Runge-Kutta method. */
void plant_step(Arm* arm, const double* tau, double h);

#endif
