// SPDX-License-Identifier: MIT
// Tables in other formats than CSV, turned into CSV line by line while they are read: columns that
// semicolons or tabs separate, JSON objects one per line, and NumPy's .npy.
#ifndef LW_TEXT_TABLE_FORMATS_H
#define LW_TEXT_TABLE_FORMATS_H

#include "text/text_lines.h"

// Takes the header line of a table, lines->line, in CSV whatever the file's format is;
// lw_lines_next() then gives its rows in CSV. NULL: the file is empty.
lwStatus lw_table_header(lwLines* lines);

lwStatus lw_table_next(lwLines* lines);      // lw_lines_next() where lines->format is set
double lw_table_rows(const lwLines* lines);  // to come, as far as the file says; -1: it does not
bool lw_table_is_binary(const char* text, size_t length);  // .npy
void lw_table_format_free(lwTableFormat* format);

#endif
