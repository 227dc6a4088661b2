// SPDX-License-Identifier: MIT
// Converts between the callers' arrays of doubles and the scalars of a variant.
#ifndef LW_KERNELS_LANES_H
#define LW_KERNELS_LANES_H

#include <stddef.h>

// Numbers about many states: entry i of state k is at[k * by_state + i * by_entry].
typedef struct lwGrid
{
  double* at;
  size_t by_state, by_entry;
} lwGrid;

// Entries (size) of count states into REALs, a state per lane, 1 <= count <= lanes; lanes without a
// state repeat the last one.
typedef void lwPack(const lwGrid* from, size_t size, int count, void* to);

// The other way.
typedef void lwUnpack(const void* from, size_t size, int count, const lwGrid* to);

// Where entry (row, column) of a packed symmetric matrix is, row <= column: its rows from the
// diagonal on, one after the other.
static inline size_t lw_packed_at(size_t n, size_t row, size_t column)
{
  return row * n - row * (row + 1) / 2 + column;
}

#endif
