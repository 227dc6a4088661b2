// SPDX-License-Identifier: MIT
// linkwork paper: runs the program linkwork-paper, which is installed beside this one.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "companion.h"

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
