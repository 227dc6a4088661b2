// SPDX-License-Identifier: MIT
// CSV files of states of snakes.
#ifndef APP_SNAKE_SNAKE_CSV_H
#define APP_SNAKE_SNAKE_CSV_H

#include "states/states.h"

// Columns that belong together: theta1..theta6, or t alone.
typedef struct SnakeGroup
{
  const char* name;
  int width;      // columns
  bool numbered;  // theta1; else the name alone
  bool needed;    // otherwise complete or absent
} SnakeGroup;

enum
{
  MAX_SNAKE_GROUPS = 3
};

// A file of such columns, read in blocks.
typedef struct SnakeCsv
{
  int groups;
  SnakeGroup group[MAX_SNAKE_GROUPS];
  const char* const* ignored;  // names of columns that are not read, NULL at the end
  Lines lines;
  Header header;
  Block block;  // of the last snake_csv_read(); values by group
} SnakeCsv;

// Opens the file and reads its header; blocks have at most `capacity` rows. groups, group and
// ignored are set. Prints what is wrong and returns INPUT, or DONE.
int snake_csv_open(SnakeCsv* csv, const char* path, int capacity);
void snake_csv_close(SnakeCsv* csv);

// Reads on: csv->block, empty at the end. INPUT when a line is wrong, with the message in
// csv->lines.message; the rows before it are in the block.
int snake_csv_read(SnakeCsv* csv);

#endif
