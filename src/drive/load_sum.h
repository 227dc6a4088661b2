// SPDX-License-Identifier: MIT
// One load over a motion, sample by sample.
#ifndef LW_DRIVE_LOAD_SUM_H
#define LW_DRIVE_LOAD_SUM_H

#include "linkwork/drive.h"

// The span of time that sums are over, s.
typedef struct lwLoadSpan
{
  long count;         // samples
  double begin, end;  // of the first and of the last one
} lwLoadSpan;

// Puts the value at time t, later than span->end, into the sum; before: the value at span->end.
void lw_load_sum_add(lwLoadSum* sum, const lwLoadSpan* span, double before, double value, double t);

// Root mean square, last: the value at span->end.
double lw_load_sum_rms(const lwLoadSum* sum, const lwLoadSpan* span, double last);

#endif
