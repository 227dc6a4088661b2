// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

const char* own_program(char path[PATH_MAX])
{
  ssize_t length                = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
  return length > 0 ? path : NULL;
}

void run_companion(const char* name, char* const* arguments)
{
  char path[PATH_MAX];
  char* slash = own_program(path) ? strrchr(path, '/') : NULL;
  if (!slash || !strcmp(slash + 1, name)) return;
  if (slash + 2 + strlen(name) > path + sizeof path) return;
  strcpy(slash + 1, name);
  if (access(path, X_OK) == 0) execv(path, arguments);
}

// linkwork paper runs the program linkwork-paper.
#define PAPER_PROGRAM "linkwork-paper"

int cmd_paper(const Options* options)
{
  char* const* arguments = options->arguments;  // from the word "paper" on
  run_companion(PAPER_PROGRAM, arguments);
  execvp(PAPER_PROGRAM, arguments);
  return fail(USAGE,
              "'linkwork paper' needs the program %s, which is neither beside linkwork nor in "
              "PATH: %s",
              PAPER_PROGRAM, strerror(errno));
}
