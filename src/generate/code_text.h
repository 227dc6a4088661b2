// SPDX-License-Identifier: MIT
// A text that grows.
#ifndef LW_GENERATE_CODE_TEXT_H
#define LW_GENERATE_CODE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lwCodeText
{
  char* at;  // with a 0 behind it; NULL: nothing written yet
  size_t length, capacity;
  bool failed;  // memory ran out, and something is missing
} lwCodeText;

void lw_code_put(lwCodeText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void lw_code_free(lwCodeText* text);

#endif
