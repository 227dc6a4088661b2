// SPDX-License-Identifier: MIT
#include "note.h"

#include <stdio.h>

#include "program_text.h"
#include "progress.h"

static bool silent;

void notes_off(void)
{
  silent = true;
}

bool notes_on(void)
{
  return !silent;
}

void say(const char* format, ...)
{
  va_list arguments;
  progress_clear();
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

void say_line(const char* before, const char* format, va_list arguments)
{
  char line[2048];
  vsnprintf(line, sizeof line, format, arguments);
  lw_text_one_line(line);
  say("%s%s\n", before, line);
}

void warn(const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  say_line("linkwork: warning: ", format, arguments);
  va_end(arguments);
}

void note(const char* format, ...)
{
  if (silent) return;
  va_list arguments;
  va_start(arguments, format);
  say_line("linkwork: ", format, arguments);
  va_end(arguments);
}
