// SPDX-License-Identifier: MIT
// The header of a CSV table: which column holds what. The same rules for every
// reader of the library and the program.
//
// Columns may be in any order, as t, qd1..qdn or qd.NAME. Columns that are not needed
// are ignored, but if a needed column is missing and another has nearly its name, that
// is probably a typo and is reported.
#ifndef LW_TEXT_CSV_COLUMNS_H
#define LW_TEXT_CSV_COLUMNS_H

#include "base/text.h"

typedef enum lwColumnNeed
{
  LW_COLUMNS_ALL,          // every column must be there
  LW_COLUMNS_ALL_OR_NONE,  // every column, or none of them
  LW_COLUMNS_SOME,         // at least one
  LW_COLUMNS_UNUSED        // known, but not asked for
} lwColumnNeed;

// Columns that belong together.
typedef struct lwColumnGroup
{
  // "qd" for qd1 and qd.elbow; the name of a single column; with `own`, what messages call them
  const char* symbol;
  const char* unit;  // of columns that are written; or NULL
  int width;         // columns
  lwColumnNeed need;
  bool single;               // one column, without a number
  const char* const* names;  // (width) of joints, for qd.NAME; NULL: numbers only
  const char* const*
      own;  // (width) names of the columns themselves, such as fx fy fz; NULL: by symbol
  // (width) columns that may be missing together where others are named by joint; NULL: none
  const bool* optional;
} lwColumnGroup;

// Where the values of a column go.
typedef struct lwColumnTarget
{
  int group;  // -1: nowhere
  int index;
} lwColumnTarget;

enum
{
  LW_COLUMN_NAME = 1000,  // bytes of the longest name of a column
  LW_COLUMN_TEXT = 1200
};

typedef enum lwColumnFault
{
  LW_COLUMN_FINE,
  LW_COLUMN_BAD_NAME,  // empty or too long
  LW_COLUMN_NO_JOINT,  // of a requested group, but of no joint of this robot
  LW_COLUMN_TWICE,
  LW_COLUMN_MISSPELT,
  LW_COLUMN_MISSING
} lwColumnFault;

// What is wrong with a header.
typedef struct lwColumnFinding
{
  lwColumnFault fault;
  int column;                 // -1: the header as a whole
  char text[LW_COLUMN_TEXT];  // one sentence
  char hint[LW_COLUMN_TEXT];  // or ""
} lwColumnFinding;

typedef struct lwColumns
{
  const lwColumnGroup* groups;  // (count)
  int count;
  lwArena* arena;
  lwNameMap* joints;        // (count) from names of joints to their indices
  lwNameMap own;            // from columns with names of their own to group 2^16 + index
  bool** given;             // (count, width) the column is there
  int columns;              // taken so far
  char** names;             // (columns)
  lwColumnTarget* targets;  // (columns)
  bool by_name;             // a column came that is named by joint
  size_t fields;            // at most, between commas
} lwColumns;

// Begins a header of at most `fields` columns; false: out of memory.
// The groups and the arena must live as long.
bool lw_columns_begin(lwColumns* columns, const lwColumnGroup* groups, int count, size_t fields,
                      lwArena* arena);

// Takes the next column, whose name is copied; false: out of memory.
bool lw_columns_take(lwColumns* columns, const char* name, lwColumnFinding* finding);

// After the last column: whether group g is as it must be.
lwColumnFault lw_columns_check(const lwColumns* columns, int g, lwColumnFinding* finding);

// True if group g has a column.
bool lw_columns_has(const lwColumns* columns, int g);

// True if group g has columns, but none of those that are optional.
bool lw_columns_lack_optional(const lwColumns* columns, int g);

#endif
