// SPDX-License-Identifier: MIT
// What a motion or a state asks of hydraulic cylinders, as a table.
#ifndef LW_REPORT_CYLINDERS_TABLE_H
#define LW_REPORT_CYLINDERS_TABLE_H

#include "linkwork/cylinder.h"
#include "text/out.h"

// A row for each cylinder; sizing has one for each.
void lw_cylinder_motion_write(lwOut* out, lwFormat format, const lwCylinders* cylinders,
                              const lwCylinderSizing* sizing);

// Cylinders in one state.
typedef struct lwCylinderState
{
  const lwModel* model;
  const lwCylinders* cylinders;
  const lwCylinderSizing* sizing;       // (count) of this state alone
  const double *length, *arms, *force;  // (count) m, (count, dof) m, (count) N
  const double* K;                      // (dof, dof) stiffness of the joints
  const int* shown;  // (rows) cylinder k at joint j as k dof + j, where it has a moment arm
  int rows;
} lwCylinderState;

void lw_cylinder_state_write(lwOut* out, lwFormat format, const lwCylinderState* state);

#endif
