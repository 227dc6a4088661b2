// SPDX-License-Identifier: MIT
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>

// Tests make and free thousands of workspaces. glibc returns large ones to the system each time,
// and fresh pages cost more than the test itself; here the process keeps them.
__attribute__((constructor)) static void keep_freed_memory(void)
{
  mallopt(M_MMAP_THRESHOLD, 1 << 24);
  mallopt(M_TRIM_THRESHOLD, 1 << 26);
  mallopt(M_TOP_PAD, 1 << 22);
}
#endif

void numbers_fail(const char* text, long double left, long double right, const char* file, int line)
{
  print_error("expected %s, found %.17Lg and %.17Lg\n", text, left, right);
  _fail(file, line);
}

void distance_fail(const char* text, double got, double expected, double bound, const char* file,
                   int line)
{
  print_error("expected %s, found %.17g and %.17g: they differ by %.3g, allowed %.3g\n", text, got,
              expected, fabs(got - expected), bound);
  _fail(file, line);
}

void kind_fail(const char* text, double value, const char* file, int line)
{
  print_error("expected %s, found %.17g\n", text, value);
  _fail(file, line);
}

void check_contains(const char* what, const char* text, const char* part, const char* file,
                    int line)
{
  if (text && strstr(text, part)) return;
  print_error("expected '%s' in %s, found '%s'\n", part, what, text ? text : "(null)");
  _fail(file, line);
}
