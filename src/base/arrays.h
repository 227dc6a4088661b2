// SPDX-License-Identifier: MIT
// Arrays of double: several in one block, so that there is one place where memory may lack.
#ifndef LW_BASE_ARRAYS_H
#define LW_BASE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// True if there was not enough memory for something: one check after several lw_arena_take().
static inline bool lw_arena_failed(const lwArena* arena)
{
  return arena->total == SIZE_MAX;
}

// A copy of count numbers, with one more for count 0; NULL: out of memory.
static inline double* lw_arena_copy(lwArena* arena, const double* from, size_t count)
{
  double* to = lw_arena_take(arena, count + 1, sizeof *to);
  for (size_t i = 0; to && i < count; ++i) to[i] = from[i];
  return to;
}

// A larger array of elements of `size` bytes, beginning with the first `count` of another one;
// NULL: out of memory.
static inline void* lw_arena_grow(lwArena* arena, const void* from, size_t count, size_t capacity,
                                  size_t size)
{
  void* to = lw_arena_take(arena, capacity, size);
  if (to && count > 0) memcpy(to, from, count * size);
  return to;
}

// An array from realloc(), large enough for `needed` elements of `size` bytes; NULL: out of memory,
// and the old one stays.
static inline void* lw_array_grow(void* array, int needed, int* capacity, size_t size)
{
  if (needed <= *capacity) return array;
  int wanted = 2 * needed + 16;
  void* more = realloc(array, (size_t)wanted * size);
  if (more) *capacity = wanted;
  return more;
}

// How many of increasing numbers are not above x.
static inline long lw_count_until(const double* numbers, long count, double x)
{
  long low = 0;
  for (long high = count; low < high;)
  {
    long middle = low + (high - low) / 2;
    if (numbers[middle] <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct lwArray
{
  double** at;   // where its address goes; NULL ends a list of arrays
  size_t count;  // entries
} lwArray;

// Zeroed arrays in an arena, or if that is NULL in a block that is to be freed by the address of
// the first of them. False: out of memory.
static inline bool lw_arrays_take(lwArena* arena, const lwArray* arrays)
{
  size_t total = 1;
  for (const lwArray* array = arrays; array->at; ++array) total += array->count;
  double* next = arena ? lw_arena_take(arena, total, sizeof *next) : calloc(total, sizeof *next);
  if (!next) return false;
  for (; arrays->at; next += arrays->count, ++arrays) *arrays->at = next;
  return true;
}

#endif
