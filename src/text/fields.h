// SPDX-License-Identifier: MIT
// The fields of a CSV line: one grammar for the readers of the library and of the program.
#ifndef LW_TEXT_FIELDS_H
#define LW_TEXT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

// Where a field stands, without the quotes and spaces around it.
typedef struct lwFieldSpan
{
  const char *begin, *end;
  bool quoted;       // "" within it stands for one "
  const char* next;  // behind the comma, or NULL: it was the last field of the line
} lwFieldSpan;

static inline const char* skip_spaces_until(const char* s, const char* end)
{
  while (s < end && (*s == ' ' || *s == '\t')) ++s;
  return s;
}

// The closing quote of a text that begins behind its opening quote; NULL: there is none.
static inline const char* closing_quote(const char* s, const char* end)
{
  for (; s < end; ++s)
  {
    if (*s != '"') continue;
    if (s + 1 == end || s[1] != '"') return s;
    ++s;
  }
  return NULL;
}

// The field that begins at s, of a line that ends at `end`.
// False if a quote is not closed, or text follows it.
static inline bool field_span(const char* s, const char* end, lwFieldSpan* field)
{
  s = skip_spaces_until(s, end);
  if (s < end && *s == '"')
  {
    const char* close = closing_quote(s + 1, end);
    const char* comma = close ? skip_spaces_until(close + 1, end) : end;
    if (!close || (comma < end && *comma != ',')) return false;
    *field = (lwFieldSpan){s + 1, close, true, comma < end ? comma + 1 : NULL};
    return true;
  }
  const char* comma = s;
  while (comma < end && *comma != ',') ++comma;
  *field = (lwFieldSpan){s, comma, false, comma < end ? comma + 1 : NULL};
  while (field->end > s && (field->end[-1] == ' ' || field->end[-1] == '\t')) --field->end;
  return true;
}

// Copies the text of a field, "" as ", and ends it by 0; `to` may be where the field begins.
static inline void field_text(const lwFieldSpan* field, char* to)
{
  for (const char* from = field->begin; from < field->end; ++from)
  {
    *to++ = *from;
    if (field->quoted && *from == '"') ++from;
  }
  *to = 0;
}

#endif
