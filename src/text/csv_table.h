// SPDX-License-Identifier: MIT
// Reads CSV tables: the header by text/csv_columns.h, and rows of
// numbers, block by block, in bounded memory.
#ifndef LW_TEXT_CSV_TABLE_H
#define LW_TEXT_CSV_TABLE_H

#include "text/csv_columns.h"
#include "text/text_lines.h"

enum
{
  LW_CSV_GROUPS = 8  // of columns, at most
};

// The column t, which may be missing; if present, it holds numbers.
extern const lwColumnGroup lw_csv_time;

// What a command needs from a table, and which column of the file holds it.
// It must not be moved once it is read.
typedef struct lwCsvHeader
{
  int groups;
  lwColumnGroup group[LW_CSV_GROUPS];
  int increasing;  // group whose values go up from row to row; -1: none
  // Why a joint that a column names does not move by itself; NULL: no such joint. Or NULL.
  const char* (*idle_joint)(const void* context, const char* name);
  const void* context;
  int link_count;  // of links that have columns of their own, fx.LINK..
  int* links;      // (link_count) joints that carry them
  // and what is found:
  lwArena arena;
  lwColumns columns;
  unsigned present;  // set of 1 << group
} lwCsvHeader;

// Goes to the header line, which must be there. LW_OK,
// or LW_ERROR_INPUT with the message in lines->message.
lwStatus lw_csv_header_line(lwLines* lines);

// Reads the header line, where lw_csv_header_line() has gone.
// LW_OK, or LW_ERROR_INPUT with the message in lines->message.
lwStatus lw_csv_header_read(lwCsvHeader* header, lwLines* lines);
bool lw_csv_header_has(const lwCsvHeader* header,
                       const char* name);  // a column of this name, used or not
void lw_csv_header_destroy(lwCsvHeader* header);

// lwRows that are read together.
typedef struct lwCsvBlock
{
  int capacity;                   // rows
  int count;                      // rows in it
  long first;                     // number of the first one, counted from 1 through the whole input
  double last;                    // value of the increasing group in the row read last
  double* values[LW_CSV_GROUPS];  // (capacity, width of the group), or NULL: absent
  bool keep;                      // the text of the rows, too:
  char** text;                    // (capacity) the lines
  size_t* text_capacity;          // (capacity) bytes of each
} lwCsvBlock;

// Memory for the groups of a set of 1 << group.
// Prints what is wrong and returns LW_ERROR_INPUT, or LW_OK.
bool lw_csv_block_allocate(lwCsvBlock* block, unsigned groups, const int widths[LW_CSV_GROUPS],
                           int capacity);
bool lw_csv_block_keep_text(lwCsvBlock* block);  // the text of the rows is kept from here on
void lw_csv_block_destroy(lwCsvBlock* block);

// Fills the block with the lines that follow, block->count of them, 0 at the end. When a
// line is wrong, returns LW_ERROR_INPUT with the message in lines->message; the rows
// before it are in the block.
lwStatus lw_csv_rows(const lwCsvHeader* header, lwLines* lines, lwCsvBlock* block);

// A table in a file.
typedef struct lwCsvFile
{
  lwCsvHeader header;  // groups, group and increasing are set before it is opened
  lwLines lines;
  lwCsvBlock block;  // of the last lw_csv_next_block()
  void* user;        // what its reader keeps beside it
} lwCsvFile;

// Opens the file and reads its header; blocks have at most `capacity` rows. Prints what is wrong
// and returns LW_ERROR_INPUT, or LW_OK.
lwStatus lw_csv_open(lwCsvFile* csv, const char* path, int capacity, lwLinesProgress* progress);
void lw_csv_close(lwCsvFile* csv);
lwStatus lw_csv_next_block(lwCsvFile* csv);  // lw_csv_rows() of its parts

// Bytes that the longest line of a table may have,
// if `columns` columns and `names` bytes of names are of use.
size_t lw_csv_line_bytes(size_t columns, size_t names);

#endif
