// SPDX-License-Identifier: MIT
// Columns of one state side by side in lanes. For lane variants only; see columns.h.
#ifndef LW_KERNELS_INERTIA_SIDE_BY_SIDE_H
#define LW_KERNELS_INERTIA_SIDE_BY_SIDE_H

#include "kernels/inertia/columns.h"

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

INLINE void store(SCALAR* at, REAL x)
{
  memcpy(at, &x, sizeof x);
}

// The first count entries, all if there are more.
INLINE void store_some(SCALAR* at, REAL x, int count)
{
  if (count >= LANES)
    store(at, x);
  else
    for (int k = 0; k < LANES - 1; ++k)
      if (k < count) at[k] = x[k];
}

// Entries from begin on, as far as there are count, and none before.
INLINE void store_from(SCALAR* at, REAL x, int begin, int count)
{
  for (int k = 0; k < LANES; ++k)
    if (k >= begin && k < count) at[k] = x[k];
}

// at[0], at[stride], ..
INLINE REAL gather(const SCALAR* at, size_t stride)
{
  REAL x = {0};
  for (size_t lane = 0; lane < LANES; ++lane) x[lane] = at[lane * stride];
  return x;
}

// Rows first to first + LANES - 1, which are complete from the diagonal on, become columns below
// it: while they are in the cache, and a vector at a time.
INLINE void mirror_rows(SCALAR* M, int n, int first)
{
  size_t stride    = (size_t)n;
  SCALAR* corner   = M + (size_t)first * (stride + 1);
  const SCALAR* up = corner;
  SCALAR* down     = corner;
  if (first + LANES > n)
  {
    for (size_t k = 1; k < (size_t)(n - first); ++k)
      for (size_t i = 0; i < k; ++i) corner[k * stride + i] = corner[i * stride + k];
    return;
  }
  for (int k = 1; k < LANES; ++k)
  {
    ++up, down += stride;
    store(down, CHOOSE(lane_numbers() < k, gather(up, stride), load(down)));
  }
  for (int k = first + LANES; k < n; ++k)
  {
    ++up, down += stride;
    store(down, gather(up, stride));
  }
}

#endif
