// SPDX-License-Identifier: MIT
// What the `count` scalar has done so far in this thread. src/answer/measure.c reads and clears it,
// and so do programs that count their own code written over that scalar.
#ifndef LW_MATH_TALLY_H
#define LW_MATH_TALLY_H

#include "linkwork/methods.h"

extern _Thread_local lwCount lw_tally;

#endif
