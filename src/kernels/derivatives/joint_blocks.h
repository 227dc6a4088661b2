// SPDX-License-Identifier: MIT
// Blocks of joints (kernels/blocks.h): vectors of a block, and motions, frames and matrices in
// them.
#ifndef LW_KERNELS_DERIVATIVES_BESIDE_H
#define LW_KERNELS_DERIVATIVES_BESIDE_H

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/derivatives/ground.h"

// One number of all joints of a block, in a register.
#if defined(LW_FLOATING) && !LW_LANE_BYTES
typedef Wide Block;
#if defined(LW_SCALAR_f32)
#define BLOCK_FUSED     WIDE_FUSED_32
#define BLOCK_FUSED_NEG WIDE_FUSED_NEG_32
#else
#define BLOCK_FUSED     WIDE_FUSED_64
#define BLOCK_FUSED_NEG WIDE_FUSED_NEG_64
#endif

INLINE Block block_all(REAL x)
{
  return x - (Block){0};
}

// c - a b
INLINE Block block_sub_mul(Block c, Block a, Block b)
{
  return BLOCK_FUSED_NEG(a, b, c);
}

// a b + c
INLINE Block block_mul_add(Block a, Block b, Block c)
{
  return BLOCK_FUSED(a, b, c);
}

INLINE Block block_mul(Block a, Block b)
{
  return a * b;
}

INLINE Block block_add(Block a, Block b)
{
  return a + b;
}

INLINE Block block_sub(Block a, Block b)
{
  return a - b;
}
#else
typedef REAL Block;

INLINE Block block_all(REAL x)
{
  return x;
}

INLINE Block block_sub_mul(Block c, Block a, Block b)
{
  return sub_mul(c, a, b);
}

INLINE Block block_mul_add(Block a, Block b, Block c)
{
  return mul_add(a, b, c);
}

INLINE Block block_mul(Block a, Block b)
{
  return r_mul(a, b);
}

INLINE Block block_add(Block a, Block b)
{
  return r_add(a, b);
}

INLINE Block block_sub(Block a, Block b)
{
  return r_sub(a, b);
}
#endif

INLINE Block block_load(const REAL* at)
{
  Block x;
  memcpy(&x, at, sizeof x);
  return x;
}

INLINE void block_store(REAL* at, Block x)
{
  memcpy(at, &x, sizeof x);
}

// a at place k, b at all others
INLINE Block block_put(int k, Block a, Block b)
{
#if defined(LW_FLOATING) && !LW_LANE_BYTES
  WideMask at;
  for (int i = 0; i < JOINT_LANES; ++i) at[i] = i - k;
  WideMask mask = at == 0;
  return (Block)(((WideMask)a & mask) | ((WideMask)b & ~mask));
#else
  (void)k, (void)b;
  return a;
#endif
}

INLINE Twist get_twist(const REAL* joint, int c)
{
  return (Twist){get3(joint, c), get3(joint, c + 3)};
}

INLINE void put_twist(REAL* joint, int c, Twist a)
{
  put3(joint, c, a.w);
  put3(joint, c + 3, a.v);
}

INLINE Frame get_frame(const REAL* joint, int c)
{
  return (Frame){get3(joint, c), get3(joint, c + 3), get3(joint, c + 6), get3(joint, c + 9)};
}

INLINE void put_frame(REAL* joint, int c, Frame F)
{
  put3(joint, c, F.x);
  put3(joint, c + 3, F.y);
  put3(joint, c + 6, F.z);
  put3(joint, c + 9, F.p);
}

// The first count numbers of a block to a row, all if there are more.
INLINE void put_some(REAL* to, const REAL block[JOINT_LANES], int count)
{
  if (count >= JOINT_LANES)
    memcpy(to, block, JOINT_LANES * sizeof *to);
  else
    for (int k = 0; k < JOINT_LANES - 1; ++k)
      if (k < count) to[k] = block[k];
}

// Whether blocks have fours of joints, whose numbers go to rows by shuffles.
#if defined(LW_FLOATING) && !LW_LANE_BYTES && (LW_WIDE_BYTES > 16 || defined(LW_SCALAR_f32))
#define BESIDE_FOURS

typedef REAL FourEntries __attribute__((vector_size(4 * sizeof(REAL))));
typedef REAL Two __attribute__((vector_size(2 * sizeof(REAL))));

INLINE FourEntries load_four(const REAL* at)
{
  FourEntries v;
  memcpy(&v, at, sizeof v);
  return v;
}

INLINE void store_four(REAL* at, FourEntries v)
{
  memcpy(at, &v, sizeof v);
}

INLINE void store_two(REAL* at, Two v)
{
  memcpy(at, &v, sizeof v);
}

// FourEntries rows of four numbers each, `next` apart, as columns from c on; the first row last.
INLINE void transpose_four(REAL* const row[4], size_t c, const REAL* from, size_t next)
{
  FourEntries v0 = load_four(from), v1 = load_four(from + next);
  FourEntries v2 = load_four(from + 2 * next), v3 = load_four(from + 3 * next);
  FourEntries low_01  = __builtin_shufflevector(v0, v1, 0, 4, 2, 6);
  FourEntries low_23  = __builtin_shufflevector(v2, v3, 0, 4, 2, 6);
  FourEntries high_01 = __builtin_shufflevector(v0, v1, 1, 5, 3, 7);
  FourEntries high_23 = __builtin_shufflevector(v2, v3, 1, 5, 3, 7);
  store_four(row[3] + c, __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7));
  store_four(row[2] + c, __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7));
  store_four(row[1] + c, __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5));
  store_four(row[0] + c, __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5));
}

// Four numbers of four joints of a block to their rows, from column c on.
INLINE void put_four(REAL* const row[4], size_t c, const REAL* block)
{
  transpose_four(row, c, block, JOINT_LANES);
}

// Two numbers of four joints of a block to their rows; the first row last.
INLINE void put_two(REAL* const row[4], size_t c, const REAL* block)
{
  FourEntries v0 = load_four(block), v1 = load_four(block + JOINT_LANES);
  FourEntries even = __builtin_shufflevector(v0, v1, 0, 4, 2, 6);
  FourEntries odd  = __builtin_shufflevector(v0, v1, 1, 5, 3, 7);
  store_two(row[3] + c, __builtin_shufflevector(odd, odd, 2, 3));
  store_two(row[2] + c, __builtin_shufflevector(even, even, 2, 3));
  store_two(row[1] + c, __builtin_shufflevector(odd, odd, 0, 1));
  store_two(row[0] + c, __builtin_shufflevector(even, even, 0, 1));
}
#endif

// Row i of a matrix (n, n), from column `from` on, to column i.
INLINE void mirror_row(size_t n, REAL* M, size_t i, size_t from)
{
  for (size_t k = from; k < n; ++k) M[k * n + i] = M[i * n + k];
}

// Entries above the diagonal of a matrix (n, n) to below it.
INLINE void mirror_upper(size_t n, REAL* M)
{
  size_t i = 0;
#if defined(BESIDE_FOURS)
  for (; i + 4 <= n; i += 4)
  {
    size_t k = i + 4;
    for (; k + 4 <= n; k += 4)
    {
      REAL* at = M + k * n;
      transpose_four((REAL* const[4]){at, at + n, at + 2 * n, at + 3 * n}, i, M + i * n + k, n);
    }
    for (size_t r = i; r < i + 4; ++r)
    {
      for (size_t c = r + 1; c < i + 4; ++c) M[c * n + r] = M[r * n + c];
      mirror_row(n, M, r, k);
    }
  }
#endif
  for (; i < n; ++i) mirror_row(n, M, i, i + 1);
}

// Inward, tip to base: numbers from c on, `count` of them, are added to those of the parent.
INLINE void gather_inward(const lwModel* model, REAL* joints, int size, int c, int count)
{
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p = model->parent[i];
    if (p == LW_BASE) continue;
    const REAL* from = in_block(joints, size, i) + c * JOINT_LANES;
    REAL* to         = in_block(joints, size, p) + c * JOINT_LANES;
    SHORT_LOOP
    for (int k = 0; k < count; ++k)
      to[k * JOINT_LANES] = r_add(to[k * JOINT_LANES], from[k * JOINT_LANES]);
  }
}

// Writes row i of matrices (n, n) of a chain to to, to + next, .. in whole blocks: up to
// JOINT_LANES - 1 entries more than n.
typedef void lwChainRow(const REAL* joints, int n, int i, REAL* to, size_t next);

// All rows in order, so that the next row overwrites the excess of one. A row without a next one is
// written to spare (count, block_end(n)) first.
INLINE void rows_of_chain(const REAL* joints, int n, REAL* spare, lwChainRow* row, int count,
                          REAL* out)
{
  size_t end = (size_t)block_end(n), width = (size_t)n;
  for (int i = 0; i < n; ++i)
  {
    REAL* to   = out + (size_t)i * width;
    bool spill = (size_t)(n - i) * width < end;
    row(joints, n, i, spill ? spare : to, spill ? end : width * width);
    for (size_t k = 0; k < (size_t)count && spill; ++k)
      for (size_t c = 0; c < width; ++c) to[k * width * width + c] = spare[k * end + c];
  }
}

#endif
