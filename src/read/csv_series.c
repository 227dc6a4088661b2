// SPDX-License-Identifier: MIT
#include "read/csv_series.h"

#include <math.h>
#include <string.h>

#include "text/csv_table.h"
#include "text/table_formats.h"

static const size_t MAX_VALUES = (size_t)256 << 20;  // of a group

static void report_line(lwDocument* document, const lwLines* lines)
{
  const char* text = lines->message + lines->text;
  size_t length    = strlen(text);
  const char* hint = lines->hint > 0 ? text + length - lines->hint : NULL;
  if (hint) length -= lines->hint + strlen("; ");
  lw_document_error(document, ((lwPlace){(int)lines->number, lines->column}), hint, "%.*s",
                    (int)length, text);
}

// Memory for a row of every line, or for the rows of an array.
static lwStatus take_block(lwDocument* document, lwCsvHeader* header, const lwLines* from,
                           lwCsvBlock* block)
{
  const lwSource* source = &document->source;
  double rows            = lw_table_rows(from);
  size_t lines           = 1;
  if (rows >= 0)  // a row has a byte at least; with fewer it is refused when it is read
    lines += rows < (double)source->length ? (size_t)rows : source->length;
  for (size_t i = 0; i < source->length && rows < 0; ++i) lines += source->text[i] == '\n';
  *block = (lwCsvBlock){.capacity = (int)lines, .first = 1, .last = -INFINITY};
  for (int g = 0; g < header->groups; ++g)
  {
    size_t width = (size_t)header->group[g].width;
    if (!(header->present >> g & 1)) continue;
    if (lines > MAX_VALUES / width)
      return lw_document_refuse(document, ((lwPlace){0, 0}), NULL,
                                "%zu lines of %zu values are more than the %zu that are read",
                                lines, width, MAX_VALUES);
    block->values[g] = lw_arena_take(&header->arena, lines * width, sizeof(double));
    if (!block->values[g]) return LW_ERROR_MEMORY;
  }
  return LW_OK;
}

// Reads all rows; one that is wrong is reported, and the next one is read.
static lwStatus read_series(lwDocument* document, lwCsvHeader* header, lwLines* lines,
                            lwCsvBlock* block)
{
  lwStatus status = lw_csv_header_line(lines);
  if (status == LW_OK) status = lw_csv_header_read(header, lines);
  if (status != LW_OK) report_line(document, lines);
  if (status == LW_OK) status = take_block(document, header, lines, block);
  if (status != LW_OK) return status;
  while (lw_csv_rows(header, lines, block) != LW_OK) report_line(document, lines);
  return document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

lwStatus lw_csv_read(lwDocument* document, lwCsvGroup* groups, int count, lwArena* arena,
                     long* rows)
{
  lwLines lines;
  lwCsvBlock block   = {0};
  lwCsvHeader header = {.groups = count, .increasing = -1, .arena = *arena};
  for (int g = 0; g < count; ++g)
  {
    header.group[g] = groups[g].columns;
    if (groups[g].increasing) header.increasing = g;
  }
  lwStatus status = lw_lines_open_text(&lines, "", document->source.text, document->source.length);
  if (status == LW_OK) status = read_series(document, &header, &lines, &block);
  lw_lines_close(&lines);
  *arena = header.arena;
  *rows  = block.count;
  for (int g = 0; g < count && status == LW_OK; ++g)
  {
    groups[g].values = block.values[g];
    groups[g].given  = header.columns.given[g];
  }
  return status;
}
