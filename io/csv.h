// SPDX-License-Identifier: MIT
// Reads CSV tables: report/table/csv_table.h by short names, with messages on standard error.
#ifndef IO_CSV_H
#define IO_CSV_H

#include "lines.h"
#include "report/table/csv_table.h"

typedef lwCsvHeader Header;
typedef lwCsvBlock CsvBlock;
typedef lwCsvFile CsvFile;

enum
{
  CSV_GROUPS = LW_CSV_GROUPS
};

// As those of report/table/csv_table.h; they print what is wrong and return INPUT, or DONE.
int block_allocate(CsvBlock* block, unsigned groups, const int widths[CSV_GROUPS], int capacity);
int block_keep_text(CsvBlock* block);
int csv_open(CsvFile* csv, const char* path, int capacity);

#define CSV_TIME                        lw_csv_time
#define header_line(lines)              exit_of(lw_csv_header_line(lines))
#define header_read(header, lines)      exit_of(lw_csv_header_read(header, lines))
#define rows_read(header, lines, block) exit_of(lw_csv_rows(header, lines, block))
#define csv_read(csv)                   exit_of(lw_csv_next_block(csv))
#define header_has                      lw_csv_header_has
#define header_destroy                  lw_csv_header_destroy
#define block_destroy                   lw_csv_block_destroy
#define csv_close                       lw_csv_close
#define csv_line_bytes                  lw_csv_line_bytes

#endif
