// SPDX-License-Identifier: MIT
// Columns of the inertia matrix, and how their entries get into the matrix.
//
// A column is a wrench that meets all joints further in, and all columns meet the same joints. So
// for one state of a plain scalar, as many columns stand side by side in a vector as a lane variant
// has states: the lane variant with vectors of LW_WIDE_BYTES does that part of the work
// (COLUMNS_FN). The operations are the same, so results are identical to the last bit.
#ifndef LW_KERNELS_INERTIA_COLUMNS_H
#define LW_KERNELS_INERTIA_COLUMNS_H

#include <string.h>

#include "kernels/joints.h"
#include "kernels/lanes.h"

typedef struct
{
  V3 f, n;  // N, N m about the origin of the frame that it is in
} Column;

INLINE void set_entry(Result* M, int n, int i, int k, REAL entry)
{
  M[(size_t)i * (size_t)n + (size_t)k] = entry;
  M[(size_t)k * (size_t)n + (size_t)i] = entry;
}

// Where an entry on or above the diagonal is.
INLINE size_t upper_at(size_t n, size_t row, size_t column, bool packed)
{
  return packed ? lw_packed_at(n, row, column) : row * n + column;
}

// An entry on or above the diagonal, and its mirror image unless only the triangle is wanted.
INLINE void set_upper(Result* M, int n, int row, int column, REAL entry, bool packed)
{
  M[upper_at((size_t)n, (size_t)row, (size_t)column, packed)] = entry;
  if (!packed) M[(size_t)column * (size_t)n + (size_t)row] = entry;
}

// Between branches of a tree nothing else writes.
INLINE void clear_tree(const lwModel* model, Result* M, bool packed)
{
  size_t n = (size_t)model->n, size = packed ? n * (n + 1) / 2 : n * n;
  for (size_t k = 0; k < size && !model->chain; ++k) M[k] = zero();
}

#if defined(LW_FLOATING)

#if LW_LANE_BYTES
#define COLUMNS_FN FN
#else
#define LW_PLAIN  // one state at a time
#if defined(__AVX512F__)
#define COLUMNS_ISA avx2
#else
#define COLUMNS_ISA LW_ISA
#endif
#if defined(LW_SCALAR_f32)
#define COLUMNS_FN(name) LW_PASTE(name, f32_lanes, COLUMNS_ISA)
#else
#define COLUMNS_FN(name) LW_PASTE(name, f64_lanes, COLUMNS_ISA)
#endif
#endif

// Bytes of columns in whole vectors, and what a kernel asks for per joint to have them: the base
// counts as one joint, and half a vector for each is enough for any number of them.
INLINE size_t columns_bytes(int n)
{
  return ((size_t)n + WIDE - 1) / WIDE * WIDE * 6 * sizeof(SCALAR);
}
#define COLUMN_PER_JOINT (6 * sizeof(SCALAR) * WIDE / 2)

// The matrix from (cos, sin) of all joints (n) and the state, by composite_body.c.
typedef void lwCompositeColumns(const lwModel* model, void* work, const SCALAR* turns,
                                const lwState* state, double* M);
lwCompositeColumns COLUMNS_FN(composite_columns);

// The matrix from columns (n, 6) and the twists (n, 6) that they meet, side by side, and its
// diagonal (n), by common_frame.c.
typedef void lwCommonRows(const lwModel* model, const void* columns, const void* twists,
                          const SCALAR* resisted, double* M, bool packed);
lwCommonRows COLUMNS_FN(common_rows);

#endif
#endif
