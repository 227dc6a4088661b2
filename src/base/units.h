// SPDX-License-Identifier: MIT
// Units that people may write behind a number: 90 deg, 120 mm, 250 g.
#ifndef LW_BASE_UNITS_H
#define LW_BASE_UNITS_H

#include <stdbool.h>

#define LW_PI 3.14159265358979323846

// Converts *number, written with `unit` after it, to the SI unit `si`: "rad", "m/s", "N m"
// and so on. An empty unit means that it is in SI already. False, and *number stays, if the
// unit does not measure the same thing. Spaces around the unit do not matter. si may be NULL:
// then no unit is accepted.
bool lw_unit_apply(const char* si, const char* unit, double* number);

// How a value may be written in another unit, "90 deg" for "rad"; NULL if there is no other one.
const char* lw_unit_example(const char* si);

#endif
