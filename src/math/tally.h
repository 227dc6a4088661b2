// SPDX-License-Identifier: MIT
// What the `count` scalar has done so far in this thread. Only src/batch/measure.c reads and clears it.
#ifndef LW_MATH_TALLY_H
#define LW_MATH_TALLY_H

#include "linkwork/methods.h"

extern _Thread_local lwCount lw_tally;

#endif
