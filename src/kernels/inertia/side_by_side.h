// SPDX-License-Identifier: MIT
// Columns of one state side by side in lanes. For lane variants only; see columns.h. The matrix has
// doubles, in single precision, too.
#ifndef LW_KERNELS_INERTIA_SIDE_BY_SIDE_H
#define LW_KERNELS_INERTIA_SIDE_BY_SIDE_H

#include "kernels/inertia/columns.h"
#include "math/transpose.h"

#if defined(LW_SCALAR_f32)
typedef Ints Mask;
#define CHOOSE f_choose
#else
typedef Longs Mask;
#define CHOOSE d_choose
#endif

INLINE Mask lane_numbers(void)
{
  Mask numbers = {0};
  for (int k = 0; k < LANES; ++k) numbers[k] = k;
  return numbers;
}

INLINE V3 v3_choose(Mask mask, V3 a, V3 b)
{
  return v3(CHOOSE(mask, a.x, b.x), CHOOSE(mask, a.y, b.y), CHOOSE(mask, a.z, b.z));
}

// Where mask is all ones, a; where it is 0, b.
INLINE Column choose(Mask mask, Column a, Column b)
{
  return (Column){v3_choose(mask, a.f, b.f), v3_choose(mask, a.n, b.n)};
}

// The first of the LANES columns among which column i stands.
INLINE int first_of_block(int i)
{
  return i & ~(LANES - 1);
}

INLINE REAL load(const SCALAR* at)
{
  REAL x;
  memcpy(&x, at, sizeof x);
  return x;
}

INLINE void store(double* at, Doubles x)
{
  memcpy(at, &x, sizeof x);
}

// WIDE64 entries of a vector from one of them on, in double. In single precision they are converted
// one by one in the text, of which GCC 12 makes one instruction; of __builtin_convertvector() five.
INLINE Doubles doubles_from(REAL x, int first)
{
#if defined(LW_SCALAR_f32)
  Doubles some = {0};
  for (int k = 0; k < WIDE64; ++k) some[k] = (double)x[first + k];
  return some;
#else
  (void)first;
  return x;
#endif
}

// The first count entries of a vector, all if there are more: those that do not fill a vector of
// doubles in pairs. Two texts, of which GCC 12 makes the faster code for either scalar.
#if defined(LW_SCALAR_f32)

INLINE void store_doubles(double* at, Doubles x, int count)
{
  typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
  if (count >= WIDE64)
  {
    store(at, x);
    return;
  }
  for (int k = 0; k < WIDE64 && k < count; k += 2)
  {
    Pair two = {x[k], x[k + 1]};
    if (k + 1 < count)
      memcpy(at + k, &two, sizeof two);
    else
      at[k] = x[k];
  }
}

INLINE void store_some(double* at, REAL x, int count)
{
  for (int k = 0; k < LANES; k += WIDE64) store_doubles(at + k, doubles_from(x, k), count - k);
}

#else

INLINE void store_pair(double* at, Group pair, int count)
{
  if (count >= BLOCK)
    store_row(at, pair);
  else
    for (int k = 0; k < BLOCK - 1 && k < count; ++k) at[k] = pair[k];
}

INLINE void store_some(double* at, REAL x, int count)
{
  Group pairs[LANES];
  if (count >= LANES)
  {
    store(at, x);
    return;
  }
  SPLIT(x, pairs, 0);
  for (int k = 0; k < LANES; k += BLOCK) store_pair(at + k, pairs[k], count - k);
}

#endif

// Entries from begin on, as far as there are count, and none before.
INLINE void store_doubles_from(double* at, Doubles x, int begin, int count)
{
  for (int k = 0; k < WIDE64; ++k)
    if (k >= begin && k < count) at[k] = x[k];
}

// As store_doubles_from(), from a vector of REAL.
INLINE void store_from(double* at, REAL x, int begin, int count)
{
  for (int k = 0; k < LANES; ++k)
    if (k >= begin && k < count) at[k] = (double)x[k];
}

INLINE Doubles load_doubles(const double* at)
{
  Doubles x;
  memcpy(&x, at, sizeof x);
  return x;
}

// at[0], at[stride], ..
INLINE Doubles gather(const double* at, size_t stride)
{
  Doubles x = {0};
  for (size_t k = 0; k < WIDE64; ++k) x[k] = at[k * stride];
  return x;
}

INLINE Longs double_numbers(void)
{
  Longs numbers = {0};
  for (int k = 0; k < WIDE64; ++k) numbers[k] = k;
  return numbers;
}

// Rows first to first + WIDE64 - 1, which are complete from the diagonal on, become columns below
// it: while they are in the cache, and a vector at a time.
INLINE void mirror_rows(double* M, int n, int first)
{
  size_t stride    = (size_t)n;
  double* corner   = M + (size_t)first * (stride + 1);
  const double* up = corner;
  double* down     = corner;
  if (first + WIDE64 > n)
  {
    for (size_t k = 1; k < (size_t)(n - first); ++k)
      for (size_t i = 0; i < k; ++i) corner[k * stride + i] = corner[i * stride + k];
    return;
  }
  for (int k = 1; k < WIDE64; ++k)
  {
    ++up, down += stride;
    store(down, d_choose(double_numbers() < k, gather(up, stride), load_doubles(down)));
  }
  for (int k = first + WIDE64; k < n; ++k)
  {
    ++up, down += stride;
    store(down, gather(up, stride));
  }
}

#endif
