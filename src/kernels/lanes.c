// SPDX-License-Identifier: MIT
// Rows of states to lanes and back, compiled for each variant, so that loops over lanes have
// constant trip counts and move whole vectors.
//
// States side by side (by_state is 1) are vectors already. States one after the other are
// transposed in blocks (math/transpose.h). What is left of a row goes entry by entry: a last block
// that overlaps the one before it has fewer instructions, but takes longer. Only packing gains by
// it, if more than half a block is left.
#include "kernels/lanes.h"

#include <stdint.h>

#include "math/real.h"
#include "math/unroll.h"

#if defined(LW_FLOATING)  // which is never asked about arrays

lwPack FN(pack);
lwUnpack FN(unpack);

INLINE void pack_some(const lwGrid* from, size_t size, size_t count, SCALAR* to)
{
  for (size_t i = 0; i < size; ++i)
    for (size_t lane = 0; lane < LANES; ++lane)
    {
      size_t state         = lane < count ? lane : count - 1;
      to[i * LANES + lane] = (SCALAR)from->at[state * from->by_state + i * from->by_entry];
    }
}

INLINE void unpack_some(const SCALAR* from, size_t size, size_t count, const lwGrid* to)
{
  for (size_t i = 0; i < size; ++i)
    for (size_t lane = 0; lane < count; ++lane)
      to->at[lane * to->by_state + i * to->by_entry] = (double)from[i * LANES + lane];
}

#if LW_LANE_BYTES

#include "math/transpose.h"

// One number of as many states as there are lanes, in a register: if stored one by one, they could
// not be loaded as a vector before all have arrived in the cache.
INLINE REAL gather(const double* at, size_t by_state)
{
  REAL x = {0};
  for (size_t lane = 0; lane < LANES; ++lane) x[lane] = (SCALAR)at[lane * by_state];
  return x;
}

INLINE void pack_all(const lwGrid* from, size_t by_state, size_t by_entry, size_t size, REAL* to)
{
  for (size_t i = 0; i < size; ++i) to[i] = gather(from->at + i * by_entry, by_state);
}

// Entries from `first` on, fewer than BLOCK, by a block that ends with the row.
INLINE void pack_last(lwGrid from, size_t size, size_t first, REAL* to)
{
  REAL last[BLOCK];
  size_t begin = size - BLOCK;
  block_to_lanes(from.at + begin, from.by_state, last);
  for (size_t k = 0; k < BLOCK; ++k)
    if (begin + k >= first) to[begin + k] = last[k];
}

// Grids go by value: what is stored through them could be themselves.
INLINE void pack_rows(lwGrid from, size_t size, REAL* to)
{
  size_t i = 0;
  for (; i + QUAD <= size; i += QUAD) quad_to_lanes(from.at + i, from.by_state, to + i);
  for (; i + BLOCK <= size; i += BLOCK) block_to_lanes(from.at + i, from.by_state, to + i);
  if (BLOCK > 2 && 2 * (size - i) > BLOCK)
    pack_last(from, size, i, to);
  else
    for (; i < size; ++i) to[i] = gather(from.at + i, from.by_state);
}

// Numbers of a state that are written together, a cache line of doubles: stores that alternate
// between states take up to twice as long.
enum
{
  CHUNK = 8
};

#if defined(LW_SCALAR_f32)

// A chunk of all states, to place i and behind in their rows.
INLINE void unpack_chunk(const REAL* from, lwGrid to, size_t i)
{
  Group rows[CHUNK / BLOCK][LANES];
  for (size_t b = 0; b < CHUNK / BLOCK; ++b)
  {
    REAL entries[BLOCK];
    for (size_t k = 0; k < BLOCK; ++k) entries[k] = from[b * BLOCK + k];
    lanes_to_rows(entries, rows[b]);
  }
  for (size_t lane = 0; lane < LANES; ++lane)
    for (size_t b = 0; b < CHUNK / BLOCK; ++b)
      store_row(to.at + lane * to.by_state + i + b * BLOCK, rows[b][lane]);
}

#else

INLINE void store_lanes(double* at, REAL numbers)
{
  memcpy(at, &numbers, sizeof numbers);
}

// Writes a chunk of lanes back to the rows of their states.
INLINE void unpack_chunk(const REAL* from, lwGrid to, size_t i)
{
  REAL rows[CHUNK / LANES][LANES];
  SHORT_LOOP
  for (size_t b = 0; b < CHUNK / LANES; ++b)
  {
    SHORT_LOOP
    for (size_t k = 0; k < LANES; ++k) rows[b][k] = from[b * LANES + k];
    transpose(rows[b]);
  }
  for (size_t lane = 0; lane < LANES; ++lane)
    for (size_t b = 0; b < CHUNK / LANES; ++b)
      store_lanes(to.at + lane * to.by_state + i + b * LANES, rows[b][lane]);
}

#endif

INLINE void unpack_entry(const REAL* from, lwGrid to, size_t i)
{
  for (size_t lane = 0; lane < LANES; ++lane)
    to.at[lane * to.by_state + i] = (double)((const SCALAR*)(from + i))[lane];
}

// Entries before the first one at an address from which stores do not cross cache lines. Memory
// from malloc() begins half a vector before one. 0 if rows differ, or are too short to gain by it.
INLINE size_t entries_before_line(size_t size, lwGrid to)
{
  enum
  {
    ALIGNED = 32 / sizeof(double),
    LONG    = 8 * CHUNK
  };
  if (size < LONG || to.by_state % ALIGNED) return 0;
  return -((uintptr_t)to.at / sizeof(double)) % ALIGNED;
}

INLINE void unpack_rows(const REAL* from, size_t size, lwGrid to)
{
  size_t i = 0, before = entries_before_line(size, to);
  for (; i < before; ++i) unpack_entry(from, to, i);
  for (; i + CHUNK <= size; i += CHUNK) unpack_chunk(from + i, to, i);
  for (; i + BLOCK <= size; i += BLOCK) store_block(from + i, to.at + i, to.by_state);
  for (; i < size; ++i) unpack_entry(from, to, i);
}

// The usual strides of callers are passed to the compiler as constants.
void FN(pack)(const lwGrid* from, size_t size, int count, void* to)
{
  if (count < LANES)
    pack_some(from, size, (size_t)count, to);
  else if (from->by_state == 1)
    pack_all(from, 1, from->by_entry, size, to);
  else if (from->by_entry == 1 && size >= BLOCK)
    pack_rows(*from, size, to);
  else
    pack_all(from, from->by_state, from->by_entry, size, to);
}

void FN(unpack)(const void* from, size_t size, int count, const lwGrid* to)
{
  if (count < LANES)
    unpack_some(from, size, (size_t)count, to);
  else if (to->by_state == 1)
    unpack_some(from, size, LANES, &(lwGrid){to->at, 1, to->by_entry});
  else if (to->by_entry == 1 && size >= BLOCK)
    unpack_rows(from, size, *to);
  else
    unpack_some(from, size, LANES, to);
}

#else

// One state: a row is converted as a whole.
void FN(pack)(const lwGrid* from, size_t size, int count, void* to)
{
  (void)count;
  if (from->by_entry == 1)
    pack_some(&(lwGrid){from->at, 1, 1}, size, 1, to);
  else
    pack_some(from, size, 1, to);
}

void FN(unpack)(const void* from, size_t size, int count, const lwGrid* to)
{
  (void)count;
  if (to->by_entry == 1)
    unpack_some(from, size, 1, &(lwGrid){to->at, 1, 1});
  else
    unpack_some(from, size, 1, to);
}

#endif

#endif
