// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LONGEST_LINE = 1 << 22,  // bytes
  BLOCK_ROWS   = 256
};

void recorded_wrong(Recorded* recorded, const char* at, const char* what)
{
  lw_lines_fail(&recorded->csv->lines, at, "%s", what);
  leave(lines_report(&recorded->csv->lines));
}

Recorded recorded_open(const char* path)
{
  Recorded recorded = {.csv = hold_csv(allocate(1, sizeof *recorded.csv))};
  lwLines* lines    = &recorded.csv->lines;
  size_t most       = 1;
  need(lines_open(lines, path, LONGEST_LINE));
  if (lw_csv_header_line(lines) != LW_OK) leave(lines_report(lines));
  for (const char* s = lines->line; *s; ++s) most += *s == ',';
  recorded.names = allocate(most, sizeof *recorded.names);
  char* header   = text_copy(lines->line);  // which the names stay in
  for (char* cursor = header; cursor;)
  {
    const char* at = lines->line + (cursor - header);
    char* name     = lw_field_take(&cursor);
    if (!name) recorded_wrong(&recorded, at, "a quote that is not closed, expected \"name\"");
    recorded.names[recorded.fields++] = name;
  }
  return recorded;
}

void recorded_select(Recorded* recorded, bool (*wanted)(const void* context, const char* name),
                     const void* context)
{
  // every recording has the time: a table with other separators than commas is recognised by it
  static const lwColumnGroup time = {.symbol = "t", .width = 1, .single = true};
  lwCsvHeader* header             = &recorded->csv->header;
  lwCsvBlock* block               = &recorded->csv->block;
  lwColumnFinding finding;
  *header = (lwCsvHeader){.groups = 0, .increasing = -1};
  if (!lw_columns_begin(&header->columns, &time, 1, recorded->fields, &header->arena))
    leave(no_memory());
  for (size_t c = 0; c < recorded->fields; ++c)
  {
    if (!lw_columns_take(&header->columns, recorded->names[c], &finding)) leave(no_memory());
    if (finding.fault == LW_COLUMN_BAD_NAME)
      recorded_wrong(recorded, recorded->csv->lines.line, finding.text);
    bool taken                 = !wanted || wanted(context, recorded->names[c]);
    header->columns.targets[c] = (lwColumnTarget){taken ? 0 : -1, (int)recorded->width};
    recorded->width += taken;
  }
  header->group[0].width = (int)recorded->width;
  *block                 = (lwCsvBlock){.capacity = BLOCK_ROWS, .first = 1};
  block->values[0]       = calloc(BLOCK_ROWS * (recorded->width + 1), sizeof(double));
  if (!block->values[0]) leave(no_memory());
}

bool column_is_in(const char* column, const char* groups)
{
  while (true)
  {
    size_t length = strcspn(groups, "+,");
    if (length > 0 && lw_plot_column_is_in(column, groups, length)) return true;
    if (!groups[length]) return false;
    groups += length + 1;
  }
}
