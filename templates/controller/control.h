/* The control law: computed torque along a smooth motion. Nothing here allocates memory or waits. */
#ifndef CONTROL_H
#define CONTROL_H

#include "arm.h"

typedef struct Control
{
  double kp, kd;             /* 1/s^2, 1/s */
  double start[ARM_JOINTS];  /* where the motion begins, rad or m */
  double wanted[ARM_JOINTS]; /* position that is wanted now, for the log */
} Control;

/* Begins a motion in this position. */
void control_begin(Control* control, const double* q);

/* Torques (N m or N) at time t (s) for the measured positions and velocities, within the limits of the drives. */
void control_step(Control* control, double t, const double* q, const double* qd, double* tau);

#endif
