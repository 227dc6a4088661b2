// SPDX-License-Identifier: MIT
// Lines of a text file of any size, in bounded memory, and the fields of a CSV line.
#ifndef APP_IO_LINES_H
#define APP_IO_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Lines
{
  const char* name;    // for messages
  int file;            // descriptor
  char* buffer;        // (capacity + 1)
  size_t capacity;     // the longest line that is accepted, its end included
  size_t begin, end;   // what is read and not yet taken
  bool at_end;         // of the file
  long number;         // of the line last taken, from 1
  char* line;          // the line last taken, without its end
  char message[512];   // what is wrong, as people read it
  double size, taken;  // bytes: of the file, 0 if that is not known; read so far
} Lines;

// Opens path, "-" is standard input; prints what is wrong and returns INPUT, or DONE.
int lines_open(Lines* lines, const char* path, size_t longest);
void lines_close(Lines* lines);

// Takes the next line: DONE with lines->line, which may be changed, and is NULL at the end of the
// file; or INPUT. A byte order mark and carriage returns at the end of lines are dropped.
int lines_next(Lines* lines);

// After a line that is too long: goes behind its end, or to the end of the file. DONE or INPUT.
int lines_skip(Lines* lines);

// Notes `name:line:column: error: ...` for the place `at` in the line taken and returns INPUT.
int lines_fail(Lines* lines, const char* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Prints the message and returns INPUT.
int lines_report(const Lines* lines);

const char* skip_spaces(const char* s);

// Takes a field at *cursor: its text, without quotes and spaces around, ended by 0 in place.
// *cursor is behind its comma, or NULL if it was the last field of the line. Returns NULL if a
// quote is not closed, or text follows it.
char* field_take(char** cursor);

#endif
