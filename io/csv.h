// SPDX-License-Identifier: MIT
// Reads CSV tables: text/csv_table.h with messages on standard error.
#ifndef IO_CSV_H
#define IO_CSV_H

#include "lines.h"
#include "output.h"
#include "text/csv_table.h"
#include "text/table_writer.h"

// As those of text/csv_table.h; they print what is wrong and return INPUT, or DONE.
int block_allocate(lwCsvBlock* block, unsigned groups, const int widths[LW_CSV_GROUPS],
                   int capacity);
int block_keep_text(lwCsvBlock* block);
int csv_open(lwCsvFile* csv, const char* path, int capacity);
int rows_keep(lwRows* rows, lwCsvFile* csv, bool all);  // lw_rows_keep()

#endif
