// SPDX-License-Identifier: MIT
// Numbers of all states in lanes to the rows of these states. For lanes of plain floating point.
//
// A chunk is a cache line of doubles: stores that alternate between states take up to twice as long
// as those of a chunk at a time.
#ifndef LW_KERNELS_CHUNKS_H
#define LW_KERNELS_CHUNKS_H

#include "math/transpose.h"

enum
{
  CHUNK = 8
};

// Entries from[0], from[stride] .. to the rows of all lanes, which begin at `at`, by_state apart.
#if defined(LW_SCALAR_f32)

INLINE void put_chunk(const REAL* from, size_t stride, double* at, size_t by_state)
{
  Group rows[CHUNK / BLOCK][LANES];
  SHORT_LOOP
  for (size_t b = 0; b < CHUNK / BLOCK; ++b)
  {
    REAL entries[BLOCK];
    for (size_t k = 0; k < BLOCK; ++k) entries[k] = from[(b * BLOCK + k) * stride];
    lanes_to_rows(entries, rows[b]);
  }
  SHORT_LOOP
  for (size_t lane = 0; lane < LANES; ++lane) SHORT_LOOP
  for (size_t b = 0; b < CHUNK / BLOCK; ++b)
    store_row(at + lane * by_state + b * BLOCK, rows[b][lane]);
}

#else

INLINE void put_chunk(const REAL* from, size_t stride, double* at, size_t by_state)
{
  REAL rows[CHUNK / LANES][LANES];
  SHORT_LOOP
  for (size_t b = 0; b < CHUNK / LANES; ++b)
  {
    SHORT_LOOP
    for (size_t k = 0; k < LANES; ++k) rows[b][k] = from[(b * LANES + k) * stride];
    transpose(rows[b]);
  }
  SHORT_LOOP
  for (size_t lane = 0; lane < LANES; ++lane) SHORT_LOOP
  for (size_t b = 0; b < CHUNK / LANES; ++b)
    memcpy(at + lane * by_state + b * LANES, &rows[b][lane], sizeof rows[b][lane]);
}

#endif

// The same for `count` entries that are no whole chunk.
INLINE void put_part(const REAL* from, size_t stride, size_t count, double* at, size_t by_state)
{
  size_t i = 0;
  for (; i + BLOCK <= count; i += BLOCK)
  {
    REAL entries[BLOCK];
    for (size_t k = 0; k < BLOCK; ++k) entries[k] = from[(i + k) * stride];
    store_block(entries, at + i, by_state);
  }
  for (; i < count; ++i)
    for (size_t lane = 0; lane < LANES; ++lane)
      at[lane * by_state + i] = (double)((const SCALAR*)(from + i * stride))[lane];
}

#endif
