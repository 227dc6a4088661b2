// SPDX-License-Identifier: MIT
// A list of rows, described once and written as a table, as csv or as json.
#ifndef LW_REPORT_TABLE_SHEET_WRITER_H
#define LW_REPORT_TABLE_SHEET_WRITER_H

#include "report/table/out.h"

typedef enum lwCellKind
{
  LW_CELL_NONE,  // nothing: its text or "-" in tables, an empty field in csv, null in json
  LW_CELL_TEXT,
  LW_CELL_NUMBER,
  LW_CELL_FLAG,  // yes or no; true or false in json
  LW_CELL_LIST   // words; a list in json, else with spaces between them
} lwCellKind;

typedef struct lwCell
{
  lwCellKind kind;
  const char* text;         // lives as long as the sheet is written
  double number;            // a flag: 0 or 1
  const char* const* list;  // ended by NULL
} lwCell;

// Neighbours with the same group are one object in json, named by the group;
// null if all of them are LW_CELL_NONE.
typedef struct lwSheetColumn
{
  const char* name;   // in tables and csv
  const char* group;  // or NULL
  const char* key;    // in json; NULL: the name
} lwSheetColumn;

typedef struct lwSheet
{
  int columns;
  const lwSheetColumn* column;  // (columns)
  const char* const* unit;  // (columns) below the names in a table, "" where there is none; or NULL
  int rows;
  void (*row)(const void* context, int i, lwCell* cells);  // fills the cells of row i
  const void* context;
} lwSheet;

lwCell lw_cell_text(const char* text);  // NULL: LW_CELL_NONE
lwCell lw_cell_number(double v);        // not finite: LW_CELL_NONE
lwCell lw_cell_limit(double v);         // "unlimited" in a table if it is not finite
lwCell lw_cell_flag(bool flag);
lwCell lw_cell_list(const char* const* words);  // ended by NULL

void lw_sheet_write(lwOut* out, lwFormat format, const lwSheet* sheet);

#endif
