// SPDX-License-Identifier: MIT
#include "companion.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

void run_companion(const char* name, char* const* arguments)
{
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  char* slash  = strrchr(path, '/');
  if (!slash || !strcmp(slash + 1, name)) return;
  if (slash + 2 + strlen(name) > path + sizeof path) return;
  strcpy(slash + 1, name);
  if (access(path, X_OK) == 0) execv(path, arguments);
}
