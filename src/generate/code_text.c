// SPDX-License-Identifier: MIT
#include "generate/code_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(lwCodeText* text, size_t size)
{
  size_t capacity = text->capacity ? text->capacity : 1024;
  while (capacity < size) capacity *= 2;
  char* at = capacity > text->capacity ? realloc(text->at, capacity) : text->at;
  if (!at) return false;
  text->at       = at;
  text->capacity = capacity;
  return true;
}

void lw_code_put(lwCodeText* text, const char* format, ...)
{
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  int length   = vsnprintf(NULL, 0, format, values);
  text->failed = text->failed || length < 0 || !make_room(text, text->length + (size_t)length + 1);
  if (!text->failed)
  {
    vsnprintf(text->at + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(values);
}

void lw_code_free(lwCodeText* text)
{
  free(text->at);
  *text = (lwCodeText){0};
}
