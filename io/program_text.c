// SPDX-License-Identifier: MIT
#include "program_text.h"

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

const char* nearest_or(Nearest* nearest, const char* otherwise)
{
  if (!nearest_found(nearest)) return otherwise;
  snprintf(nearest->hint, sizeof nearest->hint, "did you mean '%s'?", nearest->best);
  return nearest->hint;
}

bool text_is(const char* text, const char* word, size_t length)
{
  return text && strlen(text) == length && !strncmp(text, word, length);
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
