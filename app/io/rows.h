// SPDX-License-Identifier: MIT
// Rows of numbers under named columns, written one by one as a table, as csv or as json.
#ifndef APP_IO_ROWS_H
#define APP_IO_ROWS_H

#include "command/options.h"
#include "csv.h"
#include "linkwork/quad.h"
#include "output.h"

enum
{
  ROW_NAME = LW_COLUMN_NAME + 1  // room for the name of a column
};

typedef struct Rows
{
  Out* out;
  Format format;
  size_t columns;
  void (*name)(const void* context, size_t k, char name[ROW_NAME]);  // of column k
  bool (*shown)(const void* context, size_t k);                      // in a table; NULL: all are
  const void* context;
  const Header* kept;  // whose columns are passed through, before the others; or NULL
  bool kept_time;      // of these only t
  bool numbered;       // tables begin with the number of the row
  const lwQuad*
      exact;  // (columns) the values of the next row in 113 bits, for csv and json; or NULL
  // what the writer knows:
  char** names;  // (columns)
  int* widths;   // (columns) in a table
  bool* passed;  // (kept->columns) the column is passed through
  int last;      // of these, -1: none
  long count;    // of rows written
} Rows;

// Writes the header. Without memory for it the output fails, as it does when the disk is full.
void rows_begin(Rows* rows);
void rows_add(Rows* rows, const double* values);

// The same behind the columns that are passed through; line is the text of their row.
void rows_add_kept(Rows* rows, const char* line, const double* values);
void rows_end(Rows* rows);

#endif
