// SPDX-License-Identifier: MIT
// Instead of allocations.c, for programs that do not replace the allocator.
#include "allocations.h"

long allocation_calls(void)
{
  return -1;
}
