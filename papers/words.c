// SPDX-License-Identifier: MIT
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void text_add(PaperText* text, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof text->at - text->length;
  int length  = vsnprintf(text->at + text->length, room, format, arguments);
  va_end(arguments);
  if (length > 0) text->length += (size_t)length < room ? (size_t)length : room - 1;
}

void text_note(Page* page, const char* section, PaperText* text)
{
  while (text->length > 0 && text->at[text->length - 1] == '\n') text->at[--text->length] = 0;
  page_note(page, section, "%s", text->at);
}

double largest(int count, const double* values)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
    if (!(fabs(values[i]) <= most)) most = fabs(values[i]);
  return most;
}

double largest_difference(int count, const double* a, const double* b)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
    if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
  return most;
}

double relative_difference(int count, const double* truth, const double* v)
{
  return largest_difference(count, truth, v) / largest(count, truth);
}
