// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "linkwork/host.h"

enum
{
  ALIGNMENT = 16  // of what has no other, as malloc() gives it
};

// The only state of the library that is not an object's: set before there are any.
static struct
{
  lwAllocator* call;
  void* context;
} allocator;

void lw_memory_set_allocator(lwAllocator* call, void* context)
{
  allocator.call    = call;
  allocator.context = context;
}

void* lw_memory_zeros(size_t count, size_t size)
{
  if (!allocator.call) return calloc(count, size);
  if (size && count > SIZE_MAX / size) return NULL;
  void* memory = allocator.call(allocator.context, NULL, count * size, ALIGNMENT);
  return memory ? memset(memory, 0, count * size) : NULL;
}

void* lw_memory_take(size_t alignment, size_t size)
{
  if (!allocator.call) return lw_os_take(alignment, size);
  return allocator.call(allocator.context, NULL, size, alignment);
}

void lw_memory_give(void* memory)
{
  if (!allocator.call)
    free(memory);
  else if (memory)
    allocator.call(allocator.context, memory, 0, 0);
}

void lw_memory_give_aligned(void* memory)
{
  if (!allocator.call)
    lw_os_give(memory);
  else if (memory)
    allocator.call(allocator.context, memory, 0, 0);
}
