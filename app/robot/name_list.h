// SPDX-License-Identifier: MIT
// Lists of names in options, with or without values: a,b,c and a=0.1,b=30 deg. A name with a comma
// is quoted together with its value, as in CSV: "left, upper=0.1".
#ifndef APP_NAME_LIST_H
#define APP_NAME_LIST_H

#include <stdbool.h>

#include "linkwork/model.h"

typedef struct NameList
{
  int count;
  const char** names;  // (count)
  const char** texts;  // (count) what follows the "=", or NULL
  lwHold* values;      // (count) names and values of names_held(), or NULL
} NameList;

// Reads a list into memory of the scope; ends the command if it is wrong, naming the option.
NameList names_of(const char* option, const char* text, bool with_values);
NameList names_held(const char* option, const char* text);  // positions where joints are held

#endif
