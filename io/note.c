// SPDX-License-Identifier: MIT
#include "note.h"

#include <stdarg.h>
#include <stdio.h>

#include "progress.h"
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

void say(const char* format, ...)
{
  va_list arguments;
  progress_clear();
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
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
  say("linkwork: %s\n", line);
}
