// SPDX-License-Identifier: MIT
// Lists of numbers behind options, "0.1, -0.2", and single numbers.
#ifndef APP_IO_LIST_H
#define APP_IO_LIST_H

#include "command/options.h"

int list_count(const char* list);  // how many values it has

// The first `count` values of a list that has as many. Prints what is wrong and returns USAGE, or DONE.
int list_values(Option option, const char* list, int count, double* values);

// The same for a list that must have `needed` values; each says what they are, "one for each joint".
int list_parse(Option option, const char* list, int needed, const char* each, double* values);

// A positive number of a unit, "seconds"; *value stays if the option is not given. USAGE or DONE.
int list_positive(const Options* options, Option option, const char* unit, double* value);

#endif
