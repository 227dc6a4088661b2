// SPDX-License-Identifier: MIT
// Text as people see it: UTF-8, widths, bounded appending.
#ifndef LW_TEXT_TEXT_WIDTH_H
#define LW_TEXT_TEXT_WIDTH_H

#include <stddef.h>

// Appends the texts, cutting what does not fit.
void lw_text_append(char* buffer, size_t size, const char* first, const char* second);

// Replaces control characters, so that a message stays on one line.
void lw_text_one_line(char* text);

// Characters up to the final 0.
int lw_text_width(const char* s);

#endif
