// SPDX-License-Identifier: MIT
// Lists of names in options, with or without values: a,b,c and a=0.1,b=30 deg. A name with a comma
// is quoted together with its value, as in CSV: "left, upper=0.1".
#ifndef APP_NAME_LIST_H
#define APP_NAME_LIST_H

#include "linkwork/model.h"

typedef struct NameList
{
  int count;
  const char** names;  // (count)
  const char** texts;  // (count) what follows the "=", or NULL
  lwHold* values;      // (count) the same names with their values, after names_holds()
  char* text;          // that the names are in
} NameList;

// Reads a list. Prints what is wrong about it, naming the option, and returns USAGE, or DONE.
int names_read(NameList* list, const char* option, const char* text, bool with_values);
void names_free(NameList* list);

// The same for a list that the scope holds; ends the command if it is wrong.
NameList names_of(const char* option, const char* text, bool with_values);

// Reads the texts as positions where joints are held.
// Prints what is wrong and returns USAGE, or DONE.
int names_holds(NameList* list, const char* option);

#endif
