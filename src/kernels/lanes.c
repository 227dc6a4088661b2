// SPDX-License-Identifier: MIT
// Rows of states to lanes and back, compiled for each variant, so that loops over lanes have
// constant trip counts and move whole vectors.
//
// States side by side (by_state is 1) are vectors already. States one after the other are
// transposed in blocks (math/transpose.h); the rest of a row goes entry by entry. A last block that
// overlaps the one before would have fewer instructions, but take longer.
#include "kernels/lanes.h"

#include "math/real.h"

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

lwUnpackSymmetric FN(unpack_symmetric);

// Entry by entry, each to its place and to its mirror image.
INLINE void unpack_some_symmetric(const SCALAR* from, size_t n, size_t count, const lwGrid* to)
{
  for (size_t i = 0; i < n; ++i)
    for (size_t k = i; k < n; ++k)
      for (size_t lane = 0; lane < count; ++lane)
      {
        double entry = (double)from[(i * n + k) * LANES + lane];
        double* out  = to->at + lane * to->by_state;

        out[(i * n + k) * to->by_entry] = entry;
        out[(k * n + i) * to->by_entry] = entry;
      }
}

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

// Grids go by value: what is stored through them could be themselves.
INLINE void pack_block(lwGrid from, size_t i, REAL* to)
{
  Group rows[LANES];
  for (size_t lane = 0; lane < LANES; ++lane)
    rows[lane] = load_row(from.at + lane * from.by_state + i);
  rows_to_lanes(rows, to + i);
}

// BLOCK entries of all states, from[0], from[stride] and so on, to place i and behind in each row.
INLINE void unpack_block(const REAL* from, size_t stride, lwGrid to, size_t i)
{
  REAL entries[BLOCK];
  Group rows[LANES];
  for (size_t k = 0; k < BLOCK; ++k) entries[k] = from[k * stride];
  lanes_to_rows(entries, rows);
  for (size_t lane = 0; lane < LANES; ++lane) store_row(to.at + lane * to.by_state + i, rows[lane]);
}

// As many blocks as fit into count entries of a row, two at a time. Returned is where they end.
INLINE size_t unpack_blocks(const REAL* from, size_t stride, lwGrid to, size_t count)
{
  size_t i = 0;
  for (; i + 2 * BLOCK <= count; i += 2 * BLOCK)
  {
    unpack_block(from + i * stride, stride, to, i);
    unpack_block(from + (i + BLOCK) * stride, stride, to, i + BLOCK);
  }
  if (i + BLOCK > count) return i;
  unpack_block(from + i * stride, stride, to, i);
  return i + BLOCK;
}

INLINE void pack_rows(lwGrid from, size_t size, REAL* to)
{
  size_t i = 0;
  for (; i + BLOCK <= size; i += BLOCK) pack_block(from, i, to);
  for (; i < size; ++i) to[i] = gather(from.at + i, from.by_state);
}

INLINE void unpack_rows(const REAL* from, size_t size, lwGrid to)
{
  size_t i = unpack_blocks(from, 1, to, size);
  for (; i < size; ++i)
    for (size_t lane = 0; lane < LANES; ++lane)
      to.at[lane * to.by_state + i] = (double)((const SCALAR*)(from + i))[lane];
}

// A block of row r that begins at column k, which may be on either side of the diagonal.
INLINE void unpack_across(const REAL* from, size_t n, size_t r, size_t k, lwGrid to)
{
  REAL entries[BLOCK];
  for (size_t c = 0; c < BLOCK; ++c)
    entries[c] = k + c < r ? from[(k + c) * n + r] : from[r * n + k + c];
  unpack_block(entries, 1, to, k);
}

// Row by row, so that every cache line of the answers is written once: left of the diagonal, row r
// is column r of what is above it, which is small enough to stay in the first-level cache.
INLINE void unpack_matrices(const REAL* from, size_t n, lwGrid to)
{
  for (size_t r = 0; r < n; ++r, to.at += n)
  {
    size_t k = unpack_blocks(from + r, n, to, r);
    if (k + BLOCK > n) k = n - BLOCK;
    unpack_across(from, n, r, k, to);
    k += BLOCK;
    lwGrid right = {to.at + k, to.by_state, 1};
    k += unpack_blocks(from + r * n + k, 1, right, n - k);
    if (k < n) unpack_across(from, n, r, n - BLOCK, to);
  }
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

void FN(unpack_symmetric)(const void* from, int n, int count, const lwGrid* to)
{
  size_t size = (size_t)n;
  if (count == LANES && to->by_state == 1)
    unpack_some_symmetric(from, size, LANES, &(lwGrid){to->at, 1, to->by_entry});
  else if (count == LANES && to->by_entry == 1 && size >= BLOCK)
    unpack_matrices(from, size, *to);
  else
    unpack_some_symmetric(from, size, (size_t)count, to);
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
