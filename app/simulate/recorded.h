// SPDX-License-Identifier: MIT
// Recordings: CSV tables whose columns have any names, some or all of which are read.
#ifndef APP_SIMULATE_RECORDED_H
#define APP_SIMULATE_RECORDED_H

#include "app.h"

typedef struct Recorded
{
  lwCsvFile* csv;  // csv_more() reads its next rows
  size_t fields;   // of a row in the file
  char** names;    // (fields)
  size_t width;    // columns that are read
} Recorded;

// Opens the file and reads its header. Ends the command if something is wrong.
Recorded recorded_open(const char* path);
_Noreturn void recorded_wrong(Recorded* recorded, const char* at, const char* what);

// Reads the columns for which wanted(context, name) is true; NULL: all of them.
void recorded_select(Recorded* recorded, bool (*wanted)(const void* context, const char* name),
                     const void* context);

// Whether a column is in one of the groups, "q,tau,kinetic+potential".
bool column_is_in(const char* column, const char* groups);

#endif
