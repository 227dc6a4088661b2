// SPDX-License-Identifier: MIT
#include "report/installed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool lw_program_installed(const char* name)
{
  const char* folder = getenv("PATH");
  while (folder && *folder)
  {
    char path[4096];
    int length = (int)strcspn(folder, ":");
    int used   = snprintf(path, sizeof path, "%.*s/%s", length, folder, name);
    if (used < (int)sizeof path && access(path, X_OK) == 0) return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}
