// SPDX-License-Identifier: MIT
// Counts calls of the C library's allocator by replacing its functions. Works with glibc and
// without sanitizers, which replace them too. A program that links allocations.c counts from its
// start, at one addition per call. linkwork-bench does; others link no_allocations.c, so that
// preloaded allocators and valgrind see their calls.
#ifndef BENCH_ALLOCATIONS_H
#define BENCH_ALLOCATIONS_H

// Calls of malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign and free by all threads
// until now; -1: not counted in this build.
long allocation_calls(void);

#endif
