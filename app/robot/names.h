// SPDX-License-Identifier: MIT
// Lists of names in options, with or without values: a,b,c and a=0.1,b=30 deg. A name with a comma stands in quotes,
// together with its value, as in CSV: "left, upper=0.1".
#ifndef APP_NAMES_H
#define APP_NAMES_H

#include "linkwork/model.h"

typedef struct NameList
{
  int count;
  const char** names;  // (count)
  lwHold* values;      // (count) the same names with their values, or NULL
  char* text;          // that the names are in
} NameList;

// Reads a list. Prints what is wrong about it, naming the option, and returns USAGE, or DONE.
int names_read(NameList* list, const char* option, const char* text, bool with_values);
void names_free(NameList* list);

// A number that fills the text, with 'rad' or 'deg' behind it if it is an angle; false: it is not.
bool quantity_read(const char* text, double* value, bool* angle);

#endif
