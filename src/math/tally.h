// SPDX-License-Identifier: MIT
// What the `count` scalar has done so far in this thread. Read and cleared by who counts: src/batch/measure.c, and
// app/paper for equations that are no kernels.
#ifndef LW_MATH_TALLY_H
#define LW_MATH_TALLY_H

#include "linkwork/methods.h"

extern _Thread_local lwCount lw_tally;

#endif
