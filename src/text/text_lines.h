// SPDX-License-Identifier: MIT
// Lines of a text file of any size, in bounded memory, and the fields of a CSV line.
#ifndef LW_TEXT_TEXT_LINES_H
#define LW_TEXT_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "linkwork/base.h"

enum
{
  LW_LINES_MESSAGE = 3000,
  LW_LINES_NAME    = 256  // bytes of a column's name in other formats than CSV
};

typedef struct lwLines lwLines;
typedef struct lwTableFormat lwTableFormat;
typedef void lwLinesProgress(const lwLines* lines);

struct lwLines
{
  const char* name;                // for messages
  int file;                        // descriptor
  char* buffer;                    // (capacity + 1)
  size_t capacity;                 // the longest line that is accepted, its end included
  size_t begin, end;               // what is read and not yet taken
  bool at_end;                     // of the file
  long number;                     // of the line last taken, from 1
  char* line;                      // the line last taken, without its end
  char message[LW_LINES_MESSAGE];  // what is wrong, as people read it
  int column;                      // of what the message is about, from 1
  size_t text, hint;               // where its sentence begins, and bytes of the hint that ends it
  bool unreadable;                 // the message is about the file, not about a line of it
  double size, taken;              // bytes: of the file, 0 if that is not known; read so far
  lwLinesProgress* progress;       // called now and then while lines are taken; or NULL
  lwTableFormat* format;           // of a table, text/table_formats.h; NULL: lines as they are
};

// Opens path, "-" is standard input; prints what is wrong and returns LW_ERROR_INPUT, or LW_OK.
lwStatus lw_lines_open(lwLines* lines, const char* path, size_t longest, lwLinesProgress* progress);
void lw_lines_close(lwLines* lines);

// Opens a text in memory, which is copied. LW_OK or LW_ERROR_MEMORY.
lwStatus lw_lines_open_text(lwLines* lines, const char* name, const char* text, size_t length);

// Takes the next line: LW_OK with lines->line, which may be changed, and is NULL at the end of the
// file; or LW_ERROR_INPUT. A byte order mark and carriage returns at the end of lines are dropped.
// Lines of a table whose format is known (lw_table_header()) come in CSV.
lwStatus lw_lines_next(lwLines* lines);
lwStatus lw_lines_take(lwLines* lines);  // as it is in the file, whatever the format

// The next `count` bytes, at most lines->capacity; NULL: the file ends before.
lwStatus lw_lines_bytes(lwLines* lines, size_t count, const char** bytes);
// Whether the file begins with these bytes, which are not taken.
lwStatus lw_lines_begins(lwLines* lines, const char* bytes, bool* begins);

// After a line that is too long: skips to its end, or to the end
// of the file. LW_OK or LW_ERROR_INPUT.
lwStatus lw_lines_skip(lwLines* lines);

// Reports an error at `at`, a place in the line taken last, as `name:line:column: error: ...`.
// Returns LW_ERROR_INPUT.
lwStatus lw_lines_fail(lwLines* lines, const char* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

const char* lw_skip_spaces(const char* s);

// Takes a field at *cursor: its text, without quotes and spaces around, ended by 0 in place.
// *cursor is past its comma, or NULL if it was the last field of the line. Returns NULL if a
// quote is not closed, or text follows it.
char* lw_field_take(char** cursor);

#endif
