// SPDX-License-Identifier: MIT
#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !defined(SANITIZED)

static atomic_long calls;

static void count_call(void)
{
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

long allocation_calls(void)
{
  return atomic_load_explicit(&calls, memory_order_relaxed);
}

// glibc's internal names of the real allocator
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* memory);

__attribute__((visibility("default"))) void* malloc(size_t size)
{
  count_call();
  return __libc_malloc(size);
}

__attribute__((visibility("default"))) void* calloc(size_t nmemb, size_t size)
{
  count_call();
  return __libc_calloc(nmemb, size);
}

__attribute__((visibility("default"))) void* realloc(void* ptr, size_t size)
{
  count_call();
  return __libc_realloc(ptr, size);
}

__attribute__((visibility("default"))) void* memalign(size_t alignment, size_t size)
{
  count_call();
  return __libc_memalign(alignment, size);
}

__attribute__((visibility("default"))) void* aligned_alloc(size_t alignment, size_t size)
{
  count_call();
  return __libc_memalign(alignment, size);
}

__attribute__((visibility("default"))) int posix_memalign(void** memptr, size_t alignment,
                                                          size_t size)
{
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  void* taken = memalign(alignment, size);
  if (!taken) return ENOMEM;
  *memptr = taken;
  return 0;
}

__attribute__((visibility("default"))) void free(void* ptr)
{
  count_call();
  __libc_free(ptr);
}

#else

long allocation_calls(void)
{
  return -1;
}

#endif
