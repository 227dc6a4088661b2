// SPDX-License-Identifier: MIT
// isa_run ISA PROGRAM: runs a test with LINKWORK_ISA=ISA. Skipped if this machine lacks the
// instruction set, or if it is the default, with which the test runs anyway.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/variants.h"

enum
{
  SKIPPED = 77  // CTest's SKIP_RETURN_CODE
};

int main(int count, char** arguments)
{
  if (count != 3) return EXIT_FAILURE;
  unsetenv("LINKWORK_ISA");
  bool by_default = !strcmp(lw_isa_choose()->name, arguments[1]);
  setenv("LINKWORK_ISA", arguments[1], 1);
  if (by_default || !lw_isa_choose()) return SKIPPED;
  execv(arguments[2], arguments + 2);
  perror(arguments[2]);
  return EXIT_FAILURE;
}
