// SPDX-License-Identifier: MIT
// Counts calls of the C library's allocator by replacing it: possible with glibc
// and without sanitizers, which do the same. A program that links allocations.c counts from its
// beginning; the price is one addition a call. linkwork-bench does; others link no_allocations.c,
// so that preloaded allocators and valgrind see their own.
#ifndef BENCH_ALLOCATIONS_H
#define BENCH_ALLOCATIONS_H

// Calls of malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign and free by all threads
// until now; -1: not counted here.
long allocation_calls(void);

#endif
