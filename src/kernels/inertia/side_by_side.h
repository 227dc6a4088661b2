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
INLINE int first_beside(int i)
{
  return i & ~(LANES - 1);
}

INLINE REAL load(const SCALAR* at)
{
  REAL x;
  memcpy(&x, at, sizeof x);
  return x;
}

// The first count entries of a group, all if there are more.
INLINE void store_group(double* at, Group group, int count)
{
  Row row = row_of(group);
  if (count >= BLOCK)
    memcpy(at, &row, sizeof row);
  else
    for (int k = 0; k < BLOCK - 1 && k < count; ++k) at[k] = row[k];
}

// The same of a vector.
INLINE void store_some(double* at, REAL x, int count)
{
  Group groups[LANES];
  if (count >= LANES)
  {
    store_beside(at, x);
    return;
  }
  SPLIT(x, groups, 0);
  for (int lane = 0; lane < LANES; lane += BLOCK)
    store_group(at + lane, groups[lane], count - lane);
}

// Entries from begin on, as far as there are count, and none before.
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
    Doubles row = d_choose(double_numbers() < k, gather(up, stride), load_doubles(down));
    memcpy(down, &row, sizeof row);
  }
  for (int k = first + WIDE64; k < n; ++k)
  {
    ++up, down += stride;
    Doubles row = gather(up, stride);
    memcpy(down, &row, sizeof row);
  }
}

#endif
