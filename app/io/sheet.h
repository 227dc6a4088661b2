// SPDX-License-Identifier: MIT
// A list of rows, described once and written as a table, as csv or as json.
#ifndef APP_IO_SHEET_H
#define APP_IO_SHEET_H

#include "command/options.h"
#include "output.h"

typedef enum CellKind
{
  CELL_NONE,  // nothing: its text or "-" in tables, an empty field in csv, null in json
  CELL_TEXT,
  CELL_NUMBER,
  CELL_FLAG,  // yes or no; true or false in json
  CELL_LIST   // words; a list in json, else with spaces between them
} CellKind;

typedef struct Cell
{
  CellKind kind;
  const char* text;         // lives as long as the sheet is written
  double number;            // a flag: 0 or 1
  const char* const* list;  // ended by NULL
} Cell;

// Neighbours with the same group are one object in json, named by the group; null if all of them
// are CELL_NONE.
typedef struct SheetColumn
{
  const char* name;   // in tables and csv
  const char* group;  // or NULL
  const char* key;    // in json; NULL: the name
} SheetColumn;

typedef struct Sheet
{
  int columns;
  const SheetColumn* column;  // (columns)
  const char* const* unit;  // (columns) below the names in a table, "" where there is none; or NULL
  int rows;
  void (*row)(const void* context, int i, Cell* cells);  // fills the cells of row i
  const void* context;
} Sheet;

Cell cell_text(const char* text);  // NULL: CELL_NONE
Cell cell_number(double v);        // not finite: CELL_NONE
Cell cell_limit(double v);         // "unlimited" in a table if it is not finite
Cell cell_flag(bool flag);
Cell cell_list(const char* const* words);  // ended by NULL

void sheet_write(Out* out, Format format, const Sheet* sheet);

#endif
