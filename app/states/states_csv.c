// SPDX-License-Identifier: MIT
// The lines of a file of states: numbers, checked one by one.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "states.h"

// A finite number that fills the text from s on to `ends`; NULL: it is not, and wrong is noted.
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

// Takes the field at *cursor as a number and moves *cursor behind its comma, NULL at the end of the
// line.
static int take_value(Lines* lines, char** cursor, const char* column, double* value)
{
  *cursor = (char*)skip_spaces(*cursor);
  if (**cursor == '"') return take_quoted_number(lines, cursor, column, value);
  const char* end = take_number(lines, *cursor, column, value);
  if (!end) return INPUT;
  *cursor = *end == ',' ? (char*)end + 1 : NULL;
  return DONE;
}

// Time goes on from line to line.
static int take_time(Block* block, Lines* lines, const char* at, double t)
{
  if (!(t > block->time))
    return lines_fail(lines, at, "t = %g is not above that of the line before, %g", t, block->time);
  block->time = t;
  return DONE;
}

static int skip_field(Lines* lines, char** cursor)
{
  const char* at = *cursor;
  if (!field_take(cursor)) return lines_fail(lines, at, "a quote that is not closed");
  return DONE;
}

// One line into row `row` of the block.
static int read_row(const Header* header, Lines* lines, const int* widths, Block* block, int row)
{
  char* cursor    = lines->line;
  const char* end = cursor + strlen(cursor);
  for (int k = 0; k < header->columns; ++k)
  {
    Target target = header->targets[k];
    if (!cursor)
      return lines_fail(lines, end, "%d field%s, expected %d as in the header", k,
                        k == 1 ? "" : "s", header->columns);
    int status;
    if (target.group < 0)
      status = skip_field(lines, &cursor);
    else
    {
      double* to = &block->values[target.group][(size_t)row * widths[target.group] + target.index];
      const char* at = skip_spaces(cursor);
      status         = take_value(lines, &cursor, header->names[k], to);
      if (status == DONE && target.group == GROUP_T) status = take_time(block, lines, at, *to);
    }
    if (status != DONE) return status;
  }
  if (!cursor) return DONE;
  return lines_fail(lines, cursor, "more fields, expected %d as in the header", header->columns);
}

// Blank lines may only be followed by blank lines.
static int skip_blank_lines(Lines* lines)
{
  long blank = lines->number;
  int status = DONE;
  while (status == DONE && lines->line && !*skip_spaces(lines->line)) status = lines_next(lines);
  if (status != DONE || !lines->line) return status;
  lines->number = blank;
  return lines_fail(lines, lines->line, "a blank line, expected a state or the end of the file");
}

int states_read(const Header* header, Lines* lines, const lwModel* model, Block* block)
{
  int widths[GROUP_ALL];
  for (int g = 0; g < GROUP_ALL; ++g) widths[g] = group_width(model, (Group)g);
  return rows_read(header, lines, widths, block);
}

int rows_read(const Header* header, Lines* lines, const int widths[GROUP_ALL], Block* block)
{
  block->first += block->count;
  block->count = 0;
  while (block->count < block->capacity)
  {
    int status = lines_next(lines);
    if (status != DONE || !lines->line) return status;
    if (!*skip_spaces(lines->line)) return skip_blank_lines(lines);
    status = read_row(header, lines, widths, block, block->count);
    if (status != DONE) return status;
    ++block->count;
  }
  return DONE;
}
