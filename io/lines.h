// SPDX-License-Identifier: MIT
// Lines of a text file, as the program reads them: with a progress
// bar, and messages on standard error.
#ifndef IO_LINES_H
#define IO_LINES_H

#include "exit.h"
#include "text/text_lines.h"

// Opens path, "-" is standard input; prints what is wrong and returns INPUT, or DONE.
int lines_open(lwLines* lines, const char* path, size_t longest);

// Prints the message and returns INPUT.
int lines_report(const lwLines* lines);

// The bar: how much of the file has been read.
void lines_show(const lwLines* lines);

#endif
