// SPDX-License-Identifier: MIT
// Text: the nearest known name, and what report/table/text_width.h has.
#ifndef IO_PROGRAM_TEXT_H
#define IO_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "report/table/text_width.h"

enum
{
  NEAREST_SIZE = 80  // longer names are not suggested
};

// The library's search for the name that was probably meant, with a copy of it:
// candidates need not outlive their offer.
typedef struct Nearest
{
  lwNearest search;
  char best[NEAREST_SIZE];  // empty: none is near
} Nearest;

Nearest nearest_to(const char* wanted, size_t length);
void nearest_offer(Nearest* nearest, const char* candidate);
bool nearest_found(const Nearest* nearest);

// Both texts as one, which the caller frees; NULL: out of memory.
char* text_joined(const char* first, const char* second);

// True if the text ends with `end`, and has more before it.
bool text_ends_with(const char* text, const char* end);

// Short names.
#define text_append   lw_text_append
#define text_one_line lw_text_one_line
#define utf8_length   lw_utf8_length
#define text_width    lw_text_width

#endif
