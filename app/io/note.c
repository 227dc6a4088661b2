// SPDX-License-Identifier: MIT
#include "note.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

static bool silent;

void notes_off(void)
{
  silent = true;
}

bool notes_on(void)
{
  return !silent;
}

void note(const char* format, ...)
{
  if (silent) return;
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_one_line(line);
  fprintf(stderr, "linkwork: %s\n", line);
}
