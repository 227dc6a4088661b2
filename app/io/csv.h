// SPDX-License-Identifier: MIT
// CSV tables that come in: the header by base/columns.h, and rows of numbers, block by block, in bounded memory.
#ifndef APP_IO_CSV_H
#define APP_IO_CSV_H

#include "base/columns.h"
#include "lines.h"

enum
{
  CSV_GROUPS = 8  // of columns, at most
};

// The column t, which may be missing; where it is there, it holds numbers.
extern const lwColumnGroup CSV_TIME;

// What a command wants of a table, and which column of the file holds it. It must stay where it is once it is read.
typedef struct Header
{
  int groups;
  lwColumnGroup group[CSV_GROUPS];
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
} Header;

// Goes to the header line, which must be there. DONE, or INPUT with the message in lines->message.
int header_line(Lines* lines);

// Reads the header line, where header_line() has gone. DONE, or INPUT with the message in lines->message.
int header_read(Header* header, Lines* lines);
bool header_has(const Header* header, const char* name);  // a column of this name, used or not
void header_destroy(Header* header);

// Rows that are read together.
typedef struct Block
{
  int capacity;                // rows
  int count;                   // rows in it
  long first;                  // number of the first one, counted from 1 through the whole input
  double last;                 // value of the increasing group in the row read last
  double* values[CSV_GROUPS];  // (capacity, width of the group), or NULL: absent
  bool keep;                   // the text of the rows, too:
  char** text;                 // (capacity) the lines
  size_t* room;                // (capacity) bytes of each
} Block;

// Memory for the groups of a set of 1 << group. Prints what is wrong and returns INPUT, or DONE.
int block_allocate(Block* block, unsigned groups, const int widths[CSV_GROUPS], int capacity);
int block_keep_text(Block* block);  // the text of the rows is kept from here on
void block_destroy(Block* block);

// Fills the block with the lines that follow, block->count of them, 0 at the end. When a line is wrong, returns INPUT
// with the message in lines->message; the rows before it are in the block.
int rows_read(const Header* header, Lines* lines, Block* block);

// A table in a file.
typedef struct CsvFile
{
  Header header;  // groups, group and increasing are set before it is opened
  Lines lines;
  Block block;  // of the last csv_read()
} CsvFile;

// Opens the file and reads its header; blocks have at most `capacity` rows. Prints what is wrong and returns INPUT, or
// DONE.
int csv_open(CsvFile* csv, const char* path, int capacity);
void csv_close(CsvFile* csv);
int csv_read(CsvFile* csv);  // rows_read() of its parts

// Bytes that the longest line of a table may have, if `columns` columns and `names` bytes of names are of use.
size_t csv_line_bytes(size_t columns, size_t names);

#endif
