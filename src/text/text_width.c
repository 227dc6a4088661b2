// SPDX-License-Identifier: MIT
#include "text/text_width.h"

#include <string.h>

#include "base/text.h"

void lw_text_append(char* buffer, size_t size, const char* first, const char* second)
{
  strncat(buffer, first, size - strlen(buffer) - 1);
  strncat(buffer, second, size - strlen(buffer) - 1);
}

void lw_text_one_line(char* text)
{
  for (; *text; ++text)
    if ((unsigned char)*text < ' ' || *text == 0x7F) *text = '?';
}

int lw_text_width(const char* s)
{
  return lw_text_characters(s, strlen(s));
}
