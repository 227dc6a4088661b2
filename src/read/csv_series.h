// SPDX-License-Identifier: MIT
// CSV files of numbers over time: groups of columns, each of one value for every joint.
//
// text/csv_columns.h says how columns are named.
// Whatever is wrong is reported with file, line and column.
#ifndef LW_READ_CSV_SERIES_H
#define LW_READ_CSV_SERIES_H

#include "read/document/document.h"
#include "text/csv_columns.h"

// Columns that belong together, and what is found of them.
typedef struct lwCsvGroup
{
  lwColumnGroup columns;
  bool increasing;    // of a single column: every value is above the one before
  double* values;     // (rows, width) or NULL: absent; 0 where a column is missing
  const bool* given;  // (width) the column is there
} lwCsvGroup;

// Reads the document, opened by lw_document_open_..(), into memory of the arena.
// LW_ERROR_INPUT if anything was wrong.
lwStatus lw_csv_read(lwDocument* document, lwCsvGroup* groups, int count, lwArena* arena,
                     long* rows);

#endif
