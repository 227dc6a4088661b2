// SPDX-License-Identifier: MIT
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Nearest nearest_to(const char* wanted, size_t length)
{
  return (Nearest){.search = lw_nearest_part(wanted, length)};
}

void nearest_offer(Nearest* nearest, const char* candidate)
{
  nearest->search.best = nearest_found(nearest) ? nearest->best : NULL;
  lw_nearest_try(&nearest->search, candidate);
  if (nearest->search.best == candidate)
    snprintf(nearest->best, sizeof nearest->best, "%s", candidate);
}

bool nearest_found(const Nearest* nearest)
{
  return nearest->best[0];
}

void text_append(char* buffer, size_t size, const char* first, const char* second)
{
  strncat(buffer, first, size - strlen(buffer) - 1);
  strncat(buffer, second, size - strlen(buffer) - 1);
}

char* text_joined(const char* first, const char* second)
{
  size_t length = strlen(first), size = strlen(second) + 1;
  char* joined = malloc(length + size);
  if (!joined) return NULL;
  memcpy(joined, first, length);
  memcpy(joined + length, second, size);
  return joined;
}

bool text_ends_with(const char* text, const char* end)
{
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && !strcmp(text + length - tail, end);
}

void text_one_line(char* text)
{
  for (; *text; ++text)
    if ((unsigned char)*text < ' ' || *text == 0x7F) *text = '?';
}

int utf8_length(const char* s)
{
  uint32_t code;
  return (int)lw_text_decode(s, strnlen(s, 4), &code);
}

int utf8_count(const char* s, size_t bytes)
{
  int count = 0;
  for (size_t i = 0; i < bytes; ++i) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

int text_width(const char* s)
{
  return utf8_count(s, strlen(s));
}
