// SPDX-License-Identifier: MIT
// Rows of numbers under named columns, written one by one as a table, as csv or as json.
#ifndef APP_IO_ROWS_H
#define APP_IO_ROWS_H

#include "command/options.h"
#include "output.h"

enum
{
  ROW_NAME = 32  // room for the name of a column
};

typedef struct Rows
{
  Out* out;
  Format format;
  size_t columns;
  void (*name)(const void* context, size_t k, char name[ROW_NAME]);  // of column k
  bool (*shown)(const void* context, size_t k);                      // in a table; NULL: all are
  const void* context;
  long count;  // of rows written
} Rows;

void rows_begin(Rows* rows);
void rows_add(Rows* rows, const double* values);
void rows_end(Rows* rows);

#endif
