// SPDX-License-Identifier: MIT
// A library to preload: makes calls of the C library fail.
//
//   FAULT_ALLOCATION=N   the N-th allocation fails
//   FAULT_WRITE=N        the disk is full from the N-th write, fsync, link or rename on
//   FAULT_THREADS=1      no thread can be created
//   FAULT_COUNTS=FILE    writes the number of allocations and writes to FILE at exit
//
// Writes to standard error, reads, and calls by gnuplot, which the program starts, do not count. In
// a program with AddressSanitizer, memory comes from its allocator, so that memory lost after a
// failure is reported as a leak.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

// AddressSanitizer's functions, if present
#define WEAK __attribute__((weak))
extern WEAK void* __interceptor_malloc(size_t size);
extern WEAK void* __interceptor_calloc(size_t count, size_t size);
extern WEAK void* __interceptor_realloc(void* old, size_t size);
extern WEAK void* __interceptor_memalign(size_t alignment, size_t size);

static atomic_long allocations, writes;
static long fail_allocation, fail_write;
static int fail_threads;
static int ready;
// AddressSanitizer itself allocates. Its __tls_get_addr() is not ready at its first allocation, so
// the address of this variable is fixed when the library is loaded.
static __thread int spared __attribute__((tls_model("initial-exec")));

static long number_of(const char* name)
{
  const char* text = getenv(name);
  return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin_faults(void)
{
  unsetenv("LD_PRELOAD");  // gnuplot, which the program starts, would crash with it
  fail_allocation = number_of("FAULT_ALLOCATION");
  fail_write      = number_of("FAULT_WRITE");
  fail_threads    = number_of("FAULT_THREADS") != 0;
  ready           = 1;
}

__attribute__((destructor)) static void end_faults(void)
{
  const char* path = getenv("FAULT_COUNTS");
  char text[64];
  ready    = 0;
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file < 0) return;
  int length =
      snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&allocations), atomic_load(&writes));
  if (write(file, text, (size_t)length) != length) _exit(99);
  close(file);
}

static int no_memory(void)
{
  if (!ready || spared || atomic_fetch_add(&allocations, 1) + 1 != fail_allocation) return 0;
  errno = ENOMEM;
  return 1;
}

static int disk_is_full(void)
{
  if (!ready) return 0;
  long n = atomic_fetch_add(&writes, 1) + 1;
  if (fail_write == 0 || n < fail_write) return 0;
  errno = ENOSPC;
  return 1;
}

static void* aligned(size_t alignment, size_t size)
{
  return (__interceptor_memalign ? __interceptor_memalign : __libc_memalign)(alignment, size);
}

void* malloc(size_t size)
{
  return no_memory() ? NULL : (__interceptor_malloc ? __interceptor_malloc : __libc_malloc)(size);
}

void* calloc(size_t count, size_t size)
{
  if (no_memory()) return NULL;
  return (__interceptor_calloc ? __interceptor_calloc : __libc_calloc)(count, size);
}

void* realloc(void* old, size_t size)
{
  if (no_memory()) return NULL;
  return (__interceptor_realloc ? __interceptor_realloc : __libc_realloc)(old, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  return no_memory() ? NULL : aligned(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
  if (no_memory()) return ENOMEM;
  *memory = aligned(alignment, size);
  return *memory ? 0 : ENOMEM;
}

// AddressSanitizer's version would not call malloc() above
char* strndup(const char* text, size_t most)
{
  size_t length = strnlen(text, most);
  char* copy    = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char* strdup(const char* text)
{
  return strndup(text, strlen(text));
}

typedef ssize_t Write(int file, const void* bytes, size_t count);
typedef ssize_t WriteAt(int file, const void* bytes, size_t count, off64_t at);
typedef int OnFile(int file);
typedef int OnPaths(const char* from, const char* to);
typedef int MakeThread(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                       void* context);

ssize_t write(int file, const void* bytes, size_t count)
{
  static Write* next;
  if (!next) next = (Write*)dlsym(RTLD_NEXT, "write");
  return file != STDERR_FILENO && disk_is_full() ? -1 : next(file, bytes, count);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at)
{
  static WriteAt* next;
  if (!next) next = (WriteAt*)dlsym(RTLD_NEXT, "pwrite64");
  return disk_is_full() ? -1 : next(file, bytes, count, at);
}

int fsync(int file)
{
  static OnFile* next;
  if (!next) next = (OnFile*)dlsym(RTLD_NEXT, "fsync");
  return disk_is_full() ? -1 : next(file);
}

int fdatasync(int file)
{
  static OnFile* next;
  if (!next) next = (OnFile*)dlsym(RTLD_NEXT, "fdatasync");
  return disk_is_full() ? -1 : next(file);
}

int link(const char* from, const char* to)
{
  static OnPaths* next;
  if (!next) next = (OnPaths*)dlsym(RTLD_NEXT, "link");
  return disk_is_full() ? -1 : next(from, to);
}

int rename(const char* from, const char* to)
{
  static OnPaths* next;
  if (!next) next = (OnPaths*)dlsym(RTLD_NEXT, "rename");
  return disk_is_full() ? -1 : next(from, to);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* context)
{
  static MakeThread* next;
  if (!next) next = (MakeThread*)dlsym(RTLD_NEXT, "pthread_create");
  return fail_threads ? EAGAIN : next(thread, attributes, run, context);
}

// AddressSanitizer calls this at the start of each thread, and aborts if there is no memory.
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes)
{
  typedef int Ask(pthread_t thread, pthread_attr_t * attributes);
  static Ask* next;
  spared = 1;
  if (!next) next = (Ask*)dlsym(RTLD_NEXT, "pthread_getattr_np");
  int status = next(thread, attributes);
  spared     = 0;
  return status;
}
