// SPDX-License-Identifier: MIT
// One load over a motion, sample by sample.
#ifndef LW_DRIVE_LOAD_SUM_H
#define LW_DRIVE_LOAD_SUM_H

#include "linkwork/drive.h"

// The time span of the sums, s.
typedef struct lwLoadSpan
{
  long count;         // samples
  double begin, end;  // times of the first and the last sample
} lwLoadSpan;

// Adds the value at time t, later than span->end, to the sum; before: the value at span->end.
void lw_load_sum_add(lwLoadSum* sum, const lwLoadSpan* span, double before, double value, double t);

// Root mean square, last: the value at span->end.
double lw_load_sum_rms(const lwLoadSum* sum, const lwLoadSpan* span, double last);

#endif
