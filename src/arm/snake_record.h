// SPDX-License-Identifier: MIT
// Recordings of snakes: t theta1.. u1 u2 x y kinetic work S phi1..; in all coordinates also
// sideways slip_loss stop_loss, before phi1.
#ifndef LW_ARM_SNAKE_RECORD_H
#define LW_ARM_SNAKE_RECORD_H

#include "linkwork/arm.h"
#include "text/csv_columns.h"

enum
{
  LW_SNAKE_GROUPS = 14  // the last has no name
};

// Columns for n links; full: in all coordinates.
void lw_snake_record_groups(int n, bool full, lwColumnGroup groups[LW_SNAKE_GROUPS]);

// A row of them.
void lw_snake_record_values(int n, bool full, const lwSnakeSample* sample, double* values);

#endif
