// SPDX-License-Identifier: MIT
// Lists of numbers behind options, "0.1, -0.2, 90 deg", and single numbers.
#ifndef APP_LIST_H
#define APP_LIST_H

#include "command/options.h"

int list_count(const char* list);  // how many values it has

// Takes value k, counted from 0, at *cursor and moves *cursor behind its comma. unit: the SI
// unit it is in, another one may be written after it; NULL: none may. Prints what is wrong
// and returns USAGE, or DONE.
int list_take(Option option, const char** cursor, int k, const char* unit, double* value);

// The same for a value that is given by name and fills the text: "elbow=90 deg".
int list_take_named(Option option, const char* name, const char* text, const char* unit,
                    double* value);

// The values of a list that must have `needed` of them; each says what they are, "one for each
// joint". The option says which units they have. Prints what is wrong and returns USAGE, or DONE.
int list_parse(Option option, const char* list, int needed, const char* each, double* values);

// A positive number in an SI unit, "s", or another one that is written after it; *value stays if
// the option is not given. USAGE or DONE.
int list_positive(const Options* options, Option option, const char* unit, double* value);

// An integer from low to high; *value stays if the option is not given. USAGE or DONE.
int list_integer(const Options* options, Option option, long low, long high, long* value);

// Which of the names, ended by NULL, the option gives; *chosen stays if it is not given. USAGE or
// DONE.
int list_choice(const Options* options, Option option, const char* const* names, int* chosen);

#endif
