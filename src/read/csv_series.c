// SPDX-License-Identifier: MIT
#include "read/csv_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/number.h"
#include "base/text.h"

enum
{
  LONGEST_NUMBER = 100,
  SHOWN          = 40,       // of a field in a message
  MAX_VALUES     = 64 << 20  // of a group
};

typedef struct CsvReader
{
  lwDocument* document;
  lwCsvGroup* groups;
  int count;             // of groups
  lwColumns columns;     // of the header
  const char *at, *end;  // the current line
  int line;              // from 1
  lwArena* arena;        // of the results
} CsvReader;

// --- places

static int characters_between(const char* from, const char* to)
{
  int count = 0;
  while (from < to)
  {
    uint32_t code;
    size_t bytes = lw_text_decode(from, (size_t)(to - from), &code);
    from += bytes ? bytes : 1;
    ++count;
  }
  return count;
}

static lwPlace place_of_field(const CsvReader* reader, const char* at)
{
  return (lwPlace){reader->line, characters_between(reader->at, at) + 1};
}

// Goes to the next line; false at the end of the text.
static bool next_line(CsvReader* reader)
{
  const lwSource* source = &reader->document->source;
  const char* text_end   = source->text + source->length;
  const char* from       = source->text;
  if (reader->line > 0)
  {
    from = memchr(reader->end, '\n', (size_t)(text_end - reader->end));
    if (!from) return false;
    ++from;
  }
  if (from == text_end) return false;
  const char* feed = memchr(from, '\n', (size_t)(text_end - from));
  reader->at       = from;
  reader->end      = feed ? feed : text_end;
  if (reader->end > from && reader->end[-1] == '\r') --reader->end;
  ++reader->line;
  return true;
}

static bool is_blank(const CsvReader* reader)
{
  return skip_spaces_until(reader->at, reader->end) == reader->end;
}

// --- header

static void report_field(const CsvReader* reader, lwPlace place, const lwColumnFinding* finding)
{
  lw_document_error(reader->document, place, finding->hint[0] ? finding->hint : NULL, "%s",
                    finding->text);
}

static bool take_column(CsvReader* reader, const lwFieldSpan* field, lwPlace* place)
{
  lwColumnFinding finding;
  char* name = lw_document_take(reader->document, (size_t)(field->end - field->begin) + 1);
  if (!name) return false;
  field_text(field, name);
  *place = place_of_field(reader, field->begin);
  if (!lw_columns_take(&reader->columns, name, &finding)) return false;
  if (finding.fault != LW_COLUMN_FINE) report_field(reader, *place, &finding);
  return true;
}

static void check_groups(CsvReader* reader, const lwPlace* places)
{
  for (int g = 0; g < reader->count; ++g)
  {
    lwColumnFinding finding;
    reader->groups[g].given = reader->columns.given[g];
    if (lw_columns_check(&reader->columns, g, &finding) == LW_COLUMN_FINE) continue;
    report_field(reader, finding.column < 0 ? (lwPlace){reader->line, 1} : places[finding.column],
                 &finding);
  }
}

static lwStatus read_columns(CsvReader* reader, lwPlace* places)
{
  int count = 0;
  for (const char* s = reader->at; s; ++count)
  {
    lwFieldSpan field;
    if (!field_span(s, reader->end, &field))
    {
      lw_document_error(reader->document, place_of_field(reader, s), NULL,
                        "a quote that is not closed");
      return LW_ERROR_INPUT;
    }
    if (!take_column(reader, &field, &places[count])) return LW_ERROR_MEMORY;
    s = field.next;
  }
  check_groups(reader, places);
  return reader->document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

static lwStatus read_csv_header(CsvReader* reader)
{
  lwDocument* document = reader->document;
  size_t fields        = 1;
  if (!next_line(reader) || is_blank(reader))
  {
    lw_document_error(document, ((lwPlace){1, 1}), NULL, "nothing here, expected a header");
    return LW_ERROR_INPUT;
  }
  for (const char* s = reader->at; s < reader->end; ++s) fields += *s == ',';
  lwArena* arena        = &document->arena;
  lwPlace* places       = lw_arena_take(arena, fields, sizeof *places);
  lwColumnGroup* groups = lw_arena_take(arena, (size_t)reader->count, sizeof *groups);
  if (!places || !groups) return LW_ERROR_MEMORY;
  for (int g = 0; g < reader->count; ++g)
  {
    reader->groups[g].values = NULL;
    groups[g]                = reader->groups[g].columns;
  }
  if (!lw_columns_begin(&reader->columns, groups, reader->count, fields, reader->arena))
    return LW_ERROR_MEMORY;
  return read_columns(reader, places);
}

// --- numbers

static bool parse_field(const lwFieldSpan* field, double* value)
{
  char text[LONGEST_NUMBER + 1];
  const char* from = field->begin;
  const char* to   = field->end;
  if (field->quoted) from = skip_spaces_until(from, to);
  while (field->quoted && to > from && (to[-1] == ' ' || to[-1] == '\t')) --to;
  size_t length = (size_t)(to - from);
  if (length == 0 || length > LONGEST_NUMBER) return false;
  memcpy(text, from, length);
  text[length]    = 0;
  const char* end = text;
  return lw_number_read(&end, value) && *end == 0 && isfinite(*value);
}

static void take_csv_value(CsvReader* reader, int column, const lwFieldSpan* field, long row)
{
  lwColumnTarget target = reader->columns.targets[column];
  if (target.group < 0) return;
  lwCsvGroup* group = &reader->groups[target.group];
  double* value = &group->values[(size_t)row * (size_t)group->columns.width + (size_t)target.index];
  int length    = (int)(field->end - field->begin);
  if (!parse_field(field, value))
    lw_document_error(reader->document, place_of_field(reader, field->begin), NULL,
                      "'%.*s' is not a finite number, expected one for column '%s'",
                      length < SHOWN ? length : SHOWN, field->begin, reader->columns.names[column]);
  else if (group->increasing && row > 0 && !(*value > value[-1]))
    lw_document_error(reader->document, place_of_field(reader, field->begin), NULL,
                      "%s = %g is not above that of the line before, %g", group->columns.symbol,
                      *value, value[-1]);
}

static void read_row(CsvReader* reader, long row)
{
  int column = 0;
  for (const char* s = reader->at; s; ++column)
  {
    lwFieldSpan field;
    if (column == reader->columns.columns)
    {
      lw_document_error(reader->document, place_of_field(reader, s), NULL,
                        "more fields, expected %d as in the header", reader->columns.columns);
      return;
    }
    if (!field_span(s, reader->end, &field))
    {
      lw_document_error(reader->document, place_of_field(reader, s), NULL,
                        "a quote that is not closed");
      return;
    }
    take_csv_value(reader, column, &field, row);
    s = field.next;
  }
  if (column < reader->columns.columns)
    lw_document_error(reader->document, place_of_field(reader, reader->end), NULL,
                      "%d field%s, expected %d as in the header", column, column == 1 ? "" : "s",
                      reader->columns.columns);
}

// Number of non-blank lines after the one that is being read.
static size_t count_lines(CsvReader reader)
{
  size_t count = 0;
  while (next_line(&reader)) count += !is_blank(&reader);
  return count;
}

static lwStatus take_values(CsvReader* reader)
{
  size_t lines = count_lines(*reader) + 1;
  for (int g = 0; g < reader->count; ++g)
  {
    lwCsvGroup* group = &reader->groups[g];
    if (!lw_columns_has(&reader->columns, g)) continue;
    if (lines > MAX_VALUES / (size_t)group->columns.width)
    {
      lw_document_error(reader->document, ((lwPlace){0, 0}), NULL,
                        "%zu lines of %d values are more than the %d that are read", lines - 1,
                        group->columns.width, MAX_VALUES);
      return LW_ERROR_INPUT;
    }
    group->values =
        lw_arena_take(reader->arena, lines * (size_t)group->columns.width, sizeof(double));
    if (!group->values) return LW_ERROR_MEMORY;
  }
  return LW_OK;
}

// Blank lines may only be followed by blank lines.
static void read_csv_rows(CsvReader* reader, long* rows)
{
  *rows = 0;
  while (next_line(reader))
  {
    int blank = reader->line;
    if (!is_blank(reader))
    {
      read_row(reader, (*rows)++);
      continue;
    }
    while (next_line(reader))
    {
      if (is_blank(reader)) continue;
      lw_document_error(reader->document, ((lwPlace){blank, 1}), NULL,
                        "a blank line, expected numbers or the end of the file");
      return;
    }
  }
}

lwStatus lw_csv_read(lwDocument* document, lwCsvGroup* groups, int count, lwArena* arena,
                     long* rows)
{
  CsvReader reader = {.document = document, .groups = groups, .count = count, .arena = arena};
  lwStatus status  = read_csv_header(&reader);
  if (status == LW_OK) status = take_values(&reader);
  if (status != LW_OK) return status;
  read_csv_rows(&reader, rows);
  return document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
}
