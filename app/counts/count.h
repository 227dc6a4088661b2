// SPDX-License-Identifier: MIT
// linkwork count, in two parts: for a robot (count.c) and for any number of joints.
#ifndef APP_COUNTS_COUNT_H
#define APP_COUNTS_COUNT_H

#include "app.h"

// Questions that are answered in one way only, beside the methods of the registry:
// NULL from the end on.
const lwMethod* only_method(int i);

// Counts as polynomials in the number of joints; --method and the output options are used.
int count_general(const Options* options, lwFormat format);

#endif
