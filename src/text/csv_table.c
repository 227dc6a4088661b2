// SPDX-License-Identifier: MIT
#include "text/csv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "text/table_formats.h"

enum
{
  LINE_BYTES      = 1 << 16,  // that a line may have, and
  BYTES_PER_FIELD = 256       // for every column that is of use
};

size_t lw_csv_line_bytes(size_t columns, size_t names)
{
  return LINE_BYTES + BYTES_PER_FIELD * columns + 2 * names;  // all of them quotes
}

const lwColumnGroup lw_csv_time = {
    .symbol = "t", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE};

// --- header

// The name behind the point, of a joint that does not move by itself: why.
static const char* idle_reason(const lwCsvHeader* header, const char* column)
{
  const char* point = strchr(column, '.');
  return point && header->idle_joint ? header->idle_joint(header->context, point + 1) : NULL;
}

static lwStatus header_fail(const lwCsvHeader* header, lwLines* lines, const char* at,
                            const char* name, const lwColumnFinding* finding)
{
  const char* idle = finding->fault == LW_COLUMN_NO_JOINT ? idle_reason(header, name) : NULL;
  if (idle)
    return lw_lines_fail(
        lines, at,
        "column '%.60s' is of a joint that %s, expected columns of joints that move "
        "by themselves",
        name, idle);
  lw_lines_fail(lines, at, "%s%s%s", finding->text, finding->hint[0] ? "; " : "", finding->hint);
  lines->hint = strlen(finding->hint);
  return LW_ERROR_INPUT;
}

static lwStatus check_header(lwCsvHeader* header, lwLines* lines, char* const* at)
{
  for (int g = 0; g < header->groups; ++g)
  {
    lwColumnFinding finding;
    lwColumnFault fault = lw_columns_check(&header->columns, g, &finding);
    if (fault != LW_COLUMN_FINE)
      return header_fail(header, lines, finding.column < 0 ? lines->line : at[finding.column], "",
                         &finding);
    if (lw_columns_has(&header->columns, g)) header->present |= 1u << g;
  }
  return LW_OK;
}

static lwStatus take_columns(lwCsvHeader* header, lwLines* lines, char** at)
{
  int count = 0;
  for (char* cursor = lines->line; cursor; ++count)
  {
    lwColumnFinding finding;
    at[count]  = (char*)lw_skip_spaces(cursor);
    char* name = lw_field_take(&cursor);
    if (!name)
      return lw_lines_fail(
          lines, at[count],
          "a quote that is not closed, expected \"name\" and commas between names");
    if (!lw_columns_take(&header->columns, name, &finding))
      return lw_lines_fail(lines, at[count], "out of memory");
    if (finding.fault != LW_COLUMN_FINE)
      return header_fail(header, lines, at[count], name, &finding);
  }
  return check_header(header, lines, at);
}

lwStatus lw_csv_header_line(lwLines* lines)
{
  lwStatus status = lw_table_header(lines);
  if (status != LW_OK) return status;
  if (lines->line && *lw_skip_spaces(lines->line)) return LW_OK;
  return lw_lines_fail(lines, lines->line, "nothing here, expected a header with names of columns");
}

lwStatus lw_csv_header_read(lwCsvHeader* header, lwLines* lines)
{
  size_t fields = 1;
  for (const char* s = lines->line; *s; ++s) fields += *s == ',';
  char** at = lw_arena_take(&header->arena, fields, sizeof *at);
  if (!at ||
      !lw_columns_begin(&header->columns, header->group, header->groups, fields, &header->arena))
    return lw_lines_fail(lines, lines->line, "out of memory");
  return take_columns(header, lines, at);
}

bool lw_csv_header_has(const lwCsvHeader* header, const char* name)
{
  for (int c = 0; c < header->columns.columns; ++c)
    if (!strcmp(header->columns.names[c], name)) return true;
  return false;
}

void lw_csv_header_destroy(lwCsvHeader* header)
{
  lw_arena_free(&header->arena);
}

// --- blocks

bool lw_csv_block_allocate(lwCsvBlock* block, unsigned groups, const int widths[LW_CSV_GROUPS],
                           int capacity)
{
  *block = (lwCsvBlock){.capacity = capacity, .first = 1, .last = -INFINITY};
  for (int g = 0; g < LW_CSV_GROUPS; ++g)
  {
    if (!(groups >> g & 1)) continue;
    block->values[g] = malloc(((size_t)widths[g] * (size_t)capacity + 1) * sizeof(double));
    if (!block->values[g]) return false;
  }
  return true;
}

bool lw_csv_block_keep_text(lwCsvBlock* block)
{
  block->keep          = true;
  block->text          = calloc((size_t)block->capacity, sizeof *block->text);
  block->text_capacity = calloc((size_t)block->capacity, sizeof *block->text_capacity);
  return block->text && block->text_capacity;
}

void lw_csv_block_destroy(lwCsvBlock* block)
{
  for (int g = 0; g < LW_CSV_GROUPS; ++g) free(block->values[g]);
  for (int i = 0; block->text && i < block->capacity; ++i) free(block->text[i]);
  free(block->text);
  free(block->text_capacity);
}

static lwStatus keep_text(lwCsvBlock* block, lwLines* lines)
{
  size_t needed = strlen(lines->line) + 1;
  char** text   = &block->text[block->count];
  if (needed > block->text_capacity[block->count])
  {
    char* grown = realloc(*text, 2 * needed);
    if (!grown) return lw_lines_fail(lines, lines->line, "out of memory");
    *text                              = grown;
    block->text_capacity[block->count] = 2 * needed;
  }
  memcpy(*text, lines->line, needed);
  return LW_OK;
}

// --- rows

// A finite number that fills the text from s on to the end of the field; NULL:
// it is not, and wrong is noted.
static const char* take_number(lwLines* lines, const char* s, const char* column, double* value)
{
  const char* end = s;
  if (*s == 0 || *s == ',')
  {
    lw_lines_fail(lines, s, "an empty field, expected a number for column '%.60s'", column);
    return NULL;
  }
  bool number = lw_number_read(&end, value);
  end         = number ? lw_skip_spaces(end) : end;
  if (number && (*end == ',' || *end == 0) && isfinite(*value)) return end;
  int length = (int)strcspn(s, ",");
  lw_lines_fail(lines, s, "'%.*s' is not a finite number, expected one for column '%.60s'",
                length < 60 ? length : 60, s, column);
  return NULL;
}

// A number within quotes.
static lwStatus take_quoted_number(lwLines* lines, char** cursor, const char* column, double* value)
{
  const char* at = *cursor;
  char* text     = lw_field_take(cursor);
  if (!text) return lw_lines_fail(lines, at, "a quote that is not closed, expected a number");
  text            = (char*)lw_skip_spaces(text);
  const char* end = text;
  bool number     = lw_number_read(&end, value) && *lw_skip_spaces(end) == 0 && isfinite(*value);
  if (number) return LW_OK;
  return lw_lines_fail(lines, at, "'%.60s' is not a finite number, expected one for column '%.60s'",
                       text, column);
}

// Takes the field at *cursor as a number and moves *cursor behind its comma,
// NULL at the end of the line.
static lwStatus take_value(lwLines* lines, char** cursor, const char* column, double* value)
{
  *cursor = (char*)lw_skip_spaces(*cursor);
  if (**cursor == '"') return take_quoted_number(lines, cursor, column, value);
  const char* end = take_number(lines, *cursor, column, value);
  if (!end) return LW_ERROR_INPUT;
  *cursor = *end == ',' ? (char*)end + 1 : NULL;
  return LW_OK;
}

static lwStatus skip_field(lwLines* lines, char** cursor)
{
  const char* at = *cursor;
  if (!lw_field_take(cursor)) return lw_lines_fail(lines, at, "a quote that is not closed");
  return LW_OK;
}

// The field of column k into row `row` of the block.
static lwStatus read_field(const lwCsvHeader* header, lwLines* lines, lwCsvBlock* block, int k,
                           char** cursor)
{
  lwColumnTarget target = header->columns.targets[k];
  if (target.group < 0) return skip_field(lines, cursor);
  size_t width    = (size_t)header->group[target.group].width;
  double* to      = block->values[target.group] + (size_t)block->count * width + target.index;
  const char* at  = lw_skip_spaces(*cursor);
  lwStatus status = take_value(lines, cursor, header->columns.names[k], to);
  if (status != LW_OK || target.group != header->increasing) return status;
  double v = *to;
  if (!(v > block->last))
    return lw_lines_fail(lines, at, "%.60s = %g is not above that of the line before, %g",
                         header->columns.names[k], v, block->last);
  block->last = v;
  return LW_OK;
}

static lwStatus read_row(const lwCsvHeader* header, lwLines* lines, lwCsvBlock* block)
{
  char* cursor    = lines->line;
  const char* end = cursor + strlen(cursor);
  int columns     = header->columns.columns;
  lwStatus status = block->keep ? keep_text(block, lines) : LW_OK;
  for (int k = 0; k < columns && status == LW_OK; ++k)
  {
    if (!cursor)
      return lw_lines_fail(lines, end, "%d field%s, expected %d as in the header", k,
                           k == 1 ? "" : "s", columns);
    status = read_field(header, lines, block, k, &cursor);
  }
  if (status != LW_OK || !cursor) return status;
  return lw_lines_fail(lines, cursor, "more fields, expected %d as in the header", columns);
}

// Blank lines may only be followed by blank lines.
static lwStatus skip_blank_lines(lwLines* lines)
{
  long blank      = lines->number;
  lwStatus status = LW_OK;
  while (status == LW_OK && lines->line && !*lw_skip_spaces(lines->line))
    status = lw_lines_next(lines);
  if (status != LW_OK || !lines->line) return status;
  lines->number = blank;
  return lw_lines_fail(lines, lines->line, "a blank line, expected numbers or the end of the file");
}

lwStatus lw_csv_rows(const lwCsvHeader* header, lwLines* lines, lwCsvBlock* block)
{
  block->first += block->count;
  block->count = 0;
  while (block->count < block->capacity)
  {
    lwStatus status = lw_lines_next(lines);
    if (status != LW_OK || !lines->line) return status;
    if (!*lw_skip_spaces(lines->line)) return skip_blank_lines(lines);
    status = read_row(header, lines, block);
    if (status != LW_OK) return status;
    ++block->count;
  }
  return LW_OK;
}

// --- files

lwStatus lw_csv_open(lwCsvFile* csv, const char* path, int capacity, lwLinesProgress* progress)
{
  int widths[LW_CSV_GROUPS] = {0};
  size_t columns            = 0;
  for (int g = 0; g < csv->header.groups; ++g)
  {
    widths[g] = csv->header.group[g].width;
    columns += (size_t)widths[g];
  }
  lwStatus status = lw_lines_open(&csv->lines, path, lw_csv_line_bytes(columns, 0), progress);
  if (status != LW_OK) return status;
  status = lw_csv_header_line(&csv->lines);
  if (status == LW_OK) status = lw_csv_header_read(&csv->header, &csv->lines);
  if (status != LW_OK) return status;
  return lw_csv_block_allocate(&csv->block, csv->header.present, widths, capacity)
             ? LW_OK
             : LW_ERROR_MEMORY;
}

void lw_csv_close(lwCsvFile* csv)
{
  lw_csv_block_destroy(&csv->block);
  lw_csv_header_destroy(&csv->header);
  lw_lines_close(&csv->lines);
}

lwStatus lw_csv_next_block(lwCsvFile* csv)
{
  return lw_csv_rows(&csv->header, &csv->lines, &csv->block);
}
