// SPDX-License-Identifier: MIT
#include "command/option_words.h"

#include <string.h>

static const struct
{
  const char* field;
  const char* flag;
} words[] = {
    {"lwLint.allow_bad_inertia", "--allow-bad-inertia"},
    {"lwJointChoice.free_mimics", "--mimic independent"},
    {"lwReadOptions.estimate_inertia", "--estimate-inertia"},
    {"lwReadOptions.density", "--density"},
    {"lwReadOptions.packages", "--package-path"},
    {"lwReadOptions.fix", "--fix"},
};

static size_t append_word(char* buffer, size_t size, size_t used, const char* text, size_t length)
{
  for (size_t i = 0; i < length && used + i + 1 < size; ++i) buffer[used + i] = text[i];
  return used + length;
}

size_t option_words(const char* text, char* buffer, size_t size)
{
  size_t used = 0;
  while (*text)
  {
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && strncmp(text, words[i].field, strlen(words[i].field)) != 0) ++i;
    const char* shown = i < count ? words[i].flag : text;
    used              = append_word(buffer, size, used, shown, i < count ? strlen(shown) : 1);
    text += i < count ? strlen(words[i].field) : 1;
  }
  if (size > 0) buffer[used < size ? used : size - 1] = 0;
  return used;
}
