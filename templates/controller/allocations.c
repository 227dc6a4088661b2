/* The linker puts these in place of malloc, calloc and realloc (--wrap). */
#include "allocations.h"

#include <stddef.h>

long allocations;

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);

void* __wrap_malloc(size_t size)
{
  ++allocations;
  return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
  ++allocations;
  return __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size)
{
  ++allocations;
  return __real_realloc(memory, size);
}
