// SPDX-License-Identifier: MIT
// Tables, as people read them, as csv or as json: rows of numbers that are written one by one, and
// lists of rows with cells of several kinds. Columns are as wide as names and cells need; rows are
// held back to find the widths.
#ifndef LW_TEXT_TABLE_WRITER_H
#define LW_TEXT_TABLE_WRITER_H

#include "linkwork/quad.h"
#include "text/csv_table.h"
#include "text/out.h"

enum
{
  LW_ROW_NAME = LW_COLUMN_NAME + 1  // bytes of the name of a column, its final 0 included
};

// A table as people read it.
typedef struct lwTextGrid
{
  int cells;    // in a row
  int* widths;  // (2, cells) and whether the column goes to the left
  int cell;     // the one that comes next
  bool begun;   // the header is written, the widths stay as they are
  lwOut held;   // cells of the first rows, each ended by 0
} lwTextGrid;

// --- rows of numbers

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
  char** names;     // (columns)
  bool* passed;     // (kept->columns) the column is passed through
  int last;         // of these, -1: none
  long count;       // of rows written
  lwTextGrid grid;  // of a table
} lwRows;

// Column k of rows whose context is a list of groups, ended by one without a symbol; how many
// columns these have.
size_t lw_groups_columns(const lwColumnGroup* groups);
void lw_groups_name(const void* groups, size_t k, char name[LW_ROW_NAME]);
const char* lw_groups_unit(const void* groups, size_t k);

// The columns of the file, which is open, are passed through: all of them, or t if there is one.
// Before lw_rows_begin(). False: out of memory.
bool lw_rows_keep(lwRows* rows, lwCsvFile* csv, bool all);

// Writes the header. Without memory for it the output fails, as it does when the disk is full.
void lw_rows_begin(lwRows* rows);
void lw_rows_add(lwRows* rows, const double* values);

// Adds a row behind the columns that are passed through; line is the text of their row.
void lw_rows_add_kept(lwRows* rows, const char* line, const double* values);
void lw_rows_end(lwRows* rows);

// --- lists of rows

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

typedef struct lwSheet
{
  // Names as in the header of csv, "joint,lower=limits.lower": behind = the key in json, if it is
  // another one. Neighbours of one group, "limits", are one object there, null without values.
  const char* columns;
  int most;                 // columns; 0: all
  const char* const* unit;  // (columns) below the names in a table, "" where there is none; or NULL
  int rows;
  void (*row)(const void* context, int i, lwCell* cells);  // fills the cells of row i, all empty
  const void* context;
} lwSheet;

lwCell lw_cell_text(const char* text);  // NULL: LW_CELL_NONE
lwCell lw_cell_number(double v);        // not finite: LW_CELL_NONE
void lw_cells_numbers(lwCell* cells, const double* numbers, int count);
lwCell lw_cell_limit(double v);  // "unlimited" in a table if it is not finite
lwCell lw_cell_flag(bool flag);
lwCell lw_cell_list(const char* const* words);  // ended by NULL

void lw_sheet_write(lwOut* out, lwFormat format, const lwSheet* sheet);

// How many columns there are.
int lw_sheet_width(const char* columns);

#endif
