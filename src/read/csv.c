// SPDX-License-Identifier: MIT
#include "read/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/number.h"
#include "base/text.h"

enum
{
  LONGEST_NAME   = 255,  // bytes of the name of a column
  LONGEST_NUMBER = 100,
  SHOWN          = 40,        // of a field in a message
  MAX_VALUES     = 64 << 20,  // of a group
  MAX_HINTS      = 20
};

// Where the values of a column go.
typedef struct Target
{
  int group;  // -1: nowhere
  int index;
} Target;

typedef struct Reader
{
  lwDocument* document;
  lwCsvGroup* groups;
  int count;             // of groups
  lwNameMap* names;      // (count) from the names of joints to their indices
  const char *at, *end;  // the line that is being read
  int line;              // from 1
  int columns;
  Target* targets;    // (columns)
  const char** text;  // (columns) names, for messages
  lwArena* arena;     // of the results
} Reader;

// --- places

static int characters(const char* from, const char* to)
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

static lwPlace place_of(const Reader* reader, const char* at)
{
  return (lwPlace){reader->line, characters(reader->at, at) + 1};
}

// Goes to the next line; false at the end of the text.
static bool next_line(Reader* reader)
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

static bool is_blank(const Reader* reader)
{
  return skip_spaces_until(reader->at, reader->end) == reader->end;
}

// --- header

// "7" is 6; "07", "0" and what is above width are -1.
static int index_of(const char* digits, int width)
{
  long number = 0;
  if (*digits == '0' || !*digits) return -1;
  for (; *digits; ++digits)
  {
    if (*digits < '0' || *digits > '9' || number > width) return -1;
    number = number * 10 + (*digits - '0');
  }
  return number <= width ? (int)number - 1 : -1;
}

// The value that a column of this name holds. False: the name is that of a group, but of no joint.
static bool find_target(const Reader* reader, const char* name, Target* target)
{
  bool known = true;
  *target    = (Target){-1, 0};
  for (int g = 0; g < reader->count; ++g)
  {
    const lwCsvGroup* group = &reader->groups[g];
    size_t length           = strlen(group->symbol);
    if (strncmp(name, group->symbol, length) != 0) continue;
    const char* rest = name + length;
    int index        = -1;
    if (group->single)
      index = *rest ? -1 : 0;
    else if (*rest == '.')
      index = group->names ? lw_name_map_find(&reader->names[g], rest + 1) : -1;
    else
      index = index_of(rest, group->width);
    if (index >= 0) *target = (Target){g, index};
    if (index >= 0) return true;
    if (!group->single && (*rest == '.' || (*rest >= '0' && *rest <= '9'))) known = false;
  }
  return known;
}

static void report_unknown(const Reader* reader, const char* at, const char* name)
{
  lwNearest nearest = lw_nearest(name);
  char hint[2 * LONGEST_NAME], candidate[2 * LONGEST_NAME], best[LONGEST_NAME + 1] = "";
  for (int g = 0; g < reader->count && reader->document->errors < MAX_HINTS; ++g)
  {
    const lwCsvGroup* group = &reader->groups[g];
    for (int k = 0; k < group->width && group->names && !group->single; ++k)
    {
      snprintf(candidate, sizeof candidate, "%s.%s", group->symbol, group->names[k]);
      lw_nearest_try(&nearest, candidate);
      if (nearest.best == candidate) snprintf(best, sizeof best, "%.*s", LONGEST_NAME, candidate);
      nearest.best = *best ? best : NULL;
    }
  }
  snprintf(hint, sizeof hint, "did you mean '%s'?", best);
  lw_document_error(reader->document, place_of(reader, at), *best ? hint : NULL,
                    "column '%s' belongs to no joint", name);
}

static bool take_column(Reader* reader, const lwFieldSpan* field)
{
  lwDocument* document = reader->document;
  char* name           = lw_document_take(document, (size_t)(field->end - field->begin) + 1);
  if (!name) return false;
  field_text(field, name);
  Target target = {-1, 0};
  bool known    = strlen(name) <= LONGEST_NAME && find_target(reader, name, &target);
  if (!*name)
    lw_document_error(document, place_of(reader, field->begin), NULL,
                      "an empty field, expected the name of a column");
  else if (strlen(name) > LONGEST_NAME)
    lw_document_error(document, place_of(reader, field->begin), NULL,
                      "the name of a column is longer than %d bytes", LONGEST_NAME);
  else if (!known)
    report_unknown(reader, field->begin, name);
  else if (target.group >= 0 && reader->groups[target.group].given[target.index])
    lw_document_error(document, place_of(reader, field->begin), NULL,
                      "column '%s' comes twice, expected it once", name);
  if (target.group >= 0) reader->groups[target.group].given[target.index] = true;
  reader->text[reader->columns]      = name;
  reader->targets[reader->columns++] = target;
  return true;
}

static void check_group(Reader* reader, const lwCsvGroup* group)
{
  int found = 0, missing = -1;
  for (int k = group->width - 1; k >= 0; --k)
  {
    found += group->given[k];
    if (!group->given[k]) missing = k;
  }
  bool enough = found == group->width || (found == 0 && group->need == LW_CSV_ALL_OR_NONE) ||
                (found > 0 && group->need == LW_CSV_SOME);
  if (enough) return;
  lwPlace place = {reader->line, 1};
  if (group->single)
    lw_document_error(reader->document, place, NULL, "column '%s' is missing", group->symbol);
  else if (group->need == LW_CSV_SOME)
    lw_document_error(reader->document, place, NULL,
                      "no column of '%s1'..'%s%d', expected at least one", group->symbol,
                      group->symbol, group->width);
  else
    lw_document_error(reader->document, place, NULL,
                      "column '%s%d' is missing, expected all %d up to '%s%d'%s", group->symbol,
                      missing + 1, group->width, group->symbol, group->width,
                      group->need == LW_CSV_ALL ? "" : " or none of them");
}

static bool take_header_memory(Reader* reader)
{
  size_t fields  = 1;
  lwArena* arena = &reader->document->arena;
  for (const char* s = reader->at; s < reader->end; ++s) fields += *s == ',';
  reader->targets = lw_arena_take(arena, fields, sizeof *reader->targets);
  reader->text    = lw_arena_take(arena, fields, sizeof *reader->text);
  reader->names   = lw_arena_take(arena, (size_t)reader->count, sizeof *reader->names);
  if (!reader->targets || !reader->text || !reader->names) return false;
  for (int g = 0; g < reader->count; ++g)
  {
    lwCsvGroup* group = &reader->groups[g];
    reader->names[g]  = (lwNameMap){.arena = arena};
    group->values     = NULL;
    group->given      = lw_arena_take(reader->arena, (size_t)group->width + 1, sizeof(bool));
    if (!group->given) return false;
    for (int k = 0; k < group->width && group->names; ++k)
    {
      int* index = lw_name_map_put(&reader->names[g], group->names[k]);
      if (!index) return false;
      *index = k;
    }
  }
  return true;
}

static lwStatus read_header(Reader* reader)
{
  lwDocument* document = reader->document;
  if (!next_line(reader) || is_blank(reader))
  {
    lw_document_error(document, ((lwPlace){1, 1}), NULL, "nothing here, expected a header");
    return LW_ERROR_INPUT;
  }
  if (!take_header_memory(reader)) return LW_ERROR_MEMORY;
  for (const char* s = reader->at; s;)
  {
    lwFieldSpan field;
    if (!field_span(s, reader->end, &field))
    {
      lw_document_error(document, place_of(reader, s), NULL, "a quote that is not closed");
      return LW_ERROR_INPUT;
    }
    if (!take_column(reader, &field)) return LW_ERROR_MEMORY;
    s = field.next;
  }
  for (int g = 0; g < reader->count; ++g) check_group(reader, &reader->groups[g]);
  return document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
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

static void take_value(Reader* reader, int column, const lwFieldSpan* field, long row)
{
  Target target = reader->targets[column];
  if (target.group < 0) return;
  lwCsvGroup* group = &reader->groups[target.group];
  double* value     = &group->values[(size_t)row * (size_t)group->width + (size_t)target.index];
  int length        = (int)(field->end - field->begin);
  if (!parse_field(field, value))
    lw_document_error(reader->document, place_of(reader, field->begin), NULL,
                      "'%.*s' is not a finite number, expected one for column '%s'",
                      length < SHOWN ? length : SHOWN, field->begin, reader->text[column]);
  else if (group->increasing && row > 0 && !(*value > value[-1]))
    lw_document_error(reader->document, place_of(reader, field->begin), NULL,
                      "%s = %g is not above that of the line before, %g", group->symbol, *value,
                      value[-1]);
}

static void read_row(Reader* reader, long row)
{
  int column = 0;
  for (const char* s = reader->at; s; ++column)
  {
    lwFieldSpan field;
    if (column == reader->columns)
    {
      lw_document_error(reader->document, place_of(reader, s), NULL,
                        "more fields, expected %d as in the header", reader->columns);
      return;
    }
    if (!field_span(s, reader->end, &field))
    {
      lw_document_error(reader->document, place_of(reader, s), NULL, "a quote that is not closed");
      return;
    }
    take_value(reader, column, &field, row);
    s = field.next;
  }
  if (column < reader->columns)
    lw_document_error(reader->document, place_of(reader, reader->end), NULL,
                      "%d field%s, expected %d as in the header", column, column == 1 ? "" : "s",
                      reader->columns);
}

// Lines that are not blank, behind the one that is being read.
static size_t count_lines(Reader reader)
{
  size_t count = 0;
  while (next_line(&reader)) count += !is_blank(&reader);
  return count;
}

static lwStatus take_values(Reader* reader)
{
  size_t lines = count_lines(*reader) + 1;
  for (int g = 0; g < reader->count; ++g)
  {
    lwCsvGroup* group = &reader->groups[g];
    bool any          = false;
    for (int k = 0; k < group->width; ++k) any |= group->given[k];
    if (!any) continue;
    if (lines > MAX_VALUES / (size_t)group->width)
    {
      lw_document_error(reader->document, ((lwPlace){0, 0}), NULL,
                        "%zu lines of %d values are more than the %d that are read", lines - 1,
                        group->width, MAX_VALUES);
      return LW_ERROR_INPUT;
    }
    group->values = lw_arena_take(reader->arena, lines * (size_t)group->width, sizeof(double));
    if (!group->values) return LW_ERROR_MEMORY;
  }
  return LW_OK;
}

// Blank lines may only be followed by blank lines.
static void read_rows(Reader* reader, long* rows)
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
  Reader reader   = {.document = document, .groups = groups, .count = count, .arena = arena};
  lwStatus status = read_header(&reader);
  if (status == LW_OK) status = take_values(&reader);
  if (status != LW_OK) return status;
  read_rows(&reader, rows);
  return document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
}
