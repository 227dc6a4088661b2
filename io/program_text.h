// SPDX-License-Identifier: MIT
// Text: the nearest known name, and what text/text_width.h has.
#ifndef IO_PROGRAM_TEXT_H
#define IO_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "text/text_width.h"

enum
{
  NEAREST_SIZE = 80  // longer names are not suggested
};

// The library's search for the name that was probably meant, with a copy of it:
// candidates need not outlive their offer.
typedef struct Nearest
{
  lwNearest search;
  char best[NEAREST_SIZE];       // empty: none is near
  char hint[NEAREST_SIZE + 20];  // of nearest_or()
} Nearest;

Nearest nearest_to(const char* wanted, size_t length);
void nearest_offer(Nearest* nearest, const char* candidate);
bool nearest_found(const Nearest* nearest);

// "did you mean 'elbow'?", or the other text if no name is near.
const char* nearest_or(Nearest* nearest, const char* otherwise);

// True if the first `length` bytes of word are all of the text; NULL is none.
bool text_is(const char* text, const char* word, size_t length);

// Both texts as one, which the caller frees; NULL: out of memory.
char* text_joined(const char* first, const char* second);

// True if the text ends with `end`, and has more before it.
bool text_ends_with(const char* text, const char* end);

#endif
