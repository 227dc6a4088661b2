// SPDX-License-Identifier: MIT
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os.h"

void* lw_os_take(size_t alignment, size_t size)
{
  return aligned_alloc(alignment, size);
}

void lw_os_give(void* memory)
{
  free(memory);
}

int lw_os_print(char* text, size_t size, const char* format, va_list arguments)
{
  locale_t c   = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t old = c ? uselocale(c) : (locale_t)0;
  int length   = vsnprintf(text, size, format, arguments);
  if (!c) return length;
  uselocale(old);
  freelocale(c);
  return length;
}
