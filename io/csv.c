// SPDX-License-Identifier: MIT
#include "csv.h"

#include "files.h"

int block_allocate(lwCsvBlock* block, unsigned groups, const int widths[LW_CSV_GROUPS],
                   int capacity)
{
  return lw_csv_block_allocate(block, groups, widths, capacity) ? DONE : no_memory();
}

int block_keep_text(lwCsvBlock* block)
{
  return lw_csv_block_keep_text(block) ? DONE : no_memory();
}

int csv_open(lwCsvFile* csv, const char* path, int capacity)
{
  input_add(path);
  lwStatus status = lw_csv_open(csv, path, capacity, lines_show);
  if (status == LW_ERROR_MEMORY) return no_memory();
  return status == LW_OK ? DONE : lines_report(&csv->lines);
}

int rows_keep(lwRows* rows, lwCsvFile* csv, bool all)
{
  return lw_rows_keep(rows, csv, all) ? DONE : no_memory();
}
