// SPDX-License-Identifier: MIT
// Short names for lists of rows that are written as a table, as csv or as json.
#ifndef IO_SHEET_H
#define IO_SHEET_H

#include "output.h"
#include "report/table/sheet_writer.h"

typedef lwCell Cell;
typedef lwSheet Sheet;
typedef lwSheetColumn SheetColumn;

#define cell_text   lw_cell_text
#define cell_number lw_cell_number
#define cell_limit  lw_cell_limit
#define cell_flag   lw_cell_flag
#define cell_list   lw_cell_list
#define sheet_write lw_sheet_write

#endif
