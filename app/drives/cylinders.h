// SPDX-License-Identifier: MIT
// Hydraulic cylinders of a robot: what a state or a motion demands of them.
#ifndef APP_DRIVES_CYLINDERS_H
#define APP_DRIVES_CYLINDERS_H

#include "app.h"
#include "report/cylinders_table.h"

// The cylinders of the robot along a motion.
typedef struct CylinderMotion
{
  lwCylinders* cylinders;  // NULL: the robot has none
  int count;
  lwCylinderSizing* sizing;       // (count)
  double *length, *arms, *force;  // (count), (count, dof), (count)
} CylinderMotion;

// Those of the file that the model was read from.
CylinderMotion cylinders_open(const Options* options, const lwModel* model);

// Adds a sample: tau (dof) is what all drives together must supply.
void cylinders_add(CylinderMotion* motion, double t, const double* q, const double* qd,
                   const double* tau, int dof);

// Reports what is beyond a limit on standard error: NO if anything is, else DONE.
int cylinders_check(const CylinderMotion* motion);

#endif
