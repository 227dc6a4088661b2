// SPDX-License-Identifier: MIT
// A text that grows.
#ifndef LW_GENERATE_TEXT_H
#define LW_GENERATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lwText
{
  char* at;  // with a 0 behind it; NULL: nothing written yet
  size_t length, room;
  bool failed;  // memory ran out, and something is missing
} lwText;

void lw_text_put(lwText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void lw_text_free(lwText* text);

#endif
