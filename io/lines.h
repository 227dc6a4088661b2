// SPDX-License-Identifier: MIT
// Lines of a text file, by short names, as the program reads them: with a progress
// bar, and messages on standard error.
#ifndef IO_LINES_H
#define IO_LINES_H

#include "exit.h"
#include "report/table/text_lines.h"

typedef lwLines Lines;

// Opens path, "-" is standard input; prints what is wrong and returns INPUT, or DONE.
int lines_open(Lines* lines, const char* path, size_t longest);

// Prints the message and returns INPUT.
int lines_report(const Lines* lines);

// The bar: how much of the file has been read.
void lines_show(const Lines* lines);

// DONE or INPUT; the message of the lines says what is wrong.
static inline int exit_of(lwStatus status)
{
  return status == LW_OK ? DONE : INPUT;
}

#define lines_next(lines) exit_of(lw_lines_next(lines))
#define lines_skip(lines) exit_of(lw_lines_skip(lines))
#define lines_fail(...)   exit_of(lw_lines_fail(__VA_ARGS__))
#define lines_close       lw_lines_close
#define skip_spaces       lw_skip_spaces
#define field_take        lw_field_take

#endif
