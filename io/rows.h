// SPDX-License-Identifier: MIT
// Rows of numbers under named columns, written one by one: report/table/row_writer.h by short
// names.
#ifndef IO_ROWS_H
#define IO_ROWS_H

#include "csv.h"
#include "output.h"
#include "report/table/row_writer.h"

typedef lwRows Rows;

enum
{
  ROW_NAME = LW_ROW_NAME
};

// lw_rows_keep(). Prints what is wrong and returns INPUT, or DONE.
int rows_keep(Rows* rows, CsvFile* csv, bool all);

#define rows_begin    lw_rows_begin
#define rows_add      lw_rows_add
#define rows_add_kept lw_rows_add_kept
#define rows_end      lw_rows_end

#endif
