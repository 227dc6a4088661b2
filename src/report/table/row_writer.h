// SPDX-License-Identifier: MIT
// Rows of numbers under named columns, written one by one as a table, as csv or as json. Columns of
// a table are as wide as names and numbers need; the first rows are held back to find the width.
#ifndef LW_REPORT_TABLE_ROW_WRITER_H
#define LW_REPORT_TABLE_ROW_WRITER_H

#include "linkwork/quad.h"
#include "report/memory_file.h"
#include "report/table/csv_table.h"
#include "report/table/out.h"

enum
{
  LW_ROW_NAME = LW_COLUMN_NAME + 1  // room for the name of a column
};

typedef struct lwRows
{
  lwOut* out;
  lwFormat format;
  size_t columns;
  void (*name)(const void* context, size_t k, char name[LW_ROW_NAME]);  // of column k
  bool (*shown)(const void* context, size_t k);                         // in a table; NULL: all are
  const char* (*unit)(const void* context,
                      size_t k);  // of column k, in a table; NULL: none has one
  const void* context;
  const lwCsvHeader* kept;  // whose columns are passed through, before the others; or NULL
  bool kept_time;           // of these only t
  bool numbered;            // tables begin with the number of the row
  // (columns) the values of the next row in 113 bits, for csv and json; or NULL
  const lwQuad* exact;
  // what the writer knows:
  char** names;  // (columns)
  bool* passed;  // (kept->columns) the column is passed through
  int last;      // of these, -1: none
  long count;    // of rows written
  // of a table:
  int cells;          // in a row
  int* widths;        // (cells)
  int cell;           // the one that comes next
  bool begun;         // the header is written, the widths stay as they are
  lwMemoryFile held;  // cells of the first rows, each ended by 0
} lwRows;

// The columns of the file, which is open, are passed through: all of them, or t if there is one.
// Before lw_rows_begin(). False: out of memory.
bool lw_rows_keep(lwRows* rows, lwCsvFile* csv, bool all);

// Writes the header. Without memory for it the output fails, as it does when the disk is full.
void lw_rows_begin(lwRows* rows);
void lw_rows_add(lwRows* rows, const double* values);

// The same behind the columns that are passed through; line is the text of their row.
void lw_rows_add_kept(lwRows* rows, const char* line, const double* values);
void lw_rows_end(lwRows* rows);

#endif
