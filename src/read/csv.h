// SPDX-License-Identifier: MIT
// CSV files of numbers over time: groups of columns, each of one value for every joint.
//
// Columns stand in any order, as t, qd1..qdn or qd.NAME. Those of no group are not looked at. Whatever is wrong is
// reported with file, line and column.
#ifndef LW_READ_CSV_H
#define LW_READ_CSV_H

#include "read/document.h"

typedef enum lwCsvNeed
{
  LW_CSV_ALL,          // every column must be there
  LW_CSV_ALL_OR_NONE,  // every column, or none of them
  LW_CSV_SOME          // at least one
} lwCsvNeed;

// Columns that belong together. What is known before:
typedef struct lwCsvGroup
{
  const char* symbol;        // "qd" of qd1 and qd.elbow; of a single column its name
  bool single;               // one column, without a number
  bool increasing;           // single: every value is above the one before
  int width;                 // columns
  const char* const* names;  // (width) of joints, or NULL: numbers only
  lwCsvNeed need;
  // and what is found:
  double* values;  // (rows, width) or NULL: absent; 0 where a column is missing
  bool* given;     // (width) the column is there
} lwCsvGroup;

// Reads the document, opened by lw_document_open_..(), into memory of the arena. LW_ERROR_INPUT if anything was wrong.
lwStatus lw_csv_read(lwDocument* document, lwCsvGroup* groups, int count, lwArena* arena,
                     long* rows);

#endif
