// SPDX-License-Identifier: MIT
// Text: the nearest known name, UTF-8, bounded appending.
#ifndef APP_IO_TEXT_H
#define APP_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum
{
  NEAREST_SIZE = 80  // longer names are not suggested
};

// The library's search for the name that was probably meant, with a copy of it: candidates need not outlive their offer.
typedef struct Nearest
{
  lwNearest search;
  char best[NEAREST_SIZE];  // empty: none is near
} Nearest;

Nearest nearest_to(const char* wanted, size_t length);
void nearest_offer(Nearest* nearest, const char* candidate);
bool nearest_found(const Nearest* nearest);

// Appends the texts, cutting what does not fit.
void text_append(char* buffer, size_t size, const char* first, const char* second);

// Both texts as one, which the caller frees; NULL: out of memory.
char* text_joined(const char* first, const char* second);

// True if the text ends with `end`, and has more before it.
bool text_ends_with(const char* text, const char* end);

// Replaces control characters, so that a message stays on one line.
void text_one_line(char* text);

// Bytes of the character at s (of a text ended by 0) if it is valid UTF-8, else 0.
int utf8_length(const char* s);

// Characters in the first `bytes` bytes, and up to the final 0.
int utf8_count(const char* s, size_t bytes);
int text_width(const char* s);

#endif
