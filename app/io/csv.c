// SPDX-License-Identifier: MIT
#include "csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/number.h"

enum
{
  LINE_BYTES      = 1 << 16,  // that a line may have, and
  BYTES_PER_FIELD = 256       // for every column that is of use
};

size_t csv_line_bytes(size_t columns, size_t names)
{
  return LINE_BYTES + BYTES_PER_FIELD * columns + 2 * names;  // all of them quotes
}

const lwColumnGroup CSV_TIME = {
    .symbol = "t", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE};

// --- header

// The name behind the point, of a joint that does not move by itself: why.
static const char* idle_reason(const Header* header, const char* column)
{
  const char* point = strchr(column, '.');
  return point && header->idle_joint ? header->idle_joint(header->context, point + 1) : NULL;
}

static int header_fail(const Header* header, Lines* lines, const char* at, const char* name,
                       const lwColumnFinding* finding)
{
  const char* idle = finding->fault == LW_COLUMN_NO_JOINT ? idle_reason(header, name) : NULL;
  if (idle)
    return lines_fail(lines, at,
                      "column '%.60s' is of a joint that %s, expected columns of joints that move "
                      "by themselves",
                      name, idle);
  return lines_fail(lines, at, "%s%s%s", finding->text, finding->hint[0] ? "; " : "",
                    finding->hint);
}

static int check_header(Header* header, Lines* lines, char* const* at)
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
  return DONE;
}

static int take_columns(Header* header, Lines* lines, char** at)
{
  int count = 0;
  for (char* cursor = lines->line; cursor; ++count)
  {
    lwColumnFinding finding;
    at[count]  = (char*)skip_spaces(cursor);
    char* name = field_take(&cursor);
    if (!name) return lines_fail(lines, at[count], "a quote that is not closed, expected \"name\"");
    if (!lw_columns_take(&header->columns, name, &finding))
      return lines_fail(lines, at[count], "out of memory");
    if (finding.fault != LW_COLUMN_FINE)
      return header_fail(header, lines, at[count], name, &finding);
  }
  return check_header(header, lines, at);
}

int header_line(Lines* lines)
{
  int status = lines_next(lines);
  if (status != DONE) return status;
  if (lines->line && *skip_spaces(lines->line)) return DONE;
  return lines_fail(lines, lines->line, "nothing here, expected a header with names of columns");
}

int header_read(Header* header, Lines* lines)
{
  size_t fields = 1;
  for (const char* s = lines->line; *s; ++s) fields += *s == ',';
  char** at = lw_arena_take(&header->arena, fields, sizeof *at);
  if (!at ||
      !lw_columns_begin(&header->columns, header->group, header->groups, fields, &header->arena))
    return lines_fail(lines, lines->line, "out of memory");
  return take_columns(header, lines, at);
}

bool header_has(const Header* header, const char* name)
{
  for (int c = 0; c < header->columns.columns; ++c)
    if (!strcmp(header->columns.names[c], name)) return true;
  return false;
}

void header_destroy(Header* header)
{
  lw_arena_free(&header->arena);
}

// --- blocks

int block_allocate(Block* block, unsigned groups, const int widths[CSV_GROUPS], int capacity)
{
  *block = (Block){.capacity = capacity, .first = 1, .last = -INFINITY};
  for (int g = 0; g < CSV_GROUPS; ++g)
  {
    if (!(groups >> g & 1)) continue;
    block->values[g] = malloc(((size_t)widths[g] * (size_t)capacity + 1) * sizeof(double));
    if (!block->values[g]) return no_memory();
  }
  return DONE;
}

int block_keep_text(Block* block)
{
  block->keep = true;
  block->text = calloc((size_t)block->capacity, sizeof *block->text);
  block->room = calloc((size_t)block->capacity, sizeof *block->room);
  return block->text && block->room ? DONE : no_memory();
}

void block_destroy(Block* block)
{
  for (int g = 0; g < CSV_GROUPS; ++g) free(block->values[g]);
  for (int i = 0; block->text && i < block->capacity; ++i) free(block->text[i]);
  free(block->text);
  free(block->room);
}

static int keep_text(Block* block, Lines* lines)
{
  size_t needed = strlen(lines->line) + 1;
  char** text   = &block->text[block->count];
  if (needed > block->room[block->count])
  {
    char* grown = realloc(*text, 2 * needed);
    if (!grown) return lines_fail(lines, lines->line, "out of memory");
    *text                     = grown;
    block->room[block->count] = 2 * needed;
  }
  memcpy(*text, lines->line, needed);
  return DONE;
}

// --- rows

// A finite number that fills the text from s on to the end of the field; NULL: it is not, and wrong is noted.
static const char* take_number(Lines* lines, const char* s, const char* column, double* value)
{
  const char* end = s;
  if (*s == 0 || *s == ',')
  {
    lines_fail(lines, s, "an empty field, expected a number for column '%.60s'", column);
    return NULL;
  }
  bool number = lw_number_read(&end, value);
  end         = number ? skip_spaces(end) : end;
  if (number && (*end == ',' || *end == 0) && isfinite(*value)) return end;
  int length = (int)strcspn(s, ",");
  lines_fail(lines, s, "'%.*s' is not a finite number, expected one for column '%.60s'",
             length < 60 ? length : 60, s, column);
  return NULL;
}

// A number within quotes.
static int take_quoted_number(Lines* lines, char** cursor, const char* column, double* value)
{
  const char* at = *cursor;
  char* text     = field_take(cursor);
  if (!text) return lines_fail(lines, at, "a quote that is not closed, expected a number");
  text            = (char*)skip_spaces(text);
  const char* end = text;
  bool number     = lw_number_read(&end, value) && *skip_spaces(end) == 0 && isfinite(*value);
  if (number) return DONE;
  return lines_fail(lines, at, "'%.60s' is not a finite number, expected one for column '%.60s'",
                    text, column);
}

// Takes the field at *cursor as a number and moves *cursor behind its comma, NULL at the end of the line.
static int take_value(Lines* lines, char** cursor, const char* column, double* value)
{
  *cursor = (char*)skip_spaces(*cursor);
  if (**cursor == '"') return take_quoted_number(lines, cursor, column, value);
  const char* end = take_number(lines, *cursor, column, value);
  if (!end) return INPUT;
  *cursor = *end == ',' ? (char*)end + 1 : NULL;
  return DONE;
}

static int check_increase(Block* block, Lines* lines, const char* at, const char* column, double v)
{
  if (!(v > block->last))
    return lines_fail(lines, at, "%.60s = %g is not above that of the line before, %g", column, v,
                      block->last);
  block->last = v;
  return DONE;
}

static int skip_field(Lines* lines, char** cursor)
{
  const char* at = *cursor;
  if (!field_take(cursor)) return lines_fail(lines, at, "a quote that is not closed");
  return DONE;
}

// The field of column k into row `row` of the block.
static int read_field(const Header* header, Lines* lines, Block* block, int k, char** cursor)
{
  lwColumnTarget target = header->columns.targets[k];
  if (target.group < 0) return skip_field(lines, cursor);
  size_t width   = (size_t)header->group[target.group].width;
  double* to     = block->values[target.group] + (size_t)block->count * width + target.index;
  const char* at = skip_spaces(*cursor);
  int status     = take_value(lines, cursor, header->columns.names[k], to);
  if (status != DONE || target.group != header->increasing) return status;
  return check_increase(block, lines, at, header->columns.names[k], *to);
}

static int read_row(const Header* header, Lines* lines, Block* block)
{
  char* cursor    = lines->line;
  const char* end = cursor + strlen(cursor);
  int columns     = header->columns.columns;
  int status      = block->keep ? keep_text(block, lines) : DONE;
  for (int k = 0; k < columns && status == DONE; ++k)
  {
    if (!cursor)
      return lines_fail(lines, end, "%d field%s, expected %d as in the header", k,
                        k == 1 ? "" : "s", columns);
    status = read_field(header, lines, block, k, &cursor);
  }
  if (status != DONE || !cursor) return status;
  return lines_fail(lines, cursor, "more fields, expected %d as in the header", columns);
}

// Blank lines may only be followed by blank lines.
static int skip_blank_lines(Lines* lines)
{
  long blank = lines->number;
  int status = DONE;
  while (status == DONE && lines->line && !*skip_spaces(lines->line)) status = lines_next(lines);
  if (status != DONE || !lines->line) return status;
  lines->number = blank;
  return lines_fail(lines, lines->line, "a blank line, expected numbers or the end of the file");
}

int rows_read(const Header* header, Lines* lines, Block* block)
{
  block->first += block->count;
  block->count = 0;
  while (block->count < block->capacity)
  {
    int status = lines_next(lines);
    if (status != DONE || !lines->line) return status;
    if (!*skip_spaces(lines->line)) return skip_blank_lines(lines);
    status = read_row(header, lines, block);
    if (status != DONE) return status;
    ++block->count;
  }
  return DONE;
}

// --- files

int csv_open(CsvFile* csv, const char* path, int capacity)
{
  int widths[CSV_GROUPS] = {0};
  size_t columns         = 0;
  for (int g = 0; g < csv->header.groups; ++g)
  {
    widths[g] = csv->header.group[g].width;
    columns += (size_t)widths[g];
  }
  int status = lines_open(&csv->lines, path, csv_line_bytes(columns, 0));
  if (status != DONE) return status;
  status = header_line(&csv->lines);
  if (status == DONE) status = header_read(&csv->header, &csv->lines);
  if (status != DONE) lines_report(&csv->lines);
  return status == DONE ? block_allocate(&csv->block, csv->header.present, widths, capacity)
                        : status;
}

void csv_close(CsvFile* csv)
{
  block_destroy(&csv->block);
  header_destroy(&csv->header);
  lines_close(&csv->lines);
}

int csv_read(CsvFile* csv)
{
  return rows_read(&csv->header, &csv->lines, &csv->block);
}
