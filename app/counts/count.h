// SPDX-License-Identifier: MIT
// linkwork count, in two parts: for a robot (count.c) and for any number of joints.
#ifndef APP_COUNTS_COUNT_H
#define APP_COUNTS_COUNT_H

#include "app.h"

// Counts as polynomials in the number of joints; --method and the output options are used.
int count_general(const Options* options, Format format);

#endif
