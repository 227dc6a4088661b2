// SPDX-License-Identifier: MIT
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"

void* lw_os_take(size_t alignment, size_t size)
{
  return _aligned_malloc(size, alignment);
}

void lw_os_give(void* memory)
{
  _aligned_free(memory);
}

int lw_os_print(char* text, size_t size, const char* format, va_list arguments)
{
  int before = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  char* old  = _strdup(setlocale(LC_NUMERIC, NULL));
  setlocale(LC_NUMERIC, "C");
  int length = vsnprintf(text, size, format, arguments);
  if (old) setlocale(LC_NUMERIC, old);
  free(old);
  _configthreadlocale(before);
  return length;
}
