// SPDX-License-Identifier: MIT
// linkwork paper: runs the program linkwork-paper, which is installed beside this one.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

#define PAPER_PROGRAM "linkwork-paper"

// The file beside the running program, where the system tells which file that is.
static bool find_beside_program(char path[PATH_MAX])
{
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  char* slash  = strrchr(path, '/');
  if (!slash || slash + 1 + sizeof PAPER_PROGRAM > path + PATH_MAX) return false;
  memcpy(slash + 1, PAPER_PROGRAM, sizeof PAPER_PROGRAM);
  return access(path, X_OK) == 0;
}

int cmd_paper(const Command* command, const Options* options)
{
  (void)command;
  char path[PATH_MAX];
  char* const* arguments = options->arguments;  // from the word "paper" on
  if (find_beside_program(path)) execv(path, arguments);
  execvp(PAPER_PROGRAM, arguments);
  return fail(USAGE,
              "'linkwork paper' needs the program %s, which is neither beside linkwork nor in "
              "PATH: %s",
              PAPER_PROGRAM, strerror(errno));
}
