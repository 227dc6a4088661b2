// SPDX-License-Identifier: MIT
// Rows of numbers to vectors of lanes and back, by shuffles. For lanes of plain floating point.
//
// BLOCK neighbours in the rows of LANES states form as many groups of 128 bits: two doubles or four
// floats. Groups of states that are BLOCK apart are joined to BLOCK vectors, in which shuffles
// within 128 bits transpose every group by itself. Wider blocks would need more shuffles for as
// many numbers, and unaligned rows would cross more cache lines.
#ifndef LW_MATH_TRANSPOSE_H
#define LW_MATH_TRANSPOSE_H

#include <string.h>

#include "math/real.h"
#include "math/sincos.h"
#include "math/unroll.h"

#define SHUFFLE __builtin_shufflevector

// Of two vectors of doubles: entries at even and at odd places, taken in turns, and groups of two
// and four.
#if LW_LANE_BYTES == 64
#define EVEN(a, b)      SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD(a, b)       SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define NEAR_LOW(a, b)  SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define NEAR_HIGH(a, b) SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define FAR_LOW(a, b)   SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define FAR_HIGH(a, b)  SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#elif LW_LANE_BYTES == 32
#define EVEN(a, b)      SHUFFLE(a, b, 0, 4, 2, 6)
#define ODD(a, b)       SHUFFLE(a, b, 1, 5, 3, 7)
#define NEAR_LOW(a, b)  SHUFFLE(a, b, 0, 1, 4, 5)
#define NEAR_HIGH(a, b) SHUFFLE(a, b, 2, 3, 6, 7)
#else
#define EVEN(a, b) SHUFFLE(a, b, 0, 2)
#define ODD(a, b)  SHUFFLE(a, b, 1, 3)
#endif

#if defined(LW_SCALAR_f32)

enum
{
  BLOCK = 4
};
typedef float Group __attribute__((vector_size(16)));
typedef double Row __attribute__((vector_size(32)));

// Of two vectors: pairs of equal entries, and halves of groups.
#if LW_LANE_BYTES == 64
#define PAIRS_LOW(a, b)  SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define PAIRS_HIGH(a, b) SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define HALF_LOW(a, b)   SHUFFLE(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HALF_HIGH(a, b)  SHUFFLE(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define JOIN_TWO(a, b)   SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define JOIN(r, k)                                                                                 \
  SHUFFLE(JOIN_TWO((r)[k], (r)[(k) + 4]), JOIN_TWO((r)[(k) + 8], (r)[(k) + 12]), 0, 1, 2, 3, 4, 5, \
          6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define SPLIT(x, r, k)                                                                             \
  (r)[k] = SHUFFLE(x, x, 0, 1, 2, 3), (r)[(k) + 4] = SHUFFLE(x, x, 4, 5, 6, 7),                    \
  (r)[(k) + 8] = SHUFFLE(x, x, 8, 9, 10, 11), (r)[(k) + 12] = SHUFFLE(x, x, 12, 13, 14, 15)
#elif LW_LANE_BYTES == 32
#define PAIRS_LOW(a, b)  SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define PAIRS_HIGH(a, b) SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define HALF_LOW(a, b)   SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HALF_HIGH(a, b)  SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define JOIN(r, k)       SHUFFLE((r)[k], (r)[(k) + 4], 0, 1, 2, 3, 4, 5, 6, 7)
#define SPLIT(x, r, k)   (r)[k] = SHUFFLE(x, x, 0, 1, 2, 3), (r)[(k) + 4] = SHUFFLE(x, x, 4, 5, 6, 7)
#else
#define PAIRS_LOW(a, b)  SHUFFLE(a, b, 0, 4, 1, 5)
#define PAIRS_HIGH(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#define HALF_LOW(a, b)   SHUFFLE(a, b, 0, 1, 4, 5)
#define HALF_HIGH(a, b)  SHUFFLE(a, b, 2, 3, 6, 7)
#define JOIN(r, k)       ((r)[k])
#define SPLIT(x, r, k)   (r)[k] = (x)
#endif

// Every group by itself; twice is nothing.
INLINE void transpose_groups(REAL v[BLOCK])
{
  REAL low_01 = PAIRS_LOW(v[0], v[1]), high_01 = PAIRS_HIGH(v[0], v[1]);
  REAL low_23 = PAIRS_LOW(v[2], v[3]), high_23 = PAIRS_HIGH(v[2], v[3]);
  v[0] = HALF_LOW(low_01, low_23);
  v[1] = HALF_HIGH(low_01, low_23);
  v[2] = HALF_LOW(high_01, high_23);
  v[3] = HALF_HIGH(high_01, high_23);
}

#else

enum
{
  BLOCK = 2
};
typedef double Group __attribute__((vector_size(16)));
typedef Group Row;

#if LW_LANE_BYTES == 64
#define JOIN_TWO(a, b) SHUFFLE(a, b, 0, 1, 2, 3)
#define JOIN(r, k)                                                                                 \
  SHUFFLE(JOIN_TWO((r)[k], (r)[(k) + 2]), JOIN_TWO((r)[(k) + 4], (r)[(k) + 6]), 0, 1, 2, 3, 4, 5,  \
          6, 7)
#define SPLIT(x, r, k)                                                                             \
  (r)[k] = SHUFFLE(x, x, 0, 1), (r)[(k) + 2] = SHUFFLE(x, x, 2, 3),                                \
  (r)[(k) + 4] = SHUFFLE(x, x, 4, 5), (r)[(k) + 6] = SHUFFLE(x, x, 6, 7)
#elif LW_LANE_BYTES == 32
#define JOIN(r, k)     SHUFFLE((r)[k], (r)[(k) + 2], 0, 1, 2, 3)
#define SPLIT(x, r, k) (r)[k] = SHUFFLE(x, x, 0, 1), (r)[(k) + 2] = SHUFFLE(x, x, 2, 3)
#else
#define JOIN(r, k)     ((r)[k])
#define SPLIT(x, r, k) (r)[k] = (x)
#endif

INLINE void transpose_groups(REAL v[BLOCK])
{
  REAL even = EVEN(v[0], v[1]);
  v[1]      = ODD(v[0], v[1]);
  v[0]      = even;
}

#endif

// A square of doubles: first within 128 bits, then these as a whole.
INLINE void transpose(Doubles v[WIDE64])
{
  SHORT_LOOP
  for (int k = 0; k < WIDE64; k += 2)
  {
    Doubles even = EVEN(v[k], v[k + 1]);
    v[k + 1]     = ODD(v[k], v[k + 1]);
    v[k]         = even;
  }
#if LW_LANE_BYTES >= 32
  SHORT_LOOP
  for (int k = 0; k < WIDE64; ++k)
  {
    if (k / 2 % 2) continue;
    Doubles low = NEAR_LOW(v[k], v[k + 2]);
    v[k + 2]    = NEAR_HIGH(v[k], v[k + 2]);
    v[k]        = low;
  }
#endif
#if LW_LANE_BYTES == 64
  SHORT_LOOP
  for (int k = 0; k < 4; ++k)
  {
    Doubles low = FAR_LOW(v[k], v[k + 4]);
    v[k + 4]    = FAR_HIGH(v[k], v[k + 4]);
    v[k]        = low;
  }
#endif
}

// Loads doubles from any address, converted to the kernel's scalar.
INLINE Group load_row(const double* at)
{
  Row row;
  memcpy(&row, at, sizeof row);
  return __builtin_convertvector(row, Group);
}

// BLOCK entries of all rows, of which the first begins at `at`, to as many vectors.
INLINE void block_to_lanes(const double* at, size_t by_state, REAL lanes[BLOCK])
{
  Group rows[LANES];
  for (size_t lane = 0; lane < LANES; ++lane) rows[lane] = load_row(at + lane * by_state);
  for (int k = 0; k < BLOCK; ++k) lanes[k] = JOIN(rows, k);
  transpose_groups(lanes);
}

// As block_to_lanes(), for QUAD entries. With 8 lanes of double, a load takes half a vector, not a
// group: half as many loads, and no more shuffles.
#if LW_LANE_BYTES == 64 && !defined(LW_SCALAR_f32)
enum
{
  QUAD = 4
};
typedef double HalfRow __attribute__((vector_size(32)));

INLINE HalfRow load_half_row(const double* at)
{
  HalfRow row;
  memcpy(&row, at, sizeof row);
  return row;
}

INLINE REAL two_half_rows(const double* at, const double* above)
{
  return SHUFFLE(load_half_row(at), load_half_row(above), 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE void quad_to_lanes(const double* at, size_t by_state, REAL lanes[QUAD])
{
  REAL rows_02  = two_half_rows(at, at + 2 * by_state);
  REAL rows_13  = two_half_rows(at + by_state, at + 3 * by_state);
  REAL rows_46  = two_half_rows(at + 4 * by_state, at + 6 * by_state);
  REAL rows_57  = two_half_rows(at + 5 * by_state, at + 7 * by_state);
  REAL even_low = EVEN(rows_02, rows_13), odd_low = ODD(rows_02, rows_13);
  REAL even_high = EVEN(rows_46, rows_57), odd_high = ODD(rows_46, rows_57);
  lanes[0] = SHUFFLE(even_low, even_high, 0, 1, 4, 5, 8, 9, 12, 13);
  lanes[1] = SHUFFLE(odd_low, odd_high, 0, 1, 4, 5, 8, 9, 12, 13);
  lanes[2] = SHUFFLE(even_low, even_high, 2, 3, 6, 7, 10, 11, 14, 15);
  lanes[3] = SHUFFLE(odd_low, odd_high, 2, 3, 6, 7, 10, 11, 14, 15);
}
#else
enum
{
  QUAD = BLOCK
};

INLINE void quad_to_lanes(const double* at, size_t by_state, REAL lanes[QUAD])
{
  block_to_lanes(at, by_state, lanes);
}
#endif

// BLOCK vectors to as many entries of all rows; the vectors are transposed in place.
INLINE void lanes_to_rows(REAL lanes[BLOCK], Group rows[LANES])
{
  transpose_groups(lanes);
  for (int k = 0; k < BLOCK; ++k) SPLIT(lanes[k], rows, k);
}

// The way back. Number by number, because GCC 12 makes one instruction of that, and five, two of
// them through memory, of __builtin_convertvector().
INLINE Row row_of(Group group)
{
#if defined(LW_SCALAR_f32)
  return (Row){group[0], group[1], group[2], group[3]};
#else
  return group;
#endif
}

INLINE void store_row(double* at, Group group)
{
  Row row = row_of(group);
  memcpy(at, &row, sizeof row);
}

// One entry of all lanes, side by side.
INLINE void store_joint_lanes(double* at, REAL entry)
{
#if defined(LW_SCALAR_f32)
  Group groups[LANES];
  SPLIT(entry, groups, 0);
  for (int lane = 0; lane < LANES; lane += BLOCK) store_row(at + lane, groups[lane]);
#else
  memcpy(at, &entry, sizeof entry);
#endif
}

// One entry of the first `count` lanes, by a store for each power of two in it.
INLINE void store_some_joint_lanes(double* at, REAL entry, int count)
{
  double all[LANES];
  if (count == LANES)
  {
    store_joint_lanes(at, entry);
    return;
  }
  store_joint_lanes(all, entry);
  SHORT_LOOP
  for (int size = LANES / 2, done = 0; size > 0; size /= 2)
    if (count & size)
    {
      memcpy(at + done, all + done, (size_t)size * sizeof *at);
      done += size;
    }
}

// BLOCK entries of all lanes to their rows, the first of which begins at `at`.
INLINE void store_block(const REAL entries[BLOCK], double* at, size_t by_state)
{
  REAL turned[BLOCK];
  Group rows[LANES];
  for (size_t k = 0; k < BLOCK; ++k) turned[k] = entries[k];
  lanes_to_rows(turned, rows);
  for (size_t lane = 0; lane < LANES; ++lane) store_row(at + lane * by_state, rows[lane]);
}

// As store_block(), for the entries that one store of a row takes: four doubles have twice as many
// shuffles as two pairs, and half as many stores.
#if LW_LANE_BYTES == 32 && !defined(LW_SCALAR_f32)
enum
{
  WHOLE_BLOCK = 4
};

INLINE void store_whole_block(const REAL entries[WHOLE_BLOCK], double* at, size_t by_state)
{
  REAL even_01 = EVEN(entries[0], entries[1]), odd_01 = ODD(entries[0], entries[1]);
  REAL even_23 = EVEN(entries[2], entries[3]), odd_23 = ODD(entries[2], entries[3]);
  REAL row_0 = SHUFFLE(even_01, even_23, 0, 1, 4, 5), row_1 = SHUFFLE(odd_01, odd_23, 0, 1, 4, 5);
  REAL row_2 = SHUFFLE(even_01, even_23, 2, 3, 6, 7), row_3 = SHUFFLE(odd_01, odd_23, 2, 3, 6, 7);
  memcpy(at, &row_0, sizeof row_0);
  memcpy(at + by_state, &row_1, sizeof row_1);
  memcpy(at + 2 * by_state, &row_2, sizeof row_2);
  memcpy(at + 3 * by_state, &row_3, sizeof row_3);
}

// Six entries, state by state: stores to one cache line follow each other.
INLINE void store_six(const REAL entries[6], double* at, size_t by_state)
{
  REAL even_01 = EVEN(entries[0], entries[1]), odd_01 = ODD(entries[0], entries[1]);
  REAL even_23 = EVEN(entries[2], entries[3]), odd_23 = ODD(entries[2], entries[3]);
  REAL even_45 = EVEN(entries[4], entries[5]), odd_45 = ODD(entries[4], entries[5]);
  REAL row_0 = SHUFFLE(even_01, even_23, 0, 1, 4, 5), row_1 = SHUFFLE(odd_01, odd_23, 0, 1, 4, 5);
  REAL row_2 = SHUFFLE(even_01, even_23, 2, 3, 6, 7), row_3 = SHUFFLE(odd_01, odd_23, 2, 3, 6, 7);
  const double *even = (const double*)&even_45, *odd = (const double*)&odd_45;
  memcpy(at, &row_0, sizeof row_0);
  memcpy(at + 4, even, sizeof(Group));
  memcpy(at + by_state, &row_1, sizeof row_1);
  memcpy(at + by_state + 4, odd, sizeof(Group));
  memcpy(at + 2 * by_state, &row_2, sizeof row_2);
  memcpy(at + 2 * by_state + 4, even + 2, sizeof(Group));
  memcpy(at + 3 * by_state, &row_3, sizeof row_3);
  memcpy(at + 3 * by_state + 4, odd + 2, sizeof(Group));
}
#else
enum
{
  WHOLE_BLOCK = BLOCK
};

INLINE void store_whole_block(const REAL entries[WHOLE_BLOCK], double* at, size_t by_state)
{
  store_block(entries, at, by_state);
}

// The last block may overlap the one before.
INLINE void store_six(const REAL entries[6], double* at, size_t by_state)
{
  for (size_t k = 0; k + BLOCK <= 6; k += BLOCK) store_block(entries + k, at + k, by_state);
  if (6 % BLOCK) store_block(entries + 6 - BLOCK, at + 6 - BLOCK, by_state);
}
#endif

#endif
